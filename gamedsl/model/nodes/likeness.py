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


Known = dict[int, tuple[nodes.Expr, Hashable]]
"""Keys by the identity of the node. The entry holds the node, so that the identity is not
reused."""


def key(
    node: nodes.Expr, bound: Bound = MappingProxyType({}), known: Known | None = None
) -> Hashable:
    """The key of an expression: all of the expression but places and types.

    Callers with many expressions that share parts pass a common `known`.
    """
    if known is None or bound:
        return _key(node, bound, known)
    entry = known.get(id(node))
    if entry is None:
        entry = known[id(node)] = (node, _key(node, bound, known))
    return entry[1]


def _key(node: nodes.Expr, bound: Bound, known: Known | None) -> Hashable:
    match node:
        case nodes.Const():
            return ("Const", type(node.value).__name__, node.value)
        case nodes.Narrowed():
            return key(node.operand, bound, known)
        case nodes.Local(slot=slot):
            return ("Local", "bound", bound[slot]) if slot in bound else ("Local", slot)
        case nodes.Comprehension():
            clauses, inner = _key_of_clauses(node.clauses, bound, known)
            return ("Comprehension", node.kind, clauses, key(node.element, inner, known))
    names = _key_fields(type(node))  # type: ignore[arg-type]
    values = (_key_of_field(getattr(node, name), bound, known) for name in names)
    return (type(node).__name__, *values)


@cache
def _key_fields(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a node that belong to the key."""
    return tuple(field.name for field in fields(kind) if field.name not in {"span", "type"})


def _key_of_clauses(
    clauses: tuple[nodes.Clause, ...], bound: Bound, known: Known | None
) -> tuple[Hashable, Bound]:
    clause_keys: list[Hashable] = []
    for clause in clauses:
        domain = key(clause.domain, bound, known)
        bound = {**bound, clause.slot: len(bound)}
        where = None if clause.condition is None else key(clause.condition, bound, known)
        clause_keys.append((domain, where))
    return tuple(clause_keys), bound


def _key_of_field(content: object, bound: Bound, known: Known | None) -> Hashable:
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
