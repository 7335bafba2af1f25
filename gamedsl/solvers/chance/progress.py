"""Finds the best actions that make progress, by the length of play that keeps every value.

In: a graph solved exactly, for one player or two with opposed interests, and the states whose mover
delays. Out: the solved graph with expected lengths, chance events not counted, and with choices
that keep value and length. Play among best actions is a game of costs: every ply costs 1, a
hurrying player minimises the cost and a delaying player maximises the cost (`total_rewards`,
`constant_sum.delays`). Where play cannot be made to end almost surely, the length is infinite and
the choice is unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from gamedsl.solvers.chance.component_game import (
    FREE,
    ONE,
    ComponentGame,
    Side,
    Toll,
    game_of_ways,
)
from gamedsl.solvers.chance.total_rewards import total_rewards
from gamedsl.solvers.exact.solved import SolvedGraph, chosen_plies
from gamedsl.solvers.graphs.extended import INFINITY, is_infinite
from gamedsl.source.components import Component, is_cyclic

PLY: Toll = (Fraction(-1), ONE)


def with_progress(
    solved: SolvedGraph, order: Sequence[Component], delays: Callable[[int], bool]
) -> SolvedGraph:
    """Adds lengths to a solved graph; `delays` tells whether a state's mover prefers a late end."""
    lengths = _Lengths(solved, delays)
    for component in order:
        if is_cyclic(component, solved.graph.successors):
            lengths.settle_component(sorted(component))
        else:
            lengths.settle_node(component[0])
    return replace(
        solved,
        lengths=lengths.expected,
        choices=lengths.choices,
        plies=chosen_plies(solved.graph, lengths.choices),
    )


class _Lengths:
    def __init__(self, solved: SolvedGraph, delays: Callable[[int], bool]) -> None:
        self.solved = solved
        self.graph = solved.graph
        self.delays = delays
        self.choices = list(solved.choices)
        self.expected: list[Fraction | None] = [None] * len(solved.values)

    def settle_node(self, node: int) -> None:
        """Settles a state with known successors."""
        children = self.graph.successors[node]
        if node in self.graph.payoffs:
            self.expected[node] = Fraction(0)
            return
        if node in self.graph.chances:
            after = [self.expected[child] for child in children]
            known = [length for length in after if length is not None]
            if len(known) == len(after):
                shares = zip(self.graph.chances[node], known, strict=True)
                self.expected[node] = sum((p * length for p, length in shares), Fraction(0))
            return
        best = self.solved.best_edges(node)
        lengths = [(self.expected[children[edge]], edge) for edge in best]
        options = [(length, edge) for length, edge in lengths if length is not None]
        if len(options) < len(best):
            return
        pick = max if self.delays(node) else min
        length = pick(length for length, _ in options)
        self.expected[node] = length + 1
        if not is_infinite(length):
            self.choices[node] = next(edge for plies, edge in options if plies == length)

    def settle_component(self, nodes: Sequence[int]) -> None:
        """Settles a component in which play can return.

        Lengths stay unknown if an exit's length is unknown, or if the lengths cannot be computed.
        """
        game, edges = self._game(nodes)
        pairs = zip(game.exits, game.tolls, strict=True)
        after = [(self.expected[child], cost) for child, (cost, _) in pairs]
        exits = tuple(cost - length for length, cost in after if length is not None)
        if len(exits) < len(after):
            return
        totals = total_rewards(game, exits, exits, -INFINITY)
        if totals is None or totals.lower != totals.upper:
            return
        for place, node in enumerate(nodes):
            self.expected[node] = length = -totals.lower[place]
            if self.graph.movers[node] >= 0 and length != INFINITY:
                self.choices[node] = edges[place][totals.policy[place]]

    def _game(self, nodes: Sequence[int]) -> tuple[ComponentGame, list[tuple[int, ...]]]:
        """The component of best edges, each ply at a cost; and the best edges of each node."""
        graph = self.graph
        edges_by_node, sides, steps = [], [], []
        for node in nodes:
            chances = graph.chances.get(node)
            edges = tuple(range(len(chances))) if chances else self.solved.best_edges(node)
            is_late = not chances and self.delays(node)
            edges_by_node.append(edges)
            sides.append(Side.NATURE if chances else Side.MIN if is_late else Side.MAX)
            cost = FREE if chances else PLY
            steps.append([(graph.successors[node][edge], cost) for edge in edges])
        return game_of_ways(graph, nodes, sides, steps), edges_by_node
