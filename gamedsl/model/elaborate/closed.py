"""Find typed expressions with a constant value: expressions without state and free names."""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.walk import body_of, slots_of, within


def is_closed(node: nodes.Expr) -> bool:
    """Whether the expression reads no variable, no player to move and no name from outside."""
    found = list(within(node))
    if any(
        not (isinstance(one, nodes.Cell) and one.variable.is_constant)
        and isinstance(one, nodes.Cell | nodes.ArrayRef | nodes.Turn | nodes.Me | nodes.Stuck)
        for one in found
    ):
        return False
    bound: set[int] = set()
    for one in found:
        if isinstance(one, nodes.Comprehension):
            bound.update(clause.slot for clause in one.clauses)
        elif isinstance(one, nodes.Apply | nodes.ApplyRecursive):
            bound.update(slots_of(one))
            if body_of(one) is None:
                return False
    return all(one.slot in bound for one in found if isinstance(one, nodes.Local))
