"""The kernels that remove the entries of endings, and enter endings again.

While the remaining states are settled, the rules give the payoffs of endings. At the end the table
must contain the endings, because the table is counted, looked up and stored. Arrays are described
in `retrograde_kernel`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.images.tally_kernel import marks_at, state_at
from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    FULL,
    SLICED,
    bucket_of,
    copy_entry,
    entry_from,
    payoff_of,
)
from gamedsl.solvers.kernels.retrograde.retrograde_kernel import (
    NOBODY,
    RetrogradeArrays,
    RetrogradeNotes,
    reach,
)

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CLASS_BITS,
        SHIFT,
        SWAPS,
        WIDTH,
        Array,
        State,
        apply,
        least_image,
        legal,
        marks_after,
        numbers,
        pack_key,
        payoffs_after,
        prefetch,
        side_of,
    )


def leave_endings(table: Array, begin: int, end: int, target: Array) -> int:
    """Copy the entries of a range, except endings, to another table that contains none of them;
    return the number of endings."""
    key = numbers(WIDTH)
    endings = 0
    for place in range(begin, end, WIDTH):
        code = table[place + WIDTH - 1] >> SHIFT
        if code >> CLASS_BITS == 1:
            endings += 1
        elif code != 0:
            copy_entry(place, table, key, target)
    return endings


def look_up_past_endings(state: State, arrays: RetrogradeArrays, notes: RetrogradeNotes) -> int:
    """Like `look_up_successors`, for a table without endings: the rules are asked before the table.
    Returns `NOBODY` if a successor has no entry or the number of a payoff is unknown."""
    is_known = True
    count = legal(*state, arrays.actions, 0)
    for number in range(count):
        after = apply(*state, arrays.actions[number])
        per, first_share, second_share = payoffs_after(*after)
        swapped = 0
        if SWAPS:
            swapped = side_of(*after)
            arrays.actions[number] = swapped
        if per != 0:
            payoff = 0
            if swapped == 0:
                payoff = payoff_of(per, first_share, second_share, arrays.payoffs, notes)
            else:
                payoff = payoff_of(per, second_share, first_share, arrays.payoffs, notes)
            is_known = is_known and payoff >= 0
            arrays.buckets[2 * number + 1] = 1 << CLASS_BITS | payoff
        else:
            pack_key(*least_image(*after), arrays.keys, number * WIDTH)
            bucket = bucket_of(arrays.keys, number * WIDTH, arrays.table)
            arrays.buckets[2 * number] = bucket
            arrays.buckets[2 * number + 1] = 0
            prefetch(arrays.table, bucket + WIDTH - 1)
    for number in range(count):
        if arrays.buckets[2 * number + 1] == 0:
            there = entry_from(
                arrays.buckets[2 * number], arrays.keys, number * WIDTH, arrays.table
            )
            arrays.buckets[2 * number] = there
            arrays.buckets[2 * number + 1] = arrays.table[there + WIDTH - 1] >> SHIFT
            is_known = is_known and arrays.buckets[2 * number + 1] != 0
    return count if is_known else NOBODY


def endings_after(state: State, marks: int, arrays: RetrogradeArrays) -> int:
    """Like `images_after`, restricted to successors that are endings; without marks `actions`
    is 0."""
    count = legal(*state, arrays.actions, 0)
    endings = 0
    for number in range(count):
        after = apply(*state, arrays.actions[number])
        per, _, _ = payoffs_after(*after)
        if per != 0:
            at = endings * WIDTH
            pack_key(*least_image(*after), arrays.keys, at)
            arrays.actions[endings] = 0
            if marks != 0:
                arrays.actions[endings] = marks_after(*after, marks)
            bucket = bucket_of(arrays.keys, at, arrays.table)
            arrays.buckets[2 * endings] = bucket
            prefetch(arrays.table, bucket + WIDTH - 1)
            endings += 1
    return endings


def enter_endings(
    arrays: RetrogradeArrays, most: int, notes: RetrogradeNotes, slice_size: int
) -> int:
    """Enter the removed endings that are successors of the states in a range, up to `most`
    entries."""
    place = notes.place
    looked_at = 0
    while place < notes.end:
        code = arrays.table[place + WIDTH - 1] >> SHIFT
        if code != 0 and code >> CLASS_BITS != 1:
            if looked_at == slice_size or notes.used + len(arrays.actions) > most:
                notes.place = place
                return SLICED if looked_at == slice_size else FULL
            looked_at += 1
            entry_marks = marks_at(place, arrays.table)
            state = state_at(place, arrays.table, arrays.keys)
            count = endings_after(state, entry_marks, arrays)
            for number in range(count):
                bucket, marks = arrays.buckets[2 * number], arrays.actions[number]
                reach(bucket, number * WIDTH, marks, arrays, notes)
        place += WIDTH
    notes.place = place
    return DONE
