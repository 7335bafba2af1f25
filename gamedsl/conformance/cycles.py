"""Find a cycle in a graph of states.

The input maps expanded states to their successors. The value of endless play is not considered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

Vertex = TypeVar("Vertex")


def find_cycle(successors: Mapping[Vertex, Iterable[Vertex]]) -> list[Vertex] | None:
    """The nodes of a cycle in order, or None; nodes without an entry have no successors.

    The first node comes early in the order of `successors`, and the cycle is a shortest cycle
    through the first node.
    """
    cycle = _any_cycle(successors)
    if cycle is None:
        return None
    on_it = set(cycle)
    return _shortest_round(successors, next(node for node in successors if node in on_it))


def _any_cycle(successors: Mapping[Vertex, Iterable[Vertex]]) -> list[Vertex] | None:
    """Depth-first search with an explicit stack: plays exceed Python's recursion limit."""
    finished: set[Vertex] = set()
    for root in successors:
        if root in finished:
            continue
        path: dict[Vertex, None] = {root: None}
        pending = [(root, iter(successors[root]))]
        while pending:
            node, following = pending[-1]
            after = next(following, None)
            if after is None:
                finished.add(node)
                path.popitem()
                pending.pop()
            elif after in path:
                nodes = list(path)
                return nodes[nodes.index(after) :]
            elif after not in finished and after in successors:
                path[after] = None
                pending.append((after, iter(successors[after])))
    return None


def _shortest_round(successors: Mapping[Vertex, Iterable[Vertex]], start: Vertex) -> list[Vertex]:
    """Breadth-first search from a node on a cycle back to the node."""
    came_from: dict[Vertex, Vertex] = {}
    queue = [start]
    for node in queue:
        for after in successors.get(node, ()):
            if after == start:
                return _path(came_from, node)
            if after not in came_from:
                came_from[after] = node
                queue.append(after)
    raise ValueError("the node is on no cycle")


def _path(came_from: Mapping[Vertex, Vertex], last: Vertex) -> list[Vertex]:
    path = [last]
    while path[-1] in came_from:
        path.append(came_from[path[-1]])
    return path[::-1]
