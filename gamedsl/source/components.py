"""Strongly connected components of a graph.

In: successor lists. Out: components in reverse topological order (every successor outside a
component lies in an earlier component). Tarjan, "Depth-first search and linear graph algorithms",
SIAM J. Comput. 1 (1972), without recursion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Component = tuple[int, ...]


def components(successors: Sequence[Sequence[int]]) -> tuple[Component, ...]:
    """The strongly connected components of the whole graph, in reverse topological order."""
    return _Tarjan(successors).components(range(len(successors)))


def is_cyclic(component: Component, successors: Sequence[Sequence[int]]) -> bool:
    """Whether a way leads from a node of the component back to the node."""
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
