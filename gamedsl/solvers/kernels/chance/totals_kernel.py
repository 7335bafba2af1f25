"""The kernel of total rewards where play returns without chance: whole numbers, exact.

In: a component without chance and without a discount, and the bounds of its exits. Out: the bounds
of its states. Endless play is worth the sum of its rewards and the payoff of `endless`; a sum that
goes up and down for ever is worth its lower limit for lower bounds, its upper limit for upper
bounds. A state has a value if its bounds are equal.

One player is the *payer*: no loop pays the payer. *Heights* show it: by a step to a successor, the
payer's reward plus the height of the successor is at most the height of the state. A step is
*level* if both are equal. Endless play has infinitely many steps that are not level, and costs the
payer without bound; or it ends in level steps. From a state of height h, level steps for ever pay h
less the heights that recur, so with `rest` the payoff of `endless` less the greatest of these
heights (least, for the bound that favours the payer), the state is worth h + rest to the payer. If
not all level loops have the same extremes, the bounds are true and may be wider than the limits.

- *Rising*: the payer forces more than h + rest. From h + rest on, values rise to those of best
  steps, and stand still: the least solution of Bellman's equation (every step costs, as for J.
  Dijkstra's algorithm; L. Khachiyan et al., "On short paths interdiction problems", Theory Comput.
  Syst. 43, 2008, for two players).
- *Falling*: in the other states the payer gets h + rest at most. Where the opponent forces steps
  that are not level for ever, against which the payer has neither an exit nor level steps for ever,
  the payer pays without bound (a co-Büchi game, by its nested fixed points). In the rest, values
  fall from h + rest on to the greatest solution of Bellman's equation: any best steps of the payer
  keep it, as only finitely many of them can cost.

A choice is kept from the sweep in which it improved the value, so that play by the choices leads
on. If loops pay one player and other loops the opponent, there are no heights, and
`interval_kernel` estimates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.chance.bounds_kernel import (
    INFINITE,
    BoundedGraph,
    IntervalNotes,
    place_of,
)
from gamedsl.solvers.kernels.chance.components_kernel import (
    LABEL_SHIFT,
    choose,
    edge_at,
    first_edge,
    half_at,
    kind_at,
)
from gamedsl.solvers.kernels.induction_kernel import DONE, HIGH, SLICED, UNFIT

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import Array

HEIGHTS, LOOPS, RISING, SAFE, FALLING = range(4, 9)
"""Stages of a component, after those of `bounds_kernel`: heights rise; states that cannot stay on
level loops are left out; values rise; states from which the payer does not pay without bound are
gathered; values fall."""
MOST_HEIGHTS = 2_000
"""Maximal number of sweeps for the heights; more, and some loop is taken to pay the payer."""
MOST_SWEEPS = 100_000
"""Maximal number of sweeps of a stage."""
HIGHEST = 1 << 60
"""Maximal height; more, and some loop is taken to pay the payer."""
SUNK, UNSURE, HELD, HIGHER = range(4)
"""Marks of states: the payer pays without bound as far as is known; not known, or on level loops;
does not pay without bound; forces more than level loops."""


def begin_totals(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Begin with the heights for the player whom steps seem to cost."""
    notes.side = 0
    notes.leaving = 0
    notes.payer = 1 if notes.gives == 1 and notes.takes == 0 else 0
    begin_heights(begin, end, graph, notes)
    return 0


def begin_heights(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """All heights are 0, and all states may be on level loops. A path that meets no state twice
    pays `most_paid` at most."""
    notes.stage = HEIGHTS
    notes.sweeps = 1
    notes.most_paid = 0
    for place in range(begin, end + 1):
        graph.before[place - begin] = 0
        graph.marks[place - begin] = UNSURE
        node = half_at(graph.order, place) >> 1
        most = 0
        for at in range(first_edge(node, graph.nodes), first_edge(node + 1, graph.nodes)):
            edge = edge_at(graph.edges, at)
            if place_after(edge, begin, graph, notes) >= 0:
                most = max(most, paid(edge, graph, notes))
        notes.most_paid = min(notes.most_paid + most, HIGHEST)
    return 0


def paid(edge: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """The payer's reward of a step."""
    reward: int = graph.tolls[edge >> LABEL_SHIFT].low
    return reward if notes.payer == 0 else -reward


def place_after(edge: int, begin: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """The place in the component to which a step leads; negative if it leaves."""
    return place_of(edge & (1 << LABEL_SHIFT) - 1, graph, notes) - begin


def worth_after(edge: int, values: Array, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """The payer's value of a step."""
    value: int = values[edge & (1 << LABEL_SHIFT) - 1]
    if notes.payer == 1:
        value = -value
    if value >= INFINITE or value <= -INFINITE:
        return value
    return value + paid(edge, graph, notes)


def is_level(at: int, edge: int, after: int, graph: BoundedGraph, notes: IntervalNotes) -> bool:
    """Whether the step from place `at` to place `after` is level."""
    is_equal: bool = paid(edge, graph, notes) + graph.before[after] == graph.before[at]
    return is_equal


def raise_heights(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Raise the heights; count the changes. Returns a status, `UNFIT` if a height shows that some
    loop pays the payer."""
    for place in range(begin, end + 1):
        node = half_at(graph.order, place) >> 1
        height = graph.before[place - begin]
        for at in range(first_edge(node, graph.nodes), first_edge(node + 1, graph.nodes)):
            edge = edge_at(graph.edges, at)
            after = place_after(edge, begin, graph, notes)
            if after >= 0:
                height = max(height, paid(edge, graph, notes) + graph.before[after])
        if height > notes.most_paid:
            return UNFIT
        if height != graph.before[place - begin]:
            graph.before[place - begin] = height
            notes.changes += 1
    return SLICED


def leave_loops_out(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Unmark states without a level step from or to a marked state; count the changes."""
    for place in range(end - begin + 1):
        graph.marks[place] &= UNSURE
    for place in range(begin, end + 1):
        if graph.marks[place - begin] & UNSURE != 0:
            node = half_at(graph.order, place) >> 1
            stays = False
            for at in range(first_edge(node, graph.nodes), first_edge(node + 1, graph.nodes)):
                edge = edge_at(graph.edges, at)
                after = place_after(edge, begin, graph, notes)
                if after >= 0:
                    if not is_level(place - begin, edge, after, graph, notes):
                        notes.is_mixed = 1
                    elif graph.marks[after] & UNSURE != 0:
                        graph.marks[after] |= HELD
                        stays = True
            if not stays:
                graph.marks[place - begin] = SUNK
                notes.changes += 1
    for place in range(end - begin + 1):
        if graph.marks[place] == UNSURE:
            graph.marks[place] = SUNK
            notes.changes += 1
    return 0


def measure_loops(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Note the least and the greatest height on level loops."""
    notes.is_loop = 0
    notes.lowest = 0
    notes.highest = 0
    for place in range(end - begin + 1):
        if graph.marks[place] != SUNK:
            height = graph.before[place]
            notes.lowest = height if notes.is_loop == 0 else min(notes.lowest, height)
            notes.highest = height if notes.is_loop == 0 else max(notes.highest, height)
            notes.is_loop = 1
    return 0


def leave_height_out(height: int, begin: int, end: int, graph: BoundedGraph) -> int:
    """Mark all states but those of a height, to look for level loops without it."""
    for place in range(end - begin + 1):
        graph.marks[place] = SUNK if graph.before[place] == height else UNSURE
    return 0


def look_at_loops(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Note the heights of level loops, when states off the loops are left out; then whether there
    are loops without the greatest height, and without the least. If so, the bounds of sums are
    bounds only. Returns a status."""
    if notes.probe == 0:
        measure_loops(begin, end, graph, notes)
        notes.returning_free |= notes.is_loop
    for place in range(end - begin + 1):
        if notes.probe > 0 and graph.marks[place] != SUNK:
            notes.estimated = 1
    notes.probe += 1
    if notes.probe == 3 or notes.lowest == notes.highest:
        return begin_rising(begin, end, graph.lower, graph, notes)
    height = notes.highest if notes.probe == 1 else notes.lowest
    leave_height_out(height, begin, end, graph)
    return SLICED


def begin_rising(
    begin: int, end: int, values: Array, graph: BoundedGraph, notes: IntervalNotes
) -> int:
    """Give all states the value of level loops, for the bound of `side`; returns a status, `HIGH`
    if a value is too great for its unit."""
    notes.stage = RISING
    endless = notes.endless_low
    notes.rest = endless if notes.payer == 0 else -endless
    notes.rest -= notes.highest if notes.side == notes.payer else notes.lowest
    for place in range(begin, end + 1):
        worth = -INFINITE
        if notes.is_loop == 1:
            worth = graph.before[place - begin] + notes.rest
            if max(worth, -worth) > notes.largest:
                return HIGH
        node = half_at(graph.order, place) >> 1
        values[node] = worth if notes.payer == 0 else -worth
        graph.marks[place - begin] = HELD
        if kind_at(node, graph.nodes) == -1 - notes.side:
            choose(node, 0, graph.nodes)
    return SLICED


def best_step(
    node: int, values: Array, graph: BoundedGraph, notes: IntervalNotes
) -> tuple[int, int]:
    """The payer's value of the best step from a state, and its number."""
    begin = first_edge(node, graph.nodes)
    is_payer = kind_at(node, graph.nodes) == -1 - notes.payer
    best = worth_after(edge_at(graph.edges, begin), values, graph, notes)
    chosen = 0
    for at in range(begin + 1, first_edge(node + 1, graph.nodes)):
        worth = worth_after(edge_at(graph.edges, at), values, graph, notes)
        if (worth > best) == is_payer and worth != best:
            best = worth
            chosen = at - begin
    return best, chosen


def move_values(
    begin: int, end: int, values: Array, graph: BoundedGraph, notes: IntervalNotes
) -> int:
    """Raise, or lower, the values to those of best steps; count the changes, and keep the choices
    of the player of `side`. Returns a status, `HIGH` if a value is too great for its unit."""
    for place in range(begin, end + 1):
        if graph.marks[place - begin] == HELD:
            node = half_at(graph.order, place) >> 1
            best, chosen = best_step(node, values, graph, notes)
            former = values[node] if notes.payer == 0 else -values[node]
            if (best > former) == (notes.stage == RISING) and best != former:
                if notes.largest < max(best, -best) < INFINITE:
                    return HIGH
                values[node] = best if notes.payer == 0 else -best
                notes.changes += 1
                if kind_at(node, graph.nodes) == -1 - notes.side:
                    choose(node, chosen, graph.nodes)
    return SLICED


def end_rising(
    begin: int, end: int, values: Array, graph: BoundedGraph, notes: IntervalNotes
) -> int:
    """Mark the states that have risen. Without level loops all values are known; without steps that
    are not level nobody pays without bound."""
    for place in range(begin, end + 1):
        node = half_at(graph.order, place) >> 1
        worth = values[node] if notes.payer == 0 else -values[node]
        is_higher = worth > -INFINITE
        if notes.is_loop == 1:
            is_higher = worth > graph.before[place - begin] + notes.rest
        mark = HELD if notes.is_mixed == 0 else UNSURE
        graph.marks[place - begin] = HIGHER if is_higher else mark
    notes.stage = SAFE if notes.is_loop == 1 and notes.is_mixed == 1 else FALLING
    return 0


def lose_open(
    begin: int, end: int, values: Array, graph: BoundedGraph, notes: IntervalNotes
) -> int:
    """Mark open states as lost where the payer has no step that keeps, by an exit, by a state that
    keeps, or by a level step to an open state; the opponent needs one step that does not. Count
    the changes."""
    for place in range(begin, end + 1):
        if graph.marks[place - begin] == UNSURE:
            node = half_at(graph.order, place) >> 1
            first = first_edge(node, graph.nodes)
            behind = first_edge(node + 1, graph.nodes)
            keeping = 0
            chosen = -1
            for at in range(first, behind):
                edge = edge_at(graph.edges, at)
                after = place_after(edge, begin, graph, notes)
                keeps = False
                if after < 0:
                    keeps = worth_after(edge, values, graph, notes) > -INFINITE
                elif graph.marks[after] >= HELD:
                    keeps = True
                elif graph.marks[after] == UNSURE:
                    keeps = is_level(place - begin, edge, after, graph, notes)
                if keeps:
                    keeping += 1
                else:
                    chosen = at - first
            is_payer = kind_at(node, graph.nodes) == -1 - notes.payer
            if keeping == 0 or (keeping < behind - first and not is_payer):
                graph.marks[place - begin] = SUNK
                notes.changes += 1
                if kind_at(node, graph.nodes) == -1 - notes.side:
                    choose(node, chosen, graph.nodes)
    return 0


def keep_open(
    begin: int, end: int, values: Array, graph: BoundedGraph, notes: IntervalNotes
) -> int:
    """Open states keep, and lost states are open again; or, if no state was open, the lost states
    are lost, and values fall."""
    count = 0
    for place in range(end - begin + 1):
        count += 1 if graph.marks[place] == UNSURE else 0
    for place in range(begin, end + 1):
        if graph.marks[place - begin] == UNSURE:
            graph.marks[place - begin] = HELD
        elif graph.marks[place - begin] == SUNK:
            if count > 0:
                graph.marks[place - begin] = UNSURE
            else:
                node = half_at(graph.order, place) >> 1
                values[node] = -INFINITE if notes.payer == 0 else INFINITE
    notes.stage = SAFE if count > 0 else FALLING
    return 0


def end_falling(
    begin: int, end: int, values: Array, graph: BoundedGraph, notes: IntervalNotes
) -> int:
    """Choose best steps where choices need not lead on."""
    for place in range(begin, end + 1):
        node = half_at(graph.order, place) >> 1
        worth = values[node] if notes.payer == 0 else -values[node]
        is_higher = graph.marks[place - begin] == HIGHER
        is_rest = notes.is_loop == 1 and worth == graph.before[place - begin] + notes.rest
        if kind_at(node, graph.nodes) == -1 - notes.side:
            if notes.side == notes.payer:
                is_any = not is_higher and worth > -INFINITE
            else:
                is_any = is_higher or is_rest or notes.is_loop == 0
            if is_any:
                _, chosen = best_step(node, values, graph, notes)
                choose(node, chosen, graph.nodes)
    return 0


def sweep_heights(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """A sweep for heights, or for level loops; returns a status, `UNFIT` if there are no
    heights."""
    if notes.stage == LOOPS:
        leave_loops_out(begin, end, graph, notes)
        return look_at_loops(begin, end, graph, notes) if notes.changes == 0 else SLICED
    status = raise_heights(begin, end, graph, notes)
    if status != UNFIT and notes.changes == 0:
        notes.stage = LOOPS
        notes.is_mixed = 0
        notes.probe = 0
    elif status == UNFIT or notes.sweeps > MOST_HEIGHTS:
        if notes.payer == 1:
            return UNFIT
        notes.payer = 1
        begin_heights(begin, end, graph, notes)
    return SLICED


def sweep_values(
    begin: int, end: int, values: Array, graph: BoundedGraph, notes: IntervalNotes
) -> int:
    """A sweep for the values of a side; returns a status, `DONE` if the values are known."""
    if notes.stage == SAFE:
        lose_open(begin, end, values, graph, notes)
        if notes.changes == 0:
            keep_open(begin, end, values, graph, notes)
        return SLICED
    status = move_values(begin, end, values, graph, notes)
    if status == HIGH or notes.changes > 0:
        return status
    if notes.stage == RISING:
        end_rising(begin, end, values, graph, notes)
        return SLICED
    end_falling(begin, end, values, graph, notes)
    return DONE


def settle_totals(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Sweep a component that `begin_totals` has begun; returns a status, `UNFIT` if there are no
    heights or the sweeps are too many."""
    notes.changes = 0
    if notes.sweeps >= MOST_SWEEPS:
        return UNFIT
    if notes.stage <= LOOPS:
        return sweep_heights(begin, end, graph, notes)
    if notes.side == 1:
        return sweep_values(begin, end, graph.upper, graph, notes)
    status = sweep_values(begin, end, graph.lower, graph, notes)
    if status == DONE:
        notes.side = 1
        return begin_rising(begin, end, graph.upper, graph, notes)
    return status
