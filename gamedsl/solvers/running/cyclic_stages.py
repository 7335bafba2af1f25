"""Solves games with simultaneous choices in which play can return."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.chance.limit_wins import approached_payoff
from gamedsl.solvers.chance.strategy_improvement import strategy_improvement
from gamedsl.solvers.graph_solutions import solution_from_graph
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.requirements import Requirement, count_instead, refuse_unless
from gamedsl.solvers.solution import Solution
from gamedsl.solvers.verdicts import Answer


def by_strategy_improvement(problem: Problem) -> Solution:
    """Solves by strategy improvement, with stationary mixtures for two opposed players."""
    order, endless = problem.analysis.order, problem.analysis.opposed_endless
    name = problem.game.name
    refuse_unless(problem.game, frozenset({Requirement.SIMULTANEOUS}))
    if endless is None or len(endless) != 2:
        raise UnsupportedGameError(
            f"players of {name} choose at the same time, and their interests are not those of two "
            "of whom one loses what the other wins",
            count_instead(problem.game),
        )
    graph, options = problem.graph, problem.options

    def tick() -> None:
        if options.progress is not None:
            options.progress(graph.positions, 0)

    solved = strategy_improvement(graph, order, endless, options.tolerance, tick)
    solution = solution_from_graph(solved, SolverName.STRATEGY_IMPROVEMENT, options.tolerance)
    if not solved.error_bound:
        return replace(solution, answer=(Answer.RETURNING,))
    at_most = tuple(payoff + solved.error_bound for payoff in solved.values[0])
    proved = approached_payoff(graph, endless, at_most, tick)
    return replace(solution, answer=(Answer.NEARLY_RETURNING,), facts_proved=proved)
