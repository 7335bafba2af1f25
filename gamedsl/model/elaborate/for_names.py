"""Names bound by a `for`: a name for each element, or names for the items of each tuple.

The result is the domain of the loop, and the scope with the names. `for (a, b) in S` loops over the
positions of a constant list of tuples; a and b are the items at the position in the list of all
first items and in the list of all second items.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import (
    UNKNOWN,
    ListType,
    SetType,
    TupleType,
    Type,
    describe,
    element_of,
    join_all,
    number,
    type_of,
)
from gamedsl.model.values import Value
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Named:
    """The domain of a `for`, and the scope inside; `name` is the name of the local in `slot`."""

    domain: nodes.Expr
    scope: Scope
    slot: int
    name: str


def named_elements(
    elaborator: Elaborator,
    names: ast.Name | ast.TupleOfNames,
    written: ast.Expression,
    domain: nodes.Expr,
    scope: Scope,
) -> Named:
    """The names in force within a `for` over a domain."""
    if isinstance(names, ast.Name):
        inner, slot = elaborator.new_local(names, element_of(domain.type), scope)
        return Named(domain, inner, slot, names.text)
    domain = elaborator.worked_out(written, domain)
    rows = _rows(elaborator, names, written, domain)
    name = "_".join(element_name.text for element_name in names.names)
    slot = elaborator.new_slot(name)
    count = len(rows or ())
    here = nodes.Local(names.span, number(1, max(count, 1)), name, slot)
    for place, element_name in enumerate(names.names):
        elaborator.check_free(element_name, scope)
        column = tuple(row[place] for row in rows or ())
        kind = UNKNOWN if rows is None else join_all(tuple(map(_type_of, column)))
        items = nodes.Const(names.span, ListType(kind, count), column)
        scope = scope.having(
            element_name.text, nodes.Builtin(element_name.span, kind, "[]", (items, here))
        )
    positions = tuple(range(1, count + 1))
    kind = SetType(here.type, count)
    return Named(nodes.Const(written.span, kind, positions), scope, slot, name)


def with_each_element(
    elaborator: Elaborator,
    names: ast.Name | ast.TupleOfNames,
    written: ast.Expression,
    domain: nodes.Const,
    scope: Scope,
) -> Iterator[Scope] | None:
    """The scope with the names bound, for each element of a constant set; None after an error."""
    assert isinstance(domain.value, tuple)
    if isinstance(names, ast.Name):
        elaborator.check_free(names, scope)
        kind = element_of(domain.type)
        return (
            scope.having(
                names.text,
                nodes.Const(
                    names.span, kind if isinstance(value, tuple) else type_of(value), value
                ),
            )
            for value in domain.value
        )
    rows = _rows(elaborator, names, written, domain)
    taken = scope
    for name in names.names:
        elaborator.check_free(name, taken)
        taken = taken.having(name.text, domain)
    return None if rows is None else (_with_items(names.names, row, scope) for row in rows)


def _with_items(names: tuple[ast.Name, ...], row: tuple[Value, ...], scope: Scope) -> Scope:
    for name, item in zip(names, row, strict=True):
        scope = scope.having(name.text, nodes.Const(name.span, _type_of(item), item))
    return scope


def _rows(
    elaborator: Elaborator,
    names: ast.TupleOfNames,
    written: ast.Expression,
    domain: nodes.Expr,
) -> tuple[tuple[Value, ...], ...] | None:
    """The tuples of a constant set, each with an item for every name; None after a reported
    error."""
    element, many = element_of(domain.type), len(names.names)
    if domain.type == UNKNOWN:
        return None
    wanted = f"`for {names.text}` needs a set of tuples of {many}"
    if domain.known is None:
        elaborator.reporter.report("E1306", written.span, f"{wanted}, known before the game starts")
        return None
    assert isinstance(domain.known, tuple)
    rows = tuple(value for value in domain.known if isinstance(value, tuple))
    is_listed = isinstance(element, TupleType | ListType) or not domain.known
    if not is_listed or len(rows) < len(domain.known) or any(len(row) != many for row in rows):
        contents = describe(element)
        if isinstance(element, ListType):
            contents = f"lists of {', '.join(sorted({str(len(row)) for row in rows}))} items"
        elaborator.reporter.report("E1105", written.span, f"{wanted}; this one has {contents}")
        return None
    return rows


def _type_of(value: Value) -> Type:
    if isinstance(value, tuple):
        return ListType(join_all(tuple(map(_type_of, value))), len(value))
    return type_of(value)
