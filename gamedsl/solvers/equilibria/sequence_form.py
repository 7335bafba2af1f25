"""Optimal behaviour of two players with opposed interests, by the sequence form.

In: an extensive form. Out: an equilibrium in behaviour of both players, as exact fractions. Each
player plans a weight for each own sequence of moves; the payoff is linear in the weights of one
player, and a linear program finds the plan with the greatest guaranteed payoff (Koller, Megiddo and
von Stengel, "Efficient computation of equilibria for extensive two-person games", Games and
Economic Behavior 14, 1996). The result is not trusted: `best_response` verifies the value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, InformationSet
from gamedsl.solvers.equilibria.linear_program import all_optima, maximize

Behaviour = tuple[tuple[Fraction, ...], ...]
"""For each information set of a player, the probability of each action."""
ZERO, ONE = Fraction(0), Fraction(1)


def optimal_behaviour(
    form: ExtensiveForm, tick: Callable[[], None] = lambda: None
) -> tuple[Behaviour, Behaviour]:
    """Equilibrium behaviour of two players with opposed interests.

    The program is the first player's, with all payoffs made positive: then a plan may leave weight
    unused, which never pays, and the search can begin with the zero plan. Its variables are the
    weights of the sequences (except the empty sequence), then the values of the opponent's
    information sets for the first player. Its constraints: the weight leaving a set is at most the
    weight entering it, and an information set's value is at most the value after any of its
    actions. The opponent's weights are the dual prices of the latter constraints.
    """
    mine, theirs = form.sets
    objective, constraints, variables = _program(form)
    optimum = maximize(objective, constraints, variables, tick)
    prices = optimum.prices[len(mine) :]
    return behaviour(mine, optimum.variables), behaviour(theirs, prices)


def optimal_corners(form: ExtensiveForm, player: int, most: int) -> tuple[Behaviour, ...] | None:
    """The corners of the set of optimal plans of one of two players with opposed interests; every
    optimal plan is a mixture of corners. None if more than `most` tableaus would be needed."""
    seen = form if player == 0 else mirrored(form)
    corners = all_optima(*_program(seen), most)
    if corners is None:
        return None
    return tuple(dict.fromkeys(behaviour(seen.sets[0], weights) for weights in corners))


def mirrored(form: ExtensiveForm) -> ExtensiveForm:
    """The game with swapped players, without its tree."""
    size = replace(form.size, sequences=form.size.sequences[::-1])
    return replace(form, sets=form.sets[::-1], cells=form.cells.mirrored(), size=size, tree=None)


Program = tuple[dict[int, Fraction], list[tuple[dict[int, Fraction], Fraction]], int]


def _program(form: ExtensiveForm) -> Program:
    """The objective, the constraints and the number of variables."""
    mine, theirs = form.sets
    weights = form.size.sequences[0] - 1
    lift = ONE - min(u[0] / form.chances[sequences] for sequences, u in form.payoffs.items())
    constraints: list[tuple[dict[int, Fraction], Fraction]] = []
    for information_set in mine:
        row = dict.fromkeys((sequence - 1 for sequence in information_set.sequences), ONE)
        constraints.append(_bounded(row, information_set.parent))
    rows: list[dict[int, Fraction]] = [{} for _ in range(form.size.sequences[1])]
    rests = [ZERO] * form.size.sequences[1]
    for (played, opposing), payoffs in form.payoffs.items():
        lifted = payoffs[0] + lift * form.chances[played, opposing]
        if played:
            rows[opposing][played - 1] = -lifted
        else:
            rests[opposing] = lifted
    for place, information_set in enumerate(theirs):
        for sequence in information_set.sequences:
            rows[sequence][weights + place] = ONE
        rows[information_set.parent][weights + place] = -ONE
    objective = {column: -entry for column, entry in rows[0].items()}
    constraints += zip(rows[1:], rests[1:], strict=True)
    return objective, constraints, weights + len(theirs)


def _bounded(row: dict[int, Fraction], parent: int) -> tuple[dict[int, Fraction], Fraction]:
    """The weight leaving a set is at most the weight entering it: 1 at the start, else the
    parent's."""
    return ({**row, parent - 1: -ONE}, ZERO) if parent else (row, ONE)


def behaviour(sets: Sequence[InformationSet], weights: Sequence[Fraction]) -> Behaviour:
    """The behaviour in each information set by weights of sequences (without the empty sequence);
    the first action in sets of weight 0."""
    probabilities = []
    for information_set in sets:
        leaving = [weights[sequence - 1] for sequence in information_set.sequences]
        probabilities.append(shares_of(leaving))
    return tuple(probabilities)


def shares_of(weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Probabilities in proportion to weights; the first action where all weights are 0."""
    total = sum(weights, ZERO)
    if not total:
        return (ONE, *(ZERO for _ in weights[1:]))
    return tuple(weight / total for weight in weights)
