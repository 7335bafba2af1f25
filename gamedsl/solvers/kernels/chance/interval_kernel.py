"""The kernel that bounds values of games with chance.

Once all states are numbered (`event_graph_kernel`), strongly connected components are found, in an
order in which successors come first (`components_kernel`), and settled in this order. If play
cannot return, a value follows from the values of the successors; if play can return, sweeps bring a
lower and an upper bound together (interval iteration: Haddad and Monmege, "Interval iteration
algorithm for MDPs and IMDPs", Theor. Comput. Sci. 735, 2018).

Bounds are integers in units of a fraction of the range of payoffs. Lower bounds are rounded down
and upper bounds up, so every sweep leaves bounds true, and a sweep without change is the last.

Before that, bounds are guessed (optimistic value iteration: Hartmanns and Kaminski, CAV 2020).
Sweeps without proof estimate the values, with extrapolating leaps by the last state, a state to
which play comes back (the secant method); a lower and an upper bound are put around the estimates.
A lower bound that a sweep lowers nowhere is true if the first player's choices in the sweep leave
the component with probability one against every choice of the opponent; upper bounds likewise.

graph: see `BoundedGraph`.
notes: see `IntervalNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.chance.components_kernel import WEIGHT_SHIFT, OrderedGraph
from gamedsl.solvers.kernels.chance.event_graph_kernel import NATURE, EventNotes
from gamedsl.solvers.kernels.induction_kernel import DONE, SLICED

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import Array


class BoundedGraph(OrderedGraph):
    """With n the number of states:

    kinds: int64[n]: as in `event_graph_kernel`.
    lower, upper: int64[n]: bounds of the first player's payoff.
    choices: int64[n]: the edge chosen by the player to move.
    before: int64[n]: estimates before the last sweep, by place in a component.
    marks: int64[n]: by place in a component, whether play is known to leave the component.
    """

    kinds: Array
    lower: Array
    upper: Array
    choices: Array
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


ESTIMATED, GUESSED, KNOWN = range(3)
"""Stages of a component: sweeps act on estimates of values, guessed bounds, true bounds."""
MOST_SWEEPS = 100_000
"""Maximal number of sweeps of a component; bounds that are still apart stay apart."""
MOST_ESTIMATES = 1_000
"""Maximal number of sweeps that estimate values of a component."""
MOST_TRIES = 8
"""Maximal number of sweeps for guessed bounds to become true."""
MOST_PASSES = 16
"""Maximal number of passes to find out whether players have to leave a component."""
FIRST_LEAP = 2
"""Number of sweeps before the first leap; after a leap in vain the number of sweeps doubles."""
PART = 20
MOST_LENGTH = 1 << 26
"""The length of a leap is in units of 1 / (1 << PART); leaps are shorter than MOST_LENGTH."""
MOST_KEPT = 1 << 54
"""More than any bound and any difference of two bounds."""
NOTED = {
    "settled": (0, MOST_KEPT),
    "sweeps": (0, MOST_SWEEPS),
    "brought": (0, MOST_KEPT),
    "gap": (-MOST_KEPT, MOST_KEPT),
    "returning": (0, 1),
    "least": (0, MOST_KEPT),
    "most": (0, MOST_KEPT),
    "stage": (ESTIMATED, KNOWN),
    "moved": (-MOST_KEPT, MOST_KEPT),
    "moved_before": (-MOST_KEPT, MOST_KEPT),
    "leapt": (0, MOST_KEPT),
    "length": (0, MOST_LENGTH),
    "leap_at": (0, 2 * MOST_SWEEPS),
    "slack": (0, MOST_KEPT),
    "give_up_at": (0, 2 * MOST_SWEEPS),
    "leaving": (0, 1),
    "staying": (-MOST_KEPT, MOST_KEPT),
}
"""The least and the greatest allowed value of these notes, in their order, when read from a file:
`settled` is an index as well (`odd_value`), and products of the rest must not overflow."""
RIGHT = -1
"""Returned in place of a state if all values are valid."""


def odd_value(most: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """The first state whose values, read from a file, are invalid, or `RIGHT`: bounds lie from 0 to
    `most`, and a choice is an edge of the player to move. The number of settled states is checked
    as well."""
    for node in range(notes.used):
        edges = graph.firsts[node + 1] - graph.firsts[node]
        if (
            graph.lower[node] < 0
            or graph.lower[node] > most
            or graph.upper[node] < 0
            or graph.upper[node] > most
        ):
            return node
        is_choice = graph.choices[node] >= 0 and graph.choices[node] < edges
        if graph.kinds[node] >= 0 or graph.kinds[node] == NATURE:
            is_choice = graph.choices[node] == -1 or graph.choices[node] == 0
        if not is_choice:
            return node
    return RIGHT if notes.settled <= notes.used else notes.used


def bounds_of(node: int, graph: BoundedGraph) -> tuple[int, int, int]:
    """The bounds of a value that follow from the bounds of the successors, and the edge, counted
    from 0, of the bound that the player to move can rely on; -1 at a chance event."""
    mask = (1 << WEIGHT_SHIFT) - 1
    begin = graph.firsts[node]
    end = graph.firsts[node + 1]
    if graph.kinds[node] == NATURE:
        total = 0
        low = 0
        high = 0
        for place in range(begin, end):
            weight = graph.edges[place] >> WEIGHT_SHIFT
            child = graph.edges[place] & mask
            total += weight
            low += weight * graph.lower[child]
            high += weight * graph.upper[child]
        return low // total, (high + total - 1) // total, -1
    child = graph.edges[begin] & mask
    low = graph.lower[child]
    high = graph.upper[child]
    chosen = 0
    for place in range(begin + 1, end):
        child = graph.edges[place] & mask
        if graph.kinds[node] == -1:
            if graph.lower[child] > low:
                low = graph.lower[child]
                chosen = place - begin
            high = max(high, graph.upper[child])
        else:
            if graph.upper[child] < high:
                high = graph.upper[child]
                chosen = place - begin
            low = min(low, graph.lower[child])
    return low, high, chosen


def value_of(node: int, graph: BoundedGraph, values: Array) -> int:
    """The value that follows from the values of the successors, rounded down."""
    mask = (1 << WEIGHT_SHIFT) - 1
    begin = graph.firsts[node]
    end = graph.firsts[node + 1]
    if graph.kinds[node] == NATURE:
        total = 0
        products = 0
        for place in range(begin, end):
            weight = graph.edges[place] >> WEIGHT_SHIFT
            total += weight
            products += weight * values[graph.edges[place] & mask]
        return products // total
    value: int = values[graph.edges[begin] & mask]
    for place in range(begin + 1, end):
        candidate = values[graph.edges[place] & mask]
        value = max(value, candidate) if graph.kinds[node] == -1 else min(value, candidate)
    return value


def returns_to(node: int, graph: BoundedGraph) -> bool:
    """Whether a state is its own successor."""
    for place in range(graph.firsts[node], graph.firsts[node + 1]):
        if graph.edges[place] & ((1 << WEIGHT_SHIFT) - 1) == node:
            return True
    return False


def put_widest(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Give all states of a component the bounds of all values in the component."""
    notes.stage = KNOWN
    notes.leaving = 0
    notes.gap = notes.most - notes.least
    for place in range(begin, end + 1):
        node = graph.order[place] >> 1
        graph.lower[node] = notes.least
        graph.upper[node] = notes.most
        graph.choices[node] = -1 if graph.kinds[node] == NATURE else 0
    return 0


def begin_component(
    begin: int,
    end: int,
    endless_low: int,
    endless_high: int,
    allowed: int,
    graph: BoundedGraph,
    notes: IntervalNotes,
) -> int:
    """Bound the values of a component by its successors and by endless play."""
    low = endless_low
    high = endless_high
    brought = 0
    for place in range(begin, end + 1):
        node = graph.order[place] >> 1
        for edge in range(graph.firsts[node], graph.firsts[node + 1]):
            child = graph.edges[edge] & ((1 << WEIGHT_SHIFT) - 1)
            rank = graph.ranks[child] - notes.used - 1
            if rank < begin:
                low = min(low, graph.lower[child])
                high = max(high, graph.upper[child])
                brought = max(brought, graph.upper[child] - graph.lower[child])
    notes.least = low
    notes.most = high
    put_widest(begin, end, graph, notes)
    if begin > 0:
        start = min(high, max(low, graph.lower[graph.order[begin - 1] >> 1]))
        for place in range(begin, end + 1):
            graph.lower[graph.order[place] >> 1] = start
    notes.brought = brought
    notes.returning = 1
    notes.stage = ESTIMATED
    notes.leap_at = FIRST_LEAP
    notes.leapt = 2 * (high - low)
    notes.length = 1 << PART
    notes.slack = 2 + (allowed >> 5)
    return 0


def leaves_surely(
    player: int, begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes
) -> bool:
    """Whether play by a player's choices leaves a component with probability one against every
    choice of the opponent, as far as a few passes show: from every state there is a way out, by
    some outcome of a chance event and by every allowed action."""
    for place in range(begin, end + 1):
        graph.marks[place - begin] = 0
    left = end + 1 - begin
    for _ in range(MOST_PASSES):
        before = left
        for place in range(begin, end + 1):
            if graph.marks[place - begin] == 0:
                node = graph.order[place] >> 1
                first = graph.firsts[node]
                behind = graph.firsts[node + 1]
                if graph.kinds[node] == -1 - player:
                    first += graph.choices[node]
                    behind = first + 1
                out = 0
                for edge in range(first, behind):
                    rank = (
                        graph.ranks[graph.edges[edge] & ((1 << WEIGHT_SHIFT) - 1)] - notes.used - 1
                    )
                    if rank < begin or graph.marks[rank - begin] != 0:
                        out += 1
                if out == behind - first or (out > 0 and graph.kinds[node] == NATURE):
                    graph.marks[place - begin] = 1
                    left -= 1
        if left == 0 or left == before:
            break
    return left == 0


def sweep(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Bring the bounds of a component closer together; return the number of changed bounds.

    A choice is kept from the sweep in which it improved its player's bound, so that the choice
    leads out; an equally good choice may lead in a circle.
    """
    changes = 0
    gap = 0
    for place in range(begin, end + 1):
        node = graph.order[place] >> 1
        low, high, chosen = bounds_of(node, graph)
        if low > graph.lower[node]:
            if graph.kinds[node] == -1:
                graph.choices[node] = chosen
            changes += 1
            graph.lower[node] = low
        if high < graph.upper[node]:
            if graph.kinds[node] == -2:
                graph.choices[node] = chosen
            changes += 1
            graph.upper[node] = high
        gap = max(gap, graph.upper[node] - graph.lower[node])
    notes.gap = gap
    return changes


def approach(begin: int, end: int, graph: BoundedGraph, values: Array, notes: IntervalNotes) -> int:
    """Sweep estimates of the values of a component; return the greatest change."""
    moved = 0
    by = 0
    for place in range(begin, end + 1):
        node = graph.order[place] >> 1
        former = values[node]
        value = value_of(node, graph, values)
        graph.before[place - begin] = former
        values[node] = value
        by = value - former
        moved = max(moved, by, -by)
    notes.moved_before = notes.moved
    notes.moved = by
    return moved


def length_of_leap(length: int, moved: int, moved_before: int) -> int:
    """The extrapolated distance to the limit of estimates, as a multiple of the last change (the
    secant
    method: the change depends linearly on the estimate). The previous move was `length` times the
    previous change. 1 << PART if there is no extrapolation."""
    while max(moved_before, -moved_before) >> 36 != 0 or max(moved, -moved) >> 36 != 0:
        moved >>= 8
        moved_before >>= 8
    less = moved_before - moved
    if less == 0:
        return 1 << PART
    multiple = length * moved_before // less
    return multiple if 0 < multiple < MOST_LENGTH else 1 << PART


def share_of(whole: int, part: int) -> int:
    """A share of a distance."""
    if max(whole, -whole) >> 36 != 0:
        return (whole >> 16) * part >> (PART - 16)
    return whole * part >> PART


def leap(begin: int, end: int, graph: BoundedGraph, values: Array, notes: IntervalNotes) -> int:
    """Move estimates on to their extrapolated limits."""
    part = notes.length - (1 << PART)
    for place in range(begin, end + 1):
        node = graph.order[place] >> 1
        value = values[node] + share_of(values[node] - graph.before[place - begin], part)
        values[node] = min(notes.most, max(notes.least, value))
    return 0


def put_about(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Put bounds around the estimates of a component, with a little more than the distance of the
    bounds of its successors."""
    for place in range(begin, end + 1):
        node = graph.order[place] >> 1
        value = graph.lower[node]
        graph.lower[node] = max(notes.least, value - notes.slack)
        graph.upper[node] = min(notes.most, value + notes.brought + notes.slack)
    return 0


def prove(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Sweep guessed bounds of a component. The bounds are true if the sweep makes no bound worse,
    and the sweep's choices leave the component. If bounds became worse, the call may be repeated.
    """
    is_right = True
    gap = 0
    for place in range(begin, end + 1):
        node = graph.order[place] >> 1
        low, high, chosen = bounds_of(node, graph)
        is_right = is_right and low >= graph.lower[node] and high <= graph.upper[node]
        graph.lower[node] = low
        graph.upper[node] = high
        graph.choices[node] = chosen
        gap = max(gap, high - low)
    has_stayed = False
    if is_right:
        for player in range(2):
            has_stayed = has_stayed or not leaves_surely(player, begin, end, graph, notes)
        notes.stage = KNOWN
        notes.leaving = 1
        notes.gap = gap
    if has_stayed or (not is_right and notes.sweeps >= notes.give_up_at):
        put_widest(begin, end, graph, notes)
    return 0


def estimate(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Sweep estimates of the values of a component, stored as lower bounds, and leap; when the
    estimates hardly change, guess bounds."""
    moved = approach(begin, end, graph, graph.lower, notes)
    if moved <= notes.slack >> 3:
        put_about(begin, end, graph, notes)
        notes.stage = GUESSED
        notes.give_up_at = notes.sweeps + MOST_TRIES
    elif notes.sweeps == MOST_ESTIMATES:
        put_widest(begin, end, graph, notes)
    elif notes.sweeps >= notes.leap_at:
        notes.length = length_of_leap(notes.length, notes.moved, notes.moved_before)
        by = max(notes.moved, -notes.moved)
        if 2 * by > notes.leapt:
            notes.leap_at = 2 * notes.sweeps
            notes.length = 1 << PART
        notes.leapt = by
        leap(begin, end, graph, graph.lower, notes)
    return 0


def settle(
    endless_low: int,
    endless_high: int,
    allowed: int,
    graph: BoundedGraph,
    notes: IntervalNotes,
    slice_size: int,
) -> int:
    """Bound the values of all states, component by component; the values of endings are known.

    `allowed` is the distance of bounds that a component may add to the distance of its successors'
    bounds; `slice_size` counts states and swept states.
    """
    steps = 0
    begin = notes.settled
    while begin < notes.used:
        if steps >= slice_size:
            notes.settled = begin
            return SLICED
        node = graph.order[begin] >> 1
        if graph.kinds[node] >= 0:
            graph.choices[node] = -1
            begin += 1
            continue
        if graph.order[begin] & 1 == 1 and not returns_to(node, graph):
            low, high, chosen = bounds_of(node, graph)
            graph.lower[node] = low
            graph.upper[node] = high
            graph.choices[node] = chosen
            steps += 1
            begin += 1
            continue
        end = begin
        while graph.order[end] & 1 == 0:
            end += 1
        if notes.sweeps == 0:
            begin_component(begin, end, endless_low, endless_high, allowed, graph, notes)
        notes.sweeps += 1
        steps += end - begin + 1
        changes = 1
        if notes.stage == ESTIMATED:
            estimate(begin, end, graph, notes)
        elif notes.stage == GUESSED:
            prove(begin, end, graph, notes)
        else:
            changes = sweep(begin, end, graph, notes)
        is_near = notes.stage == KNOWN and notes.gap <= notes.brought + allowed
        if is_near or changes == 0 or notes.sweeps == MOST_SWEEPS:
            notes.sweeps = 0
            notes.staying += 1 - notes.leaving
            begin = end + 1
    notes.settled = begin
    return DONE


def greatest_gap(graph: BoundedGraph, notes: IntervalNotes) -> int:
    """The greatest distance between the bounds of a state."""
    gap = 0
    for node in range(notes.used):
        gap = max(gap, graph.upper[node] - graph.lower[node])
    return gap


def ends_surely(graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Whether play by the choices, from the first state, ends with probability one: an ending is
    reachable from every state that play can reach. `marks`, int64[n]: 1 if an ending is reachable,
    2 if play can reach the state."""
    mask = (1 << WEIGHT_SHIFT) - 1
    changes = 1
    while changes > 0:
        changes = 0
        for place in range(notes.used):
            node = graph.order[place] >> 1
            if graph.marks[node] == 0:
                can = graph.kinds[node] >= 0
                if graph.kinds[node] == NATURE:
                    for edge in range(graph.firsts[node], graph.firsts[node + 1]):
                        can = can or graph.marks[graph.edges[edge] & mask] != 0
                elif graph.kinds[node] < 0:
                    can = (
                        graph.marks[graph.edges[graph.firsts[node] + graph.choices[node]] & mask]
                        != 0
                    )
                if can:
                    graph.marks[node] = 1
                    changes += 1
    if graph.marks[0] == 0:
        return 0
    graph.marks[0] = 3
    changes = 1
    while changes > 0:
        changes = 0
        for back in range(notes.used):
            node = graph.order[notes.used - 1 - back] >> 1
            if graph.marks[node] == 3 and graph.kinds[node] < 0:
                graph.marks[node] = 7
                begin = graph.firsts[node]
                end = graph.firsts[node + 1]
                if graph.kinds[node] != NATURE:
                    begin += graph.choices[node]
                    end = begin + 1
                for edge in range(begin, end):
                    child = graph.edges[edge] & mask
                    if graph.marks[child] == 0:
                        return 0
                    if graph.marks[child] == 1:
                        graph.marks[child] = 3
                        changes += 1
    return 1
