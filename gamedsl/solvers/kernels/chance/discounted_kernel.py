"""The kernel that estimates discounted values without chance, by policy iteration.

In: a component without chance where values are discounted, with estimates as lower bounds. Out:
better estimates: every state takes the step that is best by the estimates, and the estimates become
the values of play by these choices. Play by choices is a single path, to an exit or into a loop, so
all values take one step for each state, and some rounds for each loop (R. Howard, "Dynamic
Programming and Markov Processes", 1960; both players at once, which need not converge).
`interval_kernel` proves bounds about the estimates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.chance.bounds_kernel import (
    BoundedGraph,
    IntervalNotes,
    low_after,
    place_of,
)
from gamedsl.solvers.kernels.chance.components_kernel import (
    LABEL_SHIFT,
    choice_at,
    choose,
    edge_at,
    first_edge,
    half_at,
    kind_at,
)

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import LASTING, WHOLE

MOST_POLICIES = 200
"""Maximal number of policies; then estimates are swept."""
ROUNDED = 2
"""Steps are as good as the choice if they differ by so many units, summed up over endless play:
values of loops are rounded."""
MOST_ROUNDS = 100_000
"""Maximal number of rounds of a loop."""


def chosen_edge(place: int, graph: BoundedGraph) -> int:
    """The edge chosen at a place in the order."""
    node = half_at(graph.order, place) >> 1
    return edge_at(graph.edges, first_edge(node, graph.nodes) + choice_at(node, graph.nodes))


def improve(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Choose the best steps by the estimates, where better than the choice; count the changes."""
    changes = 0
    for place in range(begin, end + 1):
        node = half_at(graph.order, place) >> 1
        first = first_edge(node, graph.nodes)
        is_first = kind_at(node, graph.nodes) == -1
        best = low_after(chosen_edge(place, graph), graph)
        better = -1
        for at in range(first, first_edge(node + 1, graph.nodes)):
            low = low_after(edge_at(graph.edges, at), graph)
            gain = low - best if is_first else best - low
            if gain > (ROUNDED * WHOLE // (WHOLE - LASTING) if better < 0 else 0):
                best = low
                better = at - first
        if better >= 0:
            choose(node, better, graph.nodes)
            changes += 1
    return changes


def follow(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Estimate the values of play by the choices. `marks`: the path on which a state was met,
    counted from 1; `before`: behind the estimates, the places of a path."""
    for place in range(end - begin + 1):
        graph.marks[place] = 0
    for start in range(end - begin + 1):
        length = 0
        place = start
        while place >= 0 and graph.marks[place] == 0:
            graph.marks[place] = start + 1
            graph.before[notes.used + length] = place
            length += 1
            child = chosen_edge(begin + place, graph) & (1 << LABEL_SHIFT) - 1
            place = place_of(child, graph, notes) - begin
        least = length
        if place >= 0 and length > 0 and graph.marks[place] == start + 1:
            while graph.before[notes.used + least - 1] != place:
                least -= 1
            least -= 1
        rounds = 0
        is_moving = least < length
        while is_moving and rounds < MOST_ROUNDS:
            is_moving = step_back(least, length, begin, graph, notes) != 0
            rounds += 1
        step_back(0, length, begin, graph, notes)
    return 0


def step_back(
    least: int, length: int, begin: int, graph: BoundedGraph, notes: IntervalNotes
) -> int:
    """Estimate the values on a path from its end back; return the change of the last."""
    by = 0
    for back in range(length - least):
        place = begin + graph.before[notes.used + length - 1 - back]
        node = half_at(graph.order, place) >> 1
        value = low_after(chosen_edge(place, graph), graph)
        by = value - graph.lower[node]
        graph.lower[node] = value
    return by
