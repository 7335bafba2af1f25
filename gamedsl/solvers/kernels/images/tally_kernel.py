"""The kernels that count the states of a table, written against the names of every module (`abi`).

An entry is a key, marks, and a code: (plies + 1) << CLASS_BITS with the number of a payoff, or less
than 1 << CLASS_BITS for endless play. Images of a state share one entry (`symmetry.orbits`), and
are counted separately.

table: int64[n, WIDTH]: entries, as `induction_kernel` has them.
mirrored: int64[payoffs]: for each payoff, the payoff with swapped players.
tallies: int64[plies, payoffs]: states by plies + 1 (0: endless) and payoff.
keys: int64[m, WIDTH]: the last row is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CLASS_BITS,
        KEY_BITS,
        MIRRORED,
        SHIFT,
        WIDTH,
        Array,
        State,
        all_marks,
        images_of,
        unpack_key,
    )


def state_at(place: int, table: Array, keys: Array) -> State:
    """The state of an entry; uses the last row of the keys."""
    at = len(keys) - WIDTH
    for number in range(WIDTH - 1):
        keys[at + number] = table[place + number]
    keys[at + WIDTH - 1] = table[place + WIDTH - 1] & (1 << KEY_BITS) - 1
    return unpack_key(keys, at)


def marks_at(place: int, table: Array) -> int:
    """The marks of an entry."""
    marks: int = table[place + WIDTH - 1] >> KEY_BITS & (1 << SHIFT - KEY_BITS) - 1
    return marks


def longest(table: Array) -> int:
    """The greatest plies + 1."""
    most = 0
    for place in range(0, len(table), WIDTH):
        length = table[place + WIDTH - 1] >> SHIFT >> CLASS_BITS
        if length > most:
            most = length
    return most


def tally(
    begin: int,
    end: int,
    table: Array,
    payoffs: int,
    mirrored: Array,
    tallies: Array,
    keys: Array,
) -> int:
    """Count the states of a part by payoff and plies, images separately; return the number of
    states."""
    total = 0
    for place in range(begin, end, WIDTH):
        code = table[place + WIDTH - 1] >> SHIFT
        if code != 0:
            state = state_at(place, table, keys)
            marks = all_marks(*state, marks_at(place, table))
            length = code >> CLASS_BITS
            number = 0 if length == 0 else code & (1 << CLASS_BITS) - 1
            size = images_of(*state, marks & ~MIRRORED)
            mirrored_size = images_of(*state, marks & MIRRORED)
            tallies[length * payoffs + number] += size
            tallies[length * payoffs + mirrored[number]] += mirrored_size
            total += size + mirrored_size
    return total
