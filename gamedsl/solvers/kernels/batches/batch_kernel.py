"""The kernels of solving by layers, written against the names of `abi`.

Every move raises the level of a state by `LOW_RISE` to `HIGH_RISE`. So values are found level by
level, from the last to the first, and only the layers in work are in memory; moves that keep the
level are the subject of `tier_kernel`. A key stands for the images of a state. Codes are
(plies + 1) << bits with the number of a payoff; the bits are a note, agreed when all payoffs are
known. The caller proves that codes fit before any code is written.

A part is a range of keys of one later layer, whose codes are in a table, or in a file.

arrays: see the structures. notes: see `BatchNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record
from gamedsl.solvers.kernels.induction_kernel import (
    better,
    bucket_of,
    ending_of,
    enter,
    entry_from,
    list_actions,
    note_bucket,
)

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        HIGH_RISE,
        LOW_RISE,
        PLAYERS,
        SHIFT,
        WIDTH,
        Array,
        State,
        apply,
        images_of,
        least_image,
        level_of,
        numbers,
        pack_key,
        prefetch,
        turn_of,
        unpack_key,
    )

# Statuses below 0: an ending has an unknown payoff; a key does not represent a successor; a move
# does not raise the level as proved; a successor is in no layer.
NEW_PAYOFF, ODD, WRONG_WAY, LOST = -1, -2, -3, -4
BLOCK = 32
"""Keys whose memory is fetched together."""
GATHERED = 16
"""Keys whose successors are fetched together."""
CHILDREN = 256
"""Further keys of successors that are fetched together."""
RECENT = 1 << 16
"""Keys remembered, so that a key is not written again soon."""


class BatchNotes(Record):
    """Numbers that live on between calls.

    used: keys written, or entries of the table.
    payoffs: number of known payoffs; bits: bits of a code for the payoff.
    at: where the work stopped.
    positions: states settled, images counted.
    """

    used: int
    payoffs: int
    bits: int
    at: int
    positions: int


class ExpandArrays(Arrays):
    """The arrays of `expand`.

    keys, out: int64[n, WIDTH]: keys of a layer; keys of successors.
    recent: int64[RECENT, WIDTH]: keys written before, the last number plus 1.
    actions: int64[ACTIONS + 1].
    payoffs: int64[m, SHARES]: a denominator and a numerator for each player.
    asked: int64[SHARES]: the unknown payoff.
    """

    keys: Array
    out: Array
    recent: Array
    actions: Array
    payoffs: Array
    asked: Array


class SettleArrays(Arrays):
    """The arrays of `settle` and `ask`.

    keys: int64[n, WIDTH]: keys of a layer; codes: int64[n]: their codes.
    table: int64[m, WIDTH]: keys and codes of later layers.
    children: int64[ACTIONS + 1, WIDTH]; buckets: int64[ACTIONS + 1, 2]: working space.
    actions, payoffs, asked: as in `ExpandArrays`.
    preferences: int64[m, PLAYERS, 2]: for each payoff and player the rank, scaled above all plies,
        and the sign of plies: 1, -1, or 0 if the first best action decides.
    tallies: int64[lengths, m]: states by plies + 1 and payoff, images counted.
    """

    keys: Array
    codes: Array
    table: Array
    children: Array
    buckets: Array
    actions: Array
    payoffs: Array
    asked: Array
    preferences: Array
    tallies: Array


class PartArrays(Arrays):
    """Parts of later layers, whose keys are asked for, or whose codes are read.

    firsts: int64[parts, WIDTH + 1]: the level and the first key of each part, ascending.
    rows: int64[parts, room, WIDTH]: keys asked for; or int64[parts, room]: codes.
    fill: int64[parts]: the next free place, or the next code, of each part.
    ends, more: int64[parts]: the end of the codes; whether further codes follow.
    room: keys or codes of a part.
    """

    firsts: Array
    rows: Array
    fill: Array
    ends: Array
    more: Array
    room: int


def is_recent(keys: Array, at: int, recent: Array) -> bool:
    """Whether a key was written before, as far as remembered; then the key is remembered."""
    last = WIDTH - 1
    spread = keys[at + last]
    for number in range(last):
        spread = spread * 31 ^ keys[at + number]
    place = (spread * 0x9E3779B97F4A7C1 >> 30 & RECENT - 1) * WIDTH
    known: bool = recent[place + last] == keys[at + last] + 1
    for number in range(last):
        known = known and recent[place + number] == keys[at + number]
    for number in range(last):
        recent[place + number] = keys[at + number]
    recent[place + last] = keys[at + last] + 1
    return known


def put_successor(state: State, level: int, action: int, row: Array, at: int) -> int:
    """Write the key of a successor of a state of a level; return the rise, or a status."""
    image = least_image(*apply(*state, action))
    rise: int = level_of(*image) - level
    if rise < LOW_RISE or rise > HIGH_RISE:
        return WRONG_WAY
    if pack_key(*image, row, at) != 0:
        return ODD
    return rise


def expand(begin: int, end: int, arrays: ExpandArrays, notes: BatchNotes) -> int:
    """Write the keys of the successors of the keys from `begin` on. Returns the place behind the
    last expanded key, before `end` where room for further keys is short; or a status."""
    at = begin
    used = notes.used
    while at < end and (used + len(arrays.actions)) * WIDTH <= len(arrays.out):
        state = unpack_key(arrays.keys, at * WIDTH)
        ending = ending_of(state, arrays.payoffs, notes.payoffs, arrays.asked, 0)
        if ending < 0:
            notes.used = used
            notes.at = at
            return NEW_PAYOFF
        if ending == 0:
            level = level_of(*state)
            count = list_actions(state, arrays.actions)
            for number in range(count):
                place = used * WIDTH
                rise = put_successor(state, level, arrays.actions[number], arrays.out, place)
                if rise < 0:
                    notes.at = at
                    return rise
                if not is_recent(arrays.out, place, arrays.recent):
                    used += 1
        at += 1
    notes.used = used
    return at


def count_levels(count: int, keys: Array, begin: int, counts: Array) -> int:
    """Count keys by level, from the level `begin` on."""
    for at in range(count):
        counts[level_of(*unpack_key(keys, at * WIDTH)) - begin] += 1
    return count


def split_levels(count: int, keys: Array, begin: int, starts: Array, other: Array) -> int:
    """Copy keys to the places of their levels, in order; `starts` has the first place of each level
    from `begin` on."""
    for at in range(count):
        level = level_of(*unpack_key(keys, at * WIDTH)) - begin
        there = starts[level] * WIDTH
        starts[level] += 1
        for number in range(WIDTH):
            other[there + number] = keys[at * WIDTH + number]
    return count


def load(begin: int, end: int, keys: Array, codes: Array, table: Array, buckets: Array) -> int:
    """Enter keys with codes into a table without these keys."""
    at = begin
    while at < end:
        size = min(BLOCK, end - at)
        for number in range(size):
            bucket = bucket_of(keys, (at + number) * WIDTH, table)
            buckets[number] = bucket
            prefetch(table, bucket + WIDTH - 1)
        for number in range(size):
            there = (at + number) * WIDTH
            enter(
                entry_from(buckets[number], keys, there, table),
                keys,
                there,
                codes[at + number],
                table,
            )
        at += size
    return end


def look_up(begin: int, end: int, keys: Array, codes: Array, table: Array, buckets: Array) -> int:
    """Write the code of each key, 0 for a key missing from the table; return the number of missing
    keys."""
    missing = 0
    at = begin
    while at < end:
        size = min(BLOCK, end - at)
        for number in range(size):
            bucket = bucket_of(keys, (at + number) * WIDTH, table)
            buckets[number] = bucket
            prefetch(table, bucket + WIDTH - 1)
        for number in range(size):
            place = entry_from(buckets[number], keys, (at + number) * WIDTH, table)
            code = table[place + WIDTH - 1] >> SHIFT
            codes[at + number] = code
            if code == 0:
                missing += 1
        at += size
    return missing


def are_codes(count: int, codes: Array, most: int, bits: int, payoffs: int, endless: int) -> bool:
    """Whether numbers are codes below `most`, of known payoffs; `endless`: the only code without
    plies, or 0."""
    are_fine = True
    for at in range(count):
        code = codes[at]
        is_fine = code >> bits > 0 and code < most and code & (1 << bits) - 1 < payoffs
        are_fine = are_fine and (is_fine or (code != 0 and code == endless))
    return are_fine


def note_code(at: int, state: State, code: int, arrays: SettleArrays, notes: BatchNotes) -> int:
    """Write the code of a state, and count the state with its images."""
    arrays.codes[at] = code
    images = images_of(*state, 1)
    payoff = code & (1 << notes.bits) - 1
    arrays.tallies[(code >> notes.bits) * notes.payoffs + payoff] += images
    notes.positions += images
    return code


def put_children(at: int, first: int, arrays: SettleArrays, notes: BatchNotes) -> int:
    """Write the keys of the successors of the state of a key from a place among the children on,
    and fetch their memory. Returns the number of successors: 0 for an ending, whose code is
    written; or a status."""
    state = unpack_key(arrays.keys, at * WIDTH)
    ending = ending_of(state, arrays.payoffs, notes.payoffs, arrays.asked, 0)
    if ending < 0:
        return NEW_PAYOFF
    if ending > 0:
        note_code(at, state, 1 << notes.bits | ending - 1, arrays, notes)
        return 0
    level = level_of(*state)
    count = list_actions(state, arrays.actions)
    for number in range(count):
        there = (first + number) * WIDTH
        rise = put_successor(state, level, arrays.actions[number], arrays.children, there)
        if rise < 0:
            return rise
        if len(arrays.table) > 0:
            note_bucket(first + number, arrays.children, there, arrays.buckets, arrays.table)
    return count


def settle(begin: int, end: int, arrays: SettleArrays, notes: BatchNotes) -> int:
    """Write the codes of the keys from `begin` to `end`, whose successors are all in the table.
    Successors of many keys are fetched together. Returns `end`, or a status."""
    at = begin
    room = len(arrays.buckets) // 2 - len(arrays.actions)
    counts = numbers(GATHERED)
    while at < end:
        size = 0
        used = 0
        while size < GATHERED and at + size < end and used <= room:
            count = put_children(at + size, used, arrays, notes)
            if count < 0:
                return count
            counts[size] = count
            used += count
            size += 1
        child = 0
        for number in range(size):
            if counts[number] > 0:
                state = unpack_key(arrays.keys, (at + number) * WIDTH)
                mover = turn_of(*state)
                best = 0
                for _ in range(counts[number]):
                    bucket = arrays.buckets[2 * child]
                    place = entry_from(bucket, arrays.children, child * WIDTH, arrays.table)
                    code = arrays.table[place + WIDTH - 1] >> SHIFT
                    if code == 0:
                        return LOST
                    best = better(code, best, mover, notes.bits, PLAYERS, arrays.preferences)
                    child += 1
                note_code(at + number, state, best + (1 << notes.bits), arrays, notes)
        at += size
    return end


def part_of(level: int, keys: Array, at: int, firsts: Array) -> int:
    """The part with a key of a level: the last part that does not begin behind the key."""
    low = 0
    high = len(firsts) // (WIDTH + 1)
    while high - low > 1:
        middle = (low + high) // 2
        place = middle * (WIDTH + 1)
        order = level - firsts[place]
        for number in range(WIDTH):
            if order == 0:
                if keys[at + number] > firsts[place + 1 + number]:
                    order = 1
                elif keys[at + number] < firsts[place + 1 + number]:
                    order = -1
        if order < 0:
            high = middle
        else:
            low = middle
    return low


def ask(
    begin: int,
    end: int,
    least: int,
    arrays: SettleArrays,
    parts: PartArrays,
    notes: BatchNotes,
) -> int:
    """Write the keys of the successors of the keys from `begin` on, each to the row of its part, if
    they are at least `least` levels higher.
    Returns the place behind the last key, before `end` where room is short; or a status."""
    at = begin
    room = parts.room - len(arrays.actions)
    is_short = False
    for part in range(len(parts.fill)):
        is_short = is_short or parts.fill[part] > room
    while at < end and not is_short:
        state = unpack_key(arrays.keys, at * WIDTH)
        ending = ending_of(state, arrays.payoffs, notes.payoffs, arrays.asked, 0)
        notes.at = at
        if ending < 0:
            return NEW_PAYOFF
        if ending == 0:
            level = level_of(*state)
            count = list_actions(state, arrays.actions)
            for number in range(count):
                rise = put_successor(state, level, arrays.actions[number], arrays.children, 0)
                if rise < 0:
                    return rise
                if rise >= least:
                    part = part_of(level + rise, arrays.children, 0, parts.firsts)
                    there = (part * parts.room + parts.fill[part]) * WIDTH
                    for word in range(WIDTH):
                        parts.rows[there + word] = arrays.children[word]
                    parts.fill[part] += 1
                    is_short = is_short or parts.fill[part] > room
        at += 1
    return at


def are_parts_short(arrays: SettleArrays, parts: PartArrays) -> bool:
    """Whether a part has more codes than are at hand, and those may not do for a position."""
    for part in range(len(parts.fill)):
        left = parts.ends[part] - parts.fill[part]
        if left < len(arrays.actions) and parts.more[part] != 0:
            return True
    return False


def next_answer(level: int, at: int, arrays: SettleArrays, parts: PartArrays) -> int:
    """The next code that answers `ask` for the key of a level at a place of `children`; 0 if the
    part has none."""
    part = part_of(level, arrays.children, at, parts.firsts)
    if parts.fill[part] >= parts.ends[part]:
        return 0
    answer: int = parts.rows[part * parts.room + parts.fill[part]]
    parts.fill[part] += 1
    return answer


def settle_asked(
    begin: int, end: int, arrays: SettleArrays, parts: PartArrays, notes: BatchNotes
) -> int:
    """Write the codes of the keys from `begin` on, from the codes that answer `ask`. Returns the
    place behind the last settled key, before `end` where codes of a part run out; or a status."""
    at = begin
    while at < end:
        if are_parts_short(arrays, parts):
            return at
        state = unpack_key(arrays.keys, at * WIDTH)
        ending = ending_of(state, arrays.payoffs, notes.payoffs, arrays.asked, 0)
        notes.at = at
        if ending < 0:
            return NEW_PAYOFF
        code = 1 << notes.bits | ending - 1
        if ending == 0:
            best = 0
            mover = turn_of(*state)
            level = level_of(*state)
            count = list_actions(state, arrays.actions)
            for number in range(count):
                rise = put_successor(state, level, arrays.actions[number], arrays.children, 0)
                if rise < 0:
                    return rise
                code = next_answer(level + rise, 0, arrays, parts)
                if code == 0:
                    return LOST
                best = better(code, best, mover, notes.bits, PLAYERS, arrays.preferences)
            code = best + (1 << notes.bits)
        note_code(at, state, code, arrays, notes)
        at += 1
    return at
