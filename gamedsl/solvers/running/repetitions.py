"""Solves a game with repetition rules by positions: a repetition is worth as much as endless play.

In: a game of two opposed players or sides without chance, whose repetition rules compare whole
states and all pay the same. Out: the solution of the game in which endless play pays this, and no
rule looks at the past. The first state has the same value in both games. A player who gets more
than the payoff of repetitions in the game without a past does so by moves that lead nearer to an
ending, so that no state comes back; a player who gets no more keeps to states of that value, and is
content with a repetition. Later states have a past, and no value of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, runtime_checkable

from gamedsl.game.contract import Game
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.repetition import most_occurrences
from gamedsl.model.state import State
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.requirements import SEARCH, Requirement, meets
from gamedsl.solvers.solution import Solution, Status
from gamedsl.solvers.verdicts import Answer, Outcome

OPPOSED_POSITIONS = SEARCH | {Requirement.DETERMINISTIC, Requirement.OPPOSED}


@runtime_checkable
class OffersEndlessVariant(Protocol):
    """A game that may have a variant in which endless play has the outcome of repetitions."""

    @property
    def endless_variant(self) -> Game | None:
        """The variant; None where repetitions and endless play are worth different payoffs."""

    @property
    def fewest_repetitions(self) -> int:
        """The least number of occurrences of a state that a rule speaks of."""


def endless_variant(game: Game, root: State) -> Game | None:
    """The game without a past in which a state with little past has the same value; None where none
    is known."""
    if not game.facts.repeats or not isinstance(game, OffersEndlessVariant):
        return None
    if game.is_terminal(root) or not meets(game, OPPOSED_POSITIONS):
        return None
    times = game.fewest_repetitions
    is_early = root == game.initial_state() if times == 2 else most_occurrences(root) <= times - 2
    return game.endless_variant if is_early else None


def by_endless_variant(
    game: Game,
    root: State,
    options: SolveOptions,
    solve: Callable[[Game, State, SolveOptions], Solution],
) -> Solution | None:
    """The solution of a state with little past, by `solve` of the variant; None where the variant
    does not apply or has no value, or where the game with its past is small.

    Raises UnsupportedGameError if the work is to be kept in a file: a table of positions has no
    past.
    """
    is_wanted = not (options.wants_all or options.solver)
    variant = endless_variant(game, root) if is_wanted else None
    if variant is None:
        return None
    if options.checkpoints is not None:
        raise UnsupportedGameError(
            f"{game.name} is not saved: by its `repeat` rule the past is part of every position, "
            "and a saved file holds a table of positions",
            "leave out --save",
        )
    problem = Problem(game, root, options)
    try:
        problem.explore(problem.first_look)
        solution = None if problem.is_whole else solve(variant, root.position(), options)
    except (GameRuleError, UnsupportedGameError):
        return None
    if solution is None or solution.value is None or solution.status is Status.OPEN:
        return None
    moves, unsure = solution.moves, solution.undecided
    assert isinstance(game, OffersEndlessVariant), "the game has a variant"
    is_at_first = game.fewest_repetitions == 2
    mover, repeated = game.current_player(root), variant.facts.endless
    assert repeated is not None, "endless play has the outcome of repetitions"
    if is_at_first and solution.value[mover] > repeated[mover]:
        # a move that is no progress may come back to this state, which ends the play
        moves = tuple(move for move in moves if move.makes_progress)
        names = (move.name for move in solution.moves if move.is_best and move not in moves)
        unsure = (*unsure, *names)
    is_won = repeated != solution.value and game.facts.utility_bounds[1] in solution.value
    is_endless = solution.outcome_form is Outcome.ENDLESS
    return replace(
        solution,
        rules=game,
        outcome_form=Outcome.CERTAIN if is_endless else solution.outcome_form,
        plies=solution.plies if is_won else None,  # repetitions shorten play for other payoffs
        status=Status.WEAK if solution.status is Status.STRONG else solution.status,
        moves=tuple(move for move in moves if move.is_best),
        undecided=unsure,
        answer=(Answer.REPETITIONS,),
        evidence=None,
        part=None,
    )
