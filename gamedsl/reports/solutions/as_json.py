"""A solution as data in the schema of docs/machine_interface.md. Exact numbers are text."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from gamedsl.reports.phrases import Payoffs, bound_text, decimal_text
from gamedsl.reports.solutions.policy import local_data
from gamedsl.solvers.solution import MoveValue, Solution

if TYPE_CHECKING:
    from gamedsl.solvers.equilibria.extensive_form import FormSize
    from gamedsl.solvers.equilibria.learning_curve import LearningCurve
    from gamedsl.solvers.normal_form.quantal_response import QuantalResponse
    from gamedsl.solvers.normal_form.solve import Equilibria


def solution_data(solution: Solution) -> dict[str, object]:
    """The solution without the policy, JSON-ready."""
    return {
        "game": solution.game,
        "parameters": dict(solution.parameters),
        "players": list(solution.players),
        "status": str(solution.status),
        "value": _vector(solution, solution.value),
        "error_bound": bound_text(solution.error_bound),
        "outcome": None if solution.value is None else solution.outcome,
        "win_probability": _number(solution, solution.win_probability),
        "positions": solution.positions,
        "terminals": solution.terminals,
        "chance_nodes": solution.chance_nodes,
        "left_out": list(solution.left_out),
        "best": list(solution.best),
        "progress": list(solution.progress),
        "undecided": list(solution.undecided),
        "moves": [_move(solution, move) for move in solution.moves],
        "outcomes": outcomes_data(solution),
        "plies": solution.plies,
        "line": list(solution.principal_variation),
        "others": str(solution.others),
        "ties": [_vector(solution, payoffs) for payoffs in solution.alternatives],
        "ties_note": solution.ties,
        "plan": [
            {"seen": list(step.seen), "best": list(step.best), "value": [str(step.value)]}
            for step in solution.plan
        ],
        "strategies": [local_data(solution.players, local) for local in solution.strategies],
        "optimal_plans": [
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
        "extensive_form": None if solution.form is None else _form(solution.form),
        "equilibria": (None if solution.equilibria is None else _equilibria(solution.equilibria)),
        "kind": solution.kind,
        "learning": None if solution.learning is None else _learning(solution.learning),
        "response": None if solution.response is None else _response(solution.response),
        "proved": solution.proved,
        "limit": None if solution.limit is None else str(solution.limit),
        "ways": list(solution.ways),
        "solver": None if solution.solver is None else str(solution.solver),
        "seconds": round(solution.seconds, 6),
    }


def _equilibria(equilibria: Equilibria) -> dict[str, object]:
    from gamedsl.reports.solutions.equilibria import equilibria_data

    return equilibria_data(equilibria)


def _form(size: FormSize) -> dict[str, object]:
    return {
        "histories": size.histories,
        "information_sets": list(size.information_sets),
        "sequences": list(size.sequences),
    }


def _learning(curve: LearningCurve) -> dict[str, object]:
    return {
        "rounds": curve.rounds,
        "seed": curve.seed,
        "exploitability": [
            {"rounds": rounds, "exploitability": bound_text(gain)} for rounds, gain in curve.marks
        ],
    }


def _response(response: QuantalResponse) -> dict[str, object]:
    return {
        "rationality": str(response.rationality),
        "residual": bound_text(response.residual),
        "paid": [decimal_text(payoff) for payoff in response.paid],
        "gains": [decimal_text(payoff) for payoff in response.gains],
        "turns": list(response.turns),
        "crossings": list(response.crossings),
    }


def outcomes_data(solution: Solution) -> list[dict[str, object]]:
    """The results of a chance event at the start of the position, if present."""
    return [
        {
            "outcome": outcome.name,
            "probability": str(outcome.probability),
            "value": _vector(solution, outcome.value),
            "best": list(outcome.best),
        }
        for outcome in solution.first_outcomes
    ]


def _move(solution: Solution, move: MoveValue) -> dict[str, object]:
    return {
        "move": move.name,
        "value": _vector(solution, move.value),
        "plies": move.plies,
        "best": move.is_best,
        "progress": move.makes_progress,
    }


def _vector(solution: Solution, payoffs: Payoffs | None) -> list[str | None] | None:
    return None if payoffs is None else [_number(solution, payoff) for payoff in payoffs]


def _number(solution: Solution, number: Fraction | None) -> str | None:
    if number is None:
        return None
    return decimal_text(number) if solution.error_bound else str(number)
