"""The kernels of breadth-first search by layers, and of depth-first search for any solution.

Written against the names of `abi`.

States are numbered in the order in which they are found (AIMA 3rd ed., figure 3.11); the code of a
state in the table is its number + 1. A layer holds all states at one distance from the first. The
search stops behind the first layer with a goal: an ending with the greatest payoff. Depth-first
search takes the state met last, in place of the state met first, and stops at the first goal; of
states with estimates, the state met last of those with the least estimate. `number_filling` leaves
successors out, by the guess that cells are to be filled (see `solvers.exact.guided`).

arrays: see `LayerArrays`; words: numbers per state in `firsts`.
notes: see `LayerNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays
from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    FULL,
    NEW_PAYOFF,
    SLICED,
    UNFIT,
    entry_from,
    payoff_of,
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
        CELLS,
        ESTIMATES,
        MOST_CODE,
        SHIFT,
        WIDTH,
        Array,
        cell_digits,
        estimate,
        payoffs_after,
        unpack_key,
    )


class LayerArrays(TableArrays):
    """In addition to the arrays of `numbering_kernel`, with n the number of states:

    parents: int64[n]: the number of the state from which the state was found first, times 4, plus
        the state's kind.
    firsts: int64[n, words]: the first actions of the shortest plays to a state, as bits by their
        indices among the legal actions of the first state, `BITS` per number; in depth-first
        search int64[n]: the number + 1 of the state below on the stack.
    wanted: int64[payoffs]: 1 for the payoff of a goal.
    """

    parents: Array
    firsts: Array
    wanted: Array


class Guess(Arrays):
    """tops: int64[RANKS]: a stack for each estimate: the number + 1 of the state on top.
    first, now, then: int64[CELLS]: the cells of the first state, of a state, and of a successor.
    changing: int64[CELLS]: the successors that change a cell for the first time.
    could: int64[CELLS]: 1 for cells that a move can change in the first state.
    failures: int64[CELLS]: how often a cell could no longer change.
    """

    tops: Array
    first: Array
    now: Array
    then: Array
    changing: Array
    could: Array
    failures: Array


class LayerNotes(NumberingNotes):
    """layer_end: the first state behind the layer in work; goal: the first goal + 1.

    pushed: states that have been on a stack; rank: no state waits with a lesser estimate;
    node: in depth-first search, the state whose successors are being numbered, or -1;
    random: a number that decides the order of successors; -1: the order of the actions;
    fills: whether cells are to be filled.
    """

    layer_end: int
    goal: int
    pushed: int
    rank: int
    random: int
    fills: int


RANKS = 1 << 10
"""Different estimates; greater ones count as the greatest."""
LAYER = 7
"""A status, in addition to the statuses of `induction_kernel`: a layer is complete."""
ON_THE_WAY, ENDING, WANTED = range(3)
"""Kinds of states."""
BITS = 62
"""First actions in a number."""


def number_successors(
    node: int, count: int, arrays: LayerArrays, words: int, notes: LayerNotes
) -> int:
    """Number the new states of the listed successors of a state, and pass the state's first actions
    on to successors in the next layer; returns a status. After any status but `DONE` the call can
    be repeated."""
    first = notes.used
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
            count = list_children(node, arrays, notes)
            status = number_successors(node, count, arrays, words, notes)
            if status != DONE:
                return status
        notes.node = node + 1
    return SLICED


def search_deep(
    arrays: LayerArrays, guess: Guess, most: int, notes: LayerNotes, slice_size: int
) -> int:
    """Continue until a goal is met, or no state is left on the stacks."""
    if notes.used == 0:
        number_first(arrays.table, arrays.keys, notes)
        notes.layer_end = MOST_CODE  # no child has this number
        guess.tops[0] = 1
        notes.pushed = 1
        if CELLS > 0:
            cell_digits(*unpack_key(arrays.keys, 0), guess.first, 0)
    for _ in range(slice_size):
        while notes.rank < RANKS and guess.tops[notes.rank] == 0:
            notes.rank += 1
        if notes.goal != 0 or notes.rank == RANKS:
            return DONE
        node = guess.tops[notes.rank] - 1
        if arrays.parents[node] & 3 == ON_THE_WAY:
            if notes.used + len(arrays.actions) > most:
                return FULL
            notes.node = node
            count = list_any_children(node, arrays, notes)
            if CELLS > 0 and notes.fills != 0:
                status = number_filling(node, count, arrays, guess, notes)
            else:
                status = number_successors(node, count, arrays, 1, notes)
            if status != DONE:
                return status
        notes.node = -1
        guess.tops[notes.rank] = arrays.firsts[node]
        push(arrays, guess, notes)
    return SLICED


def push(arrays: LayerArrays, guess: Guess, notes: LayerNotes) -> int:
    """Put the states met last on the stacks, the successor by the first action on top, or in a
    random order."""
    count = notes.used - notes.pushed
    for number in range(count):
        arrays.buckets[number] = notes.used - 1 - number
        if notes.random >= 0:
            notes.random = (notes.random * 1103515245 + 12345) & 0x7FFFFFFF
            other = (notes.random >> 8) % (number + 1)
            arrays.buckets[number] = arrays.buckets[other]
            arrays.buckets[other] = notes.used - 1 - number
    for number in range(count):
        node = arrays.buckets[number]
        rank = 0
        if ESTIMATES:
            _, rank = estimate(0, *unpack_key(arrays.keys, node * WIDTH))
            rank = min(rank, RANKS - 1)
        arrays.firsts[node] = guess.tops[rank]
        guess.tops[rank] = node + 1
        notes.rank = min(notes.rank, rank)
    notes.pushed = notes.used
    return count


def number_filling(
    node: int, count: int, arrays: LayerArrays, guess: Guess, notes: LayerNotes
) -> int:
    """Number the new states of the listed successors that change the cell which the fewest change,
    among cells as in the first state; none where such a cell can no longer change. Returns a
    status, as `number_successors` does."""
    first = notes.used
    cell_digits(*unpack_key(arrays.keys, node * WIDTH), guess.now, 0)
    for cell in range(CELLS):
        guess.changing[cell] = 0
    for number in range(count):
        at = (first + number) * WIDTH
        per, first_share, second_share = payoffs_after(*unpack_key(arrays.keys, at))
        arrays.buckets[2 * number + 1] = int(per != 0)
        if per == 0:
            note_changes(at, arrays, guess)
            continue
        payoff = payoff_of(per, first_share, second_share, arrays.payoffs, notes)
        if payoff < 0:
            return NEW_PAYOFF
        notes.endings += 1
        if arrays.wanted[payoff] != 0 and notes.goal == 0:
            place = entry_from(arrays.buckets[2 * number], arrays.keys, at, arrays.table)
            arrays.parents[first] = 4 * node + WANTED
            notes.goal = number_next(place, at, arrays.table, arrays.keys, notes)
            return DONE
    chosen = cell_to_fill(node, guess)
    if chosen >= CELLS:
        return DONE
    for number in range(count):
        at = (first + number) * WIDTH
        if arrays.buckets[2 * number + 1] == 0:
            if chosen >= 0:
                cell_digits(*unpack_key(arrays.keys, at), guess.then, 0)
            if chosen < 0 or guess.then[chosen] != guess.now[chosen]:
                place = entry_from(arrays.buckets[2 * number], arrays.keys, at, arrays.table)
                if arrays.table[place + WIDTH - 1] >> SHIFT == 0:
                    if notes.used + 1 > MOST_CODE:
                        return UNFIT
                    arrays.parents[notes.used] = 4 * node + ON_THE_WAY
                    number_next(place, at, arrays.table, arrays.keys, notes)
    return DONE


def note_changes(at: int, arrays: LayerArrays, guess: Guess) -> int:
    """Count a successor for each cell that it changes for the first time."""
    cell_digits(*unpack_key(arrays.keys, at), guess.then, 0)
    for cell in range(CELLS):
        if guess.then[cell] != guess.now[cell] and guess.now[cell] == guess.first[cell]:
            guess.changing[cell] += 1
    return 0


def cell_to_fill(node: int, guess: Guess) -> int:
    """The cell that the fewest successors change, divided by its failures; -1 if no cell is left;
    `CELLS` where a cell can no longer change."""
    chosen = -1
    for cell in range(CELLS):
        changing = guess.changing[cell]
        if node == 0:
            guess.could[cell] = int(changing > 0)
        if guess.could[cell] != 0 and guess.now[cell] == guess.first[cell] and changing == 0:
            guess.failures[cell] += 1
            return CELLS
        if changing > 0 and (
            chosen < 0
            or changing * (guess.failures[chosen] + 1)
            < guess.changing[chosen] * (guess.failures[cell] + 1)
        ):
            chosen = cell
    return chosen


def gather_firsts(
    parents: Array, firsts: Array, words: int, begin: int, end: int, bits: Array
) -> int:
    """Collect the first actions of the shortest plays to all goals of a layer."""
    for node in range(begin, end):
        if parents[node] & 3 == WANTED:
            for part in range(words):
                bits[part] |= firsts[node * words + part]
    return 0
