"""The kernel of Grundy values: the least number that no move leads to, for all reachable states.

The states are numbered breadth first, as in `numbering_kernel`; then a depth-first search with an
explicit stack gives every state its value. A state is expanded again after each successor that the
search had to visit first, so that the stack holds numbers of states and nothing else; every state
is visited once, so that there are at most twice as many expansions as states.

arrays: see `GrundyArrays`.
notes: see `NumberingNotes`; `top` is the top of the stack, and -1 when the search has finished.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    FULL,
    RETURNS,
    SLICED,
    UNFIT,
    entry_from,
)
from gamedsl.solvers.kernels.numbering_kernel import (
    NumberingNotes,
    list_any_children,
    list_children,
    number_first,
    number_next,
)
from gamedsl.solvers.kernels.table_records import TableArrays

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        MOST_CODE,
        SHIFT,
        WIDTH,
        Array,
        payoffs_after,
        unpack_key,
    )

OPEN = -1
"""In place of a value: the state is on the stack."""


class GrundyArrays(TableArrays):
    """In addition to the arrays of `numbering_kernel`, with n the number of states:

    values: int64[n]: the Grundy value of each state plus 1; 0: not known; or `OPEN`.
    stack: int64[n]: numbers of states.
    marks: int64[ACTIONS + 2]: the last state that had a successor of each value, plus 1.
    """

    values: Array
    stack: Array
    marks: Array


def number_successors(node: int, arrays: GrundyArrays, notes: NumberingNotes) -> int:
    """Number the new successors of a state; an ending is lost for the player to move, and has the
    value 0. Returns a status; after any status but `DONE` the call can be repeated."""
    first = notes.used
    count = list_children(node, arrays, notes)
    for number in range(count):
        at = (first + number) * WIDTH
        place = entry_from(arrays.buckets[2 * number], arrays.keys, at, arrays.table)
        if arrays.table[place + WIDTH - 1] >> SHIFT == 0:
            child = notes.used
            if child + 1 > MOST_CODE:
                return UNFIT
            per, _, _ = payoffs_after(*unpack_key(arrays.keys, at))
            arrays.values[child] = 0
            if per != 0:
                arrays.values[child] = 1
                notes.endings += 1
            number_next(place, at, arrays.table, arrays.keys, notes)
    return DONE


def explore(arrays: GrundyArrays, most: int, notes: NumberingNotes, slice_size: int) -> int:
    """Number all states; then push the first state on the stack."""
    if notes.used == 0:
        number_first(arrays.table, arrays.keys, notes)
    for _ in range(slice_size):
        node = notes.node
        if node == notes.used:
            arrays.stack[0] = 0
            arrays.values[0] = OPEN
            return DONE
        if arrays.values[node] == 0:
            if notes.used + len(arrays.actions) > most:
                return FULL
            status = number_successors(node, arrays, notes)
            if status != DONE:
                return status
        notes.node = node + 1
    return SLICED


def next_unknown(node: int, arrays: GrundyArrays, notes: NumberingNotes) -> int:
    """A successor without a value, or -1; the values of the successors before are marked. `-2`: a
    successor is on the stack."""
    count = list_any_children(node, arrays, notes)
    for number in range(count):
        at = (notes.used + number) * WIDTH
        place = entry_from(arrays.buckets[2 * number], arrays.keys, at, arrays.table)
        child: int = (arrays.table[place + WIDTH - 1] >> SHIFT) - 1
        value = arrays.values[child]
        if value == OPEN:
            return -2
        if value == 0:
            return child
        arrays.marks[value - 1] = node + 1
    return -1


def evaluate(arrays: GrundyArrays, notes: NumberingNotes, slice_size: int) -> int:
    """Continue until every state that the first state leads to has its value."""
    for _ in range(slice_size):
        if notes.top < 0:
            return DONE
        node = arrays.stack[notes.top]
        child = next_unknown(node, arrays, notes)
        if child == -2:
            return RETURNS
        if child >= 0:
            arrays.values[child] = OPEN
            notes.top += 1
            arrays.stack[notes.top] = child
        else:
            least = 0
            while arrays.marks[least] == node + 1:
                least += 1
            arrays.values[node] = least + 1
            notes.top -= 1
    return SLICED
