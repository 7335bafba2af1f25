"""Decisions of game-tree searches, with the numbers of visited nodes.

The textbook's algorithms make these records for reports and players.
"""

from __future__ import annotations

from fractions import Fraction

from gamedsl.game.contract import Action
from gamedsl.model.facts import Facts
from gamedsl.solvers.textbook.trace import Value
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class RootMove:
    """An action at the root and the backed-up value.

    Attributes:
        value: from the perspective of the decision.
        is_bound: the search was cut off below, and the true value is equal or worse for the player
            to move at the root.
        visits: number of simulated plays beginning with the action; 0 for searches without
            simulation.
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
        value: the root's value: a number for the player whom the search calls MAX, or a payoff for
            every player in turn order.
        action: the chosen action; None where the root is an ending or a chance event.
        moves: every visited action (or outcome) of the root, in order of visit.
        line: names of the actions of best play from the root, up to the first chance event.
        nodes: nodes visited, chance nodes and leaves included, repeated visits counted again.
        leaves: number of nodes that were endings or estimates.
        is_exact: the value is proved, without estimates.
        ties: one sentence if different ways of breaking ties give different payoffs, else None.
        depth: the depth limit in plies, if any.
        deepest: plies to the deepest position of the tree, of a search without depth limit that
            tells.
        maximizer: index of the player called MAX, whose payoffs the numbers are.
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
    deepest: int | None = None
    maximizer: int = 0

    def payoffs(self, facts: Facts) -> tuple[Fraction, ...]:
        """The payoffs of all players behind the value; ValueError if they do not follow from a
        number (`Facts.payoffs_from`)."""
        return self.value if isinstance(self.value, tuple) else facts.payoffs_from(self.value)

    @property
    def best(self) -> tuple[str, ...]:
        """Names of the moves known to be as good as the chosen move."""
        if self.action is None:
            return ()
        chosen = next(move.value for move in self.moves if move.action == self.action)
        return tuple(m.name for m in self.moves if m.value == chosen and not m.is_bound)
