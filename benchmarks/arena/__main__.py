"""Plays a match: `python -m benchmarks.arena GAME ...`.

    python -m benchmarks.arena connect_four hex --pairs 20          # against OpenSpiel's MCTS
    python -m benchmarks.arena othello --against ../older           # against another checkout
    python -m benchmarks.arena othello --against random

Openings are random plies, played twice with colours swapped. Time is processor time of all threads.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from random import Random

from benchmarks.arena.elo import interval
from benchmarks.arena.players import AdviserPlayer, Player, RandomPlayer, SpielPlayer
from tests.peers.spiel_lockstep import Lockstep, Position, Row, Step
from tests.peers.spiel_table import ROWS, to

OPENING = (2, 4)
"""Least and greatest number of random plies of an opening."""


def _six_rows(text: str, here: Position) -> str:
    """OpenSpiel counts the rows of smaller boards from the top of a board of eight."""
    return to.breakthrough(re.sub(r"\d", lambda digit: str(int(digit[0]) + 2), text), here)


MORE = (
    Row(
        "breakthrough",
        "breakthrough(rows=6,columns=6)",
        _six_rows,
        {"width": 6, "height": 6},
    ),
    Row("hex", "hex(board_size=7)", to.hexagon, {"width": 7, "height": 7}),
)
"""Boards of the usual size for a match; the rows that come first are taken."""


def main() -> None:
    """Plays the matches of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena", description=__doc__)
    parser.add_argument("games", nargs="+", help="files of the table of OpenSpiel's games")
    parser.add_argument("--against", default="openspiel", help="`openspiel`, `random`, a checkout")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.2, help="for a move")
    parser.add_argument("--uct-c", type=float, default=1.4, help="of OpenSpiel")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    scores: list[float] = []
    for name in given.games:
        row = next(row for row in (*MORE, *ROWS) if row.file == name)
        ours = AdviserPlayer(row, given.seconds, given.seed)
        theirs = _opponent(row, given)
        rng, found = Random(given.seed), list[float]()
        for _ in range(given.pairs):
            found.append(_pair(row, (ours, theirs), rng))
            print(f"  {found[-1]:g}", end="", flush=True)
        scores += found
        print(f"\n{name}: {_told(found)}; {_used(ours)}; {_used(theirs)}", flush=True)
    if len(given.games) > 1:
        print(f"all: {_told(scores)}")


def _opponent(row: Row, given: argparse.Namespace) -> Player:
    if given.against == "openspiel":
        return SpielPlayer(row, given.seconds, given.seed, given.uct_c)
    if given.against == "random":
        return RandomPlayer(given.seed)
    return AdviserPlayer(row, given.seconds, given.seed, Path(given.against).resolve())


def _pair(row: Row, players: tuple[Player, Player], rng: Random) -> float:
    """The mean score of the first player in two games from one opening."""
    opening: list[Step] = []
    while not opening:
        table = Lockstep(row)
        for _ in range(rng.randint(*OPENING)):
            if not table.is_over():
                opening.append(rng.choice(table.steps()))
                table.go(opening[-1])
        if table.is_over():
            opening = []
    return (_game(row, players, opening) + 1 - _game(row, players[::-1], opening)) / 2


def _game(row: Row, players: tuple[Player, Player], opening: list[Step]) -> float:
    """The score of the player with the first move."""
    table, moves, waiting = Lockstep(row), list[str](), list(opening)
    while not table.is_over() and table.plies < row.longest:
        steps = table.steps()
        step = (
            next(s for s in steps if s.theirs == waiting[0].theirs)
            if waiting
            else players[int(table.mover)].choose(table, steps, moves)
        )
        del waiting[:1]
        before = len(table.history)
        table.go(step)
        moves += [table.game.action_name(state, act) for state, act in table.history[before:]]
    if not table.is_over():
        return 0.5
    payoff = table.theirs.returns()[0]
    return 0.5 if payoff == 0 else float(payoff > 0)


def _told(pairs: list[float]) -> str:
    middle, low, high = interval(pairs)
    games = 2 * len(pairs)
    return f"{sum(pairs) * 2:g} of {games} games, {middle:+.0f} Elo ({low:+.0f} to {high:+.0f})"


def _used(player: Player) -> str:
    mean = player.seconds / max(1, player.moves)
    after = getattr(player, "after", 0.0) / max(1, player.moves)
    exact = f", {player.exact} of {player.moves} moves proved" if hasattr(player, "exact") else ""
    return f"{player.name}: {mean:.3f} s a move (+{after:.3f} s after){exact}"


if __name__ == "__main__":
    main()
