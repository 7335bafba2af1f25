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

table: int64[n, WIDTH]: entries.
keys: int64[m, KEY_ROW]: keys of the waiting states, frame after frame; behind a key, if KEY_ROW >
WIDTH, its label: the number of the action, and of the reward from REWARD_AT on.
stack: int64[frames, FRAME]: see the offsets of a frame below.
notes: int64[NOTES]: what lives on between calls; see the offsets below.
actions: int64[ACTIONS + 1].
buckets: int64[ACTIONS + 1, 2]: the beginning of each successor's chain, and space for a number.
payoffs: int64[n, SHARES]: for each value the denominator and the numerators of the ending with the
value; 0 if no ending has the value.
preferences: int64[n, 2, 2]: for each value and player its rank and the sign of plies; or
int64[players, n, n]: for the values of two actions, in declaration order, twice the value to a
mover who chooses between both, plus 1 if the second action is chosen; 0 if unknown.
rewards: int64[r, SHARES]: the denominator and the numerators of each reward.
sums: int64[r, n]: the value before an action with a reward, plus 1; 0 if unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CLASS_BITS,
        IS_RANKED,
        KEY_BITS,
        KEY_ROW,
        MOST_CODE,
        NO_MOVES,
        PAID,
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

# A frame of the stack: the place of its state's key in `keys`, and its entry in the table; the
# first unsettled successor (-1: successors not listed yet), and the end of the successors; the
# best code so far, or 0; the player to move; the number of the best action.
AT, ENTRY, NEXT, BEHIND, BEST, MOVER, CHOICE = range(7)
FRAME = 7
REWARD_AT = 32
"""The first bit of a reward in a label."""

# What lives on between calls: the top of the stack (-1: finished; `FRESH`: the first state has not
# been pushed), entries in use, endings in use; an unknown payoff (a denominator and two
# numerators), number of known payoffs; and, for depth-first search only, the order of successors
# (the number of the thread), number of known rewards, the room for values in tables of values; and
# from ASKED on what the caller has to add: the payoffs of an ending or of an action, SHARES
# numbers; or a reward and a value; or a mover and two values.
TOP, USED, ENDINGS, PER, FIRST_SHARE, SECOND_SHARE, PAYOFFS, ORDER, REWARDS, ROOM, ASKED = range(11)
NOTES = 11
FRESH = -2

# Statuses: all work is done; the slice is done; the table has to grow; the stack has to grow; an
# ending has an unknown payoff; play can return; a code does not fit; keys cannot represent a
# successor of the state on top of the stack; a successor that must have an entry has none; a
# reward, a sum or a pair of values is unknown.
DONE, SLICED, FULL, HIGH, NEW_PAYOFF, RETURNS, UNFIT, ODD, LOST, NEW_REWARD, NEW_SUM, NEW_PAIR = (
    range(12)
)


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


def better(code: int, best: int, mover: int, preferences: Array) -> int:
    """The code that a player prefers. `preferences` has for each payoff and player the rank, scaled
    above all plies, and the sign of plies: 1 or -1."""
    if best == 0:
        return code
    mask = (1 << CLASS_BITS) - 1
    place = 4 * (code & mask) + 2 * mover
    best_place = 4 * (best & mask) + 2 * mover
    rank = preferences[place] + preferences[place + 1] * (code >> CLASS_BITS)
    if rank > preferences[best_place] + preferences[best_place + 1] * (best >> CLASS_BITS):
        return code
    return best


def payoff_of(per: int, first: int, second: int, payoffs: Array, notes: Array) -> int:
    """The number of a payoff; for an unknown payoff -1, with the payoff written to the notes."""
    for number in range(notes[PAYOFFS]):
        at = 3 * number
        if payoffs[at] == per and payoffs[at + 1] == first and payoffs[at + 2] == second:
            return number
    notes[PER] = per
    notes[FIRST_SHARE] = first
    notes[SECOND_SHARE] = second
    return -1


def row_like(rows: Array, count: int, notes: Array) -> int:
    """The number of the row equal to the numbers in the notes; -1 if there is none."""
    for number in range(count):
        differs = 0
        for part in range(SHARES):
            differs |= rows[number * SHARES + part] ^ notes[PAID + part]
        if differs == 0:
            return number
    return -1


def ending_of(state: State, payoffs: Array, notes: Array) -> int:
    """The number of an ending's payoffs, plus 1; 0 if play goes on; -1 for unknown payoffs, left in
    the notes."""
    if write_payoffs(*state, notes, PAID) == 0:
        return 0
    number = row_like(payoffs, notes[PAYOFFS], notes)
    return number + 1 if number >= 0 else -1


def value_before(code: int, label: int, sums: Array, notes: Array) -> int:
    """The code of a value before the action with a label: with the reward, and discounted; an
    unknown sum is left in the notes: then -NEW_SUM."""
    reward = label >> REWARD_AT
    value = code & (1 << CLASS_BITS) - 1
    known = sums[reward * notes[ROOM] + value]
    if known == 0:
        notes[ASKED] = reward
        notes[ASKED + 1] = value
        return -NEW_SUM
    before: int = code >> CLASS_BITS << CLASS_BITS | known - 1
    return before


def chosen(
    code: int, action: int, best: int, choice: int, mover: int, preferences: Array, notes: Array
) -> tuple[int, int]:
    """The code to a mover who chooses between two actions by a table of pairs of values, and the
    action; an unknown pair is left in the notes: then -NEW_PAIR."""
    mask = (1 << CLASS_BITS) - 1
    if best == 0:
        return code, action
    first = best & mask
    second = code & mask
    if action < choice:
        first = code & mask
        second = best & mask
    known = preferences[(mover * notes[ROOM] + first) * notes[ROOM] + second]
    if known == 0:
        notes[ASKED] = mover
        notes[ASKED + 1] = first
        notes[ASKED + 2] = second
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
    keys: Array,
    sums: Array,
    preferences: Array,
    notes: Array,
) -> tuple[int, int]:
    """The best code so far and the action, after one more action whose successor has a code and a
    key; a negative status if the caller has to add a sum or a pair of values."""
    label = 0
    if KEY_ROW > WIDTH:
        label = keys[at + WIDTH]
    before = code
    if PAYS:
        before = value_before(code, label, sums, notes)
    if before < 0:
        return before, 0
    if IS_RANKED:
        return better(before, best, mover, preferences), 0
    return chosen(before, label & (1 << REWARD_AT) - 1, best, choice, mover, preferences, notes)


def successors_of(
    state: State, keys: Array, at: int, actions: Array, buckets: Array, table: Array
) -> int:
    """Write the keys of a state's successors from a place on, and the beginnings of their chains;
    return the number of successors."""
    count = legal(*state, actions, 0)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    for number in range(count):
        pack_key(*apply(*state, actions[number]), keys, at)
        bucket = bucket_of(keys, at, table)
        buckets[2 * number] = bucket
        prefetch(table, bucket + WIDTH - 1)
        at += WIDTH
    return count


def place_in(order: int, number: int, count: int) -> int:
    """The index of the successor at a position of an order: forwards or backwards, with an
    order-dependent first successor."""
    if order == 0:
        return number
    place = (number + (order >> 1)) % count
    return count - 1 - place if order & 1 == 1 else place


def list_successors(
    frame: int,
    keys: Array,
    actions: Array,
    buckets: Array,
    stack: Array,
    table: Array,
    rewards: Array,
    notes: Array,
) -> int:
    """Write the keys and labels of the successors of a frame's state behind the waiting keys, and
    the player to move. Returns the number of successors; a negative status if a key cannot
    represent a successor, or a reward is unknown."""
    state = unpack_key(keys, stack[frame + AT])
    stack[frame + MOVER] = turn_of(*state)
    count = legal(*state, actions, 0)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    at = stack[frame + BEHIND]
    odd = 0
    for number in range(count):
        place = place_in(notes[ORDER], number, count)
        action = actions[place]
        odd |= pack_key(*least_image(*apply(*state, action)), keys, at)
        if KEY_ROW > WIDTH:
            keys[at + WIDTH] = place
        if PAYS:
            write_rewards(*state, action, notes, PAID)
            reward = row_like(rewards, notes[REWARDS], notes)
            if reward < 0:
                return -NEW_REWARD
            keys[at + WIDTH] = place | reward << REWARD_AT
        bucket = bucket_of(keys, at, table)
        buckets[2 * number] = bucket
        prefetch(table, bucket + WIDTH - 1)
        at += KEY_ROW
    return count if odd == 0 else -ODD


def claim(place: int, keys: Array, at: int, code: int, table: Array, notes: Array) -> int:
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
            notes[USED] += 1
            return place


def is_on_stack(place: int, frame: int, stack: Array) -> bool:
    """Whether an entry belongs to a frame up to this frame."""
    on_stack = False
    for number in range(0, frame + FRAME, FRAME):
        on_stack = on_stack or stack[number + ENTRY] == place
    return on_stack


def expand(
    frame: int,
    table: Array,
    most: int,
    stack: Array,
    keys: Array,
    actions: Array,
    buckets: Array,
    payoffs: Array,
    preferences: Array,
    rewards: Array,
    sums: Array,
    notes: Array,
) -> int:
    """Examine all successors of a state: settled states and endings count at once, the rest is left
    waiting. Returns a status; after any status but `DONE` the call can be repeated."""
    first = stack[frame + BEHIND]
    if first + len(actions) * KEY_ROW > len(keys):
        return HIGH
    if notes[USED] + len(actions) > most:
        return FULL
    count = list_successors(frame, keys, actions, buckets, stack, table, rewards, notes)
    if count < 0:
        return -count
    mover = stack[frame + MOVER]
    best = 0
    choice = 0
    behind = first
    for number in range(count):
        at = first + number * KEY_ROW
        place = entry_from(buckets[2 * number], keys, at, table)
        code = table[place + WIDTH - 1] >> SHIFT
        if code == OPEN and is_on_stack(place, frame, stack):
            return RETURNS
        if code == 0:
            ending = ending_of(unpack_key(keys, at), payoffs, notes)
            if ending < 0:
                return NEW_PAYOFF
            if ending > 0:
                code = 1 << CLASS_BITS | ending - 1
                claim(place, keys, at, code, table, notes)
        if code <= OPEN:
            for part in range(KEY_ROW):
                keys[behind + part] = keys[at + part]
            behind += KEY_ROW
        else:
            best, choice = weighed(code, at, best, choice, mover, keys, sums, preferences, notes)
            if best < 0:
                return -best
    stack[frame + NEXT] = first
    stack[frame + BEHIND] = behind
    stack[frame + BEST] = best
    stack[frame + CHOICE] = choice
    return DONE


def begin(
    frame: int, at: int, place: int, stack: Array, keys: Array, table: Array, notes: Array
) -> int:
    """Push a state on the stack; its entry is marked as open."""
    stack[frame + AT] = at
    stack[frame + ENTRY] = claim(place, keys, at, OPEN, table, notes)
    stack[frame + NEXT] = -1
    stack[frame + BEHIND] = at + KEY_ROW if frame == 0 else stack[frame - FRAME + BEHIND]
    return frame


def count_in(
    frame: int,
    at: int,
    code: int,
    stack: Array,
    keys: Array,
    preferences: Array,
    sums: Array,
    notes: Array,
) -> int:
    """Let a settled successor, given by its key and code, count for the state of a frame; returns a
    status."""
    best, choice = weighed(
        code, at, stack[frame + BEST], stack[frame + CHOICE], stack[frame + MOVER], keys, sums,
        preferences, notes,
    )  # fmt: skip
    if best < 0:
        return -best
    stack[frame + BEST] = best
    stack[frame + CHOICE] = choice
    return DONE


def finish(
    frame: int,
    stack: Array,
    keys: Array,
    table: Array,
    preferences: Array,
    sums: Array,
    notes: Array,
) -> int:
    """Settle the state on top of the stack, whose successors are settled; returns a status."""
    code = stack[frame + BEST] + (1 << CLASS_BITS)
    if code > MOST_CODE:
        return UNFIT
    at = stack[frame + AT]
    if frame > 0:
        status = count_in(frame - FRAME, at, code, stack, keys, preferences, sums, notes)
        if status != DONE:
            return status
    enter(stack[frame + ENTRY], keys, at, code, table)
    return DONE


def induce(
    table: Array,
    most: int,
    stack: Array,
    keys: Array,
    actions: Array,
    buckets: Array,
    payoffs: Array,
    preferences: Array,
    rewards: Array,
    sums: Array,
    notes: Array,
    slice_size: int,
) -> int:
    """Continue until all states on the stack are settled, or the caller has to act.

    `most` is the maximal number of entries in use; with several threads, the maximal number of
    entries that the thread may enter in a round. `slice_size` is the number of states expanded in a
    slice. `keys` holds the waiting states, `buckets` two numbers per action.
    """
    status = DONE
    looked_at = 0
    top = notes[TOP]
    if top == FRESH:
        begin(0, 0, bucket_of(keys, 0, table), stack, keys, table, notes)
        top = 0
    while top >= 0 and status == DONE:
        frame = top * FRAME
        at = stack[frame + NEXT]
        if at < 0:
            if looked_at == slice_size:
                status = SLICED
            else:
                looked_at += 1
                status = expand(
                    frame, table, most, stack, keys, actions, buckets, payoffs, preferences,
                    rewards, sums, notes,
                )  # fmt: skip
        elif at == stack[frame + BEHIND]:
            status = finish(frame, stack, keys, table, preferences, sums, notes)
            if status == DONE:
                top -= 1
        else:
            place = entry_from(bucket_of(keys, at, table), keys, at, table)
            code = table[place + WIDTH - 1] >> SHIFT
            if code > OPEN:  # settled since; an open state is on another thread's stack
                status = count_in(frame, at, code, stack, keys, preferences, sums, notes)
                if status == DONE:
                    stack[frame + NEXT] = at + KEY_ROW
            elif frame + 2 * FRAME > len(stack):
                status = HIGH
            elif notes[USED] >= most:
                status = FULL
            else:
                begin(frame + FRAME, at, place, stack, keys, table, notes)
                stack[frame + NEXT] = at + KEY_ROW
                top += 1
    notes[TOP] = top
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


def find_frames(stack: Array, top: int, keys: Array, table: Array) -> int:
    """Update the entries of the frames after a move to a different table."""
    for number in range(top + 1):
        at = stack[number * FRAME + AT]
        stack[number * FRAME + ENTRY] = entry_from(bucket_of(keys, at, table), keys, at, table)
    return 0


def code_of(keys: Array, table: Array) -> int:
    """The code of the first state in `keys`, with the marks below the code; 0 if the state is not
    in the table."""
    place = entry_from(bucket_of(keys, 0, table), keys, 0, table)
    code: int = table[place + WIDTH - 1] >> KEY_BITS
    return code
