"""The kernels of tiers: positions of one level among which play may return.

A tier is numbered in the order of its sorted keys. `link` looks up the successors of higher levels,
keeps the best of them for the mover as a code, and writes the numbers of the successors inside the
tier: the ways, reversed afterwards. Then values are found level of payoff by level of payoff, as in
`solvers.exact.retrograde`: a position enters a wave when a successor of the wave before gives it
the payoff, or when its best successor of a higher level does. Codes are those of `batch_kernel`; a
code without plies is of endless play.

arrays: see `TierArrays`. notes: see `TierNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record
from gamedsl.solvers.kernels.batches.batch_kernel import (
    LOST,
    NEW_PAYOFF,
    BatchNotes,
    PartArrays,
    SettleArrays,
    are_parts_short,
    next_answer,
    note_code,
    preferred,
    put_successor,
)
from gamedsl.solvers.kernels.induction_kernel import (
    ending_of,
    entry_from,
    list_actions,
    note_bucket,
)
from gamedsl.solvers.kernels.retrograde.edges_kernel import add_number, number_in

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        PLAYERS,
        SHIFT,
        WIDTH,
        Array,
        State,
        hash_key,
        level_of,
        prefetch,
        turn_of,
        unpack_key,
    )

TOGETHER = 2
"""In place of a player: the players reach the payoff together."""
SPREADING, SPREAD, TOO_LONG = 0, 1, 2
"""Statuses: the work goes on; the level is done; a code does not fit."""


class TierArrays(Arrays):
    """The arrays of a tier of n positions.

    keys: int64[n, WIDTH]: sorted. slots: int64[m]: hash table of numbers of keys, plus 1.
    best: int64[n]: the code of the best successor of a higher level, one ply further, or of the
        ending; 0 without.
    nodes: int64[n]: the mover, and from bit 1 on the count of successors inside the tier that are
        not settled as bad for the mover.
    codes: int64[n]: 0 while open. queue: int64[n]: settled positions, wave by wave.
    starts: int64[n + 1], before: of narrow numbers: the predecessors inside the tier.
    heads: int64[l]: for each length of `best` the first position, plus 1, of those that enter the
        wave of that length; following: int64[n]: the next such position, plus 1.
    """

    keys: Array
    slots: Array
    best: Array
    nodes: Array
    codes: Array
    queue: Array
    starts: Array
    before: Array
    heads: Array
    following: Array


class TierNotes(Record):
    """value: the number of the payoff in work; forcer: who forces it, or `TOGETHER`.
    length: plies + 1 of the wave in work; lengths: a bound above all.
    head, end, tail: of the wave before, and of the queue.
    bits: of a code for the payoff; narrow: bits of a number of a position.
    node, left: the position whose ways are read, and how many of them are left.
    """

    value: int
    forcer: int
    length: int
    lengths: int
    head: int
    end: int
    tail: int
    bits: int
    narrow: int
    node: int
    left: int


def slot_of(keys: Array, at: int, held: Array, slots: Array) -> int:
    """The slot of a key among the keys `held`, or the free slot for it."""
    slot: int = hash_key(keys, at) * len(slots) >> 31
    while slots[slot] != 0:
        place = (slots[slot] - 1) * WIDTH
        is_same = True
        for number in range(WIDTH):
            is_same = is_same and held[place + number] == keys[at + number]
        if is_same:
            return slot
        slot += 1
        if slot == len(slots):
            slot = 0
    return slot


def fill_slots(begin: int, end: int, held: Array, slots: Array) -> int:
    """Enter different keys into free slots."""
    for number in range(begin, end):
        slots[slot_of(held, number * WIDTH, held, slots)] = number + 1
    return end


def enter_keys(count: int, keys: Array, used: int, held: Array, slots: Array) -> int:
    """Add the keys that are not among the `used` keys held; return the number of keys held."""
    for at in range(count):
        slot = slot_of(keys, at * WIDTH, held, slots)
        if slots[slot] == 0:
            for number in range(WIDTH):
                held[used * WIDTH + number] = keys[at * WIDTH + number]
            used += 1
            slots[slot] = used
    return used


def answer_to(level: int, number: int, rise: int, arrays: SettleArrays, parts: PartArrays) -> int:
    """The code of a successor of a higher level, from the table or from the answers of its part; 0
    if it has none."""
    at = number * WIDTH
    if parts.room == 0:
        place = entry_from(arrays.buckets[2 * number], arrays.children, at, arrays.table)
        code: int = arrays.table[place + WIDTH - 1] >> SHIFT
        return code
    return next_answer(level + rise, at, arrays, parts)


def put_successors(
    state: State, level: int, arrays: SettleArrays, tier: TierArrays, parts: PartArrays
) -> int:
    """Write the keys of the successors of a state of a level to `children`, and their rises to
    `buckets`; the memory of their places is fetched. Returns their number, or a status."""
    count = list_actions(state, arrays.actions)
    for number in range(count):
        there = number * WIDTH
        rise = put_successor(state, level, arrays.actions[number], arrays.children, there)
        if rise < 0:
            return rise
        arrays.buckets[2 * number + 1] = rise
        if rise == 0:
            prefetch(tier.slots, hash_key(arrays.children, there) * len(tier.slots) >> 31)
        elif parts.room == 0:
            note_bucket(number, arrays.children, there, arrays.buckets, arrays.table)
    return count


def link(
    begin: int,
    end: int,
    first: int,
    arrays: SettleArrays,
    tier: TierArrays,
    parts: PartArrays,
    ways: Array,
    notes: BatchNotes,
) -> int:
    """Fill in `best` and `nodes` of the keys from `begin` to `end`, of which the key 0 has the
    number `first`; write the ways to `ways`, and how many they are to the notes. Returns the place
    behind the last key, before `end` where room for ways, or codes of a part, run out; or a status.
    """
    at = begin
    notes.used = 0
    while at < end and notes.used + len(arrays.actions) <= len(ways):
        if are_parts_short(arrays, parts):
            return at
        status = link_one(at, first, arrays, tier, parts, ways, notes)
        if status < 0:
            return status
        at += 1
    return at


def link_one(
    at: int,
    first: int,
    arrays: SettleArrays,
    tier: TierArrays,
    parts: PartArrays,
    ways: Array,
    notes: BatchNotes,
) -> int:
    """Like `link`, for the key at a place; returns 0, or a status."""
    state = unpack_key(arrays.keys, at * WIDTH)
    ending = ending_of(state, arrays.payoffs, notes.payoffs, arrays.asked, 0)
    tier.nodes[first + at] = 0
    if ending != 0:
        tier.best[first + at] = 1 << notes.bits | ending - 1
        return NEW_PAYOFF if ending < 0 else 0
    level = level_of(*state)
    count = put_successors(state, level, arrays, tier, parts)
    if count < 0:
        return count
    mover = turn_of(*state)
    used = notes.used
    best = 0
    for number in range(count):
        rise = arrays.buckets[2 * number + 1]
        if rise == 0:
            slot = slot_of(arrays.children, number * WIDTH, tier.keys, tier.slots)
            ways[used] = tier.slots[slot] - 1
            if ways[used] < 0:
                return LOST
            used += 1
        else:
            code = answer_to(level, number, rise, arrays, parts)
            if code == 0:
                return LOST
            if code >> notes.bits > 0:
                code += 1 << notes.bits
            best = preferred(code, best, mover, notes.bits, arrays.preferences)
    tier.best[first + at] = best
    tier.nodes[first + at] = mover | used - notes.used << 1
    notes.used = used
    return 0


def count_ways(count: int, ways: Array, tier: TierArrays) -> int:
    """Count predecessors: each at the place behind the number of the successor."""
    for at in range(count):
        tier.starts[ways[at] + 1] += 1
    return count


def sum_starts(begin: int, end: int, tier: TierArrays) -> int:
    """Make places of the counts of predecessors from a number to another; return the last place."""
    for number in range(begin, end):
        tier.starts[number + 1] += tier.starts[number]
    last: int = tier.starts[end]
    return last


def reverse_ways(count: int, ways: Array, tier: TierArrays, notes: TierNotes) -> int:
    """Enter predecessors, given the ways in the order of their origins. Afterwards the start of a
    list is the end of the list of the number before."""
    for at in range(count):
        while notes.left == 0:
            notes.node += 1
            notes.left = tier.nodes[notes.node] >> 1
        notes.left -= 1
        place = tier.starts[ways[at]]
        tier.starts[ways[at]] = place + 1
        add_number(place, notes.node, notes.narrow, tier.before)
    return count


# --- values -------------------------------------------------------------------------------


def wait_for(number: int, tier: TierArrays, notes: TierNotes) -> int:
    """Let a position enter the wave of the length of its best code."""
    length: int = tier.best[number] >> notes.bits
    tier.following[number] = tier.heads[length]
    tier.heads[length] = number + 1
    return length


def begin_level(begin: int, end: int, tier: TierArrays, notes: TierNotes) -> int:
    """Let open positions from `begin` to `end` wait that reach the payoff by their best codes."""
    mask = (1 << notes.bits) - 1
    for number in range(begin, end):
        best = tier.best[number]
        if tier.codes[number] == 0 and best >> notes.bits > 0 and best & mask == notes.value:
            node = tier.nodes[number]
            if node >> 1 == 0 or notes.forcer == TOGETHER or node & 1 == notes.forcer:
                wait_for(number, tier, notes)
    return end


def settle_open(number: int, tier: TierArrays, notes: TierNotes) -> int:
    """Settle a position in the wave in work, if it is open."""
    if tier.codes[number] == 0:
        tier.codes[number] = notes.length << notes.bits | notes.value
        tier.queue[notes.tail] = number
        notes.tail += 1
    return number


def concede(number: int, tier: TierArrays, notes: TierNotes, preferences: Array) -> int:
    """Count a successor that is bad for the mover of an open position. After the last the mover has
    the payoff, unless a successor of a higher level is better, or leads to it later."""
    tier.nodes[number] -= 2
    if tier.nodes[number] >> 1 != 0:
        return 0
    best = tier.best[number]
    payoff = best & (1 << notes.bits) - 1
    length = best >> notes.bits
    if best == 0:
        return settle_open(number, tier, notes)
    if payoff == notes.value and length > notes.length:
        return wait_for(number, tier, notes)
    mover = tier.nodes[number] & 1
    rank = preferences[2 * (payoff * PLAYERS + mover)]
    if length > 0 and rank <= preferences[2 * (notes.value * PLAYERS + mover)]:
        return settle_open(number, tier, notes)
    return 0


def next_wave(tier: TierArrays, notes: TierNotes) -> int:
    """Begin the next wave with the positions that wait for it; return a status."""
    notes.length += 1
    notes.end = notes.tail
    if notes.length >= notes.lengths:
        return TOO_LONG
    if notes.length < len(tier.heads):
        waiting = tier.heads[notes.length]
        tier.heads[notes.length] = 0
        while waiting != 0:
            settle_open(waiting - 1, tier, notes)
            waiting = tier.following[waiting - 1]
    elif notes.tail == notes.head:
        return SPREAD
    return SPREADING


def spread(tier: TierArrays, preferences: Array, notes: TierNotes, slice_size: int) -> int:
    """Settle positions wave by wave; returns a status."""
    status = SPREADING
    looked_at = 0
    while status == SPREADING and looked_at < slice_size:
        looked_at += 1
        if notes.head == notes.end:
            status = next_wave(tier, notes)
        else:
            number = tier.queue[notes.head]
            notes.head += 1
            begin = 0
            if number > 0:
                begin = tier.starts[number - 1]
            for place in range(begin, tier.starts[number]):
                before = number_in(place, notes.narrow, tier.before)
                if tier.codes[before] == 0:
                    if notes.forcer == TOGETHER or tier.nodes[before] & 1 == notes.forcer:
                        settle_open(before, tier, notes)
                    else:
                        concede(before, tier, notes, preferences)
    return status


def finish_codes(
    begin: int,
    end: int,
    first: int,
    endless: int,
    arrays: SettleArrays,
    tier: TierArrays,
    notes: BatchNotes,
) -> int:
    """Write the codes of the keys from `begin` to `end`, of which the key 0 has the number `first`:
    of endless play for positions that are open; they are counted. Returns `end`, or before it the
    place of an open position where `endless` is 0."""
    for at in range(begin, end):
        code = tier.codes[first + at]
        if code == 0:
            code = endless
        if code == 0:
            return at
        note_code(at, unpack_key(arrays.keys, at * WIDTH), code, arrays, notes)
    return end
