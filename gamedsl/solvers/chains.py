"""The exact values of a block in which both sides have fixed their policies: a Markov chain.

In: a block, a policy, exact exit values and the exact value of endless play. Out: one `Fraction` a
node, or None where the numbers grow too long to be of use. Solves the linear equations by
elimination; it does not ask whether the policies are good.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.solvers.blocks import Block, Side

MOST_NODES = 300
MOST_BITS = 2048
"""Longer denominators than this, on the way, are not worth their time."""

Row = dict[int, Fraction]
"""Coefficients by node; key CONSTANT holds the constant."""
CONSTANT = -1


def chain_values(
    block: Block, policy: Sequence[int], exit_values: Sequence[Fraction], endless: Fraction
) -> list[Fraction] | None:
    """Values of all nodes when play follows `policy` at both sides' nodes."""
    if len(block.nodes) > MOST_NODES:
        return None
    ending = _nodes_that_may_end(block, policy)
    rows = {
        node: _row(block, policy, exit_values, endless, ending, node) for node in sorted(ending)
    }
    if not _eliminate(rows):
        return None
    return [
        rows[node].get(CONSTANT, Fraction(0)) if node in rows else endless
        for node in range(len(block.nodes))
    ]


def _open_edges(block: Block, policy: Sequence[int], node: int) -> Sequence[int]:
    if block.sides[node] is Side.NATURE:
        return range(len(block.edges[node]))
    return (policy[node],)


def _nodes_that_may_end(block: Block, policy: Sequence[int]) -> set[int]:
    """Nodes from which an exit can be reached; from all others play is endless for sure."""
    before: dict[int, list[int]] = {}
    queue = []
    for node, edges in enumerate(block.edges):
        for edge in _open_edges(block, policy, node):
            if edges[edge] < 0:
                queue.append(node)
            else:
                before.setdefault(edges[edge], []).append(node)
    ending = set(queue)
    for node in queue:
        for predecessor in before.get(node, ()):
            if predecessor not in ending:
                ending.add(predecessor)
                queue.append(predecessor)
    return ending


def _row(
    block: Block,
    policy: Sequence[int],
    exit_values: Sequence[Fraction],
    endless: Fraction,
    ending: set[int],
    node: int,
) -> Row:
    """The equation value(node) = constant + sum of coefficient * value."""
    row: Row = {CONSTANT: Fraction(0)}
    for edge in _open_edges(block, policy, node):
        share = Fraction(block.weights[node][edge], block.totals[node])
        child = block.edges[node][edge]
        if child < 0:
            row[CONSTANT] += share * exit_values[~child]
        elif child in ending:
            row[child] = row.get(child, Fraction(0)) + share
        else:
            row[CONSTANT] += share * endless
    return row


def _eliminate(rows: dict[int, Row]) -> bool:
    """Solve in place, so that each row holds its constant alone; False if numbers grow too long."""
    for pivot in list(rows):
        row = rows[pivot]
        own = row.pop(pivot, Fraction(0))
        if own:
            row = {key: value / (1 - own) for key, value in row.items()}
            rows[pivot] = row
        if any(value.denominator.bit_length() > MOST_BITS for value in row.values()):
            return False
        for other in rows.values():
            share = other.pop(pivot, None) if other is not row else None
            if share is not None:
                for key, value in row.items():
                    other[key] = other.get(key, Fraction(0)) + share * value
    return True
