"""The kernels of breadth-first search by layers, and of depth-first search for any solution.

Written against the names of `abi`.

States are numbered in the order in which they are found (AIMA 3rd ed., figure 3.11); the code of a
state in the table is its number + 1. A layer holds all states at one distance from the first. The
search stops behind the first layer with a goal: an ending with the greatest payoff. Depth-first
search takes the state met last, in place of the state met first, and stops at the first goal.

arrays: see `LayerArrays`; words: numbers per state in `firsts`.
notes: see `LayerNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    FULL,
    NEW_PAYOFF,
    SLICED,
    UNFIT,
    entry_from,
    payoff_of,
    successors_of,
)
from gamedsl.solvers.kernels.numbering_kernel import NumberingNotes, number_first, number_next
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


class LayerArrays(TableArrays):
    """In addition to the arrays of `numbering_kernel`, with n the number of states:

    parents: int64[n]: the number of the state from which the state was found first, times 4, plus
        the state's kind.
    firsts: int64[n, words]: the first actions of the shortest plays to a state, as bits by their
        indices among the legal actions of the first state, `BITS` per number; in depth-first
        search int64[n], the stack of states met, and not yet left.
    wanted: int64[payoffs]: 1 for the payoff of a goal.
    """

    parents: Array
    firsts: Array
    wanted: Array


class LayerNotes(NumberingNotes):
    """layer_end: the first state behind the layer in work; goal: the first goal + 1.

    pushed: states that have been on the stack; random: a number that decides the order of
    successors; -1: the order of the actions.
    """

    layer_end: int
    goal: int
    pushed: int
    random: int


LAYER = 7
"""A status, in addition to the statuses of `induction_kernel`: a layer is complete."""
ON_THE_WAY, ENDING, WANTED = range(3)
"""Kinds of states."""
BITS = 62
"""First actions in a number."""


def find_successors(node: int, arrays: LayerArrays, words: int, notes: LayerNotes) -> int:
    """Number the new successors of a state, and pass the state's first actions on to successors in
    the next layer; returns a status. After any status but `DONE` the call can be repeated."""
    first = notes.used
    count = successors_of(
        unpack_key(arrays.keys, node * WIDTH),
        arrays.keys,
        first * WIDTH,
        arrays.actions,
        arrays.buckets,
        arrays.table,
    )
    for number in range(count):
        at = (first + number) * WIDTH
        place = entry_from(arrays.buckets[2 * number], arrays.keys, at, arrays.table)
        child = (arrays.table[place + WIDTH - 1] >> SHIFT) - 1
        if child < 0:
            child = notes.used
            if child + 1 > MOST_CODE:
                return UNFIT
            per, first_share, second_share = payoffs_after(*unpack_key(arrays.keys, at))
            kind = ON_THE_WAY
            if per != 0:
                payoff = payoff_of(per, first_share, second_share, arrays.payoffs, notes)
                if payoff < 0:
                    return NEW_PAYOFF
                kind = ENDING
                notes.endings += 1
                if arrays.wanted[payoff] != 0:
                    kind = WANTED
                    if notes.goal == 0:
                        notes.goal = child + 1
            number_next(place, at, arrays.table, arrays.keys, notes)
            arrays.parents[child] = 4 * node + kind
        if child >= notes.layer_end:
            if node == 0:
                arrays.firsts[child * words + number // BITS] |= 1 << number % BITS
            else:
                for part in range(words):
                    arrays.firsts[child * words + part] |= arrays.firsts[node * words + part]
    return DONE


def search(arrays: LayerArrays, most: int, words: int, notes: LayerNotes, slice_size: int) -> int:
    """Continue until a layer is complete; after the last layer, all work is done."""
    if notes.used == 0:
        number_first(arrays.table, arrays.keys, notes)
        notes.layer_end = 1
    for _ in range(slice_size):
        node = notes.node
        if node == notes.layer_end:
            if notes.goal != 0 or node == notes.used:
                return DONE
            notes.layer_end = notes.used
            return LAYER
        if arrays.parents[node] & 3 == ON_THE_WAY:
            if notes.used + len(arrays.actions) > most:
                return FULL
            status = find_successors(node, arrays, words, notes)
            if status != DONE:
                return status
        notes.node = node + 1
    return SLICED


def search_deep(arrays: LayerArrays, most: int, notes: LayerNotes, slice_size: int) -> int:
    """Continue until a goal is met, or no state is left on the stack."""
    if notes.used == 0:
        number_first(arrays.table, arrays.keys, notes)
        notes.layer_end = MOST_CODE + 1
        arrays.firsts[0] = 0
        notes.top = 1
        notes.pushed = 1
    for _ in range(slice_size):
        if notes.goal != 0 or notes.top == 0:
            return DONE
        node = arrays.firsts[notes.top - 1]
        if arrays.parents[node] & 3 == ON_THE_WAY:
            if notes.used + len(arrays.actions) > most:
                return FULL
            status = find_successors(node, arrays, 1, notes)
            if status != DONE:
                return status
        notes.top -= 1
        push(arrays.firsts, notes)
    return SLICED


def push(stack: Array, notes: LayerNotes) -> int:
    """Put the states met last on the stack, the successor by the first action on top, or in a
    random order."""
    bottom, count = notes.top, notes.used - notes.pushed
    for number in range(count):
        stack[bottom + number] = notes.used - 1 - number
        if notes.random >= 0:
            notes.random = (notes.random * 1103515245 + 12345) & 0x7FFFFFFF
            other = bottom + (notes.random >> 8) % (number + 1)
            stack[bottom + number] = stack[other]
            stack[other] = notes.used - 1 - number
    notes.top = bottom + count
    notes.pushed = notes.used
    return notes.top


def gather_firsts(
    parents: Array, firsts: Array, words: int, begin: int, end: int, bits: Array
) -> int:
    """Collect the first actions of the shortest plays to all goals of a layer."""
    for node in range(begin, end):
        if parents[node] & 3 == WANTED:
            for part in range(words):
                bits[part] |= firsts[node * words + part]
    return 0
