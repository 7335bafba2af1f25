"""The kernel of backward induction, written against the names that every module offers (`abi`).

Depth first with a stack of its own, so that it can stop anywhere and go on: after a slice of work,
when the table is full, when an ending pays what nobody has been paid before. A table with open
addressing holds `WIDTH` numbers a state: its key, and in the bits from `SHIFT` on of the last one
a code: 0 for a free entry, `OPEN` for a state on the stack, else (plies + 1) << CLASS_BITS with
the number of a payoff. Images of a state are one entry (`symmetry.orbits`). Waiting for the memory
of the table is most of the work: the entries of all successors of a state are asked for at once,
so that the waits overlap.

Threads may search one table, each with a stack of its own and in another order. What is new is
entered by `exchange` alone, which fails where another has been there meanwhile; a state that is
settled twice is so by the same number. A state on the stack of another is gone into all the same,
at the other end of its successors as a rule; so each helps the other, and nobody waits. An open
state on a thread's own stack means that play can return, and only that: of a round of states, the
first that a thread would settle has one after it that is not settled.

table: int64[n, WIDTH]: entries.
keys: int64[m, WIDTH]: keys of the states that wait, those of one frame behind those of another.
stack: int64[frames, FRAME]: see the offsets of a frame below.
notes: int64[NOTES]: what lives on between calls; see the offsets below.
actions: int64[ACTIONS + 1].
buckets: int64[ACTIONS + 1, 2]: where the chain of each successor begins, and room for a number.
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

# A frame of the stack: where its state's key lies among those waiting, and its entry in the
# table; the first successor that is not settled (-1: none has been looked for), and where these
# end; the best code so far, or 0; who moves.
AT, ENTRY, NEXT, BEHIND, BEST, MOVER = range(6)
FRAME = 6

# What lives on between calls: the top of the stack (-1: all is done; `FRESH`: the first state has
# not been put there), entries in use, endings
# among them; a payoff that is not known yet (a denominator and two numerators), payoffs known; and,
# of depth-first search alone, in which order successors are looked at: the number of the thread.
TOP, USED, ENDINGS, PER, FIRST_SHARE, SECOND_SHARE, PAYOFFS, ORDER = range(8)
NOTES = 8
FRESH = -2

# Why the kernel has come back: all is done; the slice is; the table or the stack has to grow; an
# ending pays what is not known; play can return; a code does not fit; a state is none that keys
# hold, after the state on top of the stack; a state that follows has no entry, and has to have one.
DONE, SLICED, FULL, HIGH, NEW_PAYOFF, RETURNS, UNFIT, ODD, LOST = range(9)


def entry_from(place: int, keys: Array, at: int, table: Array) -> int:
    """Where the entry of a state is, or a free one for it, from one of its chain on."""
    last = WIDTH - 1
    mask = (1 << KEY_BITS) - 1
    while True:
        found = table[place + last]
        if found >> SHIFT == 0:
            return place
        is_same = (found & mask) == keys[at + last]
        for number in range(last):
            is_same = is_same and table[place + number] == keys[at + number]
        if is_same:
            return place
        place += WIDTH
        if place == len(table):
            place = 0


def bucket_of(keys: Array, at: int, table: Array) -> int:
    """Where the chain of a state begins."""
    return (hash_key(keys, at) * (len(table) // WIDTH) >> 31) * WIDTH


def enter(place: int, keys: Array, at: int, code: int, table: Array) -> int:
    """Write a state with its code into an entry."""
    for number in range(WIDTH - 1):
        table[place + number] = keys[at + number]
    table[place + WIDTH - 1] = keys[at + WIDTH - 1] | code << SHIFT
    return place


def better(code: int, best: int, mover: int, preferences: Array) -> int:
    """The code that a player prefers. `preferences` has for each payoff and player its rank,
    above all plies, and whether plies count for or against it: 1 or -1."""
    if best == 0:
        return code
    mask = (1 << CLASS_BITS) - 1
    one = 4 * (code & mask) + 2 * mover
    other = 4 * (best & mask) + 2 * mover
    rank = preferences[one] + preferences[one + 1] * (code >> CLASS_BITS)
    if rank > preferences[other] + preferences[other + 1] * (best >> CLASS_BITS):
        return code
    return best


def payoff_of(per: int, first: int, second: int, payoffs: Array, notes: Array) -> int:
    """The number of a payoff; -1, and the payoff among the notes, if it is not known."""
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
    """Write the successors of a state among the keys, from a place on, and where their chains
    begin; how many there are."""
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
    """Which of some successors is looked at so many places behind the first, in an order: forwards
    or backwards, each from another one on."""
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
    """The entries of what follows the state of a frame, behind the keys that wait; who is to move
    there. Gives how many there are; -1 if a key does not hold one of them."""
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
    """Enter a state with a code, from a place in its chain on, unless another thread has been
    there; its entry."""
    last = WIDTH - 1
    while True:
        place = entry_from(place, keys, at, table)
        found = table[place + last]
        if found >> SHIFT != 0:
            return place
        for number in range(last):  # such entries are of one thread alone
            table[place + number] = keys[at + number]
        if exchange(table, place + last, found, keys[at + last] | code << SHIFT) == found:
            notes[USED] += 1
            return place


def is_on_stack(place: int, frame: int, stack: Array) -> bool:
    """Whether an entry is that of a frame up to this one."""
    found = False
    for number in range(0, frame + FRAME, FRAME):
        found = found or stack[number + ENTRY] == place
    return found


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
    """Look at all successors of a state: those that are settled or endings count at once, the
    others are left waiting. Gives a status; after any but `DONE` it can be done again."""
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
            per, one, other = payoffs_after(*unpack_key(keys, at))
            if per != 0:
                payoff = payoff_of(per, one, other, payoffs, notes)
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
    """Put a state on the stack, above the frame before; its entry is marked as open."""
    stack[frame + AT] = at
    stack[frame + ENTRY] = claim(place, keys, at, OPEN, table, notes)
    stack[frame + NEXT] = -1
    stack[frame + BEHIND] = at + WIDTH if frame == 0 else stack[frame - FRAME + BEHIND]
    return frame


def finish(frame: int, stack: Array, keys: Array, table: Array, preferences: Array) -> int:
    """Settle the state on top of the stack, whose successors are; gives a status."""
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
    """Go on until all states on the stack are settled, or something has to be done about it.

    `most` is how many entries of the table may be in use, or, of several threads, how many this
    one may enter in a round; a slice is so many states looked at. `keys` holds the states that
    wait, `buckets` two numbers an action.
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
            if code > OPEN:  # settled since; what is open is so on the stack of another thread
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


def copy_entry(place: int, table: Array, key: Array, other: Array) -> int:
    """Copy an entry to a table that does not have it; `key` is room for a key."""
    last = WIDTH - 1
    for number in range(last):
        key[number] = table[place + number]
    key[last] = table[place + last] & (1 << KEY_BITS) - 1
    there = entry_from(bucket_of(key, 0, other), key, 0, other)
    for number in range(WIDTH):
        other[there + number] = table[place + number]
    return there


def rehash(table: Array, begin: int, end: int, larger: Array) -> int:
    """Copy some entries of a table to one of another size that has none of them. Chains lie in the
    order of hashes in both, so both are gone through from one end to the other, which is what
    memory does best."""
    key = numbers(WIDTH)
    for place in range(begin, end, WIDTH):
        if table[place + WIDTH - 1] >> SHIFT != 0:
            copy_entry(place, table, key, larger)
    return 0


def find_frames(stack: Array, top: int, keys: Array, table: Array) -> int:
    """Tell the frames of the stack where their entries are in another table."""
    for number in range(top + 1):
        at = stack[number * FRAME + AT]
        stack[number * FRAME + ENTRY] = entry_from(bucket_of(keys, at, table), keys, at, table)
    return 0


def code_of(keys: Array, table: Array) -> int:
    """The code of the first state among these, with the marks below it; 0 if it is not in the
    table."""
    place = entry_from(bucket_of(keys, 0, table), keys, 0, table)
    code: int = table[place + WIDTH - 1] >> KEY_BITS
    return code
