"""When two expressions are written alike.

In: a typed expression. Out: a key that it shares with those that differ from it in places, types
and the names that they bind: in one state they have one value.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields
from types import MappingProxyType

from gamedsl.model import nodes

Bound = Mapping[int, int]
"""Names that an expression binds itself, numbered from the outermost."""


def key(node: nodes.Expr, bound: Bound = MappingProxyType({})) -> Hashable:
    """What two expressions share that are written alike: all but places and types."""
    match node:
        case nodes.Const():
            return ("Const", type(node.value).__name__, node.value)
        case nodes.Narrowed():
            return key(node.operand, bound)
        case nodes.Local(slot=slot):
            return ("Local", "bound", bound[slot]) if slot in bound else ("Local", slot)
        case nodes.Comprehension():
            clauses, inner = _key_of_clauses(node.clauses, bound)
            return ("Comprehension", node.kind, clauses, key(node.element, inner))
    skipped = {"span", "type"} if isinstance(node, nodes.Builtin) else {"span", "type", "name"}
    kept = (one.name for one in fields(node) if one.name not in skipped)
    return (type(node).__name__, *(_key_of_field(getattr(node, name), bound) for name in kept))


def _key_of_clauses(clauses: tuple[nodes.Clause, ...], bound: Bound) -> tuple[Hashable, Bound]:
    found: list[Hashable] = []
    for clause in clauses:
        domain = key(clause.domain, bound)
        bound = {**bound, clause.slot: len(bound)}
        found.append((domain, None if clause.condition is None else key(clause.condition, bound)))
    return tuple(found), bound


def _key_of_field(found: object, bound: Bound) -> Hashable:
    match found:
        case nodes.Typed():
            return key(found, bound)  # type: ignore[arg-type]
        case tuple():
            return tuple(_key_of_field(one, bound) for one in found)
        case nodes.Variable():
            return found.offset
        case nodes.Definition():
            return id(found)
        case _:
            return found
