"""Information states: the observations of a player along a history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamedsl.game.contract import Action, JointAction
from gamedsl.model import SIMULTANEOUS, Model, State
from gamedsl.model.action_names import move_of
from gamedsl.model.engine import RulesEngine

if TYPE_CHECKING:
    from gamedsl.game.engines import Engine

History = Sequence[tuple[State, Action | JointAction | None]]


def observations(model: Model, engine: Engine, history: History, player: int) -> tuple[object, ...]:
    """As `LoadedGame.information_state`."""
    if not isinstance(engine, RulesEngine):
        return _nodes_of_tree(engine, history, player)
    seen: list[object] = []
    last: object = None
    for state, action in history:
        view = (state.turn, engine.view(state, player))
        if view != last:
            seen.append(view)
            last = view
        if action is None or state.pending is not None:
            continue
        if isinstance(action, tuple) or (
            model.facts.is_simultaneous and engine.current_player(state) == SIMULTANEOUS
        ):
            seen.append(("all", action))
        elif state.turn != player and engine.is_secret(action):
            seen.append((state.turn, move_of(model.moves, action).name))
        else:
            seen.append((state.turn, action))
    return tuple(seen)


def _nodes_of_tree(engine: Engine, history: History, player: int) -> tuple[object, ...]:
    """The player's nodes along a history with the actions taken; at a node of the player's own, the
    information set."""
    views = [(engine.view(state, player), action) for state, action in history]
    seen = [(view, action) for view, action in views if view is not None]
    return (views[-1][0],) if views and views[-1][0] is not None else tuple(seen)
