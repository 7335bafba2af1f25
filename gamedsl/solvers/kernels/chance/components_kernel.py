"""The kernel that finds strongly connected components, successors first.

Pearce, "A space-efficient algorithm for finding strongly connected components", Inf. Process. Lett.
116, 2016; with n the number of states and e of edges, all reachable from state 0:

graph: see `OrderedGraph`.
stack: int64[n]: finished states with an unknown component.
path: n visits: the states in work.
notes: see `ComponentNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record, Rows
from gamedsl.solvers.kernels.induction_kernel import DONE, SLICED
from gamedsl.solvers.kernels.numbering_kernel import NumberingNotes

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import Array

WEIGHT_SHIFT = 32


class OrderedGraph(Arrays):
    """States and edges by number.

    firsts: int64[n + 1]: the first edge of each state.
    edges: int64[e]: a successor's number; bits from `WEIGHT_SHIFT` on are ignored by this kernel.
    ranks: int64[n]: 0 for an unvisited state, else the least visit known to be reachable; finally
        n + 1 + the place in `order`.
    order: int64[n]: states in the order of settlement: twice the number of the state, plus 1 for
        the last state of a component.
    """

    firsts: Array
    edges: Array
    ranks: Array
    order: Array


class Visit(Record):
    """A state in work: its number, the number of the visit, and the next edge."""

    node: int
    number: int
    edge: int


class ComponentNotes(NumberingNotes):
    """visits: number of visits; stacked, path, ordered: number of states on the stack, on the path
    and in the order."""

    visits: int
    stacked: int
    path: int
    ordered: int


def visit(node: int, graph: OrderedGraph, path: Rows[Visit], notes: ComponentNotes) -> int:
    """Append a state to the path."""
    notes.visits += 1
    graph.ranks[node] = notes.visits
    top = path[notes.path]
    top.node = node
    top.number = notes.visits
    top.edge = graph.firsts[node]
    notes.path += 1
    return 0


def close(root: int, graph: OrderedGraph, stack: Array, notes: ComponentNotes) -> int:
    """Append a component to the order, when its entry state `root` is finished."""
    end = notes.stacked
    begin = end
    while begin > 0 and graph.ranks[stack[begin - 1]] >= graph.ranks[root]:
        begin -= 1
    for number in range(begin, end + 1):
        member = stack[number] if number < end else root
        place = notes.ordered
        graph.ranks[member] = notes.used + 1 + place
        graph.order[place] = 2 * member
        notes.ordered = place + 1
    graph.order[notes.ordered - 1] += 1
    notes.stacked = begin
    return 0


def find_components(
    graph: OrderedGraph, stack: Array, path: Rows[Visit], notes: ComponentNotes, slice_size: int
) -> int:
    """Put all states in order, component by component; within a component, successors come first as
    far as possible."""
    mask = (1 << WEIGHT_SHIFT) - 1
    if notes.visits == 0:
        visit(0, graph, path, notes)
    for _ in range(slice_size):
        if notes.path == 0:
            return DONE
        top = path[notes.path - 1]
        node = top.node
        place = top.edge
        end = graph.firsts[node + 1]
        lowest = graph.ranks[node]
        is_new = False
        while place < end and not is_new:
            rank = graph.ranks[graph.edges[place] & mask]
            is_new = rank == 0
            if not is_new:
                lowest = min(lowest, rank)
            place += 1
        graph.ranks[node] = lowest
        top.edge = place
        if is_new:
            visit(graph.edges[place - 1] & mask, graph, path, notes)
            continue
        notes.path -= 1
        if lowest == top.number:
            close(node, graph, stack, notes)
        else:
            stack[notes.stacked] = node
            notes.stacked += 1
            below = path[notes.path - 1].node
            graph.ranks[below] = min(graph.ranks[below], lowest)
    return SLICED
