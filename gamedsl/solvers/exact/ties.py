"""Lists the values that different ways of breaking ties would give, in general-sum games.

In: an acyclic state graph and the states in reverse topological order. Out: all payoffs of
subgame-perfect play in pure strategies (ties may be broken differently after different histories).
Max^n values are unique only without ties: Sturtevant and Korf, "On pruning techniques for
multi-player games", AAAI-00.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from types import MappingProxyType

from gamedsl.model.state import CHANCE, SIMULTANEOUS
from gamedsl.solvers.graphs.graph import StateGraph, Vector

MOST_VECTORS = 64
"""Greatest number of possible payoffs listed at one state."""

Possible = tuple[Vector, ...] | None
"""The payoffs possible under tie-breaking, or None where the payoffs are too many to list."""


def tie_breaks(
    graph: StateGraph,
    order: Sequence[int],
    choices: Sequence[int] = (),
    by_dominance: Mapping[int, tuple[int, ...]] = MappingProxyType({}),
) -> Possible:
    """All payoffs of state 0 under some tie-breaking, in the order of discovery.

    None if a state below has more than `MOST_VECTORS` payoffs. Also None if ties exist below a
    stage of simultaneous choices decided by an edge in `choices`, or by several edges in
    `by_dominance`.
    """
    possible: list[Possible] = [()] * len(graph.states)
    for node in order:
        mover = graph.movers[node]
        below = [_after(graph, node, edge, possible) for edge in range(len(graph.actions[node]))]
        if mover >= 0:
            possible[node] = choosable(mover, below)
        elif mover == CHANCE:
            possible[node] = _mixed(graph.chances[node], below)
        elif mover == SIMULTANEOUS:
            is_sure = all(vectors is not None and len(vectors) == 1 for vectors in below)
            edges = by_dominance.get(node, (choices[node],)) if is_sure else ()
            payoffs = dict.fromkeys(vector for edge in edges for vector in below[edge] or ())
            possible[node] = tuple(payoffs) if is_sure else None
        else:
            possible[node] = (graph.payoffs[node],)
    return possible[0]


def _after(graph: StateGraph, node: int, edge: int, possible: Sequence[Possible]) -> Possible:
    """The possible payoffs of an action, including the reward."""
    child = graph.successors[node][edge]
    vectors = possible[child]
    if vectors is None or graph.game.facts.pays_at_the_end:
        return vectors
    return tuple(graph.expected_payoffs(node, edge, vector) for vector in vectors)


def choosable(mover: int, below: Sequence[Possible]) -> Possible:
    """Possible payoffs of the actions that the mover may choose; None if they are too many.

    Child c with vector v can be chosen if every sibling *may* give the mover no more than v does;
    only the sibling's least payoff for the mover matters.
    """
    sets = [vectors for vectors in below if vectors is not None]
    if len(sets) < len(below):
        return None
    if len(sets) == 1 or all(vectors is sets[0] for vectors in sets):
        return sets[0]
    needed = max(min(vector[mover] for vector in vectors) for vectors in sets)
    choosable = dict.fromkeys(v for vectors in sets for v in vectors if v[mover] >= needed)
    return tuple(choosable) if len(choosable) <= MOST_VECTORS else None


def _mixed(chances: Sequence[Fraction], below: Sequence[Possible]) -> Possible:
    means: dict[Vector, None] = {}
    for i, (chance, vectors) in enumerate(zip(chances, below, strict=True)):
        if vectors is None:
            return None
        shares = [tuple(chance * payoff for payoff in vector) for vector in vectors]
        means = (
            dict.fromkeys(_add(*pair) for pair in product(means, shares))
            if i
            else (dict.fromkeys(shares))
        )
        if len(means) > MOST_VECTORS:
            return None
    return tuple(means)


def _add(first: Vector, second: Vector) -> Vector:
    return tuple(a + b for a, b in zip(first, second, strict=True))
