"""Solutions from strategies in the extensive form, and from lists of equilibria."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from gamedsl.solvers.decimals import DisplayedValues
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.informed_play import FormPlay
from gamedsl.solvers.equilibria.local_strategies import local_strategies
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.exact.outcomes import chance_of_winning, outcome_by_chance
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.normal_form.quantal_response import QuantalResponse
from gamedsl.solvers.normal_form.solve import Equilibria
from gamedsl.solvers.solution import Others, Profile, Solution, Status, with_evidence
from gamedsl.solvers.verdicts import Outcome

ZERO = Fraction(0)


def solution_from_form(
    form: ExtensiveForm, profile: tuple[Behaviour, ...], value: Vector, bound: Fraction = ZERO
) -> Solution:
    """The solution of an exact or approximate equilibrium of an extensive form.

    The value of the first position is known within the bound; strategies cover all players.
    """
    size, outcomes = form.size, form.outcomes
    value, _, error = DisplayedValues(bound, outcomes).of(value, ())
    outcome = outcome_by_chance(form.game.facts, value, error, outcomes, lambda: True)
    return Solution(
        form.game,
        Status.WEAK,
        size.positions,
        size.terminals,
        size.chance_nodes,
        value,
        error,
        Outcome.BOUNDS if error else outcome,
        win_probability=None if error else chance_of_winning(value, outcomes, lambda: True),
        evidence=Profile(size, FormPlay(form, profile), local_strategies(form, profile)),
    )


def unsettled_from_form(
    form: ExtensiveForm,
    profile: tuple[Behaviour, ...],
    paid: Vector,
    status: Status = Status.OPEN,
) -> Solution:
    """The solution of strategies that need not form an equilibrium: strategies without a value."""
    solution = replace(
        solution_from_form(form, profile, paid),
        status=status,
        value=None,
        outcome_form=Outcome.MODEL if status is Status.MODEL else Outcome.UNSETTLED,
        win_probability=None,
    )
    return with_evidence(solution, paid=paid)


def solution_from_response(form: ExtensiveForm, response: QuantalResponse) -> Solution:
    """The solution of a quantal response equilibrium: strategies and payoffs under the model."""
    solution = unsettled_from_form(form, response.profile, response.paid, Status.MODEL)
    return with_evidence(solution, response=response)


def with_equilibria(solution: Solution, equilibria: Equilibria) -> Solution:
    """Adds all equilibria of the first position; `solution` belongs to the first equilibrium."""
    return with_evidence(
        replace(
            solution,
            outcome_form=Outcome.EQUILIBRIA,
            alternatives=equilibria.values[1:],
            win_probability=None,
            others=others_of(equilibria),
        ),
        equilibria=equilibria,
    )


def others_of(equilibria: Equilibria) -> Others:
    """Knowledge about equilibria besides the first of a list."""
    if equilibria.why_more is not None:
        return Others.POSSIBLE
    return Others.NONE if equilibria.is_only else Others.LISTED
