"""The kernel that checks every entry of a table read from a file.

Other kernels rely on a table without checks: they read a key as a state and a payoff number as an
index, and expect that every state is found. So a table from a file has to satisfy the following
conditions.

A free entry is all zeros. The key of an entry in use is the key of a state of the rules
(`is_state`), and the least of its images; a lookup of the key finds the entry, so there are no
duplicates. The code of an ending is the payoff by the rules. The code of a state without a value is
at most `open_codes`; the code of every remaining state holds plies, from 1 up to `most_plies`, and
the number of a payoff.

arrays: see `TableArrays`; keys: int64[2, WIDTH]: working space.
counts: int64[COUNTS + SHARES]: numbers of entries of open states, by code; of endings; of remaining
states; then working space for payoffs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import bucket_of, ending_of, entry_from
from gamedsl.solvers.kernels.table_records import TableArrays, TableNotes

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CLASS_BITS,
        KEY_BITS,
        SHIFT,
        WIDTH,
        Array,
        is_state,
        least_image,
        pack_key,
        unpack_key,
    )

OF_ENDINGS, OF_OTHERS = 0, 3
"""Indices of the counts of endings and of settled inner states; open states are counted by code."""
COUNTS = 4
RIGHT = -1
"""Returned in place of an entry if all entries are valid."""


def used_in(begin: int, end: int, table: Array) -> int:
    """Number of entries in use in a part of the table."""
    used = 0
    for place in range(begin, end, WIDTH):
        if table[place + WIDTH - 1] >> SHIFT != 0:
            used += 1
    return used


def is_free(place: int, table: Array) -> bool:
    """Whether an entry is all zeros."""
    used = 0
    for number in range(WIDTH):
        used |= table[place + number]
    return used == 0


def is_key(place: int, table: Array, keys: Array) -> bool:
    """Whether the key of an entry is valid and its lookup finds the entry; the key is left in
    `keys`."""
    for number in range(WIDTH - 1):
        keys[number] = table[place + number]
    keys[WIDTH - 1] = table[place + WIDTH - 1] & (1 << KEY_BITS) - 1
    state = unpack_key(keys, 0)
    if is_state(*state) == 0:
        return False
    differs = pack_key(*least_image(*state), keys, WIDTH)
    for number in range(WIDTH):
        differs |= keys[number] ^ keys[WIDTH + number]
    return differs == 0 and entry_from(bucket_of(keys, 0, table), keys, 0, table) == place


def odd_entry(
    begin: int,
    end: int,
    arrays: TableArrays,
    open_codes: int,
    most_plies: int,
    counts: Array,
    notes: TableNotes,
) -> int:
    """Count the entries of a part of the table; return the first invalid entry, or `RIGHT`."""
    for place in range(begin, end, WIDTH):
        code = arrays.table[place + WIDTH - 1] >> SHIFT
        if code == 0:
            if not is_free(place, arrays.table):
                return place
            continue
        if arrays.table[place + WIDTH - 1] < 0 or not is_key(place, arrays.table, arrays.keys):
            return place
        state = unpack_key(arrays.keys, 0)
        ending = ending_of(state, arrays.payoffs, notes.payoffs, counts, COUNTS)
        plies = code >> CLASS_BITS
        if ending != 0:
            if ending < 0 or code != 1 << CLASS_BITS | ending - 1:
                return place
            counts[OF_ENDINGS] += 1
        elif plies == 0:
            if code > open_codes:
                return place
            counts[code] += 1
        else:
            payoff = code & (1 << CLASS_BITS) - 1
            if plies == 1 or plies > most_plies + 1 or payoff >= notes.payoffs:
                return place
            counts[OF_OTHERS] += 1
    return RIGHT
