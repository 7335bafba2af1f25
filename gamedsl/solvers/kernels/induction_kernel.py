"""The kernel of backward induction, written against the names of every module (`abi`).

Depth-first search with an explicit stack. The kernel can stop and resume anywhere: after a slice of
work, at a full table, at an ending with an unknown payoff. A table with open addressing holds
`WIDTH` numbers per state: the key, and in the bits from `SHIFT` on of the last number a code: 0 for
a free entry, `OPEN` for a state on the stack, else (plies + 1) << CLASS_BITS with the number of a
payoff. Images of a state share one entry (`symmetry.orbits`). Memory latency dominates the time, so
the entries of all successors of a state are prefetched together.

Threads may search one table, each with its own stack and a different order of successors. New
entries are written by `exchange` only, which fails after a concurrent write; if two threads settle
a state, they write an equal number. A thread expands even states on the stack of another thread,
but usually from the opposite end of the successors; so threads help each other without waiting. An
open state on a thread's own stack means that play can return, and nothing else does: on a cycle of
states, the first state to be settled would have an unsettled successor.

table: int64[n, WIDTH]: entries.
keys: int64[m, WIDTH]: keys of the waiting states, frame after frame.
stack: int64[frames, FRAME]: see the offsets of a frame below.
notes: int64[NOTES]: what lives on between calls; see the offsets below.
actions: int64[ACTIONS + 1].
buckets: int64[ACTIONS + 1, 2]: the beginning of each successor's chain, and space for a number.
payoffs: int64[n, 3]: a denominator and the numerators of both players.
preferences: int64[n, 2, 2]: for each payoff and player its rank and the sign of plies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CLASS_BITS,
        KEY_BITS,
        MOST_CODE,
        NO_MOVES,
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
        payoffs_after,
        prefetch,
        turn_of,
        unpack_key,
    )

OPEN = 1
"""The code of a state on the stack."""

# A frame of the stack: the place of its state's key in `keys`, and its entry in the table; the
# first unsettled successor (-1: successors not listed yet), and the end of the successors; the
# best code so far, or 0; the player to move.
AT, ENTRY, NEXT, BEHIND, BEST, MOVER = range(6)
FRAME = 6

# What lives on between calls: the top of the stack (-1: finished; `FRESH`: the first state has not
# been pushed), entries in use, endings in use; an unknown payoff (a denominator and two
# numerators), number of known payoffs; and, for depth-first search only, the order of successors:
# the number of the thread.
TOP, USED, ENDINGS, PER, FIRST_SHARE, SECOND_SHARE, PAYOFFS, ORDER = range(8)
NOTES = 8
FRESH = -2

# Statuses: all work is done; the slice is done; the table has to grow; the stack has to grow; an
# ending has an unknown payoff; play can return; a code does not fit; keys cannot represent a
# successor of the state on top of the stack; a successor that must have an entry has none.
DONE, SLICED, FULL, HIGH, NEW_PAYOFF, RETURNS, UNFIT, ODD, LOST = range(9)


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
    order: int,
) -> int:
    """Write the keys of the successors of a frame's state behind the waiting keys, and the player
    to move. Returns the number of successors; -1 if a key cannot represent a successor."""
    state = unpack_key(keys, stack[frame + AT])
    stack[frame + MOVER] = turn_of(*state)
    count = legal(*state, actions, 0)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    at = stack[frame + BEHIND]
    odd = 0
    for number in range(count):
        action = actions[place_in(order, number, count)]
        odd |= pack_key(*least_image(*apply(*state, action)), keys, at)
        bucket = bucket_of(keys, at, table)
        buckets[2 * number] = bucket
        prefetch(table, bucket + WIDTH - 1)
        at += WIDTH
    return count if odd == 0 else -1


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
    notes: Array,
) -> int:
    """Examine all successors of a state: settled states and endings count at once, the rest is left
    waiting. Returns a status; after any status but `DONE` the call can be repeated."""
    first = stack[frame + BEHIND]
    if first + len(actions) * WIDTH > len(keys):
        return HIGH
    if notes[USED] + len(actions) > most:
        return FULL
    count = list_successors(frame, keys, actions, buckets, stack, table, notes[ORDER])
    if count < 0:
        return ODD
    mover = stack[frame + MOVER]
    best = 0
    behind = first
    for number in range(count):
        at = first + number * WIDTH
        place = entry_from(buckets[2 * number], keys, at, table)
        code = table[place + WIDTH - 1] >> SHIFT
        if code == OPEN and is_on_stack(place, frame, stack):
            return RETURNS
        if code == 0:
            per, first_share, second_share = payoffs_after(*unpack_key(keys, at))
            if per != 0:
                payoff = payoff_of(per, first_share, second_share, payoffs, notes)
                if payoff < 0:
                    return NEW_PAYOFF
                code = 1 << CLASS_BITS | payoff
                claim(place, keys, at, code, table, notes)
        if code <= OPEN:
            for part in range(WIDTH):
                keys[behind + part] = keys[at + part]
            behind += WIDTH
        else:
            best = better(code, best, mover, preferences)
    stack[frame + NEXT] = first
    stack[frame + BEHIND] = behind
    stack[frame + BEST] = best
    return DONE


def begin(
    frame: int, at: int, place: int, stack: Array, keys: Array, table: Array, notes: Array
) -> int:
    """Push a state on the stack; its entry is marked as open."""
    stack[frame + AT] = at
    stack[frame + ENTRY] = claim(place, keys, at, OPEN, table, notes)
    stack[frame + NEXT] = -1
    stack[frame + BEHIND] = at + WIDTH if frame == 0 else stack[frame - FRAME + BEHIND]
    return frame


def finish(frame: int, stack: Array, keys: Array, table: Array, preferences: Array) -> int:
    """Settle the state on top of the stack, whose successors are settled; returns a status."""
    code = stack[frame + BEST] + (1 << CLASS_BITS)
    if code > MOST_CODE:
        return UNFIT
    enter(stack[frame + ENTRY], keys, stack[frame + AT], code, table)
    if frame > 0:
        below = frame - FRAME
        mover = stack[below + MOVER]
        stack[below + BEST] = better(code, stack[below + BEST], mover, preferences)
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
                    frame, table, most, stack, keys, actions, buckets, payoffs, preferences, notes
                )
        elif at == stack[frame + BEHIND]:
            status = finish(frame, stack, keys, table, preferences)
            if status == DONE:
                top -= 1
        else:
            place = entry_from(bucket_of(keys, at, table), keys, at, table)
            code = table[place + WIDTH - 1] >> SHIFT
            if code > OPEN:  # settled since; an open state is on another thread's stack
                stack[frame + BEST] = better(
                    code, stack[frame + BEST], stack[frame + MOVER], preferences
                )
                stack[frame + NEXT] = at + WIDTH
            elif frame + 2 * FRAME > len(stack):
                status = HIGH
            elif notes[USED] >= most:
                status = FULL
            else:
                begin(frame + FRAME, at, place, stack, keys, table, notes)
                stack[frame + NEXT] = at + WIDTH
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
