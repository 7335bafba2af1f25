"""The kernel of a fixed-size table of value bounds, for `alpha_beta_kernel`; `proof_number_kernel`
uses its entry layout, too.

The table has buckets of `SLOTS` entries. An entry is the whole key of a state, so states are never
confused, and above the key a code: two payoffs that bound the state's value, and the search effort.
The entry of least effort is replaced (D. M. Breuker, "Memory versus search in games", 1998, chapter
3). A table larger than the processor's caches has a near part that fits into a cache.

arrays: see `BoundsArrays`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays
from gamedsl.solvers.kernels.table_records import TableNotes

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CLASS_BITS,
        IMAGE,
        MOST_CODE,
        SHIFT,
        SLOTS,
        STRIDE,
        SYMMETRIC,
        WIDTH,
        Array,
        hash_key,
        highest,
        least_image,
        mixed,
        numbers,
        pack_key,
        unpack_key,
    )

HASH = 0
"""Offset of a state's hash behind its key."""
PATH = 1 << 12
"""Numbers of states on the stack, by a part of a hash."""
EFFECTS = 1 << 14
"""Numbers of changes of a state by a move."""
NEAR = 1 << 13
"""Buckets of the near part: half a megabyte, which stays in a processor cache."""
LEAST_APART = 1 << 15
"""Least number of buckets of a table with a near part."""


class BoundsArrays(Arrays):
    """table: int64[buckets, STRIDE]: buckets of SLOTS entries of WIDTH numbers.
    keys: int64[m]: keys of states, and WIDTH + `HASH` further on the hash of each key; `IMAGE`
        further on the least of a state's images, which represents all of them.
    ranks: int64[n + 1]: for each payoff number the rank for the first player.
    """

    table: Array
    keys: Array
    ranks: Array


def bucket_at(hashed: int, is_near: bool, table: Array) -> int:
    """The beginning of the bucket for a hash."""
    buckets = len(table) // STRIDE
    if buckets < LEAST_APART:
        return (hashed * buckets >> 31) * STRIDE
    if is_near:
        return (hashed * NEAR >> 31) * STRIDE
    return (NEAR + (hashed * (buckets - NEAR) >> 31)) * STRIDE


def entry_of(bucket: int, keys: Array, at: int, table: Array) -> int:
    """The place of a state's entry in its bucket; -1 if the state has no entry."""
    last = WIDTH - 1
    mask = (1 << SHIFT) - 1
    for slot in range(SLOTS):
        place = bucket + slot * WIDTH
        content = table[place + last]
        is_same = content >> SHIFT != 0 and (content & mask) == keys[at + last]
        for number in range(last):
            is_same = is_same and table[place + number] == keys[at + number]
        if is_same:
            return place
    return -1


def effect_of(keys: Array, at: int, before: int) -> int:
    """A number for the change of a state's numbers by a move."""
    effect: int = keys[at] ^ keys[before]
    if WIDTH == 1:
        return mixed(effect, 1) & (EFFECTS - 1)
    for number in range(1, WIDTH):
        effect = mixed(keys[at + number] ^ keys[before + number], effect)
    return effect & (EFFECTS - 1)


def answer_of(code: int, asked: int, ranks: Array) -> int:
    """The answer of a code to the question, in the form of `FOUND`."""
    mask = (1 << CLASS_BITS) - 1
    low = code & mask
    if low != 0 and ranks[low] > asked:
        return low
    high = code >> CLASS_BITS & mask
    if high != 0 and ranks[high] < asked:
        return -high
    return 0


def known(keys: Array, at: int, is_near: bool, table: Array, asked: int, ranks: Array) -> int:
    """The answer of the table to the question about a state."""
    bucket = bucket_at(keys[at + WIDTH + HASH], is_near, table)
    place = entry_of(bucket, keys, at + IMAGE, table)
    if place < 0:
        return 0
    return answer_of(table[place + WIDTH - 1] >> SHIFT, asked, ranks)


def are_equal(keys: Array, at: int, other: int) -> bool:
    """Whether two states are the same."""
    is_same = True
    for number in range(WIDTH):
        is_same = is_same and keys[at + number] == keys[other + number]
    return is_same


def room_in(bucket: int, table: Array, notes: TableNotes) -> int:
    """The place for a new entry: a free place, or the place of the entry of least effort."""
    chosen = bucket
    least = MOST_CODE
    for slot in range(SLOTS):
        place = bucket + slot * WIDTH
        code = table[place + WIDTH - 1] >> SHIFT
        if code == 0:
            notes.used += 1
            return place
        effort = code >> 2 * CLASS_BITS
        if effort < least:
            least = effort
            chosen = place
    return chosen


def keep(
    at: int, bound: int, looked_at: int, is_near: bool, arrays: BoundsArrays, notes: TableNotes
) -> int:
    """Write the result for a state into its bucket."""
    bucket = bucket_at(arrays.keys[at + WIDTH + HASH], is_near, arrays.table)
    place = entry_of(bucket, arrays.keys, at + IMAGE, arrays.table)
    mask = (1 << CLASS_BITS) - 1
    effort = min(highest(looked_at + 1), MOST_CODE >> 2 * CLASS_BITS)
    low = 0
    high = 0
    if place < 0:
        place = room_in(bucket, arrays.table, notes)
        for number in range(WIDTH - 1):
            arrays.table[place + number] = arrays.keys[at + IMAGE + number]
    else:
        code = arrays.table[place + WIDTH - 1] >> SHIFT
        low = code & mask
        high = code >> CLASS_BITS & mask
        effort = max(effort, code >> 2 * CLASS_BITS)
    if bound > 0 and (low == 0 or arrays.ranks[low] < arrays.ranks[bound]):
        low = bound
    if bound < 0 and (high == 0 or arrays.ranks[high] > arrays.ranks[-bound]):
        high = -bound
    code = effort << 2 * CLASS_BITS | high << CLASS_BITS | low
    arrays.table[place + WIDTH - 1] = arrays.keys[at + IMAGE + WIDTH - 1] | code << SHIFT
    return place


def enlarge(table: Array, begin: int, end: int, larger: Array, notes: TableNotes) -> int:
    """Copy the entries between two places of a table to a larger table. Buckets keep their order:
    copied from the first to the last, the entries fill the larger table from its beginning on."""
    mask = (1 << SHIFT) - 1
    key = numbers(WIDTH)
    was_apart = len(table) // STRIDE >= LEAST_APART
    for bucket in range(begin, end, STRIDE):
        is_near = was_apart and bucket < NEAR * STRIDE
        for slot in range(SLOTS):
            entry = bucket + slot * WIDTH
            last = table[entry + WIDTH - 1]
            if last >> SHIFT != 0:
                for number in range(WIDTH - 1):
                    key[number] = table[entry + number]
                key[WIDTH - 1] = last & mask
                home = bucket
                if not is_near:
                    home = bucket_at(hash_key(key, 0), False, larger)
                place = room_in(home, larger, notes)
                for number in range(WIDTH):
                    larger[place + number] = table[entry + number]
    return 0


def code_in_bucket(keys: Array, table: Array) -> int:
    """The code of the first state in `keys`; 0 if the state has no entry."""
    if SYMMETRIC:
        pack_key(*least_image(*unpack_key(keys, 0)), keys, 0)
    place = entry_of(bucket_at(hash_key(keys, 0), False, table), keys, 0, table)
    if place < 0:
        return 0
    code: int = table[place + WIDTH - 1] >> SHIFT
    return code
