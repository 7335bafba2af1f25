"""Keys of expressions: two expressions with equal keys have equal values in every state.

The key of a typed expression leaves out places, types and the names that the expression binds.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields
from functools import cache
from types import MappingProxyType
from typing import Any

from gamedsl.model import nodes

Bound = Mapping[int, int]
"""Slots that an expression binds, numbered from the outermost."""


class Keys:
    """The keys of many expressions that share parts, as numbers: equal keys have the same number,
    and the key of a node is made once."""

    def __init__(self) -> None:
        self._of_nodes: dict[int, tuple[nodes.Expr, int]] = {}
        self._numbers: dict[Hashable, int] = {}

    def of(self, node: nodes.Expr) -> int:
        """The number of the key of an expression."""
        entry = self._of_nodes.get(id(node))
        if entry is None and isinstance(node, nodes.Narrowed):
            entry = self._of_nodes[id(node)] = (node, self.of(node.operand))
        if entry is None:
            number = self._numbers.setdefault(_key(node, UNBOUND, self), len(self._numbers))
            entry = self._of_nodes[id(node)] = (node, number)  # kept alive: its id stays unique
        return entry[1]


UNBOUND: Bound = MappingProxyType({})


def key(node: nodes.Expr, bound: Bound = UNBOUND, known: Keys | None = None) -> Hashable:
    """The key of an expression: all of the expression but places and types."""
    return _key(node, bound, known) if known is None or bound else known.of(node)


def _key(node: nodes.Expr, bound: Bound, known: Keys | None) -> Hashable:
    match node:
        case nodes.Const():
            return ("Const", type(node.value).__name__, node.value)
        case nodes.Narrowed():
            return key(node.operand, bound, known)
        case nodes.Local(slot=slot):
            return ("Local", "bound", bound[slot]) if slot in bound else ("Local", slot)
        case nodes.Comprehension():
            clauses, inner = key_of_clauses(node.clauses, bound, known)
            return ("Comprehension", node.kind, clauses, key(node.element, inner, known))
    names = _key_fields(type(node))  # type: ignore[arg-type]
    values = (_key_of_field(getattr(node, name), bound, known) for name in names)
    return (type(node).__name__, *values)


@cache
def _key_fields(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a node that belong to the key."""
    return tuple(field.name for field in fields(kind) if field.name not in {"span", "type"})


def key_of_clauses(
    clauses: tuple[nodes.Clause, ...], bound: Bound, known: Keys | None
) -> tuple[Hashable, Bound]:
    """The key of what quantified locals range over, and the numbers of the locals."""
    clause_keys: list[Hashable] = []
    for clause in clauses:
        domain = key(clause.domain, bound, known)
        bound = {**bound, clause.slot: len(bound)}
        where = None if clause.condition is None else key(clause.condition, bound, known)
        clause_keys.append((domain, where))
    return tuple(clause_keys), bound


def _key_of_field(content: object, bound: Bound, known: Keys | None) -> Hashable:
    match content:
        case nodes.Typed():
            return key(content, bound, known)  # type: ignore[arg-type]
        case tuple():
            return tuple(_key_of_field(item, bound, known) for item in content)
        case nodes.Variable():
            return content.offset
        case nodes.Definition():
            return id(content)
        case _:
            return content
