"""Plays a match: `python -m benchmarks.arena GAME ...`.

    python -m benchmarks.arena connect_four hex --pairs 20          # against OpenSpiel's MCTS
    python -m benchmarks.arena othello --against ../older           # against another checkout
    python -m benchmarks.arena othello --against random

Matches are those of `gamedsl match`, with further players. Time is processor time of all threads.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from random import Random

import gamedsl
from benchmarks.arena.players import AdviserPlayer, SpielPlayer
from gamedsl.reports.counts.matches import match_text
from gamedsl.solvers.matches.elo import elo_interval
from gamedsl.solvers.matches.match import LONGEST, MatchResult, Pair, play_pair
from gamedsl.solvers.matches.players import RandomPlayer
from tests.peers.spiel_lockstep import Position, Row
from tests.peers.spiel_table import ROWS, to


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
    options = parser.parse_args()
    scores: list[float] = []
    for name in options.games:
        scores += [pair.score for pair in _match(name, options)]
    if len(options.games) > 1:
        elo = elo_interval(scores)
        print(f"all: {elo.mean:+.0f} Elo ({elo.low:+.0f} to {elo.high:+.0f})")


def _match(name: str, options: argparse.Namespace) -> tuple[Pair, ...]:
    """The pairs of a match in a game, printed."""
    row = row_of(name)
    game = gamedsl.load(row.path, "auto", **dict(row.parameters))
    ours = AdviserPlayer(game, row, options.seconds, options.seed)
    theirs = _opponent(game, row, options)
    longest = int(min(row.longest, LONGEST))
    pairs = []
    for number in range(options.pairs):
        pairs.append(play_pair(game, (ours, theirs), number, options.seed, longest))
        print(f"  {pairs[-1].score:g}", end="", flush=True)
    result = MatchResult(tuple(pairs))
    names = ours.name, getattr(theirs, "name", "chance")
    print(f"\n{match_text(game, names, result)}")
    for player in (ours, theirs):
        if not isinstance(player, RandomPlayer):
            print(f"  processor {player.used()}", flush=True)
    return result.pairs


def row_of(name: str) -> Row:
    """The row of a file."""
    return next(row for row in (*MORE, *ROWS) if row.file == name)


def _opponent(
    game: gamedsl.LoadedGame, row: Row, options: argparse.Namespace
) -> AdviserPlayer | SpielPlayer | RandomPlayer:
    if options.against == "openspiel":
        return SpielPlayer(row, options.seconds, options.seed, options.uct_c)
    if options.against == "random":
        return RandomPlayer(game, Random(options.seed))
    folder = Path(options.against).resolve()
    return AdviserPlayer(game, row, options.seconds, options.seed, folder)


if __name__ == "__main__":
    main()
