"""Solves games with identical interests as games of a single player.

In: a `Problem` whose players all want the same. Out: the `Solution` with the best joint plan, whose
payoffs are the value. A row of `methods.METHODS` names `by_team` as its entry function.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from gamedsl.solvers.chance.value_iteration import value_iteration
from gamedsl.solvers.equilibria.best_response import verified_value
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.joint_plan import behaviour_of, best_joint_plan
from gamedsl.solvers.equilibria.opposed_sides import mixed_joint_plans
from gamedsl.solvers.exact.backward_induction import backward_induction
from gamedsl.solvers.exact.retrograde import retrograde
from gamedsl.solvers.exact.simultaneous_stages import equilibria_of_first_stage
from gamedsl.solvers.exact.teams import Team, by_side, for_all_players
from gamedsl.solvers.form_solutions import solution_from_form
from gamedsl.solvers.graph_solutions import solution_from_graph
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.requirements import Requirement, refuse_unless
from gamedsl.solvers.running.forms import refuse_unless_initial
from gamedsl.solvers.solution import Solution, Status, with_evidence
from gamedsl.solvers.verdicts import Answer


def by_team(problem: Problem) -> Solution:
    """The solution of a game of several players with identical interests.

    Raises UnsupportedGameError if interests differ.
    """
    team = problem.team if problem.game.facts.has_secrets else _explored(problem)
    is_team = {Requirement.TEAM: team is not None}
    refuse_unless(problem.game, frozenset(is_team), seen=is_team)
    assert team is not None
    solve = _by_plans if problem.game.facts.has_secrets else _in_sight
    return replace(solve(problem, team), solver=SolverName.TEAM)


def _explored(problem: Problem) -> Team | None:
    """The team, known once all states have been explored; None where interests differ."""
    problem.explore(problem.most_in_python)
    return problem.team


def _by_plans(problem: Problem, team: Team) -> Solution:
    """Imperfect information: each player chooses by the player's own observations.

    If the search for the best plan was cut short, the value is the middle between the payoffs of
    the plan found and the upper bound on all plans.
    """
    refuse_unless_initial(problem, "players know")
    form = problem.form_analysis.form_with_tree
    assert form.tree is not None, "the form was asked for with its tree"
    if any(team.sides):
        return _of_sides(problem, team, form)
    paid = zip(form.tree.weights, form.tree.payoffs, strict=True)
    amounts = [weight * payoffs[0] for weight, payoffs in paid]
    plan = best_joint_plan(form, problem.game.players, amounts, problem.form_tick())
    profile = behaviour_of(form, plan.choices)
    if plan.value == plan.at_most:
        value = verified_value(form, profile)
        return replace(solution_from_form(form, profile, value), answer=(Answer.TEAM,))
    middle, error = _between(team, plan.value, plan.at_most)
    solution = solution_from_form(form, profile, middle, error)
    is_near = error <= problem.options.tolerance
    status = Status.WEAK if is_near else Status.OPEN
    return replace(solution, answer=(Answer.NEARLY_TEAM,), status=status)


def _between(team: Team, low: Fraction, high: Fraction) -> tuple[Vector, Fraction]:
    """The middle of two bounds of the first player's payoff for all players, and the error."""
    error = (high - low) / 2
    return team.payoffs((low + high) / 2), error * max(map(abs, team.slopes))


def _of_sides(problem: Problem, team: Team, form: ExtensiveForm) -> Solution:
    """Two sides with imperfect information: the value of plans drawn in common before play."""
    mixed = mixed_joint_plans(form, team.sides, problem.form_tick())
    value, error = _between(team, mixed.low, mixed.high)
    first_plans = [behaviour_of(form, next(iter(plans))) for plans in mixed.plans]
    profile = tuple(first_plans[side][player] for player, side in enumerate(team.sides))
    solution = replace(
        solution_from_form(form, profile, value, error),
        answer=(Answer.NEARLY_SIDES if error else Answer.SIDES,),
    )
    if error > problem.options.tolerance:
        return replace(solution, status=Status.OPEN, evidence=None)
    if all(len(plans) == 1 for plans in mixed.plans):
        return solution
    return replace(solution, status=Status.ULTRA_WEAK, evidence=None)


def _in_sight(problem: Problem, team: Team) -> Solution:
    """Perfect information: the graph of one player who chooses for all players."""
    order, facts = problem.analysis.order, problem.game.facts
    graph = by_side(problem.graph, (0,) * len(problem.game.players))
    tolerance = problem.options.tolerance
    # the first player's payoff for endless play stands for the team's
    endless = (
        (facts.endless or problem.analysis.nothing)[:1] if facts.discount == 1 else (Fraction(0),)
    )
    if not problem.analysis.can_return:
        solved = backward_induction(graph, [component[0] for component in order])
    elif graph.has_chance or not facts.pays_at_the_end:
        solved = value_iteration(graph, order, endless, tolerance)
    else:
        solved = retrograde(graph, endless)
    error = solved.error_bound * max(team.slopes)
    solved = for_all_players(solved, problem.graph, team.payoffs)
    solved = replace(solved, error_bound=error, is_team=True)
    solution = replace(
        solution_from_graph(solved, SolverName.TEAM, tolerance), answer=(Answer.TEAM,)
    )
    first_stage = equilibria_of_first_stage(solved)
    if first_stage is None:
        return solution
    best_first = tuple(
        sorted(first_stage.equilibria, key=lambda equilibrium: -equilibrium.value[0])
    )
    return with_evidence(solution, equilibria=replace(first_stage, equilibria=best_first))
