"""Regret minimisation and best responses on merged histories.

A kernel (docs/CONTRIBUTING.md): plain functions over numbers and flat arrays, run as Python or
compiled. Several sequences may lead to one information set, whose reach is the sum of theirs.
"""

from __future__ import annotations

from gamedsl.compiler.records import Array
from gamedsl.solvers.equilibria.regret_kernel import (
    DROPPED,
    Learnt,
    SequenceForm,
    Weights,
    act,
    regret,
)
from gamedsl.solvers.histories.shares_kernel import ALL_SHARES, write_shares
from gamedsl.solvers.merged.merged_kernel import FIELD, Merged

SHARE = 20


def arrange_merged(
    levels: int, places: Array, ranks: Array, form: SequenceForm, merged: Merged
) -> int:
    """Number sets and sequences anew, player after player, parents before children, and write the
    form; the cells get the new numbers.

    levels: number of levels. places: int64[sets], ranks: int64[sequences]: the new numbers.
    """
    place = 0
    sequence = 0
    for player in range(2):
        form.set_starts[player] = place
        form.sequence_starts[player] = sequence
        ranks[player] = sequence
        sequence += 1
        for level in range(levels):
            for old in range(merged.notes.sets):
                if merged.owners[old] == player and merged.levels[old] == level:
                    places[old] = place
                    form.firsts[place] = sequence
                    form.widths[place] = merged.widths[old]
                    for turn in range(merged.widths[old]):
                        ranks[merged.firsts[old] + turn] = sequence
                        sequence += 1
                    place += 1
    form.set_starts[2] = place
    form.sequence_starts[2] = sequence
    for at in range(merged.notes.links):
        form.enters[places[merged.links[2 * at]] + 1] += 1
    for number in range(place):
        form.enters[number + 1] += form.enters[number]
    for back in range(merged.notes.links):
        at = merged.notes.links - 1 - back
        number = places[merged.links[2 * at]] + 1
        form.enters[number] -= 1
        form.parents[form.enters[number]] = ranks[merged.links[2 * at + 1]]
    for number in range(place):
        form.enters[number] = form.enters[number + 1]
    form.enters[place] = merged.notes.links
    for at in range(merged.notes.cells):
        cell = merged.cells[at]
        amount = cell & 255
        second = (cell >> 8) & FIELD
        if amount > 1:
            second = ranks[second]
        merged.cells[at] = ranks[(cell >> 36) & FIELD] << 36 | second << 8 | amount
    return sequence


def weigh_merged(
    player: int, paid: Array, plan: Array, gains: Array, form: SequenceForm, merged: Merged
) -> int:
    """The gains of a player's sequences against the other's plan. paid: int64[amounts].

    A cell with an amount above 1 pays. The amount 1 - player leads a run of cells that pay only if
    the other's sequence has a part in the plan.
    """
    for sequence in range(form.sequence_starts[player], form.sequence_starts[player + 1]):
        gains[sequence] = 0
    own = 8 if player == 1 else 36
    sign = 1 - 2 * player
    at = 0
    while at < merged.notes.cells:
        cell = merged.cells[at]
        amount = cell & 255
        at += 1
        if amount > 1:
            share = plan[(cell >> 44 - own) & FIELD]
            gains[(cell >> own) & FIELD] += sign * share * paid[amount]
        elif amount == 1 - player and plan[(cell >> 36) & FIELD] == 0:
            at += (cell >> 8) & FIELD
    return at


def learn_merged(
    number: int,
    player: int,
    paid: Array,
    form: SequenceForm,
    merged: Merged,
    weighing: Weights,
    learnt: Learnt,
) -> int:
    """A player learns in a round."""
    low = form.sequence_starts[player]
    high = form.sequence_starts[player + 1]
    from_set = form.set_starts[player]
    to_set = form.set_starts[player + 1]
    weigh_merged(player, paid, learnt.plan, learnt.gains, form, merged)
    for sequence in range(low, high):
        learnt.gains[sequence] = learnt.gains[sequence] >> DROPPED
    gain_divisor = weighing.gain_divisors[number]
    loss_divisor = weighing.loss_divisors[number]
    regret(from_set, to_set, gain_divisor, loss_divisor, form, learnt)
    act(from_set, to_set, 0, form, learnt)
    for sequence in range(low, high):
        learnt.totals[sequence] += weighing.weights[number] * learnt.plan[sequence]
    return number


def take_plans(least: int, certain: int, form: SequenceForm, learnt: Learnt, judged: Learnt) -> int:
    """Write the mean of all rounds: shares to `local`, reaches to `plan`, in units of 1 /
    `certain`. Returns the greatest loss of a reach by rounding; `lasts` is working space."""
    most = 0
    for player in range(2):
        judged.plan[form.sequence_starts[player]] = certain
        judged.lasts[form.sequence_starts[player]] = 0
        for place in range(form.set_starts[player], form.set_starts[player + 1]):
            first = form.firsts[place]
            behind = first + form.widths[place]
            write_shares(first, behind, least, learnt.totals, judged.local)
            before = 0
            lost = 0
            for at in range(form.enters[place], form.enters[place + 1]):
                before += judged.plan[form.parents[at]]
                lost += judged.lasts[form.parents[at]]
            for sequence in range(first, behind):
                reach = before * judged.local[sequence]
                judged.plan[sequence] = reach >> SHARE
                judged.lasts[sequence] = lost
                if reach & (ALL_SHARES - 1) != 0:
                    judged.lasts[sequence] = lost + 1
                most = max(most, judged.lasts[sequence])
    return most


def best_reply(player: int, paid: Array, form: SequenceForm, merged: Merged, judged: Learnt) -> int:
    """The value of a player's best response to the other's judged plan."""
    weigh_merged(player, paid, judged.plan, judged.gains, form, merged)
    low = form.set_starts[player]
    high = form.set_starts[player + 1]
    for back in range(high - low):
        place = high - 1 - back
        first = form.firsts[place]
        best = judged.gains[first]
        for sequence in range(first, first + form.widths[place]):
            best = max(best, judged.gains[sequence])
        for at in range(form.enters[place], form.enters[place + 1]):
            judged.gains[form.parents[at]] += best
    value: int = judged.gains[form.sequence_starts[player]]
    return value
