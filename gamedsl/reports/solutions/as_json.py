"""A solution as data in the schema of docs/machine_interface.md. Exact numbers are text."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from gamedsl.reports.json_text import data_of
from gamedsl.reports.phrases import Payoffs, bound_text, decimal_text
from gamedsl.reports.solutions.policy import local_data
from gamedsl.solvers.solution import MoveValue, Solution

if TYPE_CHECKING:
    from gamedsl.solvers.equilibria.learning_curve import LearningCurve
    from gamedsl.solvers.normal_form.quantal_response import QuantalResponse
    from gamedsl.solvers.normal_form.solve import Equilibria


def solution_data(solution: Solution) -> dict[str, object]:
    """The solution without the policy, JSON-ready."""
    return data_of(
        solution,
        "game parameters players status value error_bound outcome win_probability positions "
        "terminals chance_nodes left_out best progress undecided moves outcomes plies "
        "line=principal_variation others ties ties_note=ties plan strategies optimal_plans "
        "extensive_form equilibria kind learning response proved limit ways solver seconds",
        parameters=dict(solution.parameters),
        value=_vector(solution, solution.value),
        error_bound=bound_text(solution.error_bound),
        outcome=None if solution.value is None else solution.outcome,
        win_probability=_number(solution, solution.win_probability),
        moves=[_move(solution, move) for move in solution.moves],
        outcomes=outcomes_data(solution),
        ties=[_vector(solution, payoffs) for payoffs in solution.alternatives],
        plan=[
            {"seen": list(step.seen), "best": list(step.best), "value": [str(step.value)]}
            for step in solution.plan
        ],
        strategies=[local_data(solution.players, local) for local in solution.strategies],
        optimal_plans=[
            {
                "player": solution.players[family.player],
                "corners": [
                    [
                        {
                            "seen": [*local.drawn, *local.seen],
                            "choices": {name: str(chance) for name, chance in local.choices},
                        }
                        for local in corner
                    ]
                    for corner in family.corners
                ],
            }
            for family in solution.families
        ],
        extensive_form=None if solution.form is None else data_of(
            solution.form, "histories information_sets sequences"
        ),
        equilibria=None if solution.equilibria is None else _equilibria(solution.equilibria),
        learning=None if solution.learning is None else _learning(solution.learning),
        response=None if solution.response is None else _response(solution.response),
        seconds=round(solution.seconds, 6),
    )  # fmt: skip


def _equilibria(equilibria: Equilibria) -> dict[str, object]:
    from gamedsl.reports.solutions.equilibria import equilibria_data

    return equilibria_data(equilibria)


def _learning(curve: LearningCurve) -> dict[str, object]:
    marks = [{"rounds": rounds, "exploitability": bound_text(gain)} for rounds, gain in curve.marks]
    return data_of(curve, "rounds seed exploitability", exploitability=marks)


def _response(response: QuantalResponse) -> dict[str, object]:
    return data_of(
        response,
        "rationality residual paid gains turns crossings",
        residual=bound_text(response.residual),
        paid=[decimal_text(payoff) for payoff in response.paid],
        gains=[decimal_text(payoff) for payoff in response.gains],
    )


def outcomes_data(solution: Solution) -> list[dict[str, object]]:
    """The results of a chance event at the start of the position, if present."""
    return [
        data_of(
            outcome, "outcome=name probability value best", value=_vector(solution, outcome.value)
        )
        for outcome in solution.first_outcomes
    ]


def _move(solution: Solution, move: MoveValue) -> dict[str, object]:
    names = "move=name value plies best=is_best progress=makes_progress"
    return data_of(move, names, value=_vector(solution, move.value))


def _vector(solution: Solution, payoffs: Payoffs | None) -> list[str | None] | None:
    return None if payoffs is None else [_number(solution, payoff) for payoff in payoffs]


def _number(solution: Solution, number: Fraction | None) -> str | None:
    if number is None:
        return None
    return decimal_text(number) if solution.error_bound else str(number)
