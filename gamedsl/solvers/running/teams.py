"""Solves games with identical interests as games of a single player.

In: a `Problem` whose players all want the same. Out: the `Solution` with the best joint plan, whose
payoffs are the value. A row of `methods.METHODS` names `by_team` as its entry function.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.chance.value_iteration import value_iteration
from gamedsl.solvers.equilibria.best_response import verified_value
from gamedsl.solvers.equilibria.joint_plan import best_joint_plan
from gamedsl.solvers.exact.backward_induction import backward_induction
from gamedsl.solvers.exact.retrograde import retrograde
from gamedsl.solvers.exact.simultaneous_stages import equilibria_of_first_stage
from gamedsl.solvers.exact.teams import Team, as_one_player, for_all_players
from gamedsl.solvers.form_solutions import solution_from_form
from gamedsl.solvers.graph_solutions import solution_from_graph
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.requirements import count_instead
from gamedsl.solvers.running.forms import refuse_unless_initial
from gamedsl.solvers.solution import Solution, Status, with_evidence
from gamedsl.solvers.verdicts import Answer


def by_team(problem: Problem) -> Solution:
    """The solution of a game of several players with identical interests.

    Raises UnsupportedGameError if interests differ.
    """
    team = problem.team if problem.game.facts.has_secrets else _explored(problem)
    if team is None:
        raise UnsupportedGameError(
            f"players of {problem.game.name} do not all want the same, so that they are no team",
            count_instead(problem.game),
        )
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
    plan = best_joint_plan(form, problem.form_analysis.tick)
    if plan.value == plan.at_most:
        value = verified_value(form, plan.profile)
        return replace(solution_from_form(form, plan.profile, value), answer=(Answer.TEAM,))
    low, high = team.payoffs(plan.value), team.payoffs(plan.at_most)
    middle = tuple((achieved + bound) / 2 for achieved, bound in zip(low, high, strict=True))
    error = max(bound - achieved for achieved, bound in zip(low, high, strict=True)) / 2
    solution = solution_from_form(form, plan.profile, middle, error)
    is_near = error <= problem.options.tolerance
    status = Status.WEAK if is_near else Status.OPEN
    return replace(solution, answer=(Answer.NEARLY_TEAM,), status=status)


def _in_sight(problem: Problem, team: Team) -> Solution:
    """Perfect information: the graph of one player who chooses for all players."""
    order, graph, facts = problem.analysis.order, as_one_player(problem.graph), problem.game.facts
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
    solved = for_all_players(solved, problem.graph, team)
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
