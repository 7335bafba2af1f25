"""Plays of a state graph that return: loops within strongly connected components, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from gamedsl.model.errors import GameRuleError
from gamedsl.solvers.graphs.graph import StateGraph
from gamedsl.source.components import Component

Step = tuple[int, int]
"""A node and an edge, or an edge and the edge's target."""


def endless_play_error(graph: StateGraph, component: Component) -> GameRuleError:
    """The error of a game that can go on for ever without a payoff of endless play."""
    start, cycle = loop_words(graph, component, unpaid=True)
    return GameRuleError(
        "E3006",
        f"play can go on for ever: {start}, the moves {cycle} lead back to the same position",
        hint=f"say what endless play is worth, for example `{graph.game.facts.endless_line}`",
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
