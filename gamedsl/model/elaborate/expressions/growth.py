"""Bound the difference between the result of a recursive `def` and the results of its calls.

`growth_of` returns a `Growth`, or None if the body does more with recursive results than to add
numbers and to choose among the sums. With a `Growth` the range of numbers after 500 levels follows
from a single level; otherwise the body is typed once per level (`recursive._climbed`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gamedsl.model import nodes
from gamedsl.model.types import Bound, Scalar, is_always_number
from gamedsl.model.walk import within

CHOOSING = frozenset({"min", "max", "first", "last"})
"""Reductions that return an element of their argument."""


class Growth(NamedTuple):
    """Least and greatest difference between the result and the result of a recursive call."""

    least: Bound
    most: Bound


def growth_of(body: nodes.Expr, definition: nodes.RecursiveDefinition) -> Growth | None:
    """The growth of a part of the body in which the definition is called."""
    match body:
        case nodes.ApplyRecursive() if body.definition is definition:
            return None if _any_within(body.arguments, definition) else Growth(0, 0)
        case nodes.Arithmetic(operator="+" | "-"):
            return _sum(body, definition)
        case nodes.Conditional() if not _any_within((body.condition,), definition):
            return _either((body.then, body.otherwise), definition)
        case nodes.Collection():
            return _either(body.items, definition)
        case nodes.Builtin() if body.name in CHOOSING | {"|"}:
            return _either(body.arguments, definition)
        case nodes.Comprehension() if body.kind in CHOOSING | {"set", "list"}:
            clauses = [
                part
                for clause in body.clauses
                for part in (clause.domain, clause.condition)
                if part
            ]
            return None if _any_within(clauses, definition) else growth_of(body.element, definition)
        case _:
            return None


def _sum(body: nodes.Arithmetic, definition: nodes.RecursiveDefinition) -> Growth | None:
    """The growth of a sum or difference with a recursive call."""
    called, addend = body.left, body.right
    if body.operator == "+" and not _any_within((called,), definition):
        called, addend = addend, called
    growth = None if _any_within((addend,), definition) else growth_of(called, definition)
    if growth is None or not is_always_number(addend.type):
        return None
    assert isinstance(addend.type, Scalar)
    least, most = addend.type.interval
    if body.operator == "-":
        least, most = -most, -least
    return Growth(growth.least + least, growth.most + most)


def _either(bodies: Iterable[nodes.Expr], definition: nodes.RecursiveDefinition) -> Growth | None:
    """The growth of a choice among several expressions."""
    growths = [growth_of(body, definition) for body in bodies if _any_within((body,), definition)]
    known = [growth for growth in growths if growth is not None]
    if not known or len(known) < len(growths):
        return None
    return Growth(min(growth.least for growth in known), max(growth.most for growth in known))


def _any_within(bodies: Iterable[nodes.Expr], definition: nodes.RecursiveDefinition) -> bool:
    """Whether a definition is called within the expressions."""
    return any(
        isinstance(node, nodes.ApplyRecursive) and node.definition is definition
        for body in bodies
        for node in within(body)
    )
