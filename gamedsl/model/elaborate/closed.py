"""Find typed expressions with a constant value: expressions without state and free names."""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.walk import body_of, slots_of, within


def is_closed(node: nodes.Expr) -> bool:
    """Whether the expression reads no variable, no player to move and no name from outside."""
    nodes_within = list(within(node))
    if any(
        not (isinstance(part, nodes.Cell) and part.variable.is_constant)
        and isinstance(part, nodes.Cell | nodes.ArrayRef | nodes.Turn | nodes.Me | nodes.Stuck)
        for part in nodes_within
    ):
        return False
    bound: set[int] = set()
    for part in nodes_within:
        if isinstance(part, nodes.Comprehension):
            bound.update(clause.slot for clause in part.clauses)
        elif isinstance(part, nodes.Apply | nodes.ApplyRecursive):
            bound.update(slots_of(part))
            if body_of(part) is None:
                return False
    return all(part.slot in bound for part in nodes_within if isinstance(part, nodes.Local))
