"""What kernels of bounds have in common: the graph with bounds of all states, and single steps.

graph: see `BoundedGraph`.
notes: see `IntervalNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Rows
from gamedsl.solvers.kernels.chance.components_kernel import (
    LABEL_SHIFT,
    OrderedGraph,
    child_at,
    choose,
    edge_at,
    first_edge,
    half_at,
    kind_at,
)
from gamedsl.solvers.kernels.chance.event_graph_kernel import NATURE, EventNotes, Toll

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import EVENT_AT, LASTING, PAYS, WHOLE, Array


class BoundedGraph(OrderedGraph):
    """With n the number of states:

    tolls: a record for each label of an edge.
    lower, upper: int64[n]: bounds of the first player's payoff; `INFINITE` and -`INFINITE` where
        play pays and costs without bound, without chance.
    before: int64[n]: by place in a component, estimates before the last sweep; or heights.
    marks: int64[n]: by place in a component, whether play is known to leave the component, or what
        else is known of a state.
    """

    tolls: Rows[Toll]
    lower: Array
    upper: Array
    before: Array
    marks: Array


class IntervalNotes(EventNotes):
    """Of all states and components, and of the component in work.

    settled: number of settled states.
    sweeps: number of sweeps of the component.
    brought, gap: greatest distance of the bounds of its successors, and of its own bounds.
    returning: whether play can return at all.
    least, most: the widest bounds in the component.
    stage: the stage of the component.
    moved, moved_before, leapt: change of the last state's estimate by the last sweep, by the sweep
        before, and by the sweep before the last leap.
    length: length of the last leap.
    leap_at: number of sweeps before the next leap.
    slack: distance of guessed bounds.
    give_up_at: number of sweeps after which guesses are given up.
    leaving: whether choices are known to leave the component.
    staying: number of components without this knowledge.
    is_free: whether no step within the component pays or is discounted.
    gives, takes: whether a step within the component pays the first player, or costs the player.
    largest: the greatest absolute value of a bound where steps pay.
    widest_slack: the greatest distance of guessed bounds.
    returning_free: whether play can return, with no step that pays or is discounted.
    endless_low, endless_high: bounds of the payoff of endless play.
    allowed: the distance of bounds that a component may add to that of its successors' bounds.
    is_exact: whether rewards and payoffs are whole numbers of units.
    estimated: whether values of some component were estimated, or its limits are not exact.
    side, payer, most_paid, is_mixed, is_loop, probe, lowest, highest, rest, changes: see
        `totals_kernel`.
    """

    settled: int
    sweeps: int
    brought: int
    gap: int
    returning: int
    least: int
    most: int
    stage: int
    moved: int
    moved_before: int
    leapt: int
    length: int
    leap_at: int
    slack: int
    give_up_at: int
    leaving: int
    staying: int
    is_free: int
    gives: int
    takes: int
    largest: int
    widest_slack: int
    returning_free: int
    endless_low: int
    endless_high: int
    allowed: int
    is_exact: int
    estimated: int
    side: int
    payer: int
    most_paid: int
    is_mixed: int
    is_loop: int
    probe: int
    lowest: int
    highest: int
    rest: int
    changes: int


ESTIMATED, GUESSED, KNOWN, APART = range(4)
"""Stages of a component: sweeps act on estimates of values, guessed bounds, true bounds; or no
bounds have been proved."""
INFINITE = 1 << 53
"""In place of a bound: play pays without bound."""


def is_infinite(bound: int) -> bool:
    """Whether a bound is infinite, which happens without chance only."""
    return EVENT_AT < 0 and (bound >= INFINITE or bound <= -INFINITE)


def low_after(edge: int, graph: BoundedGraph) -> int:
    """The lower bound that a step gives, of its reward and of the value behind it."""
    low: int = graph.lower[edge & (1 << LABEL_SHIFT) - 1]
    if PAYS and not is_infinite(low):
        toll = graph.tolls[edge >> LABEL_SHIFT]
        if WHOLE > 1 and toll.lasts == 1:
            low = low * LASTING // WHOLE
        low += toll.low
    return low


def high_after(edge: int, graph: BoundedGraph) -> int:
    """The upper bound that a step gives."""
    high: int = graph.upper[edge & (1 << LABEL_SHIFT) - 1]
    if PAYS and not is_infinite(high):
        toll = graph.tolls[edge >> LABEL_SHIFT]
        if WHOLE > 1 and toll.lasts == 1:
            high = -(-high * LASTING // WHOLE)
        high += toll.high
    return high


def bounds_of(node: int, graph: BoundedGraph) -> tuple[int, int, int]:
    """The bounds of a value that follow from the bounds of the successors, and the edge, counted
    from 0, of the bound that the player to move can rely on; -1 at a chance event."""
    begin = first_edge(node, graph.nodes)
    end = first_edge(node + 1, graph.nodes)
    kind = kind_at(node, graph.nodes)
    edge = edge_at(graph.edges, begin)
    if kind == NATURE:
        total = 0
        low = 0
        high = 0
        for place in range(begin, end):
            edge = edge_at(graph.edges, place)
            weight = graph.tolls[edge >> LABEL_SHIFT].weight
            total += weight
            low += weight * low_after(edge, graph)
            high += weight * high_after(edge, graph)
        return low // total, -(-high // total), -1
    low = low_after(edge, graph)
    high = high_after(edge, graph)
    chosen = 0
    for place in range(begin + 1, end):
        edge = edge_at(graph.edges, place)
        next_low = low_after(edge, graph)
        next_high = high_after(edge, graph)
        if kind == -1:
            if next_low > low:
                low = next_low
                chosen = place - begin
            high = max(high, next_high)
        else:
            if next_high < high:
                high = next_high
                chosen = place - begin
            low = min(low, next_low)
    return low, high, chosen


def returns_to(node: int, graph: BoundedGraph) -> bool:
    """Whether a state is its own successor."""
    for place in range(first_edge(node, graph.nodes), first_edge(node + 1, graph.nodes)):
        if child_at(graph.edges, place) == node:
            return True
    return False


def place_of(child: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """The place of a state in the order."""
    return half_at(graph.ranks, child) - notes.used - 1


def put_widest(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Give all states of a component the bounds of all values in the component."""
    notes.stage = KNOWN
    notes.leaving = 0
    notes.gap = notes.most - notes.least
    for place in range(begin, end + 1):
        node = half_at(graph.order, place) >> 1
        graph.lower[node] = notes.least
        graph.upper[node] = notes.most
        choose(node, -1 if kind_at(node, graph.nodes) == NATURE else 0, graph.nodes)
    return 0


def look_at_steps(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Note the kinds of steps within a component, and widen `least` and `most` to the values of
    steps out of it; return the greatest distance of their bounds."""
    brought = 0
    for place in range(begin, end + 1):
        node = half_at(graph.order, place) >> 1
        for at in range(first_edge(node, graph.nodes), first_edge(node + 1, graph.nodes)):
            edge = edge_at(graph.edges, at)
            child = edge & (1 << LABEL_SHIFT) - 1
            if place_of(child, graph, notes) < begin:
                notes.least = min(notes.least, low_after(edge, graph))
                notes.most = max(notes.most, high_after(edge, graph))
                brought = max(brought, graph.upper[child] - graph.lower[child])
            elif PAYS:
                toll = graph.tolls[edge >> LABEL_SHIFT]
                notes.gives |= 1 if toll.sign > 0 else 0
                notes.takes |= 1 if toll.sign < 0 else 0
                if toll.sign != 0 or (WHOLE > 1 and toll.lasts == 1):
                    notes.is_free = 0
    return brought
