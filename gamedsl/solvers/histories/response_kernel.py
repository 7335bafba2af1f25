"""Best responses to strategies that depend on the present view, without a list of histories.

A kernel (docs/CONTRIBUTING.md): plain functions over numbers and flat arrays, run as Python or
compiled. The learner remembers everything. A belief is a list of members: the states in which the
learner may be, given what the learner knows, each with its probability by chance and the other
players, who know no more than a state shows, so that members with equal states are one. The learner
goes down depth first from belief to belief. An action is not tried if not even a learner who sees
the states gains more by the action (`bound_values`) than is known to be had.

Probabilities of members have `notes.fine` bits behind the point.
"""

from __future__ import annotations

from gamedsl.compiler.records import Array, Arrays, Record, Rows
from gamedsl.solvers.histories.form_kernel import Graph
from gamedsl.solvers.histories.pairs_kernel import Pairs, forget_pairs, pair_number
from gamedsl.solvers.histories.shares_kernel import ALL_SHARES
from gamedsl.solvers.histories.view_kernel import (
    CHANCE,
    PART,
    TERMINAL,
    Plans,
    others_share,
)

GOES_ON = 0
NO_ROOM = 1
BROKEN_OFF = 2
LEAST_VALUE = -4611686018427387904


class Member(Record):
    """A state of a belief: what the learner knows there, and its probability; `link` joins members
    of one belief: the next member's place, plus 1.
    """

    state: int
    known: int
    reach: int
    link: int


class ResponseNotes(Record):
    """bits: bits behind the point of `Responses.bounds`.
    widest: the greatest number of actions of a set. edges: the greatest number of edges of a state.
    members, most: number of members visited in all, and at which the work is broken off.
    status: GOES_ON, NO_ROOM or BROKEN_OFF.
    lost: probability lost by rounding, in units of the members' probabilities.
    top, groups: the ends of `stack` and of `Responses.groups`.
    """

    bits: int
    widest: int
    edges: int
    members: int
    most: int
    status: int
    lost: int
    top: int
    groups: int


class Responses(Arrays):
    """stack: Rows[Member].
    heads: int64[knowledge]: the last member of a belief, plus 1.
    groups: int64[]: what the learner knows in the beliefs of a step.
    member_of: int64[states]: the last member with a state, plus 1.
    bounds: int64[states]: a bound of the learner's value of a state.
    prospects: int64[depth, widest]: bounds of the actions of a belief.
    """

    stack: Rows[Member]
    heads: Array
    groups: Array
    member_of: Array
    bounds: Array
    prospects: Array
    notes: ResponseNotes


def bound_values(graph: Graph, plans: Plans, responses: Responses) -> int:
    """The values of the states for a learner who sees the states, rounded up."""
    players = plans.notes.players
    learner = plans.notes.learner
    states = len(graph.movers)
    for back in range(states):
        state = plans.order[states - 1 - back]
        bound = 0
        if graph.movers[state] == TERMINAL:
            bound = graph.paid[state * players + learner] << responses.notes.bits
        elif graph.movers[state] == CHANCE:
            for edge in range(graph.firsts[state], graph.firsts[state + 1]):
                bound += responses.bounds[graph.nexts[edge]] * graph.weights[edge]
            bound = 0 - (0 - bound) // graph.totals[state]
        elif plans.entered[state * players + learner] >= 0:
            bound = best_of_edges(state, graph, plans, responses)
        else:
            bound = bound_of_edges(state, -1, graph, plans, responses)
        responses.bounds[state] = bound
    first: int = responses.bounds[0]
    return first


def bound_of_edges(
    state: int, action: int, graph: Graph, plans: Plans, responses: Responses
) -> int:
    """A bound of the learner's value behind an action in a state, over the others' actions. Parts
    that rounding takes from the others' probabilities are worth the greatest bound."""
    bound = 0
    rest = ALL_SHARES
    most = LEAST_VALUE
    for edge in range(graph.firsts[state], graph.firsts[state + 1]):
        if plans.chosen[edge * plans.notes.players + plans.notes.learner] == action:
            share = others_share(edge, plans.mean, plans)
            behind = responses.bounds[graph.nexts[edge]]
            most = max(most, behind)
            rest -= share
            bound += share * behind
    bound += rest * most
    return 0 - ((0 - bound) >> PART)


def best_of_edges(state: int, graph: Graph, plans: Plans, responses: Responses) -> int:
    """The greatest bound of the learner's actions in a state."""
    number = plans.entered[state * plans.notes.players + plans.notes.learner]
    best = LEAST_VALUE
    for action in range(plans.firsts[number], plans.firsts[number + 1]):
        best = max(best, bound_of_edges(state, action, graph, plans, responses))
    return best


def push(
    edge: int, at: int, reach: int, graph: Graph, known: Pairs, plans: Plans, responses: Responses
) -> int:
    """Add the member behind an edge from a member; return what the learner knows there."""
    top = responses.notes.top
    players = plans.notes.players
    learner = plans.notes.learner
    number = responses.stack[at].known
    heard = graph.heard[edge * players + learner]
    if heard >= 0:
        number = pair_number(number, 2 * heard + 1, known)
    behind = graph.nexts[edge]
    number = pair_number(number, 2 * graph.views[behind * players + learner], known)
    responses.stack[top].state = behind
    responses.stack[top].known = number
    responses.stack[top].reach = reach
    responses.notes.top = top + 1
    return number


def go_on(
    at: int, action: int, graph: Graph, known: Pairs, plans: Plans, responses: Responses
) -> int:
    """Add the members behind a member in which the learner takes an action (-1: none)."""
    notes = responses.notes
    numbered = known.notes.used + 2 * notes.edges
    if notes.top + notes.edges > len(responses.stack) or numbered > len(responses.heads):
        notes.status = NO_ROOM
        return notes.top
    state = responses.stack[at].state
    reach = responses.stack[at].reach
    for edge in range(graph.firsts[state], graph.firsts[state + 1]):
        if plans.chosen[edge * plans.notes.players + plans.notes.learner] == action:
            behind = reach
            if graph.movers[state] == CHANCE:
                behind = reach // graph.totals[state] * graph.weights[edge]
                notes.lost += graph.totals[state]
            else:
                share = others_share(edge, plans.mean, plans)
                behind = (reach * share) >> PART
                if behind * ALL_SHARES != reach * share:
                    notes.lost += 1
            if behind > 0:
                push(edge, at, behind, graph, known, plans, responses)
    return notes.top


def settle(first: int, graph: Graph, known: Pairs, plans: Plans, responses: Responses) -> int:
    """Go on from the members from `first` on to decisions of the learner, which are linked, and to
    endings. Returns the value of the endings."""
    notes = responses.notes
    players = plans.notes.players
    learner = plans.notes.learner
    value = 0
    at = first
    while at < notes.top:
        if notes.members >= notes.most:
            notes.status = BROKEN_OFF
        elif notes.groups >= len(responses.groups):
            notes.status = NO_ROOM
        if notes.status != GOES_ON:
            return value
        notes.members += 1
        state = responses.stack[at].state
        if graph.movers[state] == TERMINAL:
            value += responses.stack[at].reach * graph.paid[state * players + learner]
        elif plans.entered[state * players + learner] >= 0:
            number = responses.stack[at].known
            if responses.heads[number] == 0:
                responses.groups[notes.groups] = number
                notes.groups += 1
            responses.stack[at].link = responses.heads[number]
            responses.heads[number] = at + 1
        else:
            go_on(at, -1, graph, known, plans, responses)
        at += 1
    return value


def gather(number: int, responses: Responses) -> int:
    """Put the members of a belief together, members with equal states as one; their first place."""
    notes = responses.notes
    first = notes.top
    link = responses.heads[number]
    responses.heads[number] = 0
    while link > 0:
        at = link - 1
        link = responses.stack[at].link
        state = responses.stack[at].state
        same = responses.member_of[state] - 1
        if same >= first and same < notes.top and responses.stack[same].state == state:
            responses.stack[same].reach += responses.stack[at].reach
        elif notes.top >= len(responses.stack):
            notes.status = NO_ROOM
        else:
            responses.stack[notes.top].state = state
            responses.stack[notes.top].known = number
            responses.stack[notes.top].reach = responses.stack[at].reach
            responses.member_of[state] = notes.top + 1
            notes.top += 1
    return first


def visit_groups(
    first_group: int, depth: int, graph: Graph, known: Pairs, plans: Plans, responses: Responses
) -> int:
    """The value of the beliefs found by `settle`."""
    notes = responses.notes
    value = 0
    last_group = notes.groups
    for group in range(first_group, last_group):
        top = notes.top
        first = gather(responses.groups[group], responses)
        if notes.status == GOES_ON:
            value += visit(first, depth, graph, known, plans, responses)
        notes.top = top
    notes.groups = first_group
    return value


def bound_actions(first: int, row: int, graph: Graph, plans: Plans, responses: Responses) -> int:
    """Bounds of the learner's actions in the belief from `first` on; the number of actions."""
    place = responses.stack[first].state * plans.notes.players + plans.notes.learner
    width: int = graph.widths[place]
    for turn in range(width):
        responses.prospects[row + turn] = 0
    for at in range(first, responses.notes.top):
        state = responses.stack[at].state
        number = plans.entered[state * plans.notes.players + plans.notes.learner]
        for turn in range(width):
            action = plans.firsts[number] + turn
            bound = bound_of_edges(state, action, graph, plans, responses)
            responses.prospects[row + turn] += responses.stack[at].reach * bound
    return width


def visit(
    first: int, depth: int, graph: Graph, known: Pairs, plans: Plans, responses: Responses
) -> int:
    """The value of the belief from `first` on, in which the learner moves, by a best response.
    Actions are tried in the order of their bounds."""
    notes = responses.notes
    row = depth * notes.widest
    behind = notes.top
    width = bound_actions(first, row, graph, plans, responses)
    best = LEAST_VALUE
    for _ in range(width):
        turn = 0
        for other in range(1, width):
            if responses.prospects[row + other] > responses.prospects[row + turn]:
                turn = other
        bound = responses.prospects[row + turn]
        if best > LEAST_VALUE and bound <= best << notes.bits:
            break
        responses.prospects[row + turn] = LEAST_VALUE
        used = known.notes.used
        first_group = notes.groups
        for at in range(first, behind):
            state = responses.stack[at].state
            number = plans.entered[state * plans.notes.players + plans.notes.learner]
            go_on(at, plans.firsts[number] + turn, graph, known, plans, responses)
        gain = settle(behind, graph, known, plans, responses)
        gain += visit_groups(first_group, depth + 1, graph, known, plans, responses)
        notes.top = behind
        forget_pairs(used, known)
        if notes.status != GOES_ON:
            return 0
        best = max(best, gain)
    return best


def respond(graph: Graph, known: Pairs, plans: Plans, responses: Responses) -> int:
    """The value of a best response of the learner from the first state, the first member."""
    notes = responses.notes
    bound_values(graph, plans, responses)
    notes.top = 1
    notes.groups = 0
    value = settle(0, graph, known, plans, responses)
    return value + visit_groups(0, 0, graph, known, plans, responses)
