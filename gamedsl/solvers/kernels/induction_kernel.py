"""The kernel of backward induction, written against the names of every module (`abi`).

Depth-first search with an explicit stack. The kernel can stop and resume anywhere: after a slice of
work, at a full table, at an ending with an unknown payoff. A table with open addressing holds
`WIDTH` numbers per state: the key, and in the bits from `SHIFT` on of the last number a code: 0 for
a free entry, `OPEN` for a state on the stack, else (plies + 1) << CLASS_BITS with the number of a
value. Images of a state share one entry (`symmetry.orbits`). Memory latency dominates the time, so
the entries of all successors of a state are prefetched together.

Threads may search one table, each with its own stack and a different order of successors. New
entries are written by `exchange` only, which fails after a concurrent write; if two threads settle
a state, they write an equal number. A thread expands even states on the stack of another thread,
but usually from the opposite end of the successors; so threads help each other without waiting. An
open state on a thread's own stack means that play can return, and nothing else does: on a cycle of
states, the first state to be settled would have an unsettled successor.

A value is a number here, and its meaning is known to `values` alone. What a mover prefers is a rank
and the sign of plies (`IS_RANKED`: opposed interests) or the entry of a table of pairs of values;
what a reward and the discount make of a value is the entry of a table, too (`PAYS`). A missing
entry stops the kernel, and the caller adds it.

arrays: see `InductionArrays`.
notes: see `InductionNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Record, Rows
from gamedsl.solvers.kernels.table_records import TableArrays, TableNotes

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CLASS_BITS,
        IS_RANKED,
        KEY_BITS,
        KEY_ROW,
        MOST_CODE,
        NO_MOVES,
        PAYS,
        SHARES,
        SHIFT,
        WIDTH,
        Array,
        State,
        apply,
        exchange,
        fault,
        hash_key,
        least_image,
        legal,
        mover_of,
        numbers,
        pack_key,
        prefetch,
        turn_of,
        unpack_key,
        write_payoffs,
        write_rewards,
    )

OPEN = 1
"""The code of a state on the stack."""

REWARD_AT = 32
"""The first bit of a reward in a label."""
FRESH = -2
"""The top of the stack before the first state has been pushed; -1: the search has finished."""

# Statuses: all work is done; the slice is done; the table has to grow; the stack has to grow; an
# ending has an unknown payoff; play can return; a code does not fit; keys cannot represent a
# successor of the state on top of the stack; a successor that must have an entry has none; a
# reward, a sum or a pair of values is unknown.
DONE, SLICED, FULL, HIGH, NEW_PAYOFF, RETURNS, UNFIT, ODD, LOST, NEW_REWARD, NEW_SUM, NEW_PAIR = (
    range(12)
)


class Frame(Record):
    """A frame of the stack.

    at, entry: the place of the state's key in the waiting keys; the state's entry in the table.
    next, behind: the first unsettled successor (-1: successors not listed yet), and the end of the
        successors.
    best, choice: the best code so far, or 0, and the number of its action.
    mover: the player to move.
    """

    at: int
    entry: int
    next: int
    behind: int
    best: int
    choice: int
    mover: int


class InductionNotes(TableNotes):
    """order: the order of successors, the number of the thread; rewards: number of known rewards;
    room: room for values in tables of values."""

    order: int
    rewards: int
    room: int


class InductionArrays(TableArrays):
    """In addition to `TableArrays`, with n the room for values:

    keys: int64[m, KEY_ROW]: keys of the waiting states, frame after frame; behind a key, if
        KEY_ROW > WIDTH, its label: the number of the action, and of the reward from REWARD_AT on.
    payoffs: int64[n, SHARES]: for each value the denominator and the numerators of the ending with
        the value; 0 if no ending has the value.
    preferences: int64[n, 2, 2]: for each value and player its rank and the sign of plies; or
        int64[players, n, n]: for the values of two actions, in declaration order, twice the value
        to a mover who chooses between both, plus 1 if the second action is chosen; 0 if unknown.
    rewards: int64[r, SHARES]: the denominator and the numerators of each reward.
    sums: int64[r, n]: the value before an action with a reward, plus 1; 0 if unknown.
    asked: int64[SHARES]: the caller has to add the payoffs of an ending or of an action; or a
        reward and a value; or a mover and two values.
    """

    stack: Rows[Frame]
    preferences: Array
    rewards: Array
    sums: Array
    asked: Array


def entry_from(place: int, keys: Array, at: int, table: Array) -> int:
    """The place of a state's entry, or of a free entry for the state, searched from a place of its
    chain on."""
    last = WIDTH - 1
    mask = (1 << KEY_BITS) - 1
    while True:
        content = table[place + last]
        if content >> SHIFT == 0:
            return place
        is_same = (content & mask) == keys[at + last]
        for number in range(last):
            is_same = is_same and table[place + number] == keys[at + number]
        if is_same:
            return place
        place += WIDTH
        if place == len(table):
            place = 0


def bucket_of(keys: Array, at: int, table: Array) -> int:
    """The beginning of a state's chain."""
    return (hash_key(keys, at) * (len(table) // WIDTH) >> 31) * WIDTH


def enter(place: int, keys: Array, at: int, code: int, table: Array) -> int:
    """Write a state with its code into an entry."""
    for number in range(WIDTH - 1):
        table[place + number] = keys[at + number]
    table[place + WIDTH - 1] = keys[at + WIDTH - 1] | code << SHIFT
    return place


def better(code: int, best: int, mover: int, bits: int, players: int, preferences: Array) -> int:
    """The code that a player prefers; of equally good codes the earlier code. `bits`: of a payoff
    in a code; `preferences` has for each payoff and player the rank, scaled above all plies, and
    the sign of plies: 1 or -1."""
    if best == 0:
        return code
    mask = (1 << bits) - 1
    place = 2 * ((code & mask) * players + mover)
    best_place = 2 * ((best & mask) * players + mover)
    rank = preferences[place] + preferences[place + 1] * (code >> bits)
    if rank > preferences[best_place] + preferences[best_place + 1] * (best >> bits):
        return code
    return best


def payoff_of(per: int, first: int, second: int, payoffs: Array, notes: TableNotes) -> int:
    """The number of a payoff; for an unknown payoff -1, with the payoff written to the notes."""
    for number in range(notes.payoffs):
        at = 3 * number
        if payoffs[at] == per and payoffs[at + 1] == first and payoffs[at + 2] == second:
            return number
    notes.per = per
    notes.first_share = first
    notes.second_share = second
    return -1


def row_like(rows: Array, count: int, row: Array, at: int) -> int:
    """The number of the row equal to SHARES numbers of an array from a place on; -1 if there is
    none."""
    for number in range(count):
        differs = 0
        for part in range(SHARES):
            differs |= rows[number * SHARES + part] ^ row[at + part]
        if differs == 0:
            return number
    return -1


def ending_of(state: State, payoffs: Array, count: int, row: Array, at: int) -> int:
    """The number of an ending's payoffs, plus 1; 0 if play goes on; -1 for payoffs that are not
    among the `count` known, left in `row` from a place on."""
    if write_payoffs(*state, row, at) == 0:
        return 0
    number = row_like(payoffs, count, row, at)
    return number + 1 if number >= 0 else -1


def value_before(code: int, label: int, arrays: InductionArrays, notes: InductionNotes) -> int:
    """The code of a value before the action with a label: with the reward, and discounted; -NEW_SUM
    for an unknown sum."""
    reward = label >> REWARD_AT
    value = code & (1 << CLASS_BITS) - 1
    known = arrays.sums[reward * notes.room + value]
    if known == 0:
        arrays.asked[0] = reward
        arrays.asked[1] = value
        return -NEW_SUM
    before: int = code >> CLASS_BITS << CLASS_BITS | known - 1
    return before


def chosen(
    code: int,
    action: int,
    best: int,
    choice: int,
    mover: int,
    arrays: InductionArrays,
    notes: InductionNotes,
) -> tuple[int, int]:
    """The code to a mover who chooses between two actions by a table of pairs of values, and the
    action; -NEW_PAIR for an unknown pair."""
    mask = (1 << CLASS_BITS) - 1
    if best == 0:
        return code, action
    first = best & mask
    second = code & mask
    if action < choice:
        first = code & mask
        second = best & mask
    known = arrays.preferences[(mover * notes.room + first) * notes.room + second]
    if known == 0:
        arrays.asked[0] = mover
        arrays.asked[1] = first
        arrays.asked[2] = second
        return -NEW_PAIR, 0
    is_later = known & 1 == 1
    is_new = is_later if choice < action else not is_later
    plies = (code if is_new else best) >> CLASS_BITS
    return plies << CLASS_BITS | (known >> 1) - 1, action if is_new else choice


def weighed(
    code: int,
    at: int,
    best: int,
    choice: int,
    mover: int,
    arrays: InductionArrays,
    notes: InductionNotes,
) -> tuple[int, int]:
    """The best code so far and the action, after one more action whose successor has a code and a
    key; a negative status if the caller has to add a sum or a pair of values."""
    label = 0
    if KEY_ROW > WIDTH:
        label = arrays.keys[at + WIDTH]
    before = code
    if PAYS:
        before = value_before(code, label, arrays, notes)
    if before < 0:
        return before, 0
    if IS_RANKED:
        return better(before, best, mover, CLASS_BITS, 2, arrays.preferences), 0
    return chosen(before, label & (1 << REWARD_AT) - 1, best, choice, mover, arrays, notes)


def list_actions(state: State, actions: Array) -> int:
    """Write the legal actions of a state; return their number, at least one."""
    count = legal(*state, actions, 0)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    return count


def note_bucket(number: int, keys: Array, at: int, buckets: Array, table: Array) -> int:
    """Write the beginning of the chain of a successor's key; its memory is fetched without
    waiting."""
    bucket = bucket_of(keys, at, table)
    buckets[2 * number] = bucket
    return prefetch(table, bucket + WIDTH - 1)


def place_in(order: int, number: int, count: int) -> int:
    """The index of the successor at a position of an order: forwards or backwards, with an
    order-dependent first successor."""
    if order == 0:
        return number
    place = (number + (order >> 1)) % count
    return count - 1 - place if order & 1 == 1 else place


def list_successors(
    state: State, first: int, arrays: InductionArrays, notes: InductionNotes
) -> int:
    """Write the keys and labels of the successors of a state, from `first` on. Returns the number
    of successors; a negative status if a key cannot represent a successor, or a reward is
    unknown."""
    count = list_actions(state, arrays.actions)
    there = first
    odd = 0
    for number in range(count):
        place = place_in(notes.order, number, count)
        action = arrays.actions[place]
        odd |= pack_key(*least_image(*apply(*state, action)), arrays.keys, there)
        if KEY_ROW > WIDTH:
            arrays.keys[there + WIDTH] = place
        if PAYS:
            write_rewards(*state, action, arrays.asked, 0)
            reward = row_like(arrays.rewards, notes.rewards, arrays.asked, 0)
            if reward < 0:
                return -NEW_REWARD
            arrays.keys[there + WIDTH] = place | reward << REWARD_AT
        note_bucket(number, arrays.keys, there, arrays.buckets, arrays.table)
        there += KEY_ROW
    return count if odd == 0 else -ODD


def claim(place: int, keys: Array, at: int, code: int, table: Array, notes: InductionNotes) -> int:
    """Enter a state with a code, from a place in its chain on, unless a concurrent thread has
    entered the state; return its entry."""
    last = WIDTH - 1
    while True:
        place = entry_from(place, keys, at, table)
        content = table[place + last]
        if content >> SHIFT != 0:
            return place
        for number in range(last):  # wide entries belong to a single thread
            table[place + number] = keys[at + number]
        if exchange(table, place + last, content, keys[at + last] | code << SHIFT) == content:
            notes.used += 1
            return place


def is_on_stack(place: int, top: int, stack: Rows[Frame]) -> bool:
    """Whether an entry belongs to a frame up to the top."""
    on_stack = False
    for number in range(top + 1):
        on_stack = on_stack or stack[number].entry == place
    return on_stack


def expand(top: int, most: int, arrays: InductionArrays, notes: InductionNotes) -> int:
    """Examine all successors of a state: settled states and endings count at once, the rest is left
    waiting. Returns a status; after any status but `DONE` the call can be repeated."""
    first = arrays.stack[top].behind
    if first + len(arrays.actions) * KEY_ROW > len(arrays.keys):
        return HIGH
    if notes.used + len(arrays.actions) > most:
        return FULL
    state = unpack_key(arrays.keys, arrays.stack[top].at)
    mover = mover_of(*state)
    count = list_successors(state, first, arrays, notes)
    if count < 0:
        return -count
    best = 0
    choice = 0
    behind = first
    for number in range(count):
        at = first + number * KEY_ROW
        place = entry_from(arrays.buckets[2 * number], arrays.keys, at, arrays.table)
        code = arrays.table[place + WIDTH - 1] >> SHIFT
        if code == OPEN and is_on_stack(place, top, arrays.stack):
            return RETURNS
        if code == 0:
            child = unpack_key(arrays.keys, at)
            ending = ending_of(child, arrays.payoffs, notes.payoffs, arrays.asked, 0)
            if ending < 0:
                return NEW_PAYOFF
            if ending > 0:
                code = 1 << CLASS_BITS | ending - 1
                claim(place, arrays.keys, at, code, arrays.table, notes)
        if code <= OPEN:
            for part in range(KEY_ROW):
                arrays.keys[behind + part] = arrays.keys[at + part]
            behind += KEY_ROW
        else:
            best, choice = weighed(code, at, best, choice, mover, arrays, notes)
            if best < 0:
                return -best
    arrays.stack[top].mover = mover
    arrays.stack[top].next = first
    arrays.stack[top].behind = behind
    arrays.stack[top].best = best
    arrays.stack[top].choice = choice
    return DONE


def begin(top: int, at: int, place: int, arrays: InductionArrays, notes: InductionNotes) -> int:
    """Push a state on the stack; its entry is marked as open."""
    entry = claim(place, arrays.keys, at, OPEN, arrays.table, notes)
    arrays.stack[top].at = at
    arrays.stack[top].entry = entry
    arrays.stack[top].next = -1
    arrays.stack[top].behind = at + KEY_ROW if top == 0 else arrays.stack[top - 1].behind
    return top


def count_in(top: int, at: int, code: int, arrays: InductionArrays, notes: InductionNotes) -> int:
    """Let a settled successor, given by its key and code, count for the state of a frame; returns a
    status."""
    best, choice = weighed(
        code,
        at,
        arrays.stack[top].best,
        arrays.stack[top].choice,
        arrays.stack[top].mover,
        arrays,
        notes,
    )
    if best < 0:
        return -best
    arrays.stack[top].best = best
    arrays.stack[top].choice = choice
    return DONE


def finish(top: int, arrays: InductionArrays, notes: InductionNotes) -> int:
    """Settle the state on top of the stack, whose successors are settled; returns a status."""
    code = arrays.stack[top].best + (1 << CLASS_BITS)
    if code > MOST_CODE:
        return UNFIT
    at = arrays.stack[top].at
    if top > 0:
        status = count_in(top - 1, at, code, arrays, notes)
        if status != DONE:
            return status
    enter(arrays.stack[top].entry, arrays.keys, at, code, arrays.table)
    return DONE


def induce(most: int, arrays: InductionArrays, notes: InductionNotes, slice_size: int) -> int:
    """Continue until all states on the stack are settled, or the caller has to act.

    `most` is the maximal number of entries in use; with several threads, the maximal number of
    entries that the thread may enter in a round. `slice_size` is the number of states expanded in a
    slice.
    """
    status = DONE
    looked_at = 0
    top = notes.top
    if top == FRESH:
        begin(0, 0, bucket_of(arrays.keys, 0, arrays.table), arrays, notes)
        top = 0
    while top >= 0 and status == DONE:
        at = arrays.stack[top].next
        if at < 0:
            if looked_at == slice_size:
                status = SLICED
            else:
                looked_at += 1
                status = expand(top, most, arrays, notes)
        elif at == arrays.stack[top].behind:
            status = finish(top, arrays, notes)
            if status == DONE:
                top -= 1
        else:
            place = entry_from(
                bucket_of(arrays.keys, at, arrays.table), arrays.keys, at, arrays.table
            )
            code = arrays.table[place + WIDTH - 1] >> SHIFT
            if code > OPEN:  # settled since; an open state is on another thread's stack
                status = count_in(top, at, code, arrays, notes)
                if status == DONE:
                    arrays.stack[top].next = at + KEY_ROW
            elif top + 2 > len(arrays.stack):
                status = HIGH
            elif notes.used >= most:
                status = FULL
            else:
                begin(top + 1, at, place, arrays, notes)
                arrays.stack[top].next = at + KEY_ROW
                top += 1
    notes.top = top
    return status


def copy_entry(place: int, table: Array, key: Array, target: Array) -> int:
    """Copy an entry to a table without the entry; `key` is working space for a key."""
    last = WIDTH - 1
    for number in range(last):
        key[number] = table[place + number]
    key[last] = table[place + last] & (1 << KEY_BITS) - 1
    there = entry_from(bucket_of(key, 0, target), key, 0, target)
    for number in range(WIDTH):
        target[there + number] = table[place + number]
    return there


def rehash(table: Array, begin: int, end: int, larger: Array) -> int:
    """Copy a range of entries to an empty table of a different size. Chains lie in the order of
    hashes in both tables, so both are traversed sequentially, which is the fastest memory access.
    """
    key = numbers(WIDTH)
    for place in range(begin, end, WIDTH):
        if table[place + WIDTH - 1] >> SHIFT != 0:
            copy_entry(place, table, key, larger)
    return 0


def find_frames(stack: Rows[Frame], top: int, keys: Array, table: Array) -> int:
    """Update the entries of the frames after a move to a different table."""
    for number in range(top + 1):
        at = stack[number].at
        stack[number].entry = entry_from(bucket_of(keys, at, table), keys, at, table)
    return 0


def code_of(keys: Array, table: Array) -> int:
    """The code of the first state in `keys`, with the marks below the code; 0 if the state is not
    in the table."""
    place = entry_from(bucket_of(keys, 0, table), keys, 0, table)
    code: int = table[place + WIDTH - 1] >> KEY_BITS
    return code
