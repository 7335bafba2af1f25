"""The kernels of retrograde analysis, written against the names of every module (`abi`).

The only record of a state is its entry in the table: its key, and above the key a code. The code is
`NEW` until the successors are entered, `UNSETTLED` until the value is known, and then, as in
`induction_kernel`, (plies + 1) << CLASS_BITS with the number of a payoff. Images of a state share
one entry (`symmetry.orbits`), with marks for the reachable images. If players are swapped, the
first player is to move in every entry, and an entry and its successor's entry may name the winner
differently; the code of an entry is from the perspective of the entry itself.

All states are entered first. Then values are found level by level (`solvers.exact.retrograde`), in
sweeps; a level forced by the first player is combined with a level forced by the second player. A
sweep settles all states at one distance from the end. The first sweep of a level, by the rules
(`sweeps_kernel`), lists the edges between states that stay open, and later sweeps follow these
lists (`edges_kernel`). Without memory for the lists, all sweeps go by the rules.

Threads may enter states into one table, and sweep parts of the table, in parallel (`parts`). While
states are entered, only the last number of an entry is written by several threads, always by
`exchange`, which fails after a concurrent write. In a sweep each thread writes only to the entries,
the bits and the list of its own part; a code of `length` + 1, written by a concurrent sweep, is
ignored in the sweep.

arrays: see `RetrogradeArrays`; notes: see `RetrogradeNotes`.
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
    bucket_of,
    enter,
    entry_from,
    payoff_of,
)
from gamedsl.solvers.kernels.table_records import TableArrays, TableNotes

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
        side_of,
        turn_of,
        unpack_key,
    )

NEW, UNSETTLED = 1, 2
"""Codes of states without a value."""


class RetrogradeArrays(TableArrays):
    """waiting: int64[m]: entries of the latest new states; a scan of the table finds the rest."""

    waiting: Array


class RetrogradeNotes(TableNotes):
    """Of all states, of the sweep in work, and of the list of edges.

    place: the next entry.
    stack, waiting: number of states in `waiting`; number of new states.
    phase, level, length: the phase, the level, plies + 1 of the states settled last.
    settled, left: number of states settled and left open by a sweep.
    edges: upper bound of the edges between open states.
    read, written: read and write positions in the list of edges.
    node: the next open state.
    head, tail: of the queue from which values spread.
    first_marks: the marks of the first state.
    entered: number of expansions.
    sweeps: number of sweeps along the list.
    begin, end: of the swept part of the table.
    shared: whether further threads enter states.
    part: the part whose list is reversed.
    bits, none: bits of a number of the list, and the number for no edge.
    vain, shortens: number of obsolete numbers in the list, and whether a sweep leaves them out.
    aside: number of endings removed from the table.
    sieved: mask of the entry numbers for `sieve`.
    """

    place: int
    stack: int
    waiting: int
    phase: int
    level: int
    length: int
    settled: int
    left: int
    edges: int
    read: int
    written: int
    node: int
    head: int
    tail: int
    first_marks: int
    entered: int
    sweeps: int
    begin: int
    end: int
    shared: int
    part: int
    bits: int
    none: int
    vain: int
    shortens: int
    aside: int
    sieved: int


SWEEP, LIST, ALONG, COUNT, REVERSE, SPREAD = range(6)
"""Phases: a sweep by the rules; a sweep by the rules that lists edges; a sweep along the list;
two steps that reverse the list; values spread along the reversed list."""
SWEEPING = (SWEEP, LIST, ALONG)
TOGETHER = 2
"""In place of a player: the level is forced with either player to move."""
NOBODY = -1


def images_after(state: State, marks: int, arrays: RetrogradeArrays) -> int:
    """Write the keys of a state's successors to `keys` and the beginnings of their chains to
    `buckets`.

    `actions` receives the successors' marks, given the marks of the state; without marks, whether
    players are swapped in a successor's entry. Returns the number of successors; `NOBODY` if a key
    cannot represent a successor.
    """
    count = legal(*state, arrays.actions, 0)
    if count == 0:
        fault(NO_MOVES, turn_of(*state), 0)
    at = 0
    odd = 0
    for number in range(count):
        after = apply(*state, arrays.actions[number])
        odd |= pack_key(*least_image(*after), arrays.keys, at)
        if marks != 0:
            arrays.actions[number] = marks_after(*after, marks)
        elif SWAPS:
            arrays.actions[number] = side_of(*after)
        bucket = bucket_of(arrays.keys, at, arrays.table)
        arrays.buckets[2 * number] = bucket
        prefetch(arrays.table, bucket + WIDTH - 1)
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


def keep_waiting(place: int, waiting: Array, notes: RetrogradeNotes) -> int:
    """Record an entry whose successors are to be entered."""
    notes.waiting += 1
    if notes.stack < len(waiting):
        waiting[notes.stack] = place
        notes.stack += 1
    return place


def next_waiting(table: Array, waiting: Array, notes: RetrogradeNotes) -> int:
    """The entry of a new state; -1 if there is none, or, with concurrent threads, none was seen."""
    while notes.stack > 0:
        place: int = waiting[notes.stack - 1]
        if table[place + WIDTH - 1] >> SHIFT == NEW:
            return place
        notes.stack -= 1
    if notes.waiting == 0 and notes.shared == 0:
        return NOBODY
    place = notes.place
    for _ in range(len(table) // WIDTH):
        if table[place + WIDTH - 1] >> SHIFT == NEW:
            notes.place = place
            return place
        place += WIDTH
        if place == len(table):
            place = 0
    return NOBODY


def reach(place: int, at: int, marks: int, arrays: RetrogradeArrays, notes: RetrogradeNotes) -> int:
    """Enter a state with its marks, from a place in its chain on; returns a status.

    An existing entry that receives new marks becomes new again, to pass the marks on to its
    successors. An edge to an ending is subtracted from the number of edges to be listed. After a
    concurrent write the entry is examined again; of two threads that enter a state, only one counts
    the state.
    """
    last = WIDTH - 1
    mask = (1 << KEY_BITS) - 1
    entered = 0
    while True:
        place = entry_from(place, arrays.keys, at, arrays.table)
        content = arrays.table[place + last]
        code = content >> SHIFT
        if code == 0:
            if entered == 0:
                entered = NEW
                per, first_share, second_share = payoffs_after(*unpack_key(arrays.keys, at))
                if per != 0:
                    payoff = payoff_of(per, first_share, second_share, arrays.payoffs, notes)
                    if payoff < 0:
                        return NEW_PAYOFF
                    entered = 1 << CLASS_BITS | payoff
            for number in range(WIDTH - 1):  # wide entries belong to a single thread
                arrays.table[place + number] = arrays.keys[at + number]
            whole = arrays.keys[at + last] | marks << KEY_BITS | entered << SHIFT
            if exchange(arrays.table, place + last, content, whole) == content:
                notes.used += 1
                if entered == NEW:
                    keep_waiting(place, arrays.waiting, notes)
                else:
                    notes.edges -= 1
                return DONE
        elif WIDTH > 1 or (content & mask) == arrays.keys[at + last]:
            marked = content | marks << KEY_BITS
            if marked == content:
                if code > UNSETTLED:
                    notes.edges -= 1
                return DONE
            if code == UNSETTLED:
                marked ^= (UNSETTLED ^ NEW) << SHIFT
            if exchange(arrays.table, place + last, content, marked) == content:
                if code > UNSETTLED:
                    notes.edges -= 1
                if code == UNSETTLED:
                    keep_waiting(place, arrays.waiting, notes)
                return DONE


def enter_successors(place: int, arrays: RetrogradeArrays, notes: RetrogradeNotes) -> int:
    """Enter the successors of a new state, which is open afterwards; returns a status. After any
    status but `DONE` the call can be repeated. An entry that receives additional marks becomes new
    again, because its successors receive marks as well."""
    content = arrays.table[place + WIDTH - 1]
    if content >> SHIFT != NEW:  # a concurrent thread was faster
        return DONE
    entry_marks = content >> KEY_BITS & (1 << SHIFT - KEY_BITS) - 1
    state = state_at(place, arrays.table, arrays.keys)
    count = images_after(state, entry_marks, arrays)
    if count < 0:
        return ODD
    for number in range(count):
        marks = 0
        if entry_marks != 0:
            marks = arrays.actions[number]
        status = reach(arrays.buckets[2 * number], number * WIDTH, marks, arrays, notes)
        if status != DONE:
            return status
    notes.entered += 1
    notes.edges += count
    done = content ^ (NEW ^ UNSETTLED) << SHIFT
    if exchange(arrays.table, place + WIDTH - 1, content, done) == content:
        notes.waiting -= 1
    return DONE


def explore(arrays: RetrogradeArrays, most: int, notes: RetrogradeNotes, slice_size: int) -> int:
    """Enter all reachable states, at most `most`. With concurrent threads, the notes describe this
    thread alone, and the thread is done when it sees no new state."""
    if notes.used == 0 and notes.shared == 0:
        place = entry_from(bucket_of(arrays.keys, 0, arrays.table), arrays.keys, 0, arrays.table)
        enter(place, arrays.keys, 0, NEW, arrays.table)
        arrays.table[place + WIDTH - 1] |= notes.first_marks << KEY_BITS
        notes.used = 1
        notes.waiting = 1
    for _ in range(slice_size):
        place = next_waiting(arrays.table, arrays.waiting, notes)
        if place < 0:
            return DONE
        if notes.used + len(arrays.actions) > most:
            return FULL
        status = enter_successors(place, arrays, notes)
        if status != DONE:
            notes.place = place
            return status
    return SLICED
