"""Solves graphs without cycles by backward induction."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.exact.backward_induction import backward_induction
from gamedsl.solvers.graph_solutions import solution_from_graph
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.solution import Others, Solution

PERFECT_KIND = (
    "a subgame-perfect equilibrium: from no position on does anybody gain by other moves while the "
    "others keep to theirs"
)


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


def with_ties(solution: Solution, possible: tuple[Vector, ...] | None) -> Solution:
    """The solution for unopposed interests, with the payoffs of different tie-breaking."""
    solution = replace(solution, kind=PERFECT_KIND)
    if possible is None:
        ties = "may depend on tie-breaking; there are too many ties to list"
        return replace(solution, ties=ties, others=Others.POSSIBLE)
    alternatives = tuple(vector for vector in possible if vector != solution.value)
    if not alternatives:
        return replace(solution, kind=f"{PERFECT_KIND}; all in pure strategies pay the same")
    listed = ", ".join(f"({', '.join(map(str, vector))})" for vector in alternatives)
    ties = f"depends on tie-breaking: other ties lead to {listed}"
    return replace(solution, ties=ties, alternatives=alternatives, others=Others.LISTED)
