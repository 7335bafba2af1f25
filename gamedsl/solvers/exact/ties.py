"""Which values other ways of breaking ties would give, in games of general sum.

In: an acyclic state graph and its states in reverse topological order. Out: all payoffs that are
the result of some subgame-perfect play in pure strategies (ties may be broken differently after
different histories). Max^n values are unique only without ties: Sturtevant and Korf, "On pruning
techniques for multi-player games", AAAI-00.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from types import MappingProxyType

from gamedsl.model.state import CHANCE, SIMULTANEOUS
from gamedsl.solvers.graphs.graph import StateGraph, Vector

MOST_VECTORS = 64
"""More possible payoffs than this at one state are not listed."""

Possible = tuple[Vector, ...] | None
"""The payoffs that tie-breaking can lead to, or None where there are too many to list."""


def tie_breaks(
    graph: StateGraph,
    order: Sequence[int],
    choices: Sequence[int] = (),
    by_dominance: Mapping[int, tuple[int, ...]] = MappingProxyType({}),
) -> Possible:
    """All payoffs of state 0 under some tie-breaking, in the order in which they are met.

    None if some state below has more than `MOST_VECTORS`, and nothing can be said; nor if there
    are ties below a stage in which all choose at once, whose decided edge is in `choices`, or whose
    edges are in `by_dominance`, where several are.
    """
    possible: list[Possible] = [()] * len(graph.states)
    for node in order:
        mover = graph.movers[node]
        below = [_after(graph, node, edge, possible) for edge in range(len(graph.actions[node]))]
        if mover >= 0:
            possible[node] = _chosen(mover, below)
        elif mover == CHANCE:
            possible[node] = _mixed(graph.chances[node], below)
        elif mover == SIMULTANEOUS:
            is_sure = all(vectors is not None and len(vectors) == 1 for vectors in below)
            edges = by_dominance.get(node, (choices[node],)) if is_sure else ()
            found = dict.fromkeys(vector for edge in edges for vector in below[edge] or ())
            possible[node] = tuple(found) if is_sure else None
        else:
            possible[node] = (graph.payoffs[node],)
    return possible[0]


def _after(graph: StateGraph, node: int, edge: int, possible: Sequence[Possible]) -> Possible:
    """The payoffs that an action may lead to, its reward included."""
    child = graph.successors[node][edge]
    found = possible[child]
    if found is None or graph.game.facts.pays_at_the_end:
        return found
    return tuple(graph.worth(node, edge, vector) for vector in found)


def _chosen(mover: int, below: Sequence[Possible]) -> Possible:
    """Vectors that some child offers and that no child must beat for the mover.

    Child c with vector v can be chosen if every other child *may* give the mover no more than
    v does: the least that it may give is what counts.
    """
    sets = [vectors for vectors in below if vectors is not None]
    if len(sets) < len(below):
        return None
    if len(sets) == 1 or all(vectors is sets[0] for vectors in sets):
        return sets[0]
    needed = max(min(vector[mover] for vector in vectors) for vectors in sets)
    found = dict.fromkeys(v for vectors in sets for v in vectors if v[mover] >= needed)
    return tuple(found) if len(found) <= MOST_VECTORS else None


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
