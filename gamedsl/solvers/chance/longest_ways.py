"""Total rewards of one player alone without chance, by longest ways to the exits.

In: a component in which one side chooses, and the extended values of the exits and of endless play
without rewards. Out: `Ways`: the value of each node, as the supremum over all plays, and an edge
that keeps the value. Endless play pays the sum of the rewards; where rewards stop, `endless` is
added.

A loop with a positive sum of rewards makes the supremum infinite. Without such loops, a potential
turns every reward into a cost (D. Johnson, "Efficient algorithms for shortest paths in sparse
networks", J. ACM 24, 1977), and ways are found backwards from the exits in order of value (Dijkstra
1959); ties are broken by the fewest counted edges.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from fractions import Fraction
from heapq import heappop, heappush

from gamedsl.solvers.chance.component_game import ComponentGame
from gamedsl.solvers.graphs.components import Step, loop_from
from gamedsl.solvers.graphs.extended import INFINITY, is_infinite
from gamedsl.source.components import components, is_cyclic
from gamedsl.source.records import dataclass

Loop = tuple[Step, ...]
"""Nodes with the edges taken there, back to the first node."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Values and edges of the nodes, and loops that affect the values.

    `gaining`: a loop with a positive sum of rewards, if any. `undefined`: a loop with an undefined
    sum of rewards that affects the values; then no values are given.
    """

    values: tuple[Fraction, ...]
    policy: tuple[int, ...]
    gaining: Loop = ()
    undefined: Loop = ()


def longest_ways(game: ComponentGame, exit_values: Sequence[Fraction], endless: Fraction) -> Ways:
    """The values for the choosing side, which maximises."""
    return _Search(game, exit_values, endless).run()


class _Search:
    def __init__(
        self, game: ComponentGame, exit_values: Sequence[Fraction], endless: Fraction
    ) -> None:
        self.game = game
        self.exit_values = exit_values
        self.endless = endless
        self.count = len(game.nodes)
        self.inner = [
            [(edge, child) for edge, child in enumerate(children) if child >= 0]
            for children in game.edges
        ]
        self.before: list[list[tuple[int, int]]] = [[] for _ in game.nodes]
        for node, edges in enumerate(self.inner):
            for edge, child in edges:
                self.before[child].append((node, edge))
        self.values = [-INFINITY] * self.count
        self.policy = [edges[0][0] if edges else 0 for edges in self.inner]
        self.gaining: Loop = ()

    def run(self) -> Ways:
        endless_pay = [
            (node, edge)
            for node, children in enumerate(self.game.edges)
            for edge, child in enumerate(children)
            if child < 0 and self.exit_values[~child] == INFINITY
        ]
        self._spread_infinity(endless_pay)
        heights = self._heights()
        self._settle(heights)
        undefined = self._undefined(heights)
        return Ways(tuple(self.values), tuple(self.policy), self.gaining, undefined)

    def _spread_infinity(self, edges: Collection[tuple[int, int]]) -> None:
        """Settles the nodes of the given edges, and all predecessors, as infinite."""
        queue = []
        for node, edge in edges:
            if self.values[node] != INFINITY:
                self.values[node], self.policy[node] = INFINITY, edge
                queue.append(node)
        for node in queue:
            for parent, edge in self.before[node]:
                if self.values[parent] != INFINITY:
                    self.values[parent], self.policy[parent] = INFINITY, edge
                    queue.append(parent)

    def _is_open(self, node: int) -> bool:
        return self.values[node] != INFINITY

    # --- loops that pay -------------------------------------------------------------------------

    def _heights(self) -> list[Fraction]:
        """A potential h with reward + h(child) <= h(node).

        Nodes that lead to a loop with a positive sum of rewards are settled on the way (Bellman and
        Ford, by a queue).
        """
        while True:
            heights, loop = self._relaxed()
            if not loop:
                return heights
            self.gaining = self.gaining or loop
            self._spread_infinity(loop)

    def _relaxed(self) -> tuple[list[Fraction], Loop]:
        heights = [Fraction(0)] * self.count
        if not any(reward > 0 for rewards in self.game.rewards for reward in rewards):
            return heights, ()
        taken = [-1] * self.count
        queue = deque(node for node in range(self.count) if self._is_open(node))
        waiting = set(queue)
        looked = 0
        while queue:
            child = queue.popleft()
            waiting.discard(child)
            looked += 1
            if looked % (self.count + 1) == 0 and (loop := self._loop_of(taken)):
                return heights, loop
            for node, edge in self.before[child]:
                height = self.game.reward(node, edge) + heights[child]
                if self._is_open(node) and height > heights[node]:
                    heights[node], taken[node] = height, edge
                    if node not in waiting:
                        waiting.add(node)
                        queue.append(node)
        return heights, ()

    def _loop_of(self, taken: Sequence[int]) -> Loop:
        """A loop of the edges taken last, with a positive sum of rewards; `()` if no loop
        exists."""
        ended: set[int] = set()
        for start in range(self.count):
            path: dict[int, None] = {}
            node = start
            while node not in ended and node not in path and taken[node] >= 0:
                path[node] = None
                node = self.game.edges[node][taken[node]]
            if node in path:
                nodes = list(path)
                return tuple((n, taken[n]) for n in nodes[nodes.index(node) :])
            ended.update(path)
        return ()

    # --- ways to the exits ----------------------------------------------------------------------

    def _settle(self, heights: Sequence[Fraction]) -> None:
        """Values of nodes with a way to an exit, or to a loop without payments."""
        heap: list[tuple[Fraction, int, int, int]] = []
        for node in filter(self._is_open, range(self.count)):
            for edge, child in enumerate(self.game.edges[node]):
                if child < 0 and not is_infinite(self.exit_values[~child]):
                    heappush(heap, (heights[node] - self.exit_values[~child], 1, node, edge))
        for node, edge in self._free_loops():
            heappush(heap, (heights[node] - self.endless, self.count + 2, node, edge))
        settled = set()
        while heap:
            key, steps, node, edge = heappop(heap)
            if node in settled:
                continue
            settled.add(node)
            self.values[node], self.policy[node] = heights[node] - key, edge
            for parent, way in self.before[node]:
                if parent not in settled and self._is_open(parent):
                    payoff = self.game.reward(parent, way) + self.values[node]
                    heappush(heap, (heights[parent] - payoff, steps + 1, parent, way))

    def _loops(self, edges: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, ...]]:
        successors = [[child for _, child in outgoing] for outgoing in edges]
        return [part for part in components(successors) if is_cyclic(part, successors)]

    def _free_loops(self) -> list[tuple[int, int]]:
        """Nodes with an edge on a loop without rewards."""
        free = [
            [(e, c) for e, c in outgoing if not self.game.reward(node, e) and self._is_open(node)]
            for node, outgoing in enumerate(self.inner)
        ]
        edges = []
        for loop in self._loops(free):
            inside = set(loop)
            edges += [(n, next(e for e, child in free[n] if child in inside)) for n in loop]
        return edges

    def _undefined(self, heights: Sequence[Fraction]) -> Loop:
        """A loop with rewards, not all zero, that sum to zero, if the loop may affect a value.

        The loop matters where staying might pay more than the value found, or where no play leaves.
        """
        is_known = [not is_infinite(value) for value in self.values]
        payoffs = [
            v if known else h for v, h, known in zip(self.values, heights, is_known, strict=True)
        ]
        tight = [
            [
                (e, c)
                for e, c in outgoing
                if self._is_open(node)
                and is_known[node] == is_known[c]
                and self.game.reward(node, e) + payoffs[c] == payoffs[node]
            ]
            for node, outgoing in enumerate(self.inner)
        ]
        mattering = (
            loop
            for loop in self._loops(tight)
            if not is_known[loop[0]] or min(payoffs[node] for node in loop) < self.endless
        )
        inside = frozenset(next(mattering, ()))
        if not inside:
            return ()
        return loop_from(min(inside), lambda node: [way for way in tight[node] if way[1] in inside])
