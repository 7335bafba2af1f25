"""The tree of histories as flat arrays, for algorithms that go down it many times.

In: histories, one after the other, as a walk finds them. Out: `HistoryTree`. Where all choose at
once, they do so one after the other and do not see it. It solves nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import field
from fractions import Fraction
from itertools import accumulate

from gamedsl.model.state import CHANCE, TERMINAL
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.source.records import dataclass

PARTS = 1 << 30


@dataclass(slots=True)
class HistoryTree:
    """Nodes by number; 0 is the root, and the children of a node lie one behind the other.

    Attributes:
        movers: int64[nodes]: the player to choose, `CHANCE` or `TERMINAL`.
        places: int64[nodes]: the number of the player's information set; of a chance event, where
            its probabilities begin in `chances`; of an ending, its row in `payoffs`.
        children: int64[nodes]: the first child.
        chances: int64[]: probabilities of the outcomes of each chance event, added up, in parts of
            `PARTS`; the last is `PARTS`.
        payoffs: of each ending; `weights`: how likely chance makes it if all choose to come there.
    """

    movers: array[int] = field(default_factory=lambda: array("q", [TERMINAL]))
    places: array[int] = field(default_factory=lambda: array("q", [0]))
    children: array[int] = field(default_factory=lambda: array("q", [0]))
    chances: array[int] = field(default_factory=lambda: array("q"))
    payoffs: list[Vector] = field(default_factory=list)
    weights: list[Fraction] = field(default_factory=list)

    def end(self, node: int, payoffs: Vector, weight: Fraction) -> None:
        """A node is an ending, and pays."""
        self.places[node] = len(self.payoffs)
        self.payoffs.append(payoffs)
        self.weights.append(weight)

    def draw(self, node: int, shares: Sequence[Fraction]) -> int:
        """A node is a chance event; its first child."""
        first = self._branch(node, CHANCE, len(self.chances), len(shares))
        self.chances.extend(int(share * PARTS) for share in accumulate(shares))
        return first

    def choose(self, node: int, choosers: Sequence[tuple[int, int, int]]) -> int:
        """At a node one player chooses, or all at once: of each its number, that of its information
        set, and how many actions it has. The first of the nodes that all choices together lead to,
        in which those of the last player differ first."""
        first, level = node, range(node, node + 1)
        for player, place, width in choosers:
            first = len(self.movers)
            for one in level:
                self._branch(one, player, place, width)
            level = range(first, len(self.movers))
        return first

    def _branch(self, node: int, mover: int, place: int, width: int) -> int:
        first = len(self.movers)
        self.movers[node], self.places[node], self.children[node] = mover, place, first
        self.movers.extend([TERMINAL] * width)
        self.places.extend([0] * width)
        self.children.extend([0] * width)
        return first
