"""The kernels that bring a table into order, written against the names of every module (`abi`).

With open addressing, the set of entries in use does not depend on the order of insertion; the
assignment of states to the entries of a cluster (entries in use without a free entry in between)
does. In an ordered table, states lie by their hashes, and by their keys for equal hashes: so a
lookup finds each state in a table of any size.

table, target: int64[n, WIDTH]: entries, as `induction_kernel` has them.
numbers_of: int64[payoffs]: the new number of each payoff.
written: see `Written`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Record
from gamedsl.solvers.kernels.induction_kernel import bucket_of, entry_from

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CLASS_BITS,
        KEY_BITS,
        SHIFT,
        WIDTH,
        Array,
        hash_key,
        numbers,
    )

ROUND = 1 << 31
"""More than any hash: added to the hash of a state whose chain begins beyond the end of the
table."""


class Written(Record):
    """behind: the place behind the last entry written to a table."""

    behind: int


def take_key(place: int, table: Array, key: Array) -> int:
    """Copy the key of an entry; returns 0."""
    for number in range(WIDTH - 1):
        key[number] = table[place + number]
    key[WIDTH - 1] = table[place + WIDTH - 1] & (1 << KEY_BITS) - 1
    return 0


def rank_at(place: int, first: int, table: Array, key: Array) -> int:
    """Copy the key of an entry; return the hash, adjusted within the cluster that begins at
    `first`."""
    take_key(place, table, key)
    hashed = hash_key(key, 0)
    chain = (hashed * (len(table) // WIDTH) >> 31) * WIDTH  # as `bucket_of` has it
    return hashed + ROUND if chain < first else hashed


def is_less(key: Array, bound: Array) -> bool:
    """Whether the key `key` is less than the key `bound`."""
    less = False
    same = True
    for number in range(WIDTH):
        less = less or (same and key[number] < bound[number])
        same = same and key[number] == bound[number]
    return less


def put_back(rank: int, place: int, first: int, table: Array, key: Array, before_key: Array) -> int:
    """Move the state of an entry, with known key and rank, before all states of its cluster with a
    higher rank; returns 0."""
    entry = numbers(WIDTH)
    for number in range(WIDTH):
        entry[number] = table[place + number]
    there = place
    is_before = True
    while is_before and there != first:
        before = there - WIDTH if there > 0 else len(table) - WIDTH
        its = rank_at(before, first, table, before_key)
        is_before = rank < its or (rank == its and is_less(key, before_key))
        if is_before:
            for number in range(WIDTH):
                table[there + number] = table[before + number]
            there = before
    for number in range(WIDTH):
        table[there + number] = entry[number]
    return 0


def order_clusters(begin: int, end: int, table: Array) -> int:
    """Order the clusters that begin in a part of the table; returns 0."""
    key = numbers(WIDTH)
    before_key = numbers(WIDTH)
    last = WIDTH - 1
    before = begin - WIDTH if begin > 0 else len(table) - WIDTH
    place = begin
    if table[before + last] >> SHIFT != 0:  # the rest of a cluster of the part before
        while place < end and table[place + last] >> SHIFT != 0:
            place += WIDTH
    first = 0
    most = -1  # the rank of the entry before, if that is in use
    while place < end or most >= 0:
        at = place if place < len(table) else place - len(table)
        if table[at + last] >> SHIFT == 0:
            most = -1
        else:
            first = at if most < 0 else first
            rank = rank_at(at, first, table, key)
            if rank > most:
                most = rank
            else:
                put_back(rank, at, first, table, key, before_key)
        place += WIDTH
    return 0


def count_strays(table: Array) -> int:
    """Number of states at the beginning of an ordered table that belong to the cluster at the end
    of the table, wrapped around."""
    key = numbers(WIDTH)
    place = 0
    is_stray = True
    while is_stray and table[place + WIDTH - 1] >> SHIFT != 0:
        take_key(place, table, key)
        is_stray = bucket_of(key, 0, table) > place
        if is_stray:
            place += WIDTH
    return place // WIDTH


def lay_out(begin: int, end: int, table: Array, target: Array, written: Written) -> int:
    """Append the states of a part of an ordered table to another table, in order and within their
    chains. States without room before the end go to the beginning; returns 0."""
    key = numbers(WIDTH)
    for place in range(begin, end, WIDTH):
        if table[place + WIDTH - 1] >> SHIFT != 0:
            take_key(place, table, key)
            there = bucket_of(key, 0, target)
            if there < written.behind:
                there = written.behind
            if there < len(target):
                written.behind = there + WIDTH
            else:
                there = entry_from(0, key, 0, target)
            for part in range(WIDTH):
                target[there + part] = table[place + part]
    return 0


def renumber(begin: int, end: int, table: Array, numbers_of: Array) -> int:
    """Give payoffs in a part of a table their new numbers; returns 0."""
    for place in range(begin + WIDTH - 1, end, WIDTH):
        code = table[place] >> SHIFT
        if code >> CLASS_BITS != 0:  # else play is endless
            number = code & (1 << CLASS_BITS) - 1
            table[place] = table[place] ^ (number ^ numbers_of[number]) << SHIFT
    return 0
