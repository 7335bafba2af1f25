"""The kernels of tiers: positions of one level among which play may return.

A tier is numbered in the order of its sorted keys, and cut into parts of 2^`inside` positions: a
single part if the tier fits in memory. `link` looks up the successors of higher levels, keeps the
best of them for the mover as a code, and writes a way for each successor inside the tier: the place
of its origin among the keys at work, and the place of the successor in its part. Then values are
found level of payoff by level of payoff and wave by wave, as in `solvers.exact.retrograde`: a
position enters a wave when a successor of the wave before gives it the payoff, or when its best
successor of a higher level does. Between two waves the predecessors of settled positions are sent
to their parts; a single part reaches them at once. Codes are those of `batch_kernel`; a code
without plies is of endless play.

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
    put_successor,
)
from gamedsl.solvers.kernels.induction_kernel import (
    better,
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
SETTLED = -1
"""In place of the mover and the count: `best` is the code of the position."""


class TierArrays(Arrays):
    """The arrays of a part of a tier, of n positions.

    keys: int64[n, WIDTH], slots: int64[m]: the keys, and a hash table of their numbers, plus 1; of
        the length 0 where numbers answer `ask`.
    best: int64[n]: the code of the best successor of a higher level, one ply further, or of the
        ending; 0 without. Of a settled position the code.
    nodes: int64[n]: the mover, and from bit 1 on the count of successors inside the tier that are
        not settled as bad for the mover; or SETTLED.
    following: int64[n]: the next position, plus 1, that enters the wave of the same length.
    queue: int64[n]: the positions settled in a wave.
    starts: int64[n + 1], before: of narrow numbers: the predecessors inside the tier.
    heads: int64[l]: for each length of `best` the first position, plus 1, of those that enter the
        wave of that length.
    inside: bits of a place in a part.
    """

    keys: Array
    slots: Array
    best: Array
    nodes: Array
    following: Array
    queue: Array
    starts: Array
    before: Array
    heads: Array
    inside: int


class TierNotes(Record):
    """value: the number of the payoff in work; forcer: who forces it, or `TOGETHER`.
    length: plies + 1 of the wave in work.
    head, tail: of the queue; end: of the wave before in the queue of a single part.
    sent: predecessors of the position at the head that are sent.
    bits: of a code for the payoff; narrow: bits of a number of a position.
    """

    value: int
    forcer: int
    length: int
    head: int
    tail: int
    end: int
    sent: int
    bits: int
    narrow: int


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


def find_keys(
    count: int, keys: Array, held: Array, slots: Array, first: int, numbers: Array
) -> int:
    """Write the number of each key among the keys held, from `first` on, plus 1; return how many
    are missing."""
    missing = 0
    for at in range(count):
        number = slots[slot_of(keys, at * WIDTH, held, slots)]
        numbers[at] = first + number
        if number == 0:
            missing += 1
    return missing


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
            if len(tier.slots) > 0:
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
    ways: PartArrays,
    notes: BatchNotes,
) -> int:
    """Fill in `best` and `nodes` of the keys from `begin` to `end`, of which the key 0 has the
    number `first`; write the ways to the rows of the parts of the successors. Returns the place
    behind the last key, before `end` where room for ways, or codes of a part, run out; or a status.
    """
    at = begin
    room = ways.room - len(arrays.actions)
    is_short = False
    while at < end and not is_short:
        if are_parts_short(arrays, parts):
            return at
        status = link_one(at, first, arrays, tier, parts, ways, notes)
        if status < 0:
            return status
        at += 1
        for part in range(len(ways.fill)):
            is_short = is_short or ways.fill[part] > room
    return at


def number_of(
    level: int, number: int, arrays: SettleArrays, tier: TierArrays, parts: PartArrays
) -> int:
    """The number, plus 1, of a successor inside the tier: from the table of the keys of the tier,
    or the answer of its part; 0 if it has none."""
    if len(tier.slots) == 0:
        return next_answer(level, number * WIDTH, arrays, parts)
    slot = slot_of(arrays.children, number * WIDTH, tier.keys, tier.slots)
    there: int = tier.slots[slot]
    return there


def link_one(
    at: int,
    first: int,
    arrays: SettleArrays,
    tier: TierArrays,
    parts: PartArrays,
    ways: PartArrays,
    notes: BatchNotes,
) -> int:
    """Like `link`, for the key at a place; returns 0, or a status."""
    state = unpack_key(arrays.keys, at * WIDTH)
    ending = ending_of(state, arrays.payoffs, notes.payoffs, arrays.asked, 0)
    mask = (1 << tier.inside) - 1
    place = first + at & mask
    tier.nodes[place] = 0
    if ending != 0:
        tier.best[place] = 1 << notes.bits | ending - 1
        return NEW_PAYOFF if ending < 0 else 0
    level = level_of(*state)
    count = put_successors(state, level, arrays, tier, parts)
    if count < 0:
        return count
    mover = turn_of(*state)
    inside = 0
    best = 0
    for number in range(count):
        rise = arrays.buckets[2 * number + 1]
        if rise == 0:
            there = number_of(level, number, arrays, tier, parts) - 1
            if there < 0:
                return LOST
            part = there >> tier.inside
            ways.rows[part * ways.room + ways.fill[part]] = at << tier.inside | there & mask
            ways.fill[part] += 1
            inside += 1
        else:
            code = answer_to(level, number, rise, arrays, parts)
            if code == 0:
                return LOST
            if code >> notes.bits > 0:
                code += 1 << notes.bits
            best = better(code, best, mover, notes.bits, PLAYERS, arrays.preferences)
    tier.best[place] = best
    tier.nodes[place] = mover | inside << 1
    return 0


def count_ways(count: int, ways: Array, tier: TierArrays) -> int:
    """Count predecessors: each at the place behind the place of the successor."""
    mask = (1 << tier.inside) - 1
    for at in range(count):
        tier.starts[(ways[at] & mask) + 1] += 1
    return count


def sum_starts(begin: int, end: int, tier: TierArrays) -> int:
    """Make places of the counts of predecessors from a number to another; return the last place."""
    for number in range(begin, end):
        tier.starts[number + 1] += tier.starts[number]
    last: int = tier.starts[end]
    return last


def reverse_ways(count: int, ways: Array, first: int, tier: TierArrays, notes: TierNotes) -> int:
    """Enter predecessors, of which the place 0 has the number `first`. Afterwards the start of a
    list is the end of the list before."""
    mask = (1 << tier.inside) - 1
    for at in range(count):
        successor = ways[at] & mask
        place = tier.starts[successor]
        tier.starts[successor] = place + 1
        add_number(place, first + (ways[at] >> tier.inside), notes.narrow, tier.before)
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
        node = tier.nodes[number]
        is_open = node != SETTLED and best >> notes.bits > 0 and best & mask == notes.value
        is_forced = notes.forcer == TOGETHER or node & 1 == notes.forcer
        if is_open and (is_forced or node >> 1 == 0):
            wait_for(number, tier, notes)
    return end


def settle_open(number: int, tier: TierArrays, notes: TierNotes) -> int:
    """Settle a position in the wave in work, if it is open."""
    if tier.nodes[number] != SETTLED:
        tier.best[number] = notes.length << notes.bits | notes.value
        tier.nodes[number] = SETTLED
        tier.queue[notes.tail] = number
        notes.tail += 1
    return number


def settle_waiting(tier: TierArrays, notes: TierNotes, slice_size: int) -> int:
    """Settle positions that wait for the wave; return the first that is left, plus 1, or 0."""
    looked_at = 0
    waiting: int = tier.heads[notes.length]
    while waiting != 0 and looked_at < slice_size:
        looked_at += 1
        settle_open(waiting - 1, tier, notes)
        waiting = tier.following[waiting - 1]
    tier.heads[notes.length] = waiting
    return waiting


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


def reach_one(number: int, tier: TierArrays, preferences: Array, notes: TierNotes) -> int:
    """Settle or count down a predecessor of the wave before, if it is open."""
    if tier.nodes[number] != SETTLED:
        if notes.forcer == TOGETHER or tier.nodes[number] & 1 == notes.forcer:
            return settle_open(number, tier, notes)
        return concede(number, tier, notes, preferences)
    return number


def reach(count: int, row: Array, tier: TierArrays, preferences: Array, notes: TierNotes) -> int:
    """Settle or count down open predecessors of the wave before: places in the part."""
    for at in range(count):
        reach_one(row[at], tier, preferences, notes)
    return count


def start_of(number: int, tier: TierArrays) -> int:
    """The place of the first predecessor of a position, after the reversal of ways."""
    start: int = 0
    if number > 0:
        start = tier.starts[number - 1]
    return start


def spread(tier: TierArrays, reached: PartArrays, notes: TierNotes, slice_size: int) -> int:
    """Write the predecessors of the positions settled in the wave to the rows of their parts.
    Returns the number of positions left, where a row is full or many were looked at."""
    looked_at = 0
    is_full = False
    while notes.head < notes.tail and looked_at < slice_size and not is_full:
        looked_at += 1
        number = tier.queue[notes.head]
        begin = start_of(number, tier)
        place = begin + notes.sent
        while place < tier.starts[number] and not is_full:
            before = number_in(place, notes.narrow, tier.before)
            part = before >> tier.inside
            there = part * reached.room + reached.fill[part]
            reached.rows[there] = before & (1 << tier.inside) - 1
            reached.fill[part] += 1
            is_full = reached.fill[part] == reached.room
            place += 1
        notes.sent = place - begin
        if place == tier.starts[number]:
            notes.sent = 0
            notes.head += 1
    return notes.tail - notes.head


def spread_alone(tier: TierArrays, preferences: Array, notes: TierNotes, slice_size: int) -> int:
    """Settle the positions of a single part, wave by wave: predecessors in the queue up to `end`
    are of the wave before. Returns whether some are left, after a slice of work."""
    looked_at = 0
    while looked_at < slice_size:
        looked_at += 1
        if notes.head < notes.end:
            number = tier.queue[notes.head]
            notes.head += 1
            for place in range(start_of(number, tier), tier.starts[number]):
                reach_one(number_in(place, notes.narrow, tier.before), tier, preferences, notes)
        elif notes.length + 1 < len(tier.heads) or notes.head < notes.tail:
            notes.length += 1
            notes.end = notes.tail
            if notes.length < len(tier.heads):
                settle_waiting(tier, notes, len(tier.nodes))
        else:
            return 0
    return 1


def finish_codes(
    begin: int,
    end: int,
    first: int,
    endless: int,
    arrays: SettleArrays,
    tier: TierArrays,
    notes: BatchNotes,
) -> int:
    """Write the codes of the keys from `begin` to `end`, of which the key 0 has the place `first`
    in the part: of endless play for positions that are open; they are counted. Returns `end`, or
    before it the place of an open position where `endless` is 0."""
    for at in range(begin, end):
        code = endless
        if tier.nodes[first + at] == SETTLED:
            code = tier.best[first + at]
        if code == 0:
            return at
        note_code(at, unpack_key(arrays.keys, at * WIDTH), code, arrays, notes)
    return end
