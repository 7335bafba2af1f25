"""What a player sees of a state, and hears of an action (rule 11 of the language).

In: a state, an action, a player. Out: a view of the state, and an observation of the action;
`information_state` collects both along a history. A game whose information states are not made of
views and observations has no sights.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Protocol

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.model.action_names import move_of
from gamedsl.model.engine import RulesEngine
from gamedsl.model.state import SIMULTANEOUS, State
from gamedsl.source.records import dataclass

if TYPE_CHECKING:
    from gamedsl.game.engines import Engine


class Sights(Protocol):
    """The observations of a game's players."""

    def view(self, state: State, player: int) -> Hashable:
        """The part of a state that a player sees, with the turn."""

    def heard(self, state: State, action: Action | JointAction, player: int) -> Hashable:
        """A player's observation of an action; None for a chance event, which shows in the view."""


@dataclass(frozen=True, slots=True)
class RuleSights:
    """The observations of a game of rules: public moves with their parameters, a secret move of an
    opponent by its name alone.

    Attributes:
        engine: the engine of the game; mover: the player to move in a state.
    """

    engine: RulesEngine
    mover: Callable[[State], int]

    def view(self, state: State, player: int) -> Hashable:
        """As `Sights.view`."""
        return (state.turn, self.engine.view(state, player))

    def heard(self, state: State, action: Action | JointAction, player: int) -> Hashable:
        """As `Sights.heard`."""
        if state.pending is not None:
            return None
        is_simultaneous = self.engine.model.facts.is_simultaneous
        if isinstance(action, tuple) or (is_simultaneous and self.mover(state) == SIMULTANEOUS):
            return ("all", action)
        if state.turn != player and self.engine.is_secret(action):
            return (state.turn, move_of(self.engine.model.moves, action).name)
        return (state.turn, action)


def information_state(
    sights: Sights, history: Sequence[tuple[State, Action | JointAction | None]], player: int
) -> tuple[Hashable, ...]:
    """The observations of a player along a history: each changed view, and each action."""
    seen: list[Hashable] = []
    last: Hashable = None
    for state, action in history:
        view = sights.view(state, player)
        if view != last:
            seen.append(view)
            last = view
        heard = None if action is None else sights.heard(state, action, player)
        if heard is not None:
            seen.append(heard)
    return tuple(seen)


def nodes_of_tree(
    engine: Engine, history: Sequence[tuple[State, Action | JointAction | None]], player: int
) -> tuple[object, ...]:
    """The player's nodes along a history of a tree, with the actions taken; at a node of the
    player's own, the information set."""
    views = [(engine.view(state, player), action) for state, action in history]
    seen = [(view, action) for view, action in views if view is not None]
    return (views[-1][0],) if views and views[-1][0] is not None else tuple(seen)


def sights_of(game: Game) -> Sights | None:
    """The game's own sights; None if the information states of the game are its own affair."""
    if inspect.getattr_static(game, "sights", None) is None:
        return None
    sights: Sights | None = game.sights()  # type: ignore[attr-defined]
    return sights
