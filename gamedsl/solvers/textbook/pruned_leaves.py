"""Lists the leaves that a search never visited because of cuts.

In: the events of a search. Out: the unvisited leaves below the cuts, in the order of the cuts, up
to a budget of nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamedsl.game.contract import Action, Game
from gamedsl.game.steps import choices_at
from gamedsl.model.state import TERMINAL, State
from gamedsl.solvers.textbook.trace import Event, EventKind, Path
from gamedsl.source.records import dataclass

MOST_NODES = 20_000
"""Greatest number of nodes visited below the cuts."""


@dataclass(frozen=True, slots=True)
class PrunedLeaves:
    """Leaves never visited.

    Attributes:
        leaves: paths of the leaves from the root of the search.
        is_complete: whether the leaves are complete; else the budget was exhausted.
    """

    leaves: tuple[Path, ...]
    is_complete: bool


def pruned_leaves(
    game: Game, events: Iterable[Event], *, limit: int | None = None, most_nodes: int = MOST_NODES
) -> PrunedLeaves:
    """The leaves cut off according to `events`: endings, and nodes at the depth `limit`.

    A branch cut at one visit and searched at a different visit (as by Star2) counts as visited.
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
                below: tuple[Action, ...] = choices_at(game, state)  # type: ignore[assignment]
                stack += [((*path, action), game.result(state, action)) for action in below[::-1]]


def _is_leaf(game: Game, state: State, path: Path, limit: int | None) -> bool:
    return game.current_player(state) == TERMINAL or (limit is not None and len(path) >= limit)
