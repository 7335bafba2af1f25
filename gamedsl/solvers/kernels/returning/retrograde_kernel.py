"""The kernels of retrograde analysis, written against the names that every module offers (`abi`).

Nothing is kept of a state but its entry in the table: its key, and above it a code. That is `NEW`
until its successors are entered, `UNSETTLED` until its value is known, and then, as in
`induction_kernel`, (plies + 1) << CLASS_BITS with the number of a payoff. Images of a state are one
entry (`symmetry.orbits`), with marks that say which of them are reached. Where players are
swapped the first one is to move in every entry, and who wins a successor may be named otherwise
there than in the entry before; what an entry says is meant as it stands there.

All states are entered first. Then values are found level by level (`solvers.exact.retrograde`), a
level that the first player forces together with one that the second forces, by sweeps: in each
all states are settled that are at one distance from the end. In the first, by the rules
(`sweeps_kernel`), the ways between states that stay open are listed, and others follow these lists
(`ways_kernel`). Where there is no room for the lists all sweeps go by the rules.

Threads may enter states into one table, and sweep parts of it, side by side (`parts`). What several
may write is the last number of an entry, while states are entered: that is done by `exchange`
alone, which fails where another has been there meanwhile. In a sweep each thread writes to the
entries, the bits and the list of its own part, and what it may see of a sweep under way, a code of
`LENGTH` + 1, counts for nothing in that sweep.

Arrays are those of `induction_kernel`, and:

waiting: int64[m]: entries of some new states, found last; the others are found by going through
the table.
notes: int64[ALL_NOTES].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.images.tally_kernel import state_at
from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    FULL,
    NEW_PAYOFF,
    ODD,
    SLICED,
    USED,
    bucket_of,
    enter,
    entry_from,
    payoff_of,
)

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CLASS_BITS,
        KEY_BITS,
        NO_MOVES,
        SHIFT,
        SWAPS,
        WIDTH,
        Array,
        State,
        apply,
        exchange,
        fault,
        least_image,
        legal,
        marks_after,
        pack_key,
        payoffs_after,
        prefetch,
        turn_of,
        unpack_key,
    )

NEW, UNSETTLED = 1, 2
"""Codes of states without a value."""

# Besides the notes of `induction_kernel`: the entry to go on at, states in `waiting`, new states;
# what is being done, which levels are looked for, plies + 1 at which states are settled last; what
# a sweep has settled, left open, and at most how many ways there are between open states; where
# the list of ways is read and where it is written; the next open state; the next and the end of
# those from which a value spreads; the marks of the first state; how often successors have been
# entered; sweeps along the list; where the part of the table that is swept begins and ends; whether
# other threads enter states, too; the part whose list is turned round; the bits of a number of the
# list, and the one that is no way; numbers of the list that are in vain, and whether a sweep
# leaves them out; endings that are put aside; which part of the number of an entry `sieve` goes by.
(
    PLACE, STACK, WAITING, PHASE, LEVEL, LENGTH, SETTLED, LEFT, WAYS, READ, WRITTEN, NODE, HEAD,
    TAIL, FIRST, ENTERED, SWEEPS, BEGIN, END, SHARED, PART,
    BITS, NONE, VAIN, SHORTENS, ASIDE, SIEVED,
) = range(7, 34)  # fmt: skip
ALL_NOTES = 34
SWEEP, LIST, ALONG, COUNT, TURN, SPREAD = range(6)
"""What is being done: a sweep by the rules; one that lists ways; one along the list; the list is
turned round, in two steps; values spread along that."""
SWEEPING = (SWEEP, LIST, ALONG)
TOGETHER = 2
"""In place of a player: whoever moves goes along."""
NOBODY = -1


def images_after(
    state: State, marks: int, keys: Array, actions: Array, buckets: Array, table: Array
) -> int:
    """Write the entries of a state's successors among the keys, and where their chains begin; in
    place of the actions their marks, given those of the state, or without marks whether players
    are swapped in them. Gives how many there are; `NOBODY` if a key does not hold one of them."""
    count = legal(*state, actions, 0)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    at = 0
    odd = 0
    for number in range(count):
        after = apply(*state, actions[number])
        odd |= pack_key(*least_image(*after), keys, at)
        if marks != 0:
            actions[number] = marks_after(*after, marks)
        elif SWAPS:
            actions[number] = turn_of(*after)
        bucket = bucket_of(keys, at, table)
        buckets[2 * number] = bucket
        prefetch(table, bucket + WIDTH - 1)
        at += WIDTH
    return count if odd == 0 else NOBODY


def is_swapped(number: int, actions: Array) -> int:
    """1 if players are swapped in the entry of a successor, else 0."""
    swapped = 0
    if SWAPS:
        swapped = actions[number]
    return swapped


def write_code(place: int, code: int, table: Array) -> int:
    """Write the code of an entry in use."""
    last = place + WIDTH - 1
    table[last] = table[last] & (1 << SHIFT) - 1 | code << SHIFT
    return code


def keep_waiting(place: int, waiting: Array, notes: Array) -> int:
    """Keep an entry at hand whose successors are to be entered."""
    notes[WAITING] += 1
    if notes[STACK] < len(waiting):
        waiting[notes[STACK]] = place
        notes[STACK] += 1
    return place


def next_waiting(table: Array, waiting: Array, notes: Array) -> int:
    """The entry of a new state; -1 if there is none, or with others at work none was seen."""
    while notes[STACK] > 0:
        place: int = waiting[notes[STACK] - 1]
        if table[place + WIDTH - 1] >> SHIFT == NEW:
            return place
        notes[STACK] -= 1
    if notes[WAITING] == 0 and notes[SHARED] == 0:
        return NOBODY
    place = notes[PLACE]
    for _ in range(len(table) // WIDTH):
        if table[place + WIDTH - 1] >> SHIFT == NEW:
            notes[PLACE] = place
            return place
        place += WIDTH
        if place == len(table):
            place = 0
    return NOBODY


def reach(
    place: int,
    at: int,
    marks: int,
    table: Array,
    keys: Array,
    waiting: Array,
    payoffs: Array,
    notes: Array,
) -> int:
    """Enter a state with its marks, from a place in its chain on; where it has an entry that gets
    marks, and will give them to those after it. A way to an ending is taken off those that may be
    listed. Gives a status. Where another thread has written
    meanwhile it is looked at again; only one of two that enter a state is told so."""
    last = WIDTH - 1
    mask = (1 << KEY_BITS) - 1
    entered = 0
    while True:
        place = entry_from(place, keys, at, table)
        found = table[place + last]
        code = found >> SHIFT
        if code == 0:
            if entered == 0:
                entered = NEW
                per, one, other = payoffs_after(*unpack_key(keys, at))
                if per != 0:
                    payoff = payoff_of(per, one, other, payoffs, notes)
                    if payoff < 0:
                        return NEW_PAYOFF
                    entered = 1 << CLASS_BITS | payoff
            for number in range(WIDTH - 1):  # such entries are of one thread alone
                table[place + number] = keys[at + number]
            whole = keys[at + last] | marks << KEY_BITS | entered << SHIFT
            if exchange(table, place + last, found, whole) == found:
                notes[USED] += 1
                if entered == NEW:
                    keep_waiting(place, waiting, notes)
                else:
                    notes[WAYS] -= 1
                return DONE
        elif WIDTH > 1 or (found & mask) == keys[at + last]:
            marked = found | marks << KEY_BITS
            if marked == found:
                if code > UNSETTLED:
                    notes[WAYS] -= 1
                return DONE
            if code == UNSETTLED:
                marked ^= (UNSETTLED ^ NEW) << SHIFT
            if exchange(table, place + last, found, marked) == found:
                if code > UNSETTLED:
                    notes[WAYS] -= 1
                if code == UNSETTLED:
                    keep_waiting(place, waiting, notes)
                return DONE


def enter_successors(
    place: int,
    table: Array,
    keys: Array,
    waiting: Array,
    actions: Array,
    buckets: Array,
    payoffs: Array,
    notes: Array,
) -> int:
    """Enter what follows a new state, which is open from then on; gives a status. After any but
    `DONE` it can be done again. Where an entry gets marks that it has not had, so will those after
    it, and it is new once more."""
    found = table[place + WIDTH - 1]
    if found >> SHIFT != NEW:  # another thread was there
        return DONE
    own = found >> KEY_BITS & (1 << SHIFT - KEY_BITS) - 1
    state = state_at(place, table, keys)
    count = images_after(state, own, keys, actions, buckets, table)
    if count < 0:
        return ODD
    for number in range(count):
        marks = 0
        if own != 0:
            marks = actions[number]
        status = reach(
            buckets[2 * number], number * WIDTH, marks, table, keys, waiting, payoffs, notes
        )
        if status != DONE:
            return status
    notes[ENTERED] += 1
    notes[WAYS] += count
    done = found ^ (NEW ^ UNSETTLED) << SHIFT
    if exchange(table, place + WIDTH - 1, found, done) == found:
        notes[WAITING] -= 1
    return DONE


def explore(
    table: Array,
    most: int,
    keys: Array,
    waiting: Array,
    actions: Array,
    buckets: Array,
    payoffs: Array,
    notes: Array,
    slice_size: int,
) -> int:
    """Enter all states that can be reached, at most `most`. Where others do that, too, the notes
    tell of this thread alone, and it is done when it sees nothing to do."""
    if notes[USED] == 0 and notes[SHARED] == 0:
        place = entry_from(bucket_of(keys, 0, table), keys, 0, table)
        enter(place, keys, 0, NEW, table)
        table[place + WIDTH - 1] |= notes[FIRST] << KEY_BITS
        notes[USED] = 1
        notes[WAITING] = 1
    for _ in range(slice_size):
        place = next_waiting(table, waiting, notes)
        if place < 0:
            return DONE
        if notes[USED] + len(actions) > most:
            return FULL
        status = enter_successors(place, table, keys, waiting, actions, buckets, payoffs, notes)
        if status != DONE:
            notes[PLACE] = place
            return status
    return SLICED
