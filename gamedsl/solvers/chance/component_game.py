"""One strongly connected component of a game with chance, as a game of its own.

A `ComponentGame` numbers the component's nodes from 0, and has exits to states with known values.
`value_iteration` computes the component's values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from fractions import Fraction
from math import lcm

from gamedsl.model.state import CHANCE
from gamedsl.solvers.graphs.graph import StateGraph
from gamedsl.source.records import dataclass


class Side(IntEnum):
    """The decider at a node: the player who maximises the first payoff, the opponent, or chance."""

    MAX = 0
    MIN = 1
    NATURE = 2


Toll = tuple[Fraction, Fraction]
"""The payment of an edge, and the factor of the value behind the edge."""
ZERO, ONE = Fraction(0), Fraction(1)
FREE: Toll = (ZERO, ONE)


@dataclass(frozen=True, slots=True)
class ComponentGame:
    """A strongly connected set of nodes.

    Attributes:
        nodes: the state number of each node.
        exits: the state numbers of successors outside the component.
        sides: the decider at each node.
        edges: per node the successors: a node of the component, or `~k` for exit k.
        weights: per edge the integer weight at a node of nature; 1 elsewhere.
        totals: per node of nature the sum of the weights; 1 elsewhere.
        tolls: per exit the payment on the way out, and the factor of the value outside.
        rewards: per edge inside the payment to the player whose values are computed; empty if no
            edge pays.
        lasting: per edge inside the factor of the rest of play; empty without a discount.
    """

    nodes: tuple[int, ...]
    exits: tuple[int, ...]
    sides: tuple[Side, ...]
    edges: tuple[tuple[int, ...], ...]
    weights: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    tolls: tuple[Toll, ...] = ()
    rewards: tuple[tuple[Fraction, ...], ...] = ()
    lasting: tuple[tuple[Fraction, ...], ...] = ()

    @property
    def is_paid(self) -> bool:
        """Whether play inside pays, or is discounted."""
        return bool(self.rewards or self.lasting)

    def reward(self, node: int, edge: int) -> Fraction:
        """The payment of an edge inside."""
        return self.rewards[node][edge] if self.rewards else ZERO

    def rest(self, node: int, edge: int) -> Fraction:
        """The factor of the rest of play after an edge inside."""
        return self.lasting[node][edge] if self.lasting else ONE

    @property
    def has_chance(self) -> bool:
        """Whether a chance event lies inside."""
        return Side.NATURE in self.sides

    @property
    def size(self) -> int:
        """Number of edges: the cost of a sweep."""
        return sum(map(len, self.edges))


def side_of(mover: int) -> Side:
    """The side that decides where `mover` moves."""
    return Side.NATURE if mover == CHANCE else Side.MAX if mover == 0 else Side.MIN


def integer_weights(chances: Sequence[Fraction]) -> tuple[tuple[int, ...], int]:
    """Probabilities as whole numbers over a common total."""
    total = lcm(*(chance.denominator for chance in chances))
    return tuple(int(chance * total) for chance in chances), total


def toll(graph: StateGraph, node: int, edge: int, player: int) -> Toll:
    """An action's payment to a player, and the factor of the successor's value."""
    reward = graph.reward(node, edge)
    return ZERO if reward is None else reward[player], graph.lasting(node, edge)


def component_game(
    graph: StateGraph, component: Sequence[int], player: int = 0, *, is_chain: bool = False
) -> ComponentGame:
    """The game of a component, with nodes in order of their state numbers.

    Args:
        player: the player whose rewards count.
        is_chain: no player has a choice, and every node is a node of nature.
    """
    nodes = tuple(sorted(component))
    is_plain = graph.game.facts.pays_at_the_end
    steps = [
        [
            (child, FREE if is_plain else toll(graph, node, edge, player))
            for edge, child in enumerate(graph.successors[node])
        ]
        for node in nodes
    ]
    sides = [Side.NATURE if is_chain else side_of(graph.movers[node]) for node in nodes]
    return game_of_ways(graph, nodes, sides, steps)


def game_of_ways(
    graph: StateGraph,
    nodes: Sequence[int],
    sides: Sequence[Side],
    steps: Sequence[Sequence[tuple[int, Toll]]],
) -> ComponentGame:
    """The game in which each node has the given ways: successor state and toll, per outcome at
    chance nodes."""
    local = {node: i for i, node in enumerate(nodes)}
    exits: dict[tuple[int, Toll], int] = {}
    edges, weights, totals = [], [], []
    for node, node_steps in zip(nodes, steps, strict=True):
        edges.append(
            tuple(
                local[step[0]] if step[0] in local else ~exits.setdefault(step, len(exits))
                for step in node_steps
            )
        )
        chances = graph.chances.get(node)
        shares, total = integer_weights(chances) if chances else ((1,) * len(node_steps), 1)
        weights.append(shares)
        totals.append(total)
    inside = [
        [FREE if child < 0 else paid for child, (_, paid) in zip(reached, node_steps, strict=True)]
        for reached, node_steps in zip(edges, steps, strict=True)
    ]
    pays = any(paid for tolls in inside for paid, _ in tolls)
    discounts = any(lasting != 1 for tolls in inside for _, lasting in tolls)
    return ComponentGame(
        tuple(nodes),
        tuple(child for child, _ in exits),
        tuple(sides),
        tuple(edges),
        tuple(weights),
        tuple(totals),
        tuple(paid for _, paid in exits),
        tuple(tuple(paid for paid, _ in tolls) for tolls in inside) if pays else (),
        tuple(tuple(lasting for _, lasting in tolls) for tolls in inside) if discounts else (),
    )


def unpaid_part(game: ComponentGame) -> ComponentGame:
    """The component with paying edges leading out; the edges that stay inside are free."""
    edges = tuple(
        tuple(~0 if game.reward(node, edge) else child for edge, child in enumerate(children))
        for node, children in enumerate(game.edges)
    )
    return replace(game, edges=edges)


def with_discount(game: ComponentGame, lasting: Fraction) -> ComponentGame:
    """The component with one factor of the rest of play on all edges inside."""
    return replace(game, lasting=tuple((lasting,) * len(edges) for edges in game.edges))


def with_edges(
    game: ComponentGame, nodes: Sequence[int], remaining: Sequence[Sequence[int]]
) -> ComponentGame:
    """The component restricted to some nodes with the kept edges, which must not leave the kept
    nodes."""
    local = {node: place for place, node in enumerate(nodes)}
    pairs = list(zip(nodes, remaining, strict=True))
    return replace(
        game,
        nodes=tuple(game.nodes[n] for n in nodes),
        sides=tuple(game.sides[n] for n in nodes),
        edges=tuple(
            tuple(c if (c := game.edges[n][e]) < 0 else local[c] for e in edges)
            for n, edges in pairs
        ),
        weights=tuple(tuple(game.weights[n][e] for e in edges) for n, edges in pairs),
        totals=tuple(game.totals[n] for n in nodes),
        rewards=tuple(tuple(game.reward(n, e) for e in edges) for n, edges in pairs),
    )
