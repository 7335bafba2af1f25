"""What a search of the game tree decided, and how much it looked at.

In: nothing; the algorithms of the textbook make these. Out: values for reports and players.
"""

from __future__ import annotations

from gamedsl.game.contract import Action
from gamedsl.solvers.textbook.trace import Value
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class RootMove:
    """An action at the root and the value that was backed up for it.

    Attributes:
        value: from the view of the decision it belongs to.
        is_bound: the search was cut off below, so that the true value is this or worse for the
            player to move at the root.
        visits: how many simulated plays began with it; 0 for searches that simulate nothing.
    """

    action: Action
    name: str
    value: Value
    is_bound: bool = False
    visits: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """An action for the player to move at the root of a search.

    Attributes:
        algorithm: the name of the search.
        value: of the root: a number for the player whom the search calls MAX, or a payoff for
            every player in turn order.
        action: the action decided on; None where the root is an ending or a chance event.
        moves: every action (or outcome) of the root that was looked at, in order of visit.
        line: names of the actions of best play from the root, up to the first chance event.
        nodes: nodes visited, chance nodes and leaves included, repeated visits counted again.
        leaves: how many of them were endings or estimates.
        is_exact: the value is proved; no estimate had a part in it.
        ties: one sentence if other ways of breaking ties give other payoffs, else None.
        depth: the depth limit in plies, where the search had one.
    """

    algorithm: str
    value: Value
    action: Action | None
    moves: tuple[RootMove, ...]
    line: tuple[str, ...]
    nodes: int
    leaves: int
    is_exact: bool = True
    ties: str | None = None
    depth: int | None = None

    @property
    def best(self) -> tuple[str, ...]:
        """Names of the moves that are known to be as good as the one decided on."""
        if self.action is None:
            return ()
        chosen = next(move.value for move in self.moves if move.action == self.action)
        return tuple(m.name for m in self.moves if m.value == chosen and not m.is_bound)
