"""The leaves that a search never looked at, because it cut the branches that lead there.

In: the events of a search. Out: the leaves below what was cut and never visited, in the order of
the cuts; as many as a budget of nodes allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamedsl.game.contract import Action, Game
from gamedsl.model.state import CHANCE, TERMINAL, State
from gamedsl.solvers.textbook.ordering import declared_order
from gamedsl.solvers.textbook.trace import Event, EventKind, Path
from gamedsl.source.records import dataclass

MOST_NODES = 20_000
"""So many nodes below the cuts are looked at."""


@dataclass(frozen=True, slots=True)
class PrunedLeaves:
    """Leaves never visited.

    Attributes:
        leaves: their paths from the root of the search.
        is_complete: these are all; else there are more than the budget could count.
    """

    leaves: tuple[Path, ...]
    is_complete: bool


def pruned_leaves(
    game: Game, events: Iterable[Event], *, limit: int | None = None, most_nodes: int = MOST_NODES
) -> PrunedLeaves:
    """The leaves that `events` show to be cut off: endings, and nodes at the depth `limit`.

    A branch cut at one visit and searched at another (Star2 does so) counts as visited.
    """
    told = tuple(events)
    visited = {event.path for event in told if event.kind is EventKind.ENTER}
    leaves: dict[Path, None] = {}
    for nodes, (path, state) in enumerate(_cut_off(game, told, limit)):
        if nodes == most_nodes:
            return PrunedLeaves(tuple(leaves), False)
        if _is_leaf(game, state, path, limit) and path not in visited:
            leaves[path] = None
    return PrunedLeaves(tuple(leaves), True)


def _cut_off(
    game: Game, events: tuple[Event, ...], limit: int | None
) -> Iterator[tuple[Path, State]]:
    """All nodes below the cuts, with their states, in declaration order."""
    for event in events:
        stack = [
            ((*event.path, action), game.result(event.state, action))
            for action in reversed(event.pruned)
        ]
        while stack:
            path, state = stack.pop()
            yield path, state
            if not _is_leaf(game, state, path, limit):
                below = reversed(_edges(game, state))
                stack += [((*path, action), game.result(state, action)) for action in below]


def _is_leaf(game: Game, state: State, path: Path, limit: int | None) -> bool:
    return game.current_player(state) == TERMINAL or (limit is not None and len(path) >= limit)


def _edges(game: Game, state: State) -> tuple[Action, ...]:
    if game.current_player(state) == CHANCE:
        return tuple(outcome for outcome, _ in game.chance_outcomes(state))
    return declared_order(game, state)
