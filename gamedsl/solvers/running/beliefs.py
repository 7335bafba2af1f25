"""Solves games of one player with imperfect information by beliefs."""

from __future__ import annotations

from fractions import Fraction

from gamedsl.game.contract import Game
from gamedsl.solvers.exact.information_sets import SolvedInformation, solve_information
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.running.forms import refuse_unless_initial
from gamedsl.solvers.solution import Beliefs, MoveValue, Solution, Status
from gamedsl.solvers.verdicts import Outcome


def by_information_sets(problem: Problem) -> Solution:
    """The best plan of the player, by expectimax on information sets."""
    game = problem.game
    refuse_unless_initial(problem, "the player knows")
    solved = solve_information(
        game, max_positions=problem.most_in_python, progress=problem.options.progress
    )
    return solution_from_information(game, solved)


def solution_from_information(game: Game, solved: SolvedInformation) -> Solution:
    """The solution of a single player's beliefs: the value, the first decision, and the plan."""
    value = (solved.value,)
    moves = tuple(
        MoveValue(action, name, (payoff,), None, is_best, is_best)
        for action, name, payoff in solved.first
        for is_best in (payoff == solved.value,)
    )
    probability = None
    payoffs = solved.payoffs if game.facts.pays_at_the_end else frozenset[Fraction]()
    if solved.chance_nodes and payoffs and payoffs <= {Fraction(1), Fraction(-1)}:
        probability = (1 + solved.value) / 2
    if solved.value in payoffs and solved.value in (min(payoffs), max(payoffs)):
        outcome = Outcome.CERTAIN
    else:
        outcome = Outcome.EXPECTED if probability is None else Outcome.PROBABLE
    return Solution(
        game,
        Status.STRONG,
        solved.positions,
        solved.endings,
        solved.chance_nodes,
        value,
        outcome_form=outcome,
        moves=moves,
        win_probability=probability,
        solver=SolverName.INFORMATION,
        evidence=Beliefs(solved.informed, solved.plan),
    )
