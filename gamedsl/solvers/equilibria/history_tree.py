"""The tree of histories as flat arrays, for algorithms that traverse the tree many times.

In: histories in the order of a walk. Out: `HistoryTree`. Simultaneous choices become successive
choices that later choosers do not see. The module solves nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import field
from fractions import Fraction
from itertools import pairwise

from gamedsl.model.state import CHANCE, TERMINAL
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.source.records import dataclass


@dataclass(slots=True)
class HistoryTree:
    """Nodes by number; 0 is the root, and the children of a node are consecutive.

    Attributes:
        movers: int64[nodes]: the player to choose, `CHANCE` or `TERMINAL`.
        places: int64[nodes]: the number of the player's information set; for a chance event, its
            row in `shares`; for an ending, its row in `payoffs`.
        children: int64[nodes]: the first child.
        shares: the probabilities of the outcomes of each chance event.
        payoffs: of each ending; `weights`: the probability of the ending by chance alone, if all
            players choose to reach the ending.
    """

    movers: array[int] = field(default_factory=lambda: array("q", [TERMINAL]))
    places: array[int] = field(default_factory=lambda: array("q", [0]))
    children: array[int] = field(default_factory=lambda: array("q", [0]))
    shares: list[tuple[Fraction, ...]] = field(default_factory=list)
    payoffs: list[Vector] = field(default_factory=list)
    weights: list[Fraction] = field(default_factory=list)

    def below(self) -> list[range]:
        """The children of each node."""
        firsts = sorted({first for first in self.children if first})
        behind = dict(pairwise([*firsts, len(self.movers)]))
        return [range(first, behind[first]) if first else range(0) for first in self.children]

    def end(self, node: int, payoffs: Vector, weight: Fraction) -> None:
        """Make a node an ending with these payoffs."""
        self.places[node] = len(self.payoffs)
        self.payoffs.append(payoffs)
        self.weights.append(weight)

    def draw(self, node: int, shares: Sequence[Fraction]) -> int:
        """Make a node a chance event; return its first child."""
        self.shares.append(tuple(shares))
        return self._branch(node, CHANCE, len(self.shares) - 1, len(shares))

    def choose(self, node: int, choosers: Sequence[tuple[int, int, int]]) -> int:
        """Let one player, or all players simultaneously, choose at a node.

        `choosers` has for each player the player's number, the number of the information set and
        the number of actions. Returns the first node behind all choices; the last player's choice
        varies fastest.
        """
        first, level = node, range(node, node + 1)
        for player, place, width in choosers:
            first = len(self.movers)
            for parent in level:
                self._branch(parent, player, place, width)
            level = range(first, len(self.movers))
        return first

    def _branch(self, node: int, mover: int, place: int, width: int) -> int:
        first = len(self.movers)
        self.movers[node], self.places[node], self.children[node] = mover, place, first
        self.movers.extend([TERMINAL] * width)
        self.places.extend([0] * width)
        self.children.extend([0] * width)
        return first
