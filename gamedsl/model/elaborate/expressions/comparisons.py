"""Elaborate comparisons and membership, and check the compared types.

Comparisons (`a == b`, `a < b <= c`, `x in S`) that can never hold are reported, except in bodies
elaborated for several calls or values.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.expressions import logic, tables
from gamedsl.model.elaborate.expressions.cells import cell_type, how_to_hold
from gamedsl.model.elaborate.narrowing import as_written
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import (
    BOOLEAN,
    UNKNOWN,
    ListType,
    OptionalType,
    Scalar,
    SetType,
    Type,
    can_be_equal,
    describe,
    element_of,
    scalar_of,
    size_of,
)
from gamedsl.model.values import EMPTY, NONE
from gamedsl.source import Span
from gamedsl.syntax import ast


def compare(elaborator: Elaborator, written: ast.Compare, scope: Scope) -> nodes.Expr:
    """`a == b`; `a < b < c` becomes a conjunction of comparisons."""
    steps: list[nodes.Expr] = []
    left = elaborator.expression(written.first, scope)
    for operator, operand in written.rest:
        span = left.span.to(operand.span)
        right = elaborator.expression(operand, scope)
        steps.append(_comparison(elaborator, span, operator, left, right, scope))
        left = right
    if len(steps) == 1:
        return steps[0]
    return logic.join_logic(written.span, "and", tuple(steps))


def _comparison(
    elaborator: Elaborator,
    span: Span,
    operator: str,
    left: nodes.Expr,
    right: nodes.Expr,
    scope: Scope,
) -> nodes.Expr:
    if operator in {"in", "not in"}:
        return _membership(elaborator, span, operator, left, right, scope)
    if operator in {"==", "!="}:
        left, right = as_written(left), as_written(right)
    for side in (left, right):
        if side.whole is not None:
            name = elaborator.text(side)
            placeholders = ", ".join("..." for _ in side.whole.indices)
            return elaborator.wrong(
                "E1101",
                side.span,
                f"`{name}` is many cells; a comparison needs one value",
                hint=f"say which: `{name}[{placeholders}]`; of all of them `any` or `all` can ask",
            )
    if operator in {"==", "!="}:
        if not can_be_equal(left.type, right.type):
            if not (_is_single(scope) or _is_always_apart(left.type, right.type, scope)):
                return nodes.Const(span, BOOLEAN, operator == "!=")
            return elaborator.wrong(
                "E1102",
                span,
                f"these can never be equal: {describe(left.type)} and {describe(right.type)}",
                hint=_among_hint(elaborator, left, right)
                or _absent_hint(elaborator, left, right)
                or _contents_hint(elaborator, left, right),
            )
    elif not _can_be_ordered(left.type, right.type):
        order = tables.order_of(elaborator, left.type, right.type)
        if order is None:
            return elaborator.wrong(
                "E1101",
                span,
                f"`{operator}` needs two numbers, or two values of one type;"
                f" found {describe(left.type)} and {describe(right.type)}",
                tables.why_not_ordered(elaborator, left.type, right.type)
                or elaborator.guard_hint(left, right)
                or _order_hint(elaborator, operator, left, right),
            )
        left, right = (order.place_of(elaborator, side) for side in (left, right))
    return elaborator.folded(nodes.Compare(span, BOOLEAN, operator, left, right))


def _membership(
    elaborator: Elaborator,
    span: Span,
    operator: str,
    left: nodes.Expr,
    right: nodes.Expr,
    scope: Scope,
) -> nodes.Expr:
    if not isinstance(right.type, SetType | ListType) and right.type != UNKNOWN:
        return elaborator.wrong(
            "E1105",
            right.span,
            f"`in` needs a set; this is {describe(right.type)}",
            hint=elaborator.guard_hint(right)
            if isinstance(right.type, OptionalType)
            else "to compare with one value, write `==`; with several, `in {1, 2}`"
            if isinstance(right.type, Scalar)
            else f"a cell is written `{right.whole.variable.name}[...]`"
            if right.whole is not None
            else None,
        )
    left, right = as_written(left), as_written(right)
    element = element_of(right.type)
    empty = size_of(right.type) == 0
    if not empty and not can_be_equal(left.type, element):
        if not _is_single(scope):
            return nodes.Const(span, BOOLEAN, operator == "not in")
        return elaborator.wrong(
            "E1102",
            span,
            f"this can never hold: {describe(left.type)} in a set of {describe(element)}",
        )
    member = elaborator.folded(nodes.Member(span, BOOLEAN, left, right))
    if operator == "in":
        return member
    return elaborator.folded(nodes.Not(span, BOOLEAN, member))


def _order_hint(
    elaborator: Elaborator, operator: str, left: nodes.Expr, right: nodes.Expr
) -> str | None:
    """A hint for `(a, b) > (c, d)`, where the second items decide between equal first items."""
    if not (isinstance(left, nodes.Collection) and isinstance(right, nodes.Collection)):
        return None
    if not len(left.items) == len(right.items) == 2:
        return "tuples have no order: compare one item after the other"
    (a, b), (c, d) = (map(elaborator.text, side.items) for side in (left, right))
    return f"tuples have no order: `{a} {operator[0]} {c} or {a} == {c} and {b} {operator} {d}`"


def _among_hint(elaborator: Elaborator, left: nodes.Expr, right: nodes.Expr) -> str | None:
    """A hint for `n == 3..5`, where `in` is meant, and for `square == a1`, where one of the set is
    meant."""
    for side, opposite in ((left, right), (right, left)):
        kind = opposite.type
        if not isinstance(kind, SetType | ListType) or not can_be_equal(side.type, kind.element):
            continue
        name, value = elaborator.text(opposite), elaborator.text(side)
        if name.isidentifier() and isinstance(kind, SetType):
            return (
                f"`{name}` is the whole set: `{value} in {name}` asks for membership; a single one"
                f" gets a name, as in `[x in {name}]` or `for x in {name}`, and then `x == {value}`"
            )
        return "to ask whether a value is one of a set write `in`"
    return None


def _absent_hint(elaborator: Elaborator, left: nodes.Expr, right: nodes.Expr) -> str | None:
    """A hint for `n == empty` of a variable without `empty`: how to allow for an empty cell."""
    for cell, sought in ((left, right), (right, left)):
        if not isinstance(cell, nodes.Cell) or sought.known is None:
            continue
        if sought.known is EMPTY or sought.known is NONE:
            return how_to_hold(elaborator, cell.variable, sought.known)
    return None


def _contents_hint(elaborator: Elaborator, left: nodes.Expr, right: nodes.Expr) -> str | None:
    """A hint for `s == empty`: the cell on square `s`."""
    for square, sought in ((left, right), (right, left)):
        if not square.type.is_square:
            continue
        for variable in elaborator.symbols.variables_so_far():
            if _may_hold(variable, square, sought):
                start, end = square.span
                place = elaborator.reporter.source.text[start:end]
                return f"what stands on a square is asked as `{variable.name}[{place}]`"
    return None


def _may_hold(variable: nodes.Variable, square: nodes.Expr, sought: nodes.Expr) -> bool:
    if len(variable.indices) != 1:
        return False
    index = scalar_of(variable.indices[0].values)
    return can_be_equal(index, square.type) and can_be_equal(cell_type(variable), sought.type)


def _can_be_ordered(left: Type, right: Type) -> bool:
    if not (isinstance(left, Scalar) and isinstance(right, Scalar)):
        return False
    if left.unknown or right.unknown or (left.is_number and right.is_number):
        return True
    kinds = (left.kinds | right.kinds) - {"none", "empty"}
    return len(kinds) == 1 and not kinds & {"bool", "direction", "number"}


def _is_always_apart(left: Type, right: Type, scope: Scope) -> bool:
    """Whether a set or a list is compared with a single value in a constant: `square == a1`. What
    is a set for one cell may be `none` for another."""
    kinds = (left, right)
    are_many = [isinstance(kind, SetType | ListType) for kind in kinds]
    is_none = any(isinstance(kind, Scalar) and kind.kinds == {"none"} for kind in kinds)
    return scope.in_definition is None and any(are_many) and not (all(are_many) or is_none)


def _is_single(scope: Scope) -> bool:
    """Whether the expression is elaborated only once, and not for each cell, value or call."""
    return scope.in_definition is None and not scope.is_constant
