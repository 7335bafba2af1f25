"""Solves graphs in which play can return to earlier positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.game.accelerator import Refusal
from gamedsl.model.errors import UndefinedValueError, UnsupportedGameError
from gamedsl.solvers.chance import value_iteration as iteration
from gamedsl.solvers.chance.progress import with_progress
from gamedsl.solvers.chance.stationary_equilibrium import stationary_equilibrium
from gamedsl.solvers.exact import retrograde as retro
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.exact.teams import by_side, for_all_players
from gamedsl.solvers.graph_solutions import solution_from_graph
from gamedsl.solvers.graphs.graph import StateGraph, Vector
from gamedsl.solvers.methods import METHOD, SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.requirements import Requirement, refuse_unless
from gamedsl.solvers.running.native import by_native_code
from gamedsl.solvers.solution import Others, Solution
from gamedsl.solvers.verdicts import Answer

SMALL_GRAPH = 300
"""Number of states up to which policies are guessed before native code is asked."""


def by_retrograde_analysis(problem: Problem) -> Solution:
    """Opposed interests without chance: values from the endings backwards."""
    endless = _endless(problem, SolverName.RETROGRADE)
    solved = _by_sides(problem, retro.retrograde, endless)
    return solution_from_graph(solved, SolverName.RETROGRADE, problem.options.tolerance)


def by_value_iteration(problem: Problem) -> Solution:
    """Opposed interests, with or without chance: bounds on the value by interval iteration."""
    endless, tolerance = (
        _endless(problem, SolverName.VALUE_ITERATION),
        problem.options.tolerance,
    )
    solved = _by_sides(problem, _value_iteration(problem), endless)
    return solution_from_graph(_arriving(problem, solved), SolverName.VALUE_ITERATION, tolerance)


def by_policy_iteration(problem: Problem) -> Solution | None:
    """Rewards or a discount, where play can return, for opposed interests or games without
    choices."""
    graph, order, tolerance = problem.graph, problem.analysis.order, problem.options.tolerance
    if problem.analysis.opposed_endless is not None:
        endless, defers = problem.analysis.opposed_endless, _defers(problem)
        try:
            solved = _by_sides(problem, _value_iteration(problem, defers=defers), endless)
        except UndefinedValueError:
            raise
        except UnsupportedGameError:  # native code proves values of further games
            proved = by_native_code(problem)
            if proved is not None:
                return proved
            if not defers:
                raise
            solved = _by_sides(problem, _value_iteration(problem), endless)
    elif problem.analysis.is_chain:
        endless = problem.game.facts.endless or problem.analysis.nothing
        solved = iteration.chain_values(graph, order, endless, tolerance)
    else:
        return None  # several interests: an equilibrium is looked for
    return solution_from_graph(_arriving(problem, solved), SolverName.POLICY_ITERATION, tolerance)


def _defers(problem: Problem) -> bool:
    """Whether native code comes before guesses at policies: it is exact without chance, and takes
    less time in all but small graphs, of which Python tells lengths and loops."""
    graph = problem.graph
    is_sum = not graph.has_chance and problem.game.facts.discount == 1
    is_large = len(graph.states) > SMALL_GRAPH
    return is_large and is_sum and not isinstance(problem.accelerator, Refusal)


def _value_iteration(
    problem: Problem, *, defers: bool = False
) -> Callable[[StateGraph, Vector], SolvedGraph]:
    order, tolerance = problem.analysis.order, problem.options.tolerance
    return lambda graph, endless: iteration.value_iteration(
        graph, order, endless, tolerance, defers=defers
    )


def _by_sides(
    problem: Problem, solve: Callable[[StateGraph, Vector], SolvedGraph], endless: Vector
) -> SolvedGraph:
    """Solves a graph of one player or two; partners of several players on two sides are one."""
    graph, facts = problem.graph, problem.game.facts
    if facts.partners is None:
        return solve(graph, endless)
    solved = solve(by_side(graph, facts.sides), (endless[0], endless[facts.sides.index(1)]))
    return for_all_players(solved, graph, facts.payoffs_from)


def _arriving(problem: Problem, solved: SolvedGraph) -> SolvedGraph:
    """Adds choices that make progress, if lengths are wanted, interests opposed and values
    exact."""
    if solved.error_bound or not problem.analysis.is_opposed or not problem.options.lengths:
        return solved
    return with_progress(
        solved, problem.analysis.order, problem.analysis.delays_among(solved.values)
    )


def by_stationary_equilibrium(problem: Problem) -> Solution:
    """Unopposed interests: an equilibrium of one action for each position."""
    order, facts = problem.analysis.order, problem.game.facts
    if facts.has_rewards and facts.discount == 1 and problem.analysis.can_last:
        raise UnsupportedGameError(
            f"play of {problem.game.name} can go on for ever and pays on the way, "
            "and interests are not opposed, so that no value is agreed on",
            "say what a payoff is worth a ply later (`discount = 9/10`), or limit the length of "
            "play in the rules, for example with a counter",
        )
    endless = None if facts.discount != 1 else facts.endless
    solved = stationary_equilibrium(problem.graph, order, endless or problem.analysis.nothing)
    solution = solution_from_graph(solved, SolverName.STATIONARY, problem.options.tolerance)
    if not problem.analysis.can_return:
        return solution
    return replace(solution, answer=(Answer.STATIONARY,), others=Others.POSSIBLE)


def _endless(problem: Problem, solver: SolverName) -> Vector:
    """Payoffs of endless play. Raises UnsupportedGameError if the graph lacks a solver's
    requirement."""
    endless = problem.analysis.opposed_endless
    seen = {
        Requirement.DETERMINISTIC: not problem.graph.has_chance,
        Requirement.STRICTLY_COMPETITIVE: endless is not None,
    }
    refuse_unless(problem.game, METHOD[solver].requires, seen=seen)
    assert endless is not None, "what asks for this requires opposed interests"
    return endless
