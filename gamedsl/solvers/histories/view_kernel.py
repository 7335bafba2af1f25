"""Regret minimisation on a graph of states, for strategies that depend on the present view alone.

A kernel (docs/CONTRIBUTING.md): plain functions over numbers and flat arrays, run as Python or
compiled. A set is a player's view of the states in which the player chooses; a set has the player's
choices as actions. A round of a player passes through the states forwards, for the probability of
each, and backwards, for the value of each: histories with equal states are never told apart.

Probabilities of actions have `PART` bits behind the point, and probabilities of states `FINE` bits;
values are less than 2**28.
"""

from __future__ import annotations

from gamedsl.compiler.records import Array, Arrays, Record
from gamedsl.solvers.histories.form_kernel import Graph
from gamedsl.solvers.histories.pairs_kernel import Pairs, pair_number
from gamedsl.solvers.histories.shares_kernel import ALL_SHARES, LONG, share_of, write_shares

PART = 20
FINE = 40
CERTAIN = 1099511627776
MOST_REACH = 144115188075855872
ROUGH = 8
UNLIKE = -1
CHANCE = -1
TERMINAL = -4
SLIP = 7


class ViewNotes(Record):
    """players: number of players.
    learner: the player who learns, or whose best response is sought.
    weight: the weight of the round in the mean.
    slip: the part of all actions alike in the behaviour, in units of 1 / `ALL_SHARES`.
    least: actions of the mean with a smaller part, in units of 1 / `ALL_SHARES`, are not played.
    sets, actions: number of sets of all players, and of their actions.
    """

    players: int
    learner: int
    weight: int
    slip: int
    least: int
    sets: int
    actions: int


class Plans(Arrays):
    """order: int64[states]: the states, each before its successors.
    entered: int64[states, players]: the set of a player who chooses; -1: none.
    chosen: int64[edges, players]: the action of a player who chooses; -1: none.
    firsts, owners: int64[sets + 1], int64[sets]: the first action of a set, and its player.
    local, mean: int64[actions]: probability of an action in its set, at present and in the mean.
    shaken: int64[actions]: as `local`, with a part 1 / 2**SLIP for all actions alike.
    regrets, gains, totals: int64[actions]: sums of regrets, values in this round, sums of plans.
    reached: int64[states]: the probability of a state, if the learner slips as in `shaken`.
    alone: int64[states]: sum over histories of the probability by chance and the other players.
    values: int64[states]: expected payoff of the learner. paid: int64[states, players].
    seen, seen_alone: int64[sets]: sums of `reached` and `alone`.
    """

    order: Array
    entered: Array
    chosen: Array
    firsts: Array
    owners: Array
    local: Array
    mean: Array
    shaken: Array
    regrets: Array
    gains: Array
    totals: Array
    reached: Array
    alone: Array
    values: Array
    paid: Array
    seen: Array
    seen_alone: Array
    notes: ViewNotes


def number_sets(graph: Graph, views: Pairs, offers: Array, plans: Plans) -> int:
    """Number the sets and their actions; the number of actions, or `UNLIKE` if choices differ
    within a set. offers: int64[sets]: working space."""
    notes = plans.notes
    players = notes.players
    for state in range(len(graph.movers)):
        for player in range(players):
            place = state * players + player
            plans.entered[place] = -1
            if graph.widths[place] > 0:
                number = pair_number(graph.views[place], player, views)
                if number == notes.sets:
                    notes.sets = number + 1
                    offers[number] = graph.choices[place]
                    plans.owners[number] = player
                    plans.firsts[number] = notes.actions
                    notes.actions += graph.widths[place]
                    plans.firsts[number + 1] = notes.actions
                if offers[number] != graph.choices[place]:
                    return UNLIKE
                plans.entered[place] = number
        for edge in range(graph.firsts[state], graph.firsts[state + 1]):
            turn = edge - graph.firsts[state]
            for back in range(players):
                place = state * players + players - 1 - back
                action = -1
                if plans.entered[place] >= 0:
                    action = plans.firsts[plans.entered[place]] + turn % graph.widths[place]
                    turn = turn // graph.widths[place]
                plans.chosen[edge * players + players - 1 - back] = action
    return notes.actions


def part_of(amount: int, share: int) -> int:
    """A part of a probability."""
    if amount >= LONG:
        return (amount >> PART) * share
    return (amount * share) >> PART


def act(number: int, plans: Plans) -> int:
    """Choose in a set in proportion to regrets; uniformly if there are none, and with the
    probability of a slip."""
    first = plans.firsts[number]
    behind = plans.firsts[number + 1]
    total = write_shares(first, behind, 0, plans.regrets, plans.local)
    slip = plans.notes.slip // (behind - first)
    for action in range(first, behind):
        share = plans.local[action] - part_of(plans.notes.slip, plans.local[action]) + slip
        plans.local[action] = share
        plans.shaken[action] = share - (share >> SLIP) + (ALL_SHARES >> SLIP) // (behind - first)
    return total


def begin(plans: Plans) -> int:
    """Choose uniformly in all sets."""
    for number in range(plans.notes.sets):
        act(number, plans)
    return plans.notes.sets


def others_share(edge: int, probabilities: Array, plans: Plans) -> int:
    """The probability that the players besides the learner take an edge."""
    share = ALL_SHARES
    first = edge * plans.notes.players
    for player in range(plans.notes.players):
        action = plans.chosen[first + player]
        if action >= 0 and player != plans.notes.learner:
            share = (share * probabilities[action]) >> PART
    return share


def pass_forwards(graph: Graph, plans: Plans) -> int:
    """The probabilities of the states."""
    states = len(graph.movers)
    learner = plans.notes.learner
    players = plans.notes.players
    for state in range(states):
        plans.reached[state] = 0
        plans.alone[state] = 0
    plans.reached[0] = CERTAIN
    plans.alone[0] = CERTAIN
    for place in range(states):
        state = plans.order[place]
        alone = min(MOST_REACH, plans.alone[state])
        reached = plans.reached[state]
        if alone == 0:
            continue
        for edge in range(graph.firsts[state], graph.firsts[state + 1]):
            behind = graph.nexts[edge]
            if graph.movers[state] == CHANCE:
                weight = graph.weights[edge]
                plans.alone[behind] += alone // graph.totals[state] * weight
                plans.reached[behind] += reached // graph.totals[state] * weight
            else:
                share = others_share(edge, plans.local, plans)
                plans.alone[behind] += part_of(alone, share)
                reach = part_of(reached, share)
                action = plans.chosen[edge * players + learner]
                if action >= 0:
                    reach = part_of(reach, plans.shaken[action])
                plans.reached[behind] += reach
    return states


def value_of(state: int, graph: Graph, plans: Plans) -> int:
    """The expected payoff of the learner behind a state; gains of the learner's actions there."""
    learner = plans.notes.learner
    players = plans.notes.players
    value = 0
    for edge in range(graph.firsts[state], graph.firsts[state + 1]):
        behind = plans.values[graph.nexts[edge]]
        if graph.movers[state] == CHANCE:
            value += behind * graph.weights[edge]
        else:
            gain = behind * others_share(edge, plans.local, plans)
            action = plans.chosen[edge * players + learner]
            if action >= 0:
                gain = gain >> PART
                plans.gains[action] += plans.reached[state] * (gain >> ROUGH)
                gain = gain * plans.local[action]
            value += gain
    if graph.movers[state] == CHANCE:
        value = value // graph.totals[state]
    else:
        value = value >> PART
    return value


def pass_backwards(graph: Graph, plans: Plans) -> int:
    """The values of the states and of the learner's actions; returns the value of the first."""
    learner = plans.notes.learner
    players = plans.notes.players
    states = len(graph.movers)
    for action in range(plans.notes.actions):
        plans.gains[action] = 0
    for number in range(plans.notes.sets):
        plans.seen[number] = 0
        plans.seen_alone[number] = 0
    for back in range(states):
        state = plans.order[states - 1 - back]
        if graph.movers[state] == TERMINAL:
            plans.values[state] = plans.paid[state * players + learner]
        else:
            plans.values[state] = value_of(state, graph, plans)
            number = plans.entered[state * players + learner]
            if number >= 0:
                plans.seen[number] += plans.reached[state]
                alone = plans.seen_alone[number] + plans.alone[state]
                plans.seen_alone[number] = min(MOST_REACH, alone)
    first: int = plans.values[0]
    return first


def improve(number: int, plans: Plans) -> int:
    """Update the regrets and the mean of a set: a regret is the mean gain over the states of the
    set, times their probability without the learner."""
    seen = plans.seen[number]
    alone = plans.seen_alone[number]
    if seen == 0:
        return 0
    first = plans.firsts[number]
    behind = plans.firsts[number + 1]
    value = 0
    for action in range(first, behind):
        value += (plans.gains[action] >> PART) * plans.local[action]
    played = share_of(seen, alone)
    for action in range(first, behind):
        regret = (plans.gains[action] - value) // seen
        if alone > CERTAIN:
            regret = regret * (alone >> 30)
        else:
            regret = (regret * alone) >> 30
        plans.regrets[action] = max(0, plans.regrets[action] + regret)
        share = (played * plans.local[action]) >> (PART - 6)
        plans.totals[action] += plans.notes.weight * share
    return act(number, plans)


def learn(graph: Graph, plans: Plans) -> int:
    """A round of the learner; returns the value of the first state before the round."""
    pass_forwards(graph, plans)
    value = pass_backwards(graph, plans)
    for number in range(plans.notes.sets):
        if plans.owners[number] == plans.notes.learner:
            improve(number, plans)
    return value


def take_mean(plans: Plans) -> int:
    """The mean of all rounds in each set. Rare actions are left out; the most frequent action has
    the rest."""
    for number in range(plans.notes.sets):
        first = plans.firsts[number]
        behind = plans.firsts[number + 1]
        write_shares(first, behind, plans.notes.least, plans.totals, plans.mean)
    return plans.notes.sets
