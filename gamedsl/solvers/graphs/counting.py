"""Counts the complete plays of a game without playing them one by one.

In: a state graph and the components in reverse topological order. Out: the number of complete
plays, and the length of the longest. Each state is visited once, since the plays from a state do
not depend on earlier play.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.graphs.graph import StateGraph
from gamedsl.source.components import Component, is_cyclic


def count_plays(graph: StateGraph, order: Sequence[Component]) -> int:
    """Number of complete plays (terminal histories); chance outcomes count as different plays.

    Raises: UnsupportedGameError where play can return and the number is infinite.
    """
    plays = [1] * len(graph.states)
    for node in _acyclic(graph, order, "there are infinitely many plays"):
        if graph.successors[node]:
            plays[node] = sum(plays[child] for child in graph.successors[node])
    return plays[0]


def count_histories(graph: StateGraph, order: Sequence[Component]) -> int:
    """Number of histories: sequences of actions and chance outcomes from the beginning, including
    the empty sequence and complete plays (M. Osborne and A. Rubinstein, "A Course in Game Theory",
    1994, definition 89.1). Simultaneous choices are one step.

    Raises: UnsupportedGameError where play can return and the number is infinite.
    """
    histories = [1] * len(graph.states)
    for node in _acyclic(graph, order, "there are infinitely many histories"):
        histories[node] += sum(histories[child] for child in graph.successors[node])
    return histories[0]


def longest_play(
    graph: StateGraph, order: Sequence[Component], *, counts_chance: bool = False
) -> int:
    """Plies of the longest play; chance events are no plies, unless they count.

    Raises: UnsupportedGameError where play can return and no play is the longest.
    """
    length = [0] * len(graph.states)
    for node in _acyclic(graph, order, "no play is the longest"):
        below = max((length[child] for child in graph.successors[node]), default=-1)
        is_ply = counts_chance or node not in graph.chances
        length[node] = below + is_ply
    return length[0]


def _acyclic(graph: StateGraph, order: Sequence[Component], reason: str) -> list[int]:
    if any(is_cyclic(component, graph.successors) for component in order):
        raise UnsupportedGameError(
            f"play of {graph.game.name} can return to an earlier position, so {reason}"
        )
    return [component[0] for component in order]
