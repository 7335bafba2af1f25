"""Othello on eight by eight, by hand.

A state is two words, the discs of the player to move and those of the other; square a1 is bit 0,
h8 bit 63. Moves are found for all discs at once by parallel-prefix fills along the eight
directions; the discs that a move turns are found by a carry (upwards) or the highest set bit
(downwards) of the four lines through its square.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from benchmarks.handwritten.bits import (
    GOLDEN,
    ONE,
    ZERO,
    U,
    below,
    highest,
    lowest,
    mix,
    nth_bit,
    popcount,
    random_state,
)

BLACK, WHITE = U(1 << 28 | 1 << 35), U(1 << 27 | 1 << 36)
INNER_COLUMNS = U(0x7E7E7E7E7E7E7E7E)
STEPS = ((1, 0), (0, 1), (1, 1), (-1, 1))
"""Columns and rows of the four directions in which the number of the square grows."""


def _rays(sign: int) -> Any:
    """For each of the four directions the squares beyond a square, seen along it or against it."""
    rays = np.zeros((4, 64), dtype=np.uint64)
    for direction, (right, up) in enumerate(STEPS):
        for square in range(64):
            column, row = square % 8 + sign * right, square // 8 + sign * up
            while 0 <= column < 8 and 0 <= row < 8:
                rays[direction, square] |= U(1 << (8 * row + column))
                column, row = column + sign * right, row + sign * up
    return rays


UP, DOWN = _rays(1), _rays(-1)


@njit(inline="always")
def _found(own: Any, through: Any, step: Any) -> Any:
    """Squares next to a row of discs of `through` that begins at `own`, both ways."""
    up = through & (own << step)
    up |= through & (up << step)
    pairs = through & (through << step)
    up |= pairs & (up << (step + step))
    up |= pairs & (up << (step + step))
    down = through & (own >> step)
    down |= through & (down >> step)
    pairs = through & (through >> step)
    down |= pairs & (down >> (step + step))
    down |= pairs & (down >> (step + step))
    return (up << step) | (down >> step)


@njit(inline="always")
def moves_of(own: Any, other: Any) -> Any:
    """The squares on which `own` can put a disc."""
    inner = other & INNER_COLUMNS
    found = _found(own, inner, U(1)) | _found(own, other, U(8))
    found |= _found(own, inner, U(9)) | _found(own, inner, U(7))
    return found & ~(own | other)


@njit(inline="always")
def _turned_up(own: Any, other: Any, ray: Any) -> Any:
    """The discs turned on a ray towards higher squares: a carry runs through the other's."""
    stop = ((other | ~ray) + ONE) & own & ray
    return (stop - (ONE if stop else ZERO)) & ray


@njit(inline="always")
def _turned_down(own: Any, other: Any, ray: Any) -> Any:
    """The discs turned on a ray towards lower squares: its highest square not the other's ends
    them. (The bit put in below is no disc of `own`, and keeps the word from being zero.)"""
    stop = U(1) << highest((ray & ~other) | ONE)
    return (ZERO - ((stop & own & ray) << ONE)) & ray


@njit(inline="always")
def turned(own: Any, other: Any, square: Any) -> Any:
    """The discs that a disc on a square turns."""
    found = _turned_up(own, other, UP[0, square]) | _turned_down(own, other, DOWN[0, square])
    found |= _turned_up(own, other, UP[1, square]) | _turned_down(own, other, DOWN[1, square])
    found |= _turned_up(own, other, UP[2, square]) | _turned_down(own, other, DOWN[2, square])
    found |= _turned_up(own, other, UP[3, square]) | _turned_down(own, other, DOWN[3, square])
    return found


@njit("int64(uint64, uint64, int64, boolean, boolean)")
def _perft(own: Any, other: Any, depth: Any, has_passed: Any, is_bulk: Any) -> Any:
    """Plays of `depth` plies; a pass is a ply, and after two of them no play goes on."""
    if depth == 0:
        return 1
    moves = moves_of(own, other)
    if moves == ZERO:
        if (has_passed and depth > 1) or ~(own | other) == ZERO:
            return 0
        return _perft(other, own, depth - 1, True, is_bulk)
    if is_bulk and depth == 1:
        return np.int64(popcount(moves))
    total = 0
    while moves:
        square = lowest(moves)
        moves &= moves - ONE
        turns = turned(own, other, square)
        after = own | turns | (ONE << square)
        total += _perft(other & ~turns, after, depth - 1, False, is_bulk)
    return total


@njit
def perft(depth: int, is_bulk: bool) -> Any:
    """See the package."""
    return _perft(BLACK, WHITE, depth, False, is_bulk)


@njit
def playouts(count: int, seed: int, lengths: Any, outcomes: Any) -> None:
    """See the package. The two passes that end a game before the board is full are plies."""
    for playout in range(count):
        random = random_state(seed, playout)
        own, other, plies, passes = BLACK, WHITE, 0, 0
        while passes < 2 and ~(own | other):
            moves = moves_of(own, other)
            plies += 1
            if moves == ZERO:
                passes += 1
                own, other = other, own
                continue
            passes = 0
            random += GOLDEN
            square = lowest(nth_bit(moves, below(mix(random), popcount(moves))))
            turns = turned(own, other, square)
            own, other = other & ~turns, own | turns | (ONE << square)
        if plies & 1:
            own, other = other, own
        black, white = popcount(own), popcount(other)
        outcomes[0 if black > white else 1 if black == white else 2] += 1
        lengths[playout] = plies
