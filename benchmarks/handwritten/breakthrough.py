"""Breakthrough on eight by eight, by hand.

A state is two words, the men of the player to move and those of the other; square a1 is bit 0, h8
bit 63. The player to move always goes up: after a move the board is turned upside down, which is
one instruction.
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
    upside_down,
)

WHITE, BLACK = U(0xFFFF), U(0xFFFF << 48)
FIRST_ROW, LAST_ROW = U(0xFF), U(0xFF << 56)
NOT_A, NOT_H = U(0xFEFEFEFEFEFEFEFE), U(0x7F7F7F7F7F7F7F7F)


@njit(inline="always")
def targets(own: Any, other: Any) -> Any:
    """Where men can go: straight on, towards column a, towards column h."""
    straight = (own << U(8)) & ~(own | other)
    left = ((own & NOT_A) << U(7)) & ~own
    return straight, left, ((own & NOT_H) << U(9)) & ~own


@njit("int64(uint64, uint64, int64)")
def _leaves(own: Any, other: Any, depth: Any) -> Any:
    """Plays of `depth` plies, every leaf made; the state may be over."""
    if depth == 0:
        return 1
    if other & FIRST_ROW or own == ZERO:
        return 0
    straight, left, right = targets(own, other)
    turned = upside_down(other)
    total = 0
    while straight:
        to = straight & (ZERO - straight)
        straight ^= to
        total += _leaves(turned, upside_down(own ^ to ^ (to >> U(8))), depth - 1)
    while left:
        to = left & (ZERO - left)
        left ^= to
        after = upside_down(own ^ to ^ (to >> U(7)))
        total += _leaves(turned & ~upside_down(to), after, depth - 1)
    while right:
        to = right & (ZERO - right)
        right ^= to
        after = upside_down(own ^ to ^ (to >> U(9)))
        total += _leaves(turned & ~upside_down(to), after, depth - 1)
    return total


@njit("int64(uint64, uint64, int64)")
def _bulk(own: Any, other: Any, depth: Any) -> Any:
    """The same, the last ply counted; `depth` > 0."""
    if other & FIRST_ROW or own == ZERO:
        return 0
    straight, left, right = targets(own, other)
    if depth == 1:
        return np.int64(popcount(straight) + popcount(left) + popcount(right))
    turned = upside_down(other)
    total = 0
    while straight:
        to = straight & (ZERO - straight)
        straight ^= to
        total += _bulk(turned, upside_down(own ^ to ^ (to >> U(8))), depth - 1)
    while left:
        to = left & (ZERO - left)
        left ^= to
        after = upside_down(own ^ to ^ (to >> U(7)))
        total += _bulk(turned & ~upside_down(to), after, depth - 1)
    while right:
        to = right & (ZERO - right)
        right ^= to
        after = upside_down(own ^ to ^ (to >> U(9)))
        total += _bulk(turned & ~upside_down(to), after, depth - 1)
    return total


@njit
def perft(depth: int, is_bulk: bool) -> Any:
    """See the package."""
    return _bulk(WHITE, BLACK, depth) if is_bulk else _leaves(WHITE, BLACK, depth)


@njit
def playouts(count: int, seed: int, lengths: Any, outcomes: Any) -> None:
    """See the package."""
    for playout in range(count):
        random = random_state(seed, playout)
        own, other, plies = WHITE, BLACK, 0
        while True:
            random += GOLDEN
            straight, left, right = targets(own, other)
            n_straight, n_left = popcount(straight), popcount(left)
            number = below(mix(random), n_straight + n_left + popcount(right))
            if number < n_straight:
                to = nth_bit(straight, number)
                own ^= to | (to >> U(8))
            elif number < n_straight + n_left:
                to = nth_bit(left, number - n_straight)
                own ^= to | (to >> U(7))
            else:
                to = nth_bit(right, number - n_straight - n_left)
                own ^= to | (to >> U(9))
            other &= ~to
            plies += 1
            if to & LAST_ROW or other == ZERO:
                outcomes[0 if plies & 1 else 2] += 1
                break
            own, other = upside_down(other), upside_down(own)
        lengths[playout] = plies
