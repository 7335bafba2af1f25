"""The kernels that build pattern databases, written against the names of `abi`.

A pattern is a subset of the values that moves only carry about (`model.rewriting.merging`). A
mapped state merges all carried values outside the pattern. Mapped states are numbered as in
`numbering_kernel`, the predecessors of each mapped state are listed, and distances spread backwards
from the mapped goals; a step counts if it moves a value of the pattern. For the places of the
pattern's values, a database holds the least distance over all arrangements of the rest of the
state: sums over patterns without a common value never exceed the distance of the state (R. Korf and
A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134, 2002, section 3).

Arrays are described in `numbering_kernel`; in addition, with n the number of mapped states:

arrays, weighing, graph: see `PatternArrays`, `Weighing`, `MappedGraph`.
goals: int64[count, CELLS]: required contents of cells, -1: any content.
now, later: int64[2n]: waiting mapped states, at the current and the next distance.
database: int64[places / 8]: eight distances in a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays
from gamedsl.solvers.kernels.induction_kernel import (
    DONE,
    FULL,
    SLICED,
    UNFIT,
    entry_from,
)
from gamedsl.solvers.kernels.numbering_kernel import (
    NumberingNotes,
    list_any_children,
    number_first,
    number_next,
)
from gamedsl.solvers.kernels.table_records import TableArrays

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        CELLS,
        MOST_CODE,
        SHIFT,
        WIDTH,
        Array,
        State,
        cell_digits,
        unpack_key,
        weigh,
    )

FAR = 1 << 40
DEAD = 255
"""In a database: no goal can be reached. Greater distances do not fit."""


class PatternArrays(TableArrays):
    """places: int64[n]: the index of each mapped state; predecessor_counts: as in
    `numbering_kernel`."""

    places: Array
    predecessor_counts: Array


class Weighing(Arrays):
    """groups, weights: int64[digits]: for each value its pattern (the number of patterns: no
    pattern), and the factor of a cell's number in the index of the pattern's places.
    at: working space, a number per pattern and one more.
    """

    groups: Array
    weights: Array
    at: Array


class MappedGraph(Arrays):
    """places, predecessor_counts: as in `PatternArrays`; predecessors: the lists of predecessors.
    distances: int64[n]: counted steps to the nearest goal; FAR: unknown.
    """

    places: Array
    predecessor_counts: Array
    predecessors: Array
    distances: Array


class PatternNotes(NumberingNotes):
    """now, later: number of states waiting at this distance, and at the next."""

    now: int
    later: int


def place_of(state: State, weighing: Weighing) -> int:
    """The index of the places of the first pattern's values."""
    weighing.at[0] = 0
    weigh(*state, weighing.groups, weighing.weights, weighing.at)
    place: int = weighing.at[0]
    return place


def number_mapped(
    arrays: PatternArrays, most: int, weighing: Weighing, notes: PatternNotes, slice_size: int
) -> int:
    """Number all mapped states, and count the predecessors of each."""
    if notes.used == 0:
        number_first(arrays.table, arrays.keys, notes)
        arrays.places[0] = place_of(unpack_key(arrays.keys, 0), weighing)
    for _ in range(slice_size):
        node = notes.node
        if node == notes.used:
            return DONE
        if notes.used + len(arrays.actions) > most:
            return FULL
        first = notes.used
        count = list_any_children(node, arrays, notes)
        for number in range(count):
            start = (first + number) * WIDTH
            place = entry_from(arrays.buckets[2 * number], arrays.keys, start, arrays.table)
            code = arrays.table[place + WIDTH - 1] >> SHIFT
            if code == 0:
                if notes.used + 1 > MOST_CODE:
                    return UNFIT
                code = number_next(place, start, arrays.table, arrays.keys, notes)
                arrays.places[code - 1] = place_of(
                    unpack_key(arrays.keys, (code - 1) * WIDTH), weighing
                )
            arrays.predecessor_counts[code - 1] += 1
        notes.node = node + 1
    return SLICED


def link_mapped(
    arrays: PatternArrays, predecessors: Array, notes: PatternNotes, slice_size: int
) -> int:
    """List the predecessors of each mapped state."""
    free = notes.used
    for _ in range(slice_size):
        node = notes.node
        if node == free:
            return DONE
        count = list_any_children(node, arrays, notes)
        for number in range(count):
            place = entry_from(
                arrays.buckets[2 * number], arrays.keys, (free + number) * WIDTH, arrays.table
            )
            child = (arrays.table[place + WIDTH - 1] >> SHIFT) - 1
            arrays.predecessor_counts[child] -= 1
            predecessors[arrays.predecessor_counts[child]] = node
        notes.node = node + 1
    return SLICED


def init_goals(
    keys: Array, goals: Array, digits: Array, distances: Array, now: Array, notes: PatternNotes
) -> int:
    """Find the mapped goals; return their number."""
    for node in range(notes.used):
        distances[node] = FAR
        cell_digits(*unpack_key(keys, node * WIDTH), digits, 0)
        is_goal = False
        for start in range(0, len(goals), CELLS):
            fits = True
            for cell in range(CELLS):
                wanted = goals[start + cell]
                fits = fits and (wanted < 0 or wanted == digits[cell])
            is_goal = is_goal or fits
        if is_goal:
            distances[node] = 0
            now[notes.now] = node
            notes.now += 1
    count: int = notes.now
    return count


def spread_distance(
    distance: int, graph: MappedGraph, now: Array, later: Array, notes: PatternNotes
) -> int:
    """Expand all states at one distance; return the number of states waiting at the next
    distance."""
    head = 0
    notes.later = 0
    while head < notes.now:
        node = now[head]
        head += 1
        if graph.distances[node] == distance:
            for place in range(graph.predecessor_counts[node], graph.predecessor_counts[node + 1]):
                predecessor = graph.predecessors[place]
                if graph.places[predecessor] == graph.places[node]:
                    if graph.distances[predecessor] > distance:
                        graph.distances[predecessor] = distance
                        now[notes.now] = predecessor
                        notes.now += 1
                elif graph.distances[predecessor] > distance + 1:
                    graph.distances[predecessor] = distance + 1
                    later[notes.later] = predecessor
                    notes.later += 1
    count: int = notes.later
    return count


def keep_least(places: Array, distances: Array, database: Array, notes: PatternNotes) -> int:
    """Write the least distance for each index into a database filled with `DEAD`; returns 1 if a
    distance does not fit."""
    for node in range(notes.used):
        distance = distances[node]
        if distance != FAR:
            if distance >= DEAD:
                return 1
            place = places[node]
            shift = (place & 7) << 3
            held = database[place >> 3] >> shift & DEAD
            if distance < held:
                database[place >> 3] ^= (held ^ distance) << shift
    return 0
