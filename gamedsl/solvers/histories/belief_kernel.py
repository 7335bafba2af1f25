"""Regret minimisation, and best responses, without a list of histories.

A kernel (docs/CONTRIBUTING.md): plain functions over numbers and flat arrays, run as Python or
compiled. One player, the learner, tries all own actions; the opponent's behaviour is given. A
belief is a list of members: the states in which the learner may be, given what the learner knows,
each with what the opponent knows there and the probability by chance and the opponent. The learner
goes down depth first from belief to belief; members without probability are left out, so that the
work grows with the opponent's actions in use. Rows of information sets are made when they are first
visited. For two players.

Probabilities have `PART` bits behind the point in learning, and `FINE` bits in best responses.
"""

from __future__ import annotations

from gamedsl.compiler.records import Array, Arrays, Record, Rows
from gamedsl.solvers.histories.form_kernel import Graph
from gamedsl.solvers.histories.pairs_kernel import Pairs, pair_number

PART = 30
WHOLE = 1073741824
ROUGH = 12
DROPPED = 16
LARGE = 4294967296
FINE = 44
SHARES = 65536
CHANCE = -1
TERMINAL = -4
LEARNS = 0
RESPONDS = 1
GOES_ON = 0
NO_ROOM = 1
BROKEN_OFF = 2
HEAD = 2


class Member(Record):
    """A state of a belief: what the learner and the opponent know there, the probability of the
    state by chance and the opponent, and the opponent's part of it; `link` joins members of one
    belief: the next member's place, plus 1.
    """

    state: int
    mine: int
    theirs: int
    reach: int
    plan: int
    link: int


class BeliefNotes(Record):
    """learner, opponent: the players.
    purpose: LEARNS or RESPONDS.
    tries: number of times in a play at which the learner tries actions that are not in use.
    weight: the weight of the round in the mean.
    round: the number of the round, at least 1.
    rows: the end of the rows of information sets.
    members: number of members visited in all.
    most: number of members at which the work is broken off.
    status: GOES_ON, NO_ROOM or BROKEN_OFF.
    lost: probability lost by rounding, in units of `FINE` bits.
    least: actions of the mean with a smaller part, in units of 1 / `SHARES`, are not played.
    widest: the greatest number of actions of a state.
    sets, actions: number of information sets with a row, and of their actions.
    """

    learner: int
    opponent: int
    purpose: int
    tries: int
    weight: int
    round: int
    rows: int
    members: int
    most: int
    status: int
    lost: int
    least: int
    widest: int
    sets: int
    actions: int


class Beliefs(Arrays):
    """items: int64[edges, 2]: a player's observations of an edge and the state behind as a number;
        empty with chance events, which may show nothing.
    lasts: int64[knowledge]: the last view in what is known; empty with `items`.
    row_of: int64[knowledge]: the row of the information set, plus 1; 0: none.
    heads: int64[knowledge]: working space for grouping.
    rows: int64[]: of each information set: round of the last mean, number of actions, regrets of
        the actions, then sums of plans.
    stack: Rows[Member]; groups: int64[]: what the learner knows in the beliefs of a step.
    gains: int64[depth, widest]: values of actions.
    paid: int64[states, 2]: payoffs less than 2**28.
    """

    items: Array
    lasts: Array
    row_of: Array
    heads: Array
    rows: Array
    stack: Rows[Member]
    groups: Array
    gains: Array
    paid: Array
    notes: BeliefNotes


def learn_more(
    known: int, edge: int, player: int, graph: Graph, all_known: Pairs, learnt: Beliefs
) -> int:
    """What a player knows behind an edge."""
    if len(learnt.items) > 0:
        return pair_number(known, learnt.items[2 * edge + player], all_known)
    heard = graph.heard[2 * edge + player]
    if heard >= 0:
        number = pair_number(known, heard, all_known)
        learnt.lasts[number] = learnt.lasts[known]
        known = number
    seen = graph.views[2 * graph.nexts[edge] + player]
    if learnt.lasts[known] != seen:
        known = pair_number(known, seen, all_known)
        learnt.lasts[known] = seen
    return known


def merge(graph: Graph, pairs: Pairs, items: Array) -> int:
    """Number the observations of an edge and the state behind, for each player."""
    for place in range(len(items)):
        view = graph.views[2 * graph.nexts[place >> 1] + (place & 1)]
        items[place] = pair_number(graph.heard[place], view, pairs)
    return pairs.notes.used


def row_for(known: int, width: int, learnt: Beliefs) -> int:
    """The row of an information set, which is made if there is none; -1: there is no room."""
    row: int = learnt.row_of[known] - 1
    if row >= 0:
        return row
    row = learnt.notes.rows
    if row + HEAD + 2 * width > len(learnt.rows):
        learnt.notes.status = NO_ROOM
        return -1
    learnt.row_of[known] = row + 1
    learnt.rows[row + 1] = width
    learnt.notes.rows = row + HEAD + 2 * width
    learnt.notes.sets += 1
    learnt.notes.actions += width
    return row


def total_of(first: int, width: int, learnt: Beliefs) -> int:
    """The sum of the positive numbers of a part of a row."""
    total = 0
    for place in range(first, first + width):
        total += max(0, learnt.rows[place])
    return total


def share_of(wanted: int, total: int, whole: int) -> int:
    """`wanted` / `total` in units of 1 / `whole`."""
    shift = 0
    while (total >> shift) >= LARGE:
        shift += 1
    if wanted <= 0:
        return 0
    return ((wanted >> shift) * whole) // (total >> shift)


def add_to_mean(row: int, width: int, plan: int, learnt: Beliefs) -> int:
    """Add the opponent's present behaviour in an information set to the mean, once a round."""
    notes = learnt.notes
    if learnt.rows[row] == notes.round:
        return 0
    learnt.rows[row] = notes.round
    total = total_of(row + HEAD, width, learnt)
    for place in range(row + HEAD, row + HEAD + width):
        share = 0
        if total > 0:
            share = share_of(learnt.rows[place], total, WHOLE)
        elif place == row + HEAD:
            share = WHOLE
        learnt.rows[place + width] += notes.weight * ((plan * share) >> 40)
    return 1


def mean_share(row: int, width: int, turn: int, learnt: Beliefs) -> int:
    """The part of an action in the mean, in units of 1 / SHARES. Rare actions are left out; the
    most frequent action has the rest."""
    first = row + HEAD + width
    total = total_of(first, width, learnt)
    best = 0
    rest = SHARES
    mine = 0
    for place in range(width):
        share = 0
        if total > 0:
            share = share_of(learnt.rows[first + place], total, SHARES)
        if share < learnt.notes.least:
            share = 0
        rest -= share
        if learnt.rows[first + place] > learnt.rows[first + best]:
            best = place
        if place == turn:
            mine = share
    if turn == best:
        mine += rest
    return mine


def push(
    state: int, mine: int, theirs: int, reach: int, plan: int, top: int, learnt: Beliefs
) -> int:
    """Add a member to the stack; return the new top."""
    learnt.stack[top].state = state
    learnt.stack[top].mine = mine
    learnt.stack[top].theirs = theirs
    learnt.stack[top].reach = reach
    learnt.stack[top].plan = plan
    return top + 1


def open_opponent(at: int, top: int, graph: Graph, all_known: Pairs, learnt: Beliefs) -> int:
    """Add the members behind a member in which the opponent moves; return the new top."""
    notes = learnt.notes
    state = learnt.stack[at].state
    width = graph.firsts[state + 1] - graph.firsts[state]
    theirs = learnt.stack[at].theirs
    row = learnt.row_of[theirs] - 1
    total = 0
    if notes.purpose == LEARNS:
        row = row_for(theirs, width, learnt)
        if row < 0:
            return top
        add_to_mean(row, width, learnt.stack[at].plan, learnt)
        total = total_of(row + HEAD, width, learnt)
    for turn in range(width):
        share = 0
        reach = 0
        plan = 0
        if notes.purpose == LEARNS:
            if total > 0:
                share = share_of(learnt.rows[row + HEAD + turn], total, WHOLE)
            elif turn == 0:
                share = WHOLE
            reach = (learnt.stack[at].reach * share) >> PART
            plan = (learnt.stack[at].plan * share) >> PART
        else:
            if row >= 0:
                share = mean_share(row, width, turn, learnt)
            elif turn == 0:
                share = SHARES
            reach = (learnt.stack[at].reach * share) >> 16
            notes.lost += 1
        if reach > 0:
            edge = graph.firsts[state] + turn
            top = push(
                graph.nexts[edge],
                learn_more(learnt.stack[at].mine, edge, notes.learner, graph, all_known, learnt),
                learn_more(theirs, edge, notes.opponent, graph, all_known, learnt),
                reach,
                plan,
                top,
                learnt,
            )
    return top


def open_chance(at: int, top: int, graph: Graph, all_known: Pairs, learnt: Beliefs) -> int:
    """Add the members behind a chance event; return the new top."""
    notes = learnt.notes
    state = learnt.stack[at].state
    for edge in range(graph.firsts[state], graph.firsts[state + 1]):
        reach = learnt.stack[at].reach // graph.totals[state] * graph.weights[edge]
        notes.lost += graph.totals[state]
        if reach > 0:
            top = push(
                graph.nexts[edge],
                learn_more(learnt.stack[at].mine, edge, notes.learner, graph, all_known, learnt),
                learn_more(learnt.stack[at].theirs, edge, notes.opponent, graph, all_known, learnt),
                reach,
                learnt.stack[at].plan,
                top,
                learnt,
            )
    return top


def settle(begin: int, top: int, graph: Graph, all_known: Pairs, learnt: Beliefs) -> int:
    """Go on from the members of a part of the stack to decisions of the learner, which are linked,
    and to endings. Returns the value of the endings; the new top is the place of the last
    member's link, in `notes` no more: it is written to `groups[0]`.
    """
    notes = learnt.notes
    value = 0
    at = begin
    while at < top:
        if top + 4096 > len(learnt.stack):
            notes.status = NO_ROOM
        if notes.members >= notes.most:
            notes.status = BROKEN_OFF
        if all_known.notes.used + 8192 > len(all_known.parts) // 2 or (
            learnt.groups[1] + 2 >= len(learnt.groups)
        ):
            notes.status = NO_ROOM
        if notes.status != GOES_ON:
            learnt.groups[0] = top
            return value
        notes.members += 1
        state = learnt.stack[at].state
        mover = graph.movers[state]
        if mover == TERMINAL:
            gain = learnt.stack[at].reach * learnt.paid[2 * state + notes.learner]
            if notes.purpose == LEARNS:
                gain = gain >> DROPPED
            value += gain
        elif mover == notes.learner:
            mine = learnt.stack[at].mine
            if learnt.heads[mine] == 0:
                count = learnt.groups[1] + 1
                learnt.groups[count] = mine
                learnt.groups[1] = count
            learnt.stack[at].link = learnt.heads[mine]
            learnt.heads[mine] = at + 1
        elif mover == CHANCE:
            top = open_chance(at, top, graph, all_known, learnt)
        else:
            top = open_opponent(at, top, graph, all_known, learnt)
        at += 1
    learnt.groups[0] = top
    return value


def visit_groups(
    first_group: int,
    top: int,
    depth: int,
    tries: int,
    graph: Graph,
    all_known: Pairs,
    learnt: Beliefs,
) -> int:
    """The value of the beliefs found by `settle`; members of each are copied together."""
    value = 0
    last_group = learnt.groups[1]
    for group in range(first_group, last_group + 1):
        mine = learnt.groups[group]
        link = learnt.heads[mine]
        learnt.heads[mine] = 0
        end = top
        while link > 0:
            at = link - 1
            end = push(
                learnt.stack[at].state,
                mine,
                learnt.stack[at].theirs,
                learnt.stack[at].reach,
                learnt.stack[at].plan,
                end,
                learnt,
            )
            link = learnt.stack[at].link
        if learnt.notes.status == GOES_ON:
            value += visit(top, end, depth, tries, graph, all_known, learnt)
    learnt.groups[1] = first_group - 1
    return value


def visit(
    begin: int,
    end: int,
    depth: int,
    tries: int,
    graph: Graph,
    all_known: Pairs,
    learnt: Beliefs,
) -> int:
    """The value of a belief in which the learner moves: with the learner's behaviour, which is
    improved, or with the best response."""
    notes = learnt.notes
    mine = learnt.stack[begin].mine
    state = learnt.stack[begin].state
    width = graph.firsts[state + 1] - graph.firsts[state]
    wide = notes.widest
    row = -1
    total = 0
    if notes.purpose == LEARNS:
        row = row_for(mine, width, learnt)
        if row < 0:
            return 0
        total = total_of(row + HEAD, width, learnt)
    best = 0
    for turn in range(width):
        left = tries
        if notes.purpose == LEARNS and not is_used(row, turn, total, learnt):
            left -= 1
        if left < 0:
            continue
        top = end
        for at in range(begin, end):
            edge = graph.firsts[learnt.stack[at].state] + turn
            top = push(
                graph.nexts[edge],
                learn_more(mine, edge, notes.learner, graph, all_known, learnt),
                learn_more(learnt.stack[at].theirs, edge, notes.opponent, graph, all_known, learnt),
                learnt.stack[at].reach,
                learnt.stack[at].plan,
                top,
                learnt,
            )
        first_group = learnt.groups[1] + 1
        gain = settle(end, top, graph, all_known, learnt)
        top = learnt.groups[0]
        gain += visit_groups(first_group, top, depth + 1, left, graph, all_known, learnt)
        if notes.status != GOES_ON:
            return 0
        learnt.gains[depth * wide + turn] = gain
        if turn == 0 or gain > best:
            best = gain
    if notes.purpose == RESPONDS:
        return best
    return improve(row, width, tries, depth * wide, learnt)


def is_used(row: int, turn: int, total: int, learnt: Beliefs) -> bool:
    """Whether an action is in use: without regrets, the first action is."""
    if total == 0:
        return turn == 0
    regret: int = learnt.rows[row + HEAD + turn]
    return regret > 0


def improve(row: int, width: int, tries: int, first: int, learnt: Beliefs) -> int:
    """Update the regrets of an information set; return the value of the present behaviour."""
    value = 0
    total = total_of(row + HEAD, width, learnt)
    if total == 0:
        value = learnt.gains[first]
    else:
        for turn in range(width):
            share = share_of(learnt.rows[row + HEAD + turn], total, WHOLE)
            value += share * (learnt.gains[first + turn] >> ROUGH)
        value = value >> (PART - ROUGH)
    for turn in range(width):
        place = row + HEAD + turn
        if tries > 0 or is_used(row, turn, total, learnt):
            regret = learnt.rows[place] + learnt.gains[first + turn] - value
            learnt.rows[place] = max(0, regret)
    return value


def explore(graph: Graph, all_known: Pairs, learnt: Beliefs) -> int:
    """Go through all beliefs of the learner from the first state, which is the first member."""
    learnt.groups[1] = 1
    value = settle(0, 1, graph, all_known, learnt)
    top = learnt.groups[0]
    return value + visit_groups(2, top, 0, learnt.notes.tries, graph, all_known, learnt)
