"""Finds a shortest solution of a puzzle, or any play that pays every player the most."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.game.accelerator import ShortestPlay
from gamedsl.game.contract import Game
from gamedsl.game.steps import names_along
from gamedsl.model.state import State
from gamedsl.solvers.exact.puzzle import ShortestSolution, shortest_solution
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.solution import MoveValue, Solution, Status
from gamedsl.solvers.verdicts import Answer, Outcome

MOST_SOON = 45_000
"""Positions of best-first search before other methods, and without a limit of time."""


def by_shortest_solution(problem: Problem) -> Solution | None:
    """A shortest solution from the first state; None if no solution exists."""
    solution = shortest_solution(
        problem.game,
        problem.root,
        max_positions=problem.most_in_python,
        progress=problem.options.progress,
    )
    return None if solution is None else solution_from_line(problem.game, problem.root, solution)


def by_guided_play(problem: Problem) -> Solution | None:
    """Any play to the best payoff, met soon in Python by guesses, if the search is not chosen by
    name; None if none is met."""
    return _by_guesses(problem, MOST_SOON if problem.options.solver is None else None)


def by_longer_guided_play(problem: Problem) -> Solution | None:
    """Any play to the best payoff, met by guesses within the limits; None if none is met."""
    return _by_guesses(problem, MOST_SOON if problem.ends is None else None)


def _by_guesses(problem: Problem, most: int | None) -> Solution | None:
    from gamedsl.solvers.exact.guided import guided_play

    limits = [limit for limit in (problem.options.max_positions, most) if limit is not None]
    play = guided_play(
        problem.game,
        problem.root,
        max_positions=min(limits, default=None),
        progress=problem.options.progress,
    )
    return None if play is None else solution_from_play(problem.game, problem.root, play)


def solution_from_play(game: Game, root: State, play: ShortestPlay) -> Solution:
    """The solution by any play that pays every player the most: the value of a puzzle, whose
    lengths of play are not compared, or an equilibrium of several players."""
    assert play.line is not None
    if len(game.players) > 1:
        return Solution(
            game,
            Status.WEAK,
            play.explored,
            play.endings,
            value=game.facts.best_payoffs,
            outcome_form=Outcome.CERTAIN,
            answer=(Answer.BEST_FOR_ALL,),
            principal_variation=names_along(game, root, play.line),
            solver=SolverName(play.solver),
        )
    actions = game.legal_actions(root)
    shortest = ShortestSolution(
        game.facts.utility_bounds[1],
        play.actions,
        play.actions[:1],
        (),
        tuple(action for action in actions if action != play.line[0]),
        play.explored,
        play.endings,
    )
    solution = solution_from_line(game, root, shortest)
    moves = tuple(replace(move, plies=None) for move in solution.moves)
    return replace(solution, moves=moves, plies=None, solver=SolverName(play.solver))


def solution_from_line(game: Game, root: State, shortest: ShortestSolution) -> Solution:
    """The solution of a puzzle by a shortest line: the value of one position, and one play."""
    names = names_along(game, root, shortest.line)
    value = (shortest.payoff,)
    plies = len(names)
    actions = sorted({*shortest.first_actions, *shortest.detours})
    moves = tuple(
        MoveValue(
            action, game.action_name(root, action), value,
            plies if action in shortest.first_actions else None,
            is_best=True, makes_progress=action in shortest.first_actions,
        )
        for action in actions
    )  # fmt: skip
    return Solution(
        game,
        Status.WEAK,
        shortest.explored,
        shortest.endings,
        value=value,
        outcome_form=Outcome.CERTAIN,
        moves=moves,
        undecided=tuple(game.action_name(root, action) for action in shortest.undecided),
        plies=plies,
        principal_variation=names,
        solver=SolverName.SHORTEST_SOLUTION,
    )
