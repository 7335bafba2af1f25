"""A search as data: its events, its decision, and the leaves never visited. Numbers are text."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.reports.searches.as_text import player_name, value_owner
from gamedsl.solvers.textbook.decision import Decision, RootMove
from gamedsl.solvers.textbook.pruned_leaves import PrunedLeaves
from gamedsl.solvers.textbook.trace import Event, Path, Value


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
    return {
        "game": game.name,
        "parameters": dict(game.parameters),
        "players": list(game.facts.players),
        "algorithm": decision.algorithm,
        "depth": decision.depth,
        "deepest": decision.deepest,
        "value": number_data(decision.value),
        "value_of": value_owner(game, decision),
        "is_exact": decision.is_exact,
        "best": list(decision.best),
        "moves": [_move(move) for move in decision.moves],
        "line": list(decision.line),
        "ties_note": decision.ties,
        "nodes": decision.nodes,
        "leaves": decision.leaves,
    }


def _event_data(game: Game, names: _PathNames, event: Event) -> dict[str, object]:
    """One event, JSON-ready."""
    return {
        "kind": str(event.kind),
        "path": names.of(event.path),
        "player": player_name(game, event.player),
        "alpha": number_data(event.alpha),
        "beta": number_data(event.beta),
        "value": number_data(event.value),
        "action": None if event.action is None else game.action_name(event.state, event.action),
        "pruned": [game.action_name(event.state, action) for action in event.pruned],
        "is_cutoff": event.is_cutoff,
    }


def number_data(value: Value | None) -> str | list[str] | None:
    """An exact number as text, a vector as a list of texts."""
    if value is None:
        return None
    return str(value) if isinstance(value, Fraction) else [str(payoff) for payoff in value]


def _move(move: RootMove) -> dict[str, object]:
    return {
        "move": move.name,
        "value": number_data(move.value),
        "is_bound": move.is_bound,
        "visits": move.visits,
    }


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
