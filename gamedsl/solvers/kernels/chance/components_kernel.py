"""The kernel that finds strongly connected components, successors first.

Pearce, "A space-efficient algorithm for finding strongly connected components", Inf. Process. Lett.
116, 2016; with n the number of states and e of edges, all reachable from state 0. Arrays are as
small as their contents allow: two numbers of 31 bits share a number (`half_at`), as do an edge's
successor and label, and all that is known of a state (`kind_at`).

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
    from gamedsl.solvers.kernels.abi import IS_NARROW, Array

LABEL_SHIFT = 28
"""The first bit of an edge's label; the successor's number lies below."""
MOST_NARROW = 1 << 31 - LABEL_SHIFT
"""Number of labels of edges that share a number."""
KIND_SHIFT = 34
CHOICE_SHIFT = 47
"""The first bits of a state's kind and of its choice; its first edge lies below."""
MOST_CHOICES = 1 << 62 - CHOICE_SHIFT
LEAST_KIND = -3


class OrderedGraph(Arrays):
    """States and edges by number.

    nodes: int64[n + 1]: for each state its first edge, its kind - `LEAST_KIND` from `KIND_SHIFT`
        on, and the edge chosen, counted from 1, from `CHOICE_SHIFT` on, 0 for none.
    edges: e edges, two to a number if `IS_NARROW`: a successor's number, and a label from
        `LABEL_SHIFT` on, ignored by this kernel.
    ranks: n halves of numbers: 0 for an unvisited state, else the least visit known to be
        reachable; finally n + 1 + the place in `order`.
    order: n halves of numbers: states in the order of settlement: twice the number of the state,
        plus 1 for the last state of a component.
    """

    nodes: Array
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


def half_at(row: Array, place: int) -> int:
    """A number of 31 bits, of two in each number of an array."""
    half: int = row[place >> 1] >> ((place & 1) << 5) & (1 << 32) - 1
    return half


def put_half(row: Array, place: int, half: int) -> int:
    """Write a number of 31 bits."""
    whole = row[place >> 1]
    if place & 1 == 0:
        row[place >> 1] = whole >> 32 << 32 | half
    else:
        row[place >> 1] = whole & (1 << 32) - 1 | half << 32
    return half


def edge_at(edges: Array, place: int) -> int:
    """An edge: a successor and a label."""
    if IS_NARROW:
        return half_at(edges, place)
    edge: int = edges[place]
    return edge


def child_at(edges: Array, place: int) -> int:
    """The successor of an edge."""
    return edge_at(edges, place) & (1 << LABEL_SHIFT) - 1


def first_edge(node: int, nodes: Array) -> int:
    """The place of a state's first edge, and behind the last edge of the state before."""
    place: int = nodes[node] & (1 << KIND_SHIFT) - 1
    return place


def kind_at(node: int, nodes: Array) -> int:
    """The number of an ending's payoff, -1 - the player to move, or `NATURE`."""
    kind: int = (nodes[node] >> KIND_SHIFT & (1 << CHOICE_SHIFT - KIND_SHIFT) - 1) + LEAST_KIND
    return kind


def node_of(kind: int) -> int:
    """A state of some kind, without edges so far; a player chooses the first edge."""
    choice = 1 if kind == -1 or kind == -2 else 0
    return kind - LEAST_KIND << KIND_SHIFT | choice << CHOICE_SHIFT


def choice_at(node: int, nodes: Array) -> int:
    """The edge chosen by the player to move, counted from 0; -1 for none."""
    choice: int = (nodes[node] >> CHOICE_SHIFT) - 1
    return choice


def choose(node: int, choice: int, nodes: Array) -> int:
    """Note the edge that the player to move chooses; -1 for none."""
    nodes[node] = nodes[node] & (1 << CHOICE_SHIFT) - 1 | (choice + 1) << CHOICE_SHIFT
    return 0


def visit(node: int, graph: OrderedGraph, path: Rows[Visit], notes: ComponentNotes) -> int:
    """Append a state to the path."""
    notes.visits += 1
    put_half(graph.ranks, node, notes.visits)
    top = path[notes.path]
    top.node = node
    top.number = notes.visits
    top.edge = first_edge(node, graph.nodes)
    notes.path += 1
    return 0


def close(root: int, graph: OrderedGraph, stack: Array, notes: ComponentNotes) -> int:
    """Append a component to the order, when its entry state `root` is finished."""
    end = notes.stacked
    begin = end
    rank = half_at(graph.ranks, root)
    while begin > 0 and half_at(graph.ranks, stack[begin - 1]) >= rank:
        begin -= 1
    for number in range(begin, end + 1):
        member = stack[number] if number < end else root
        place = notes.ordered
        put_half(graph.ranks, member, notes.used + 1 + place)
        put_half(graph.order, place, 2 * member)
        notes.ordered = place + 1
    put_half(graph.order, notes.ordered - 1, half_at(graph.order, notes.ordered - 1) + 1)
    notes.stacked = begin
    return 0


def find_components(
    graph: OrderedGraph, stack: Array, path: Rows[Visit], notes: ComponentNotes, slice_size: int
) -> int:
    """Put all states in order, component by component; within a component, successors come first as
    far as possible."""
    if notes.visits == 0:
        visit(0, graph, path, notes)
    for _ in range(slice_size):
        if notes.path == 0:
            return DONE
        top = path[notes.path - 1]
        node = top.node
        place = top.edge
        end = first_edge(node + 1, graph.nodes)
        lowest = half_at(graph.ranks, node)
        is_new = False
        while place < end and not is_new:
            rank = half_at(graph.ranks, child_at(graph.edges, place))
            is_new = rank == 0
            if not is_new:
                lowest = min(lowest, rank)
            place += 1
        put_half(graph.ranks, node, lowest)
        top.edge = place
        if is_new:
            visit(child_at(graph.edges, place - 1), graph, path, notes)
            continue
        notes.path -= 1
        if lowest == top.number:
            close(node, graph, stack, notes)
        else:
            stack[notes.stacked] = node
            notes.stacked += 1
            below = path[notes.path - 1].node
            put_half(graph.ranks, below, min(half_at(graph.ranks, below), lowest))
    return SLICED
