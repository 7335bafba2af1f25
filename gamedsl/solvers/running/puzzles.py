"""Finds a shortest solution of a puzzle."""

from __future__ import annotations

from gamedsl.solvers.exact.puzzle import shortest_solution
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.solution_parts import (
    SolutionParts,
    solution_from_line,
)


def by_shortest_solution(problem: Problem) -> SolutionParts | None:
    """A shortest solution from the first state; None if no solution exists."""
    solution = shortest_solution(
        problem.game,
        problem.root,
        max_positions=problem.most_in_python,
        progress=problem.options.progress,
    )
    return None if solution is None else solution_from_line(problem.game, problem.root, solution)
