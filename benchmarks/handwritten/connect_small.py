"""Connect four on small boards, solved strongly by hand: negamax that remembers every position.

Columns are those of `connect_four`. A position's key is the discs of the player to move plus what
is occupied plus the bottom row: one number below 2^((height + 1) * width). An entry of the table is
one word: the key, two bits of value (1 lost, 2 drawn, 3 won) and six of plies. The table has its
final size from the start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from benchmarks.handwritten.bits import ONE, ZERO, U, mix


def solver(width: int, height: int, entries_log2: int) -> Callable[[], tuple[int, int, int]]:
    """What solves a board: positions, value for the first player (1 to 3), plies."""
    step = height + 1
    bottom = U(sum(1 << step * column for column in range(width)))
    board = U(int(bottom) * ((1 << height) - 1))
    up, rising, level, falling = ONE, U(step + 1), U(step), U(step - 1)
    slots = (1 << entries_log2) - 1

    @njit(inline="always")
    def has_four(discs: Any) -> Any:
        found = ZERO
        for shift in (up, rising, level, falling):
            pairs = discs & (discs >> shift)
            found |= pairs & (pairs >> (shift + shift))
        return found != ZERO

    @njit(inline="always")
    def place_of(key: Any, table: Any) -> Any:
        place = np.int64(mix(key)) & slots
        while table[place] != ZERO and table[place] >> U(8) != key:
            place = (place + 1) & slots
        return place

    @njit("uint64(uint64, uint64, uint64[::1], int64[::1])")
    def settle(mover: Any, occupied: Any, table: Any, count: Any) -> Any:
        key = mover + occupied + bottom
        place = place_of(key, table)
        if table[place] != ZERO:
            return table[place] & U(255)
        count[0] += 1
        best = ZERO
        if has_four(occupied ^ mover):
            best = ONE << U(6)
        elif occupied == board:
            best = U(2) << U(6)
        else:
            rank = -1
            moves = (occupied + bottom) & board
            while moves:
                disc = moves & (ZERO - moves)
                moves ^= disc
                found = settle(occupied ^ mover, occupied | disc, table, count)
                value = U(4) - (found >> U(6))
                plies = np.int64(found & U(63)) + 1
                own = np.int64(value) * 128 + (plies if value == ONE else 64 - plies)
                if own > rank:
                    rank = own
                    best = value << U(6) | U(plies)
        table[place_of(key, table)] = key << U(8) | best
        return best

    def solve() -> tuple[int, int, int]:
        table = np.zeros(slots + 1, dtype=np.uint64)
        count = np.zeros(1, dtype=np.int64)
        found = int(settle(ZERO, ZERO, table, count))
        return int(count[0]), found >> 6, found & 63

    return solve
