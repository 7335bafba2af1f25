"""Breakthrough on eight by eight, by hand.

A state is two words, the men of the player to move and those of the other; square a1 is bit 0, h8
bit 63. The board is never turned: one function for each side has its shifts as constants.
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

WHITE, BLACK = U(0xFFFF), U(0xFFFF << 48)
FIRST_ROW, LAST_ROW = U(0xFF), U(0xFF << 56)
NOT_A, NOT_H = U(0xFEFEFEFEFEFEFEFE), U(0x7F7F7F7F7F7F7F7F)


@njit(inline="always")
def white_targets(white: Any, black: Any) -> Any:
    """Where White's men can go: straight on, towards column a, towards column h."""
    straight = (white << U(8)) & ~(white | black)
    left = ((white & NOT_A) << U(7)) & ~white
    return straight, left, ((white & NOT_H) << U(9)) & ~white


@njit(inline="always")
def black_targets(black: Any, white: Any) -> Any:
    """The same for Black."""
    straight = (black >> U(8)) & ~(white | black)
    left = ((black & NOT_A) >> U(9)) & ~black
    return straight, left, ((black & NOT_H) >> U(7)) & ~black


@njit("int64(uint64, uint64, int64, boolean, boolean)")
def _perft(own: Any, other: Any, depth: Any, is_white: Any, is_bulk: Any) -> Any:
    """Plays of `depth` plies; the state may be over."""
    if depth == 0:
        return 1
    if other & (FIRST_ROW if is_white else LAST_ROW) or own == ZERO:
        return 0
    if is_white:
        straight, left, right = white_targets(own, other)
    else:
        straight, left, right = black_targets(own, other)
    if is_bulk and depth == 1:
        return np.int64(popcount(straight) + popcount(left) + popcount(right))
    total = 0
    while straight:
        to = straight & (ZERO - straight)
        straight ^= to
        origin = to >> U(8) if is_white else to << U(8)
        total += _perft(other, own ^ origin ^ to, depth - 1, not is_white, is_bulk)
    while left:
        to = left & (ZERO - left)
        left ^= to
        origin = to >> U(7) if is_white else to << U(9)
        total += _perft(other & ~to, own ^ origin ^ to, depth - 1, not is_white, is_bulk)
    while right:
        to = right & (ZERO - right)
        right ^= to
        origin = to >> U(9) if is_white else to << U(7)
        total += _perft(other & ~to, own ^ origin ^ to, depth - 1, not is_white, is_bulk)
    return total


@njit
def perft(depth: int, is_bulk: bool) -> int:
    """See the package."""
    return _perft(WHITE, BLACK, depth, True, is_bulk)


@njit(inline="always")
def _chosen(straight: Any, left: Any, right: Any, random: Any) -> Any:
    """A move, each as likely: its target, and 0, 1, 2 for straight, left, right."""
    n_straight, n_left = popcount(straight), popcount(left)
    number = below(random, n_straight + n_left + popcount(right))
    if number < n_straight:
        return nth_bit(straight, number), 0
    number -= n_straight
    if number < n_left:
        return nth_bit(left, number), 1
    return nth_bit(right, number - n_left), 2


@njit
def playouts(count: int, seed: int, lengths: Any, outcomes: Any) -> None:
    """See the package."""
    for playout in range(count):
        random = random_state(seed, playout)
        white, black, plies = WHITE, BLACK, 0
        while True:
            random += GOLDEN
            straight, left, right = white_targets(white, black)
            to, way = _chosen(straight, left, right, mix(random))
            white ^= to | (to >> U(8) if way == 0 else to >> U(7) if way == 1 else to >> U(9))
            black &= ~to
            plies += 1
            if to & LAST_ROW or black == ZERO:
                outcomes[0] += 1
                break
            random += GOLDEN
            straight, left, right = black_targets(black, white)
            to, way = _chosen(straight, left, right, mix(random))
            black ^= to | (to << U(8) if way == 0 else to << U(9) if way == 1 else to << U(7))
            white &= ~to
            plies += 1
            if to & FIRST_ROW or white == ZERO:
                outcomes[2] += 1
                break
        lengths[playout] = plies
