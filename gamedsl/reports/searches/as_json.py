"""A search as data: its events, its decision, and the leaves never visited. Numbers are text."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.reports.json_text import data_of, game_data
from gamedsl.reports.searches.as_text import player_name, value_owner
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.pruned_leaves import PrunedLeaves
from gamedsl.solvers.textbook.trace import Event, Path


def trace_data(
    game: Game, root: State, events: Sequence[Event], decision: Decision, pruned: PrunedLeaves
) -> dict[str, object]:
    """The search as JSON-ready data; paths are lists of action names from the root."""
    names = _PathNames(game, root)
    return {
        **decision_data(game, decision),
        "events": [_event_data(game, names, event) for event in events],
        "unvisited": [names.of(path) for path in pruned.leaves],
        "unvisited_is_complete": pruned.is_complete,
    }


def decision_data(game: Game, decision: Decision) -> dict[str, object]:
    """The decision of the search, JSON-ready; numbers are the payoffs of the player `value_of`,
    which is null for vectors."""
    return {**game_data(game), "players": list(game.facts.players)} | data_of(
        decision,
        "algorithm depth deepest value value_of is_exact best moves line ties_note=ties nodes "
        "leaves",
        value_of=value_owner(game, decision),
        moves=[data_of(move, "move=name value is_bound visits") for move in decision.moves],
    )


def _event_data(game: Game, names: _PathNames, event: Event) -> dict[str, object]:
    """One event, JSON-ready."""
    return data_of(
        event,
        "kind path player alpha beta value action pruned is_cutoff",
        path=names.of(event.path),
        player=player_name(game, event.player),
        action=None if event.action is None else game.action_name(event.state, event.action),
        pruned=[game.action_name(event.state, action) for action in event.pruned],
    )


class _PathNames:
    """The names of the actions on paths from a root; every edge is walked once."""

    def __init__(self, game: Game, root: State) -> None:
        self._game = game
        self._known: dict[Path, tuple[State, tuple[str, ...]]] = {(): (root, ())}

    def of(self, path: Path) -> list[str]:
        """The names of the actions on a path."""
        return list(self._walked(path)[1])

    def _walked(self, path: Path) -> tuple[State, tuple[str, ...]]:
        if path not in self._known:
            state, names = self._walked(path[:-1])
            name = self._game.action_name(state, path[-1])
            self._known[path] = self._game.result(state, path[-1]), (*names, name)
        return self._known[path]
