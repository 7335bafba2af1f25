"""One strongly connected part of a game with chance, seen as a game of its own.

In: a state graph and a component. Out: a `ComponentGame`: its nodes numbered from 0, its exits to
states whose values are known already. What a component is worth is worked out in
`value_iteration`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from math import lcm

from gamedsl.model.state import CHANCE
from gamedsl.solvers.graphs.graph import StateGraph


class Side(IntEnum):
    """Who decides at a node: the player who maximises the first payoff, the other, or chance."""

    MAX = 0
    MIN = 1
    NATURE = 2


@dataclass(frozen=True, slots=True)
class ComponentGame:
    """A strongly connected set of nodes.

    Attributes:
        nodes: the state number of each node.
        exits: the state numbers, outside, to which some node leads.
        sides: who decides at each node.
        edges: per node its successors: a node of the component, or `~k` for exit k.
        weights: per edge its integer weight at a node of nature; 1 elsewhere.
        totals: per node of nature the sum of its weights; 1 elsewhere.
    """

    nodes: tuple[int, ...]
    exits: tuple[int, ...]
    sides: tuple[Side, ...]
    edges: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]

    @property
    def has_chance(self) -> bool:
        """Whether a chance event lies inside."""
        return Side.NATURE in self.sides

    @property
    def size(self) -> int:
        """Number of edges, which is what a sweep costs."""
        return sum(map(len, self.edges))


def side_of(mover: int) -> Side:
    """Who decides where `mover` moves."""
    return Side.NATURE if mover == CHANCE else Side.MAX if mover == 0 else Side.MIN


def integer_weights(chances: Sequence[Fraction]) -> tuple[tuple[int, ...], int]:
    """Probabilities as whole numbers over a common total."""
    total = lcm(*(chance.denominator for chance in chances))
    return tuple(int(chance * total) for chance in chances), total


def component_game(graph: StateGraph, component: Sequence[int]) -> ComponentGame:
    """The game of a component, its nodes in order of their state numbers."""
    nodes = tuple(sorted(component))
    local = {node: i for i, node in enumerate(nodes)}
    exits: dict[int, int] = {}
    edges, weights, totals = [], [], []
    for node in nodes:
        children = graph.successors[node]
        edges.append(
            tuple(
                local[child] if child in local else ~exits.setdefault(child, len(exits))
                for child in children
            )
        )
        chances = graph.chances.get(node)
        shares, total = integer_weights(chances) if chances else ((1,) * len(children), 1)
        weights.append(shares)
        totals.append(total)
    sides = tuple(side_of(graph.movers[node]) for node in nodes)
    return ComponentGame(nodes, tuple(exits), sides, tuple(edges), tuple(weights), tuple(totals))
