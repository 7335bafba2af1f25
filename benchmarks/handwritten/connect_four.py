"""Connect four, seven columns of six, by hand.

A column is seven bits from the bottom up, the seventh always empty (J. Tromp's layout), so that
adding the bottom row to what is occupied gives the lowest free square of every column at once. A
state is two words: the discs of the player to move, and all discs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from benchmarks.handwritten.bits import (
    GOLDEN,
    ZERO,
    U,
    below,
    mix,
    nth_bit,
    popcount,
    random_state,
)

BOTTOM = U(sum(1 << 7 * column for column in range(7)))
BOARD = U(int(BOTTOM) * 0b111111)


@njit(inline="always")
def has_four(discs: Any) -> Any:
    """Whether four discs stand in a straight line."""
    pairs = discs & (discs >> U(1))
    found = pairs & (pairs >> U(2))
    pairs = discs & (discs >> U(7))
    found |= pairs & (pairs >> U(14))
    pairs = discs & (discs >> U(6))
    found |= pairs & (pairs >> U(12))
    pairs = discs & (discs >> U(8))
    found |= pairs & (pairs >> U(16))
    return found != ZERO


@njit(inline="always")
def free(occupied: Any) -> Any:
    """The squares on which a disc can come to lie."""
    return (occupied + BOTTOM) & BOARD


@njit("int64(uint64, uint64, int64)")
def _leaves(mover: Any, occupied: Any, depth: Any) -> Any:
    """Plays of `depth` plies, every leaf made; the state may be over."""
    if depth == 0:
        return 1
    if has_four(occupied ^ mover):
        return 0
    total = 0
    moves = free(occupied)
    while moves:
        disc = moves & (ZERO - moves)
        moves ^= disc
        total += _leaves(occupied ^ mover, occupied | disc, depth - 1)
    return total


@njit("int64(uint64, uint64, int64)")
def _bulk(mover: Any, occupied: Any, depth: Any) -> Any:
    """The same, the last ply counted; `depth` > 0."""
    if has_four(occupied ^ mover):
        return 0
    moves = free(occupied)
    if depth == 1:
        return np.int64(popcount(moves))
    total = 0
    while moves:
        disc = moves & (ZERO - moves)
        moves ^= disc
        total += _bulk(occupied ^ mover, occupied | disc, depth - 1)
    return total


@njit
def perft(depth: int, is_bulk: bool) -> Any:
    """See the package."""
    return _bulk(ZERO, ZERO, depth) if is_bulk else _leaves(ZERO, ZERO, depth)


@njit
def playouts(count: int, seed: int, lengths: Any, outcomes: Any) -> None:
    """See the package."""
    for number in range(count):
        random = random_state(seed, number)
        mover, occupied, plies = ZERO, ZERO, 0
        while True:
            moves = free(occupied)
            if moves == ZERO:
                outcomes[1] += 1
                break
            random += GOLDEN
            disc = nth_bit(moves, below(mix(random), popcount(moves)))
            mover |= disc
            occupied |= disc
            plies += 1
            if has_four(mover):
                outcomes[0 if plies & 1 else 2] += 1
                break
            mover ^= occupied
        lengths[number] = plies
