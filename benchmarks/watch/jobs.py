"""The jobs of the watch: small questions of all kinds, each with its right answer.

A job is made ready outside of the time: the game is read, machine code is made or taken from the
cache. The measured part is the part that a user waits for afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import gamedsl
from benchmarks.answers import PERFT
from benchmarks.ours import Ours, positions_solved, regret_learner
from benchmarks.playout_contests import LENGTHS
from gamedsl.game.library import shipped_game

MEAN_PLIES = {
    "chess": LENGTHS["chess"][0],
    "go": 38.2,
    "hex": 21.13,
    "nine_mens_morris": 193.2,
    "othello": LENGTHS["othello"][0],
}


class Job(NamedTuple):
    """A job.

    Attributes:
        name: as in the table of kept ratios.
        reference: the fixed work beside it.
        prepare: makes the job ready; returns the work, whose result is `right`.
        right: the answer, or a mean of many plays, which may be off by a twentieth.
    """

    name: str
    reference: str
    prepare: Callable[[], Callable[[], float]]
    right: float

    def is_right(self, answer: float) -> bool:
        """Whether an answer is right."""
        if isinstance(self.right, int):
            return answer == self.right
        return abs(answer - self.right) <= self.right / 20


def _perft(game: str, depth: int, engine: str, *, is_bulk: bool) -> Job:
    def prepare() -> Callable[[], float]:
        return partial(Ours(game, engine).perft, depth, is_bulk=is_bulk)

    kind = "cache" if engine == "native" else "python"
    return Job(f"perft {game} {engine}", kind, prepare, PERFT[game][depth])


def _playouts(game: str, count: int) -> Job:
    def prepare() -> Callable[[], float]:
        own = Ours(game, "native")
        return lambda: own.playouts(count, 7).plies / count

    return Job(f"playouts {game}", "cache", prepare, MEAN_PLIES[game])


def _solved(game: str, positions: int, engine: str = "native", **parameters: int) -> Job:
    reference = "memory" if engine == "native" else "python"
    prepare = partial(positions_solved, game, engine, **parameters)
    return Job(f"solve {game} {engine}", reference, prepare, positions)


def _checked(game: str) -> Job:
    def prepare() -> Callable[[], float]:
        path = shipped_game(game)
        return lambda: gamedsl.load(path).facts.action_count

    return Job(f"read {game}", "python", prepare, gamedsl.load(game).facts.action_count)


def _rounds(game: str, rounds: int) -> Job:
    def prepare() -> Callable[[], float]:
        learner = regret_learner(game, "native")

        def run() -> float:
            learner.go_on(rounds)
            return 0

        return run

    return Job(f"CFR+ {game}", "cache", prepare, 0)


def _interpreted(game: str, depth: int) -> Job:
    def prepare() -> Callable[[], float]:
        rules = gamedsl.load(game, engine="interpreter")

        def count(state: gamedsl.State, plies: int) -> int:
            if plies == 0 or rules.is_terminal(state):
                return 1
            actions = rules.legal_actions(state)
            return sum(count(rules.result(state, action), plies - 1) for action in actions)

        return lambda: count(rules.initial_state(), depth)

    return Job(f"perft {game} interpreter", "python", prepare, PERFT[game][depth])


def _value(game: str, value: int, **parameters: object) -> Job:
    def prepare() -> Callable[[], float]:
        loaded = gamedsl.load(game, **parameters)

        def run() -> float:
            solution = gamedsl.solve(loaded, goal="value")
            assert solution.value is not None
            return int(solution.value[0])

        return run

    return Job(f"value {game}", "cache", prepare, value)


def jobs() -> tuple[Job, ...]:
    """All jobs, in the order in which they run."""
    return (
        _perft("connect_four", 8, "native", is_bulk=False),
        _perft("othello", 7, "native", is_bulk=False),
        _perft("breakthrough", 4, "native", is_bulk=False),
        _perft("chess", 4, "native", is_bulk=True),
        _perft("checkers", 8, "native", is_bulk=True),
        _perft("connect_four", 5, "python", is_bulk=False),
        _perft("othello", 4, "python", is_bulk=False),
        _interpreted("othello", 3),
        _interpreted("connect_four", 4),
        _playouts("chess", 300),
        _playouts("go", 5_000),
        _playouts("hex", 10_000),
        _playouts("nine_mens_morris", 3_000),
        _playouts("othello", 5_000),
        _solved("connect_small", 161_029, width=4, height=4),
        _solved("tic_tac_toe", 5_478, "python"),
        _solved("rook_endgame", 3_893),
        _solved("pig", 121_758, goal=40),
        _value("connect_small", 0, width=5, height=4),
        _rounds("leduc_poker", 400),
        _checked("chess"),
    )
