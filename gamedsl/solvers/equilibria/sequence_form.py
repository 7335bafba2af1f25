"""Optimal behaviour of two players with opposed interests, by the sequence form.

In: an extensive form. Out: behaviour of both that is an equilibrium, as exact fractions. Each plans
a weight for each sequence of own moves; the payoff is then linear in the weights of one player, and
a linear program finds the plan whose least payoff is greatest (Koller, Megiddo and von Stengel,
"Efficient computation of equilibria for extensive two-person games", Games and Economic Behavior
14, 1996). Nothing here is taken on trust: `best_response` says what the behaviour is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, InformationSet
from gamedsl.solvers.equilibria.linear_program import all_optima, maximize

Behaviour = tuple[tuple[Fraction, ...], ...]
"""For each information set of a player the probability of each action."""
ZERO, ONE = Fraction(0), Fraction(1)


def optimal_behaviour(
    form: ExtensiveForm, tick: Callable[[], None] = lambda: None
) -> tuple[Behaviour, Behaviour]:
    """Behaviour of two players with opposed interests from which neither gains by another.

    The program is that of the first player, with all payoffs made positive: then a plan may leave
    weight unused, which is never of use, and the search can begin with the plan that does nothing.
    Its variables are the weights of the sequences (all but the empty one), then what the
    opponent's information sets are worth to the first player; its constraints: no more weight goes
    on than comes, and an information set is worth no more than any action there leaves. The
    opponent's weights are the prices of these.
    """
    mine, other = form.sets
    objective, constraints, variables = _program(form)
    optimum = maximize(objective, constraints, variables, tick)
    prices = optimum.prices[len(mine) :]
    return behaviour(mine, optimum.variables), behaviour(other, prices)


def optimal_corners(form: ExtensiveForm, player: int, most: int) -> tuple[Behaviour, ...] | None:
    """Behaviour of one of two players with opposed interests that is optimal, and of which all
    other optimal plans are mixtures; None where more than `most` tableaus lead there."""
    seen = form if player == 0 else mirrored(form)
    found = all_optima(*_program(seen), most)
    if found is None:
        return None
    return tuple(dict.fromkeys(behaviour(seen.sets[0], one) for one in found))


def mirrored(form: ExtensiveForm) -> ExtensiveForm:
    """The same game with the second player in the place of the first; but for its tree."""
    size = replace(form.size, sequences=form.size.sequences[::-1])
    payoffs = {own[::-1]: paid[::-1] for own, paid in form.payoffs.items()}
    chances = {own[::-1]: chance for own, chance in form.chances.items()}
    return replace(form, sets=form.sets[::-1], payoffs=payoffs, chances=chances, size=size)


Program = tuple[dict[int, Fraction], list[tuple[dict[int, Fraction], Fraction]], int]


def _program(form: ExtensiveForm) -> Program:
    """The objective, the constraints and the number of variables."""
    mine, other = form.sets
    weights = form.size.sequences[0] - 1
    lift = ONE - min(u[0] / form.chances[own] for own, u in form.payoffs.items())
    constraints: list[tuple[dict[int, Fraction], Fraction]] = []
    for found in mine:
        row = dict.fromkeys((sequence - 1 for sequence in found.sequences), ONE)
        constraints.append(_bounded(row, found.parent))
    rows: list[dict[int, Fraction]] = [{} for _ in range(form.size.sequences[1])]
    rests = [ZERO] * form.size.sequences[1]
    for (own, others), payoffs in form.payoffs.items():
        lifted = payoffs[0] + lift * form.chances[own, others]
        if own:
            rows[others][own - 1] = -lifted
        else:
            rests[others] = lifted
    for place, found in enumerate(other):
        for sequence in found.sequences:
            rows[sequence][weights + place] = ONE
        rows[found.parent][weights + place] = -ONE
    objective = {column: -entry for column, entry in rows[0].items()}
    constraints += zip(rows[1:], rests[1:], strict=True)
    return objective, constraints, weights + len(other)


def _bounded(row: dict[int, Fraction], parent: int) -> tuple[dict[int, Fraction], Fraction]:
    """No more weight goes on than comes: 1 at the start, else that of the parent."""
    return ({**row, parent - 1: -ONE}, ZERO) if parent else (row, ONE)


def behaviour(sets: Sequence[InformationSet], weights: Sequence[Fraction]) -> Behaviour:
    """What weights of sequences (the empty one left out) say to do in each information set; the
    first action where they say nothing."""
    found = []
    for information_set in sets:
        own = [weights[sequence - 1] for sequence in information_set.sequences]
        total = sum(own, ZERO)
        if total:
            found.append(tuple(weight / total for weight in own))
        else:
            found.append((ONE, *(ZERO for _ in own[1:])))
    return tuple(found)
