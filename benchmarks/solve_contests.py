"""Contests in solving strongly: the value of every position that can be reached.

The slow subject solves a smaller board; what is compared is positions a second. Machine code is
there before anything is timed, as everywhere but in the contests of whole processes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks.answers import MORRIS, POSITIONS
from benchmarks.contender import Contender, Contest, Ready, need
from benchmarks.ours import positions_solved

NATIVE = "gamedsl native"
HAND_WRITTEN = "hand-written numba"
SLOTS_LOG2 = 22
"""Entries of the table written by hand: 41 in 100 of them are used in the end."""


def solve_contests() -> tuple[Contest, ...]:
    """The contests in the order in which they are run."""
    contenders = (
        Contender(NATIVE, lambda: _ready((4, 5), _ours((4, 5), "native"))),
        Contender(f"{NATIVE}, 2 threads", lambda: _ready((4, 5), _ours((4, 5), "native", 2), 2)),
        Contender(HAND_WRITTEN, lambda: _ready((4, 5), _by_hand((4, 5)))),
        Contender("gamedsl python", lambda: _ready((4, 4), _ours((4, 4), "python"))),
    )
    morris = tuple(
        Contender(NATIVE if n == 1 else f"{NATIVE}, {n} threads", partial(_returning, n))
        for n in (1, 2)
    )
    return (
        Contest("solve_connect_small", "positions", (HAND_WRITTEN,), contenders),
        Contest("solve_six_mens_morris", "positions", (NATIVE,), morris),
    )


def _returning(threads: int) -> Ready:
    run = positions_solved("six_mens_morris", "native", threads)
    return Ready("all", run, lambda found: found == MORRIS, float, is_parallel=threads > 1)


def _ready(size: tuple[int, int], run: Callable[[], int], threads: int = 1) -> Ready:
    right, board = POSITIONS[size], f"{size[0]} wide {size[1]} high"
    return Ready(board, run, lambda found: found == right, float, is_parallel=threads > 1)


def _ours(size: tuple[int, int], engine: str, threads: int = 1) -> Callable[[], int]:
    return positions_solved("connect_small", engine, threads, width=size[0], height=size[1])


def _by_hand(size: tuple[int, int]) -> Callable[[], int]:
    need("numba", "numba")
    from benchmarks.handwritten.connect_small import solver

    solve = solver(*size, SLOTS_LOG2)
    return lambda: solve()[0]
