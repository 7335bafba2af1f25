"""Moves of the adviser in solved positions: `python -m benchmarks.arena.solved [GAME ...]`.

Every game is solved from the first position on. Positions of random plays, in which some move loses
value, are asked for one after another. Each row: the positions, the moves that lost value, and how
many of the moves the adviser called proved; each losing move has a line with its play.
"""

from __future__ import annotations

import argparse
from random import Random
from time import process_time

import gamedsl
from gamedsl.game.contract import Action
from gamedsl.model.state import State
from gamedsl.solvers.advice.counsel import Counsel
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution

BOARDS: dict[str, dict[str, int]] = {
    "connect_small": {},
    "hex": {"width": 4, "height": 3},
    "breakthrough": {"width": 3, "height": 5},
    "dots_and_boxes": {},
    "domineering": {},
    "clobber": {"width": 4, "height": 3},
    "kalah": {"pits": 3, "seeds": 2},
    "y": {},
    "hare_and_hounds": {},
    "dodgem": {},
}
"""Files, and their parameters. Play returns in the last two."""
LONGEST = 60
"""Plies of a random play."""
PREPARED = 20.0
"""Seconds in which machine code is compiled."""


def main() -> None:
    """Asks for moves in positions of each game, and prints how many lost value."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena.solved", description=__doc__)
    parser.add_argument("games", nargs="*", default=list(BOARDS))
    parser.add_argument("--positions", type=int, default=50, help="of each game")
    parser.add_argument("--seconds", type=float, default=0.2, help="processor time of a move")
    parser.add_argument("--estimates", action="store_true", help="nothing is solved meanwhile")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    positions = losses = 0
    for name in options.games:
        asked, lost = _asked(name, options)
        positions, losses = positions + asked, losses + lost
    print(f"all: {losses} moves lost value in {positions} positions")


def _asked(name: str, options: argparse.Namespace) -> tuple[int, int]:
    """The number of positions of a game, and of moves that lost value."""
    game = gamedsl.load(name, "auto", **BOARDS.get(name, {}))
    root, rng = game.initial_state(), Random(options.seed)
    solution = solve(game, root, SolveOptions())
    proved = lost = 0
    for _ in range(options.positions):
        played, state, keeping = _position(game, solution, rng)
        counsel = Counsel(
            game, rng, options.seconds, solves=not options.estimates, clock=process_time
        )
        counsel.adviser.prepare(state, PREPARED)
        advice = counsel.advise(((state, None),))
        proved += advice.answer.is_exact
        if advice.action not in keeping:
            lost += 1
            chosen = game.action_name(state, advice.action)
            print(f"  {name}: {', '.join(played)}: {chosen} loses value")
    print(f"{name:18} {options.positions} positions, {lost} lost, {proved} proved", flush=True)
    return options.positions, lost


def _position(
    game: gamedsl.LoadedGame, solution: Solution, rng: Random
) -> tuple[list[str], State, set[Action]]:
    """The moves to a position of a random play where some move loses value, the position, and the
    moves that keep the value."""
    while True:
        state, played, several = game.initial_state(), list[str](), []
        while not game.is_terminal(state) and len(played) < LONGEST:
            mover = game.current_player(state)
            legal = game.legal_actions(state)
            values = {a: solution.value_at(game.result(state, a))[mover] for a in legal}
            best = max(values.values())
            keeping = {action for action in legal if values[action] == best}
            if len(keeping) < len(legal):
                several.append((list(played), state, keeping))
            action = rng.choice(legal)
            played.append(game.action_name(state, action))
            state = game.result(state, action)
        if several:
            return rng.choice(several)


if __name__ == "__main__":
    main()
