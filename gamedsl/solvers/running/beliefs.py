"""Solves games of one player with imperfect information by beliefs."""

from __future__ import annotations

from gamedsl.solvers.exact.information_sets import solve_information
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.running.forms import (
    refuse_unless_initial,
)
from gamedsl.solvers.solution_parts import (
    SolutionParts,
    solution_from_information,
)


def by_information_sets(problem: Problem) -> SolutionParts:
    """The best plan of the player, by expectimax on information sets."""
    game = problem.game
    refuse_unless_initial(problem, "the player knows")
    found = solve_information(
        game, max_positions=problem.most_in_python, progress=problem.options.progress
    )
    return solution_from_information(game, found)
