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
A lower bound that a sweep lowers nowhere is true if the first player has steps that keep it and
leave the component with probability one against every choice of the opponent; upper bounds
likewise. Without tolls, a step is as good as a way out if it leads to a state whose bound endless
play is worth: along play that stays, the bounds converge, to no more than the least that recurs.

Rewards and a discount belong to the edges (`Toll`). Where steps within a component pay, or values
are discounted, there are no widest bounds, and bounds are guessed again, wider, until they are
proved: the proof is the same with rewards, and an opponent who pays for staying leaves, too. With a
discount, bounds that a sweep does not make worse are true without further conditions.

graph: see `BoundedGraph`.
notes: see `IntervalNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.chance.bounds_kernel import (
    APART,
    ESTIMATED,
    GUESSED,
    KNOWN,
    BoundedGraph,
    IntervalNotes,
    bounds_of,
    high_after,
    is_infinite,
    look_at_steps,
    low_after,
    place_of,
    put_widest,
    returns_to,
)
from gamedsl.solvers.kernels.chance.components_kernel import (
    LABEL_SHIFT,
    MOST_CHOICES,
    child_at,
    choice_at,
    choose,
    edge_at,
    first_edge,
    half_at,
    kind_at,
)
from gamedsl.solvers.kernels.chance.discounted_kernel import MOST_POLICIES, follow, improve
from gamedsl.solvers.kernels.chance.event_graph_kernel import NATURE
from gamedsl.solvers.kernels.chance.totals_kernel import HEIGHTS, begin_totals, settle_totals
from gamedsl.solvers.kernels.induction_kernel import DONE, HIGH, SLICED, UNFIT

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import EVENT_AT, LASTING, PAYS, WHOLE, Array


MOST_SWEEPS = 100_000
"""Maximal number of sweeps of a component; bounds that are still apart stay apart."""
MOST_ESTIMATES = 1_000
"""Maximal number of sweeps that estimate values of a component."""
MOST_ANEW = 10_000
"""The same of sweeps without leaps."""
NEVER = 2 * MOST_SWEEPS
"""The number of sweeps before the next leap, where there is none."""
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
    "least": (-MOST_KEPT, MOST_KEPT),
    "most": (-MOST_KEPT, MOST_KEPT),
    "stage": (ESTIMATED, KNOWN),
    "moved": (-MOST_KEPT, MOST_KEPT),
    "moved_before": (-MOST_KEPT, MOST_KEPT),
    "leapt": (0, MOST_KEPT),
    "length": (0, MOST_LENGTH),
    "leap_at": (0, NEVER),
    "slack": (0, MOST_KEPT),
    "give_up_at": (0, 2 * MOST_SWEEPS),
    "leaving": (0, 1),
    "staying": (-MOST_KEPT, MOST_KEPT),
    "is_free": (0, 1),
    "gives": (0, 1),
    "takes": (0, 1),
    "largest": (0, MOST_KEPT),
    "widest_slack": (0, MOST_KEPT),
    "returning_free": (0, 1),
    "estimated": (0, 1),
}
"""The least and the greatest allowed value of these notes, in their order, when read from a file:
`settled` is an index as well (`odd_value`), and products of the rest must not overflow."""
RIGHT = -1
"""Returned in place of a state if all values are valid."""


def odd_value(least: int, most: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """The first state whose values, read from a file, are invalid, or `RIGHT`: bounds lie from
    `least` to `most`, and a choice is an edge of the player to move. The number of settled states
    is checked as well."""
    for node in range(notes.used):
        edges = first_edge(node + 1, graph.nodes) - first_edge(node, graph.nodes)
        if (
            graph.lower[node] < least
            or graph.lower[node] > most
            or graph.upper[node] < least
            or graph.upper[node] > most
        ):
            return node
        choice = choice_at(node, graph.nodes)
        is_choice = choice >= 0 and choice < edges
        kind = kind_at(node, graph.nodes)
        if kind >= 0 or kind == NATURE:
            is_choice = choice == -1 or choice == 0
        if not is_choice:
            return node
    return RIGHT if notes.settled <= notes.used else notes.used


def put_choices(choices: Array, nodes: Array, notes: IntervalNotes) -> int:
    """Note the choices of all states, read from a file; the first invalid state, or `RIGHT`."""
    for node in range(notes.used):
        if choices[node] < -1 or choices[node] >= MOST_CHOICES - 1:
            return node
        choose(node, choices[node], nodes)
    return RIGHT


def copy_choices(nodes: Array, choices: Array, notes: IntervalNotes) -> int:
    """Write the choices of all states into an array, for a file."""
    for node in range(notes.used):
        choices[node] = choice_at(node, nodes)
    return 0


def begin_component(
    begin: int, end: int, near: int, graph: BoundedGraph, notes: IntervalNotes
) -> int:
    """Bound the values of a component by its successors and by endless play; estimates begin with
    `near`."""
    notes.least = notes.endless_low
    notes.most = notes.endless_high
    notes.is_free = 1
    notes.gives = 0
    notes.takes = 0
    notes.brought = look_at_steps(begin, end, graph, notes)
    notes.returning = 1
    notes.returning_free |= notes.is_free
    if EVENT_AT < 0 and WHOLE == 1 and notes.is_exact == 1:
        begin_totals(begin, end, graph, notes)
    else:
        begin_estimates(begin, end, near, graph, notes)
    return 0


def begin_estimates(
    begin: int, end: int, near: int, graph: BoundedGraph, notes: IntervalNotes
) -> int:
    """Put the widest bounds. Estimates begin with the payoff of endless play, the value of staying;
    where steps pay with `near`."""
    notes.estimated = 1
    start = near if WHOLE == 1 else 0
    if notes.is_free == 1:
        start = notes.endless_low
    start = min(notes.most, max(notes.least, start))
    if notes.is_free == 0:
        notes.least = -notes.largest
        notes.most = notes.largest
    put_widest(begin, end, graph, notes)
    for place in range(begin, end + 1):
        graph.lower[half_at(graph.order, place) >> 1] = start
    notes.stage = ESTIMATED
    notes.leap_at = FIRST_LEAP
    notes.leapt = 2 * (notes.most - notes.least)
    notes.length = 1 << PART
    notes.slack = 2 + (notes.allowed >> 5)
    if EVENT_AT < 0 and WHOLE > 1:
        notes.slack += 8 * WHOLE // (WHOLE - LASTING)
    return 0


def costs_to_stay(player: int, edge: int, graph: BoundedGraph, notes: IntervalNotes) -> bool:
    """Whether a step costs a player, in a component where no step pays the player."""
    if not PAYS:
        return False
    sign = graph.tolls[edge >> LABEL_SHIFT].sign
    if player == 0:
        return sign < 0 and notes.gives == 0
    return sign > 0 and notes.takes == 0


def keeps(player: int, node: int, edge: int, graph: BoundedGraph) -> bool:
    """Whether a step keeps to a player's bound of a state."""
    if player == 0:
        return bool(low_after(edge, graph) >= graph.lower[node])
    return bool(high_after(edge, graph) <= graph.upper[node])


def may_stay(player: int, node: int, graph: BoundedGraph, notes: IntervalNotes) -> bool:
    """Whether endless play is worth a player's bound of a state, in a component without tolls."""
    if notes.is_free == 0:
        return False
    if player == 0:
        return bool(notes.endless_low >= graph.lower[node])
    return bool(notes.endless_high <= graph.upper[node])


def leads_out(
    player: int, edge: int, begin: int, graph: BoundedGraph, notes: IntervalNotes
) -> bool:
    """Whether a step leaves a component, leads to a marked state, or costs the player's opponent,
    whom no step pays: staying for ever costs without bound."""
    rank = place_of(edge & (1 << LABEL_SHIFT) - 1, graph, notes)
    if rank < begin or graph.marks[rank - begin] != 0:
        return True
    return costs_to_stay(1 - player, edge, graph, notes)


def mark_settled(
    player: int,
    may_last: bool,
    begin: int,
    end: int,
    graph: BoundedGraph,
    notes: IntervalNotes,
) -> int:
    """Mark the states from which a player's steps that keep the bounds lead out of a component, or,
    with `may_last`, again and again to a state whose bound endless play is worth, with probability
    one against every choice of the opponent, as far as a few passes show; choose the steps, and
    return the number of other states. From every marked state there is a way, by some outcome of a
    chance event and by every action of the opponent."""
    left = 0
    for place in range(begin, end + 1):
        stays = may_last and may_stay(player, half_at(graph.order, place) >> 1, graph, notes)
        graph.marks[place - begin] = 1 if stays else 0
        left += 0 if stays else 1
    for _ in range(MOST_PASSES):
        before = left
        for place in range(begin, end + 1):
            if graph.marks[place - begin] == 0:
                node = half_at(graph.order, place) >> 1
                first = first_edge(node, graph.nodes)
                behind = first_edge(node + 1, graph.nodes)
                kind = kind_at(node, graph.nodes)
                out = 0
                for at in range(first, behind):
                    edge = edge_at(graph.edges, at)
                    if leads_out(player, edge, begin, graph, notes):
                        if kind != -1 - player:
                            out += 1
                        elif out == 0 and keeps(player, node, edge, graph):
                            out = behind - first
                            choose(node, at - first, graph.nodes)
                if out == behind - first or (out > 0 and kind == NATURE):
                    graph.marks[place - begin] = 1
                    left -= 1
        if left == 0 or left == before:
            break
    return left


def sweep(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Bring the bounds of a component closer together; return the number of changed bounds.

    A choice is kept from the sweep in which it improved its player's bound, so that the choice
    leads out; an equally good choice may lead in a circle.
    """
    changes = 0
    gap = 0
    for place in range(begin, end + 1):
        node = half_at(graph.order, place) >> 1
        low, high, chosen = bounds_of(node, graph)
        if low > graph.lower[node]:
            if kind_at(node, graph.nodes) == -1:
                choose(node, chosen, graph.nodes)
            changes += 1
            graph.lower[node] = low
        if high < graph.upper[node]:
            if kind_at(node, graph.nodes) == -2:
                choose(node, chosen, graph.nodes)
            changes += 1
            graph.upper[node] = high
        gap = max(gap, graph.upper[node] - graph.lower[node])
    notes.gap = gap
    return changes


def approach(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Sweep estimates of the values of a component; return the greatest change."""
    moved = 0
    by = 0
    for place in range(begin, end + 1):
        node = half_at(graph.order, place) >> 1
        former = graph.lower[node]
        low, _, _ = bounds_of(node, graph)
        value = min(notes.most, max(notes.least, low))
        graph.before[place - begin] = former
        graph.lower[node] = value
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


def leap(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Move estimates on to their extrapolated limits."""
    part = notes.length - (1 << PART)
    for place in range(begin, end + 1):
        node = half_at(graph.order, place) >> 1
        value = graph.lower[node]
        value += share_of(value - graph.before[place - begin], part)
        graph.lower[node] = min(notes.most, max(notes.least, value))
    return 0


def put_about(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Put bounds around the estimates of a component, with a little more than the distance of the
    bounds of its successors."""
    for place in range(begin, end + 1):
        node = half_at(graph.order, place) >> 1
        value = graph.lower[node]
        graph.lower[node] = max(notes.least, value - notes.slack)
        graph.upper[node] = min(notes.most, value + notes.brought + notes.slack)
    return 0


def guess(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Guess bounds of a component around the estimates of its values."""
    put_about(begin, end, graph, notes)
    notes.stage = GUESSED
    notes.give_up_at = notes.sweeps + MOST_TRIES
    if notes.is_free == 1:  # rounding moves guessed bounds as long as estimates move
        notes.give_up_at += notes.sweeps >> 2
    return 0


def guess_wider(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Guess wider bounds, or begin with the widest; where there are none, give up."""
    is_free = notes.is_free == 1
    is_widest = notes.slack > (notes.allowed >> 4 if is_free else notes.widest_slack)
    if is_widest and is_free:
        put_widest(begin, end, graph, notes)
    elif is_widest:
        notes.stage = APART
    else:
        notes.slack *= 8
        for place in range(begin, end + 1):
            node = half_at(graph.order, place) >> 1
            graph.lower[node] += (graph.upper[node] - graph.lower[node]) >> 1
        guess(begin, end, graph, notes)
    return 0


def estimate_anew(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Estimate again from the payoff of endless play, by sweeps alone: where a player may stay for
    ever, an estimate beyond the value, as after a leap, stands, since staying seems worth it."""
    for place in range(begin, end + 1):
        graph.lower[half_at(graph.order, place) >> 1] = notes.endless_low
    notes.stage = ESTIMATED
    notes.sweeps = 1
    notes.leap_at = NEVER
    return 0


def prove(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Sweep guessed bounds of a component. The bounds are true if the sweep makes no bound worse,
    and, without a discount, all states are marked for both players (`mark_settled`). If bounds
    became worse, the call may be repeated.
    """
    is_right = True
    gap = 0
    for place in range(begin, end + 1):
        node = half_at(graph.order, place) >> 1
        low, high, chosen = bounds_of(node, graph)
        is_right = is_right and low >= graph.lower[node] and high <= graph.upper[node]
        graph.lower[node] = max(notes.least, low)
        graph.upper[node] = min(notes.most, high)
        choose(node, chosen, graph.nodes)
        gap = max(gap, high - low)
    staying = -1
    if is_right:
        notes.leaving = 1
        for player in range(2):
            if WHOLE == 1 and mark_settled(player, False, begin, end, graph, notes) > 0:
                notes.leaving = 0
                if mark_settled(player, True, begin, end, graph, notes) > 0:
                    staying = player
        notes.stage = KNOWN
        notes.gap = gap
    if staying >= 0 and notes.is_free == 1 and notes.leap_at < NEVER:
        estimate_anew(begin, end, graph, notes)
    elif staying >= 0 and notes.is_free == 1:
        put_widest(begin, end, graph, notes)
    elif staying >= 0 or (not is_right and notes.sweeps >= notes.give_up_at):
        guess_wider(begin, end, graph, notes)
    return 0


def estimate(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Sweep estimates of the values of a component, stored as lower bounds, and leap; when the
    estimates hardly change, guess bounds."""
    if EVENT_AT < 0 and WHOLE > 1 and notes.sweeps <= MOST_POLICIES:
        if improve(begin, end, graph, notes) > 0:
            follow(begin, end, graph, notes)
            return 0
        notes.sweeps = MOST_POLICIES
    moved = approach(begin, end, graph, notes)
    if moved <= notes.slack >> 3:
        guess(begin, end, graph, notes)
    elif notes.sweeps == (MOST_ANEW if notes.leap_at == NEVER else MOST_ESTIMATES):
        put_about(begin, end, graph, notes)
        guess_wider(begin, end, graph, notes)
    elif notes.sweeps >= notes.leap_at:
        notes.length = length_of_leap(notes.length, notes.moved, notes.moved_before)
        by = max(notes.moved, -notes.moved)
        if 2 * by > notes.leapt:
            notes.leap_at = 2 * notes.sweeps
            notes.length = 1 << PART
        notes.leapt = by
        leap(begin, end, graph, notes)
    return 0


def settle_exactly(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Sweep a component without chance; returns a status. Values are estimated where exact values
    are out of reach."""
    status = settle_totals(begin, end, graph, notes)
    if status == UNFIT:
        notes.sweeps = 1
        begin_estimates(begin, end, notes.endless_low, graph, notes)
        return SLICED
    if status == DONE:
        notes.sweeps = 0
        notes.staying += 1
    return status


def settle_component(begin: int, end: int, graph: BoundedGraph, notes: IntervalNotes) -> int:
    """Sweep a component that `begin_component` has begun; returns a status, `SLICED` if the
    component is not settled yet."""
    notes.sweeps += 1
    changes = 1
    if EVENT_AT < 0 and notes.stage >= HEIGHTS:
        return settle_exactly(begin, end, graph, notes)
    if notes.stage == ESTIMATED:
        estimate(begin, end, graph, notes)
    elif notes.stage == GUESSED:
        prove(begin, end, graph, notes)
    else:
        changes = sweep(begin, end, graph, notes)
    if notes.stage == APART:
        return UNFIT
    is_near = notes.stage == KNOWN and notes.gap <= notes.brought + notes.allowed
    if is_near or changes == 0 or notes.sweeps == MOST_SWEEPS:
        notes.sweeps = 0
        notes.staying += 1 - notes.leaving
        return DONE
    return SLICED


def is_beyond(bound: int, notes: IntervalNotes) -> bool:
    """Whether a bound is too great for its unit, and not infinite."""
    return not is_infinite(bound) and (bound < -notes.largest or bound > notes.largest)


def settle(graph: BoundedGraph, notes: IntervalNotes, slice_size: int) -> int:
    """Bound the values of all states, component by component; the values of endings are known.
    `slice_size` counts states and swept states."""
    steps = 0
    begin = notes.settled
    while begin < notes.used:
        if steps >= slice_size:
            notes.settled = begin
            return SLICED
        node = half_at(graph.order, begin) >> 1
        if kind_at(node, graph.nodes) >= 0:
            begin += 1
            continue
        if half_at(graph.order, begin) & 1 == 1 and not returns_to(node, graph):
            low, high, chosen = bounds_of(node, graph)
            if PAYS and (is_beyond(low, notes) or is_beyond(high, notes)):
                return HIGH
            graph.lower[node] = low
            graph.upper[node] = high
            choose(node, chosen, graph.nodes)
            steps += 1
            begin += 1
            continue
        end = begin
        while half_at(graph.order, end) & 1 == 0:
            end += 1
        if notes.sweeps == 0:
            near = notes.endless_low
            if begin > 0:
                near = graph.lower[half_at(graph.order, begin - 1) >> 1]
            begin_component(begin, end, near, graph, notes)
        steps += end - begin + 1
        status = settle_component(begin, end, graph, notes)
        if status == DONE:
            begin = end + 1
        elif status != SLICED:
            return status
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
    changes = 1
    while changes > 0:
        changes = 0
        for place in range(notes.used):
            node = half_at(graph.order, place) >> 1
            if graph.marks[node] == 0:
                kind = kind_at(node, graph.nodes)
                can = kind >= 0
                begin = first_edge(node, graph.nodes)
                if kind == NATURE:
                    for at in range(begin, first_edge(node + 1, graph.nodes)):
                        can = can or graph.marks[child_at(graph.edges, at)] != 0
                elif kind < 0:
                    chosen = child_at(graph.edges, begin + choice_at(node, graph.nodes))
                    can = graph.marks[chosen] != 0
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
            node = half_at(graph.order, notes.used - 1 - back) >> 1
            kind = kind_at(node, graph.nodes)
            if graph.marks[node] == 3 and kind < 0:
                graph.marks[node] = 7
                begin = first_edge(node, graph.nodes)
                end = first_edge(node + 1, graph.nodes)
                if kind != NATURE:
                    begin += choice_at(node, graph.nodes)
                    end = begin + 1
                for at in range(begin, end):
                    child = child_at(graph.edges, at)
                    if graph.marks[child] == 0:
                        return 0
                    if graph.marks[child] == 1:
                        graph.marks[child] = 3
                        changes += 1
    return 1
