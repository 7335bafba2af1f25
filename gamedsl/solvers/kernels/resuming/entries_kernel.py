"""The kernel that holds each entry of a table against what an entry can be.

Kernels take a key for a state, the number of a payoff for an index, and a table for one in which
each state is found: so all of it has to be true of a table that was read from a file.

A free entry is all zeros. The key of one in use is that of a state of the rules (`is_state`), the
least of its images, and looked for it is found there, so that there is none twice. The code of an
ending is what the rules pay. That of any other state says that it is open, up to `open_codes`; or
plies, from 1 up to `most_plies`, and the number of a payoff.

table: int64[n, WIDTH]: entries, as `induction_kernel` has them.
keys: int64[2, WIDTH]: room.
counts: int64[4]: entries of open states, by their codes; those of endings; those of others.
Other arrays are those of `induction_kernel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import PAYOFFS, bucket_of, entry_from, payoff_of

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
        payoffs_after,
        unpack_key,
    )

OF_ENDINGS, OF_OTHERS = 0, 3
"""Where endings and other states with a value are counted; open ones are by their codes."""
COUNTS = 4
RIGHT = -1
"""In place of an entry: each is one that can be."""


def used_in(begin: int, end: int, table: Array) -> int:
    """How many entries of a part of the table are in use."""
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
    """Whether the key of an entry is one by which a state is found there; it is left among the
    keys."""
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
    table: Array,
    open_codes: int,
    most_plies: int,
    keys: Array,
    payoffs: Array,
    counts: Array,
    notes: Array,
) -> int:
    """Count the entries of a part of the table; the first that cannot be one, or `RIGHT`."""
    for place in range(begin, end, WIDTH):
        code = table[place + WIDTH - 1] >> SHIFT
        if code == 0:
            if not is_free(place, table):
                return place
            continue
        if table[place + WIDTH - 1] < 0 or not is_key(place, table, keys):
            return place
        per, one, other = payoffs_after(*unpack_key(keys, 0))
        plies = code >> CLASS_BITS
        if per != 0:
            payoff = payoff_of(per, one, other, payoffs, notes)
            if payoff < 0 or code != 1 << CLASS_BITS | payoff:
                return place
            counts[OF_ENDINGS] += 1
        elif plies == 0:
            if code > open_codes:
                return place
            counts[code] += 1
        else:
            payoff = code & (1 << CLASS_BITS) - 1
            if plies == 1 or plies > most_plies + 1 or payoff >= notes[PAYOFFS]:
                return place
            counts[OF_OTHERS] += 1
    return RIGHT
