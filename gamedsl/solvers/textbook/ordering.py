"""Orders in which a search visits the actions of a state (AIMA 3rd ed., section 5.3.1).

In: a game and a state. Out: the actions, rearranged. The order affects the number of nodes visited
by alpha-beta and the choice among best actions, never the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from gamedsl.game.contract import Action, Game
from gamedsl.game.steps import actions_at
from gamedsl.model.state import State
from gamedsl.solvers.solution import MoveValue

Ordering = Callable[[Game, State], tuple[Action, ...]]
"""The legal actions of a state, each once, in the order of visiting."""
Moves = Callable[[State], Iterable[MoveValue]]
"""The solved moves of a state: `Solution.moves_at`."""


def declared_order(game: Game, state: State) -> tuple[Action, ...]:
    """The order of declaration: ascending action ids.

    Raises GameRuleError where the game is not over, but no action is legal.
    """
    return actions_at(game, state)  # type: ignore[return-value]


def reversed_order(game: Game, state: State) -> tuple[Action, ...]:
    """The last declared first."""
    return declared_order(game, state)[::-1]


def evaluated_order(evaluate: Callable[[State, int], Fraction]) -> Ordering:
    """The best by EVAL(RESULT(s, a), p) for the player to move first; `evaluate` is EVAL."""

    def ordered(game: Game, state: State) -> tuple[Action, ...]:
        player = game.current_player(state)

        def worse(action: Action) -> Fraction:
            return -evaluate(game.result(state, action), player)

        return tuple(sorted(declared_order(game, state), key=worse))

    return ordered


def solved_order(moves: Moves) -> Ordering:
    """The truly best first, of these the moves that make progress: an order that no search can
    improve."""
    return _by_merit(moves, -1)


def worst_order(moves: Moves) -> Ordering:
    """The truly worst first, moves that make progress last: the worst order for alpha-beta."""
    return _by_merit(moves, 1)


def _by_merit(moves: Moves, sign: int) -> Ordering:
    def ordered(game: Game, state: State) -> tuple[Action, ...]:
        player = game.current_player(state)
        merits = {
            move.action: (sign * move.value[player], sign * move.makes_progress)
            for move in moves(state)
        }
        return tuple(sorted(declared_order(game, state), key=lambda action: merits[action]))

    return ordered


def first_of_all(action: Action, ordering: Ordering, root: State) -> Ordering:
    """An order, but at the root `action` comes first."""

    def ordered(game: Game, state: State) -> tuple[Action, ...]:
        actions = ordering(game, state)
        if state != root or action not in actions:
            return actions
        return (action, *(candidate for candidate in actions if candidate != action))

    return ordered
