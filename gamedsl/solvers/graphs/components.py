"""Strongly connected components of state graphs, and example plays that return.

In: successor lists. Out: components in reverse topological order (every successor outside a
component lies in an earlier component). Tarjan, "Depth-first search and linear graph algorithms",
SIAM J. Comput. 1 (1972), without recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from gamedsl.model.errors import GameRuleError
from gamedsl.solvers.graphs.graph import StateGraph

Component = tuple[int, ...]
Step = tuple[int, int]
"""A node and an edge, or an edge and the edge's target."""


def components(successors: Sequence[Sequence[int]]) -> tuple[Component, ...]:
    """The strongly connected components of the whole graph, in reverse topological order."""
    return _Tarjan(successors).components(range(len(successors)))


def is_cyclic(component: Component, successors: Sequence[Sequence[int]]) -> bool:
    """Whether play can return inside the component."""
    return len(component) > 1 or component[0] in successors[component[0]]


class _Tarjan:
    def __init__(self, successors: Sequence[Sequence[int]]) -> None:
        self.successors = successors
        self.low = [0] * len(successors)
        """0: not visited. On the stack: the least visit number reachable, as far as known."""
        self.visits = 0
        self.stack: list[int] = []
        self.closed: list[Component] = []
        self.settled = len(successors) + 1
        """A number above every visit number, which marks nodes of known components."""

    def components(self, roots: Iterable[int]) -> tuple[Component, ...]:
        for root in roots:
            if not self.low[root]:
                self._visit_from(root)
        return tuple(self.closed)

    def _visit_from(self, root: int) -> None:
        low, successors = self.low, self.successors
        path = [(root, self._enter(root), iter(successors[root]))]
        while path:
            node, visit, rest = path[-1]
            for child in rest:
                if not low[child]:
                    path.append((child, self._enter(child), iter(successors[child])))
                    break
                if low[child] < low[node]:
                    low[node] = low[child]
            else:
                path.pop()
                lowest = low[node]
                if lowest == visit:
                    self._close(node)
                elif path and lowest < low[path[-1][0]]:
                    low[path[-1][0]] = lowest

    def _enter(self, node: int) -> int:
        self.visits += 1
        self.low[node] = self.visits
        self.stack.append(node)
        return self.visits

    def _close(self, node: int) -> None:
        members = []
        while True:
            member = self.stack.pop()
            self.low[member] = self.settled
            members.append(member)
            if member == node:
                self.closed.append(tuple(members))
                return


def endless_play_error(graph: StateGraph, component: Component) -> GameRuleError:
    """The error of a game that can go on for ever without a payoff of endless play."""
    start, cycle = loop_words(graph, component, unpaid=True)
    return GameRuleError(
        "E3006",
        f"play can go on for ever: {start}, the moves {cycle} lead back to the same position",
        hint="say what endless play is worth, for example `endless: draw`",
        state=graph.states[min(component)],
    )


def loop_words(graph: StateGraph, component: Component, *, unpaid: bool = False) -> tuple[str, str]:
    """The beginning and the moves of a loop in a component that can return.

    `unpaid`: use only moves without payments; these must be able to return.
    """
    inside = frozenset(component)

    def steps_from(node: int) -> Iterator[Step]:
        for edge, child in enumerate(graph.successors[node]):
            if child in inside and not (unpaid and any(graph.reward(node, edge) or ())):
                yield edge, child

    return named_loop(graph, loop_from(min(component), steps_from))


def named_loop(graph: StateGraph, loop: Sequence[Step]) -> tuple[str, str]:
    """The beginning of a loop of states and edges, and the moves."""
    way = ", ".join(graph.play_to(loop[0][0]))
    cycle = ", ".join(graph.edge_name(node, edge) for node, edge in loop)
    return f"after {way}" if way else "from the first position", cycle


def loop_from(start: int, steps_from: Callable[[int], Iterable[Step]]) -> tuple[Step, ...]:
    """A shortest loop from a node, as nodes with the edges taken there.

    `steps_from` gives a node's edges with their targets.
    """
    came_from: dict[int, Step] = {}
    queue = [start]
    for node in queue:
        for edge, child in steps_from(node):
            if child not in came_from:
                came_from[child] = (node, edge)
                queue.append(child)
        if start in came_from:
            break
    steps = [came_from[start]]
    while steps[-1][0] != start:
        steps.append(came_from[steps[-1][0]])
    return tuple(reversed(steps))
