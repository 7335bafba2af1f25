"""Solves graphs without cycles by backward induction."""

from __future__ import annotations

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.exact.backward_induction import backward_induction
from gamedsl.solvers.graph_solutions import solution_from_graph, with_ties
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.solution import Solution


def by_backward_induction(problem: Problem) -> Solution:
    """The value of every state, from the last states backwards."""
    order = problem.analysis.order
    if problem.analysis.can_return:
        raise UnsupportedGameError(
            f"play of {problem.game.name} can return to an earlier position, so there is no "
            "last move to begin with",
            "use retrograde analysis or value iteration",
        )
    graph = problem.graph
    nodes = [component[0] for component in order]
    solved = backward_induction(
        graph,
        nodes,
        problem.analysis.break_even,
        is_opposed=len(graph.game.players) == 2 and problem.analysis.is_opposed,
    )
    if problem.analysis.needs_lengths and problem.options.lengths:
        from gamedsl.solvers.chance.progress import with_progress

        solved = with_progress(solved, order, problem.analysis.delays_among(solved.values))
    solution = solution_from_graph(solved, SolverName.BACKWARD_INDUCTION, problem.options.tolerance)
    if not problem.analysis.is_opposed and not solved.equilibria:
        from gamedsl.solvers.exact.ties import tie_breaks

        solution = with_ties(
            solution, tie_breaks(graph, nodes, solved.choices, solved.by_dominance)
        )
    return solution
