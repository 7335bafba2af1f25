"""Contests in uniform random playouts from the initial position, counted in whole plays.

Every run plays the same number with the same seed. That the plays are the right ones is shown by
`agreement`; here a mean length far from the known one stops the contest.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from benchmarks import samples
from benchmarks.contender import Contender, Contest, Ready
from benchmarks.perft_contests import HAND_WRITTEN, NATIVE, OPEN_SPIEL, PYTHON, PYTHON_CHESS
from benchmarks.samples import Sampler

LENGTHS: dict[str, tuple[float, float]] = {
    "connect_four": (21.28, 7.4),
    "breakthrough": (64.05, 16.1),
    "othello": (60.44, 1.3),
    "chess": (401.0, 175.0),
}
"""Mean and standard deviation of a play's plies, from OpenSpiel; of chess from python-chess."""
OPEN_SPIEL_CHESS = (338.0, 125.0)
"""It also ends dead positions, so its plays are shorter."""
SEED = 7
Made = Callable[[], Sampler]


def playout_contests() -> tuple[Contest, ...]:
    """One contest a game."""
    return (
        _contest("connect_four", 100_000, 4_000, 200),
        _contest("breakthrough", 20_000, 1_000, 30),
        _contest("othello", 20_000, 400, 10),
        _chess(),
    )


def _contest(game: str, native: int, openspiel: int, python: int) -> Contest:
    known = LENGTHS[game]
    made: list[tuple[str, Made, int]] = [
        (NATIVE, lambda: samples.ours_sampler(game, "native"), native),
        (HAND_WRITTEN, lambda: samples.handwritten_sampler(game), native),
        (OPEN_SPIEL, lambda: samples.openspiel_sampler(game), openspiel),
        (PYTHON, lambda: samples.ours_sampler(game, "python"), python),
        (f"{NATIVE}, 2 threads", lambda: samples.ours_sampler(game, "native", 2), native),
    ]
    contenders = tuple(_contender(name, make, count, known) for name, make, count in made)
    return Contest(f"playouts_{game}", "plays", (HAND_WRITTEN, OPEN_SPIEL), contenders)


def _chess() -> Contest:
    known = LENGTHS["chess"]
    contenders = (
        _contender(NATIVE, lambda: samples.ours_sampler("chess", "native"), 500, known),
        _contender(OPEN_SPIEL, lambda: samples.openspiel_sampler("chess"), 100, OPEN_SPIEL_CHESS),
        _contender(PYTHON_CHESS, samples.python_chess_sampler, 20, known),
    )
    return Contest("playouts_chess", "plays", (PYTHON_CHESS, OPEN_SPIEL), contenders)


def _contender(subject: str, make: Made, count: int, known: tuple[float, float]) -> Contender:
    mean, deviation = known

    def prepare() -> Ready:
        sampler = make()
        return Ready(
            f"{count:,} plays; answer: mean plies",
            lambda: sampler(count, SEED).mean,
            lambda found: abs(found - mean) <= 5 * deviation / sqrt(count) + 0.01 * mean,
            lambda found: float(count),
            is_parallel="threads" in subject,
        )

    return Contender(subject, prepare)
