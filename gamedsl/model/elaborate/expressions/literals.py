"""Elaborate sets, lists and tuples whose items are written out."""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import UNKNOWN, ListType, SetType, TupleType, clashes, describe, join_all
from gamedsl.syntax import ast


def literal(
    elaborator: Elaborator,
    written: ast.SetLiteral | ast.ListLiteral | ast.TupleLiteral,
    scope: Scope,
) -> nodes.Expr:
    """`{a, b}`, `[a, b]`, `(a, b)`."""
    items = tuple(elaborator.expression(item, scope) for item in written.items)
    for item in items:
        if isinstance(item, nodes.ArrayRef):
            return elaborator.wrong(
                "E1101",
                item.span,
                f"`{item.variable.name}` is many cells; say which: `{item.variable.name}[...]`",
            )
    kinds = tuple(item.type for item in items)
    if isinstance(written, ast.TupleLiteral):
        return elaborator.folded(nodes.Collection(written.span, TupleType(kinds), items))
    joined = join_all(kinds)
    if clashes(joined) and UNKNOWN not in kinds:
        listed = ", ".join(dict.fromkeys(describe(kind) for kind in kinds))
        return elaborator.wrong(
            "E1101", written.span, f"the items are of different kinds: {listed}"
        )
    if joined == UNKNOWN:
        return nodes.Collection(written.span, UNKNOWN, items)
    shape = SetType if isinstance(written, ast.SetLiteral) else ListType
    return elaborator.folded(nodes.Collection(written.span, shape(joined, len(items)), items))
