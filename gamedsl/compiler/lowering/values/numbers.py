"""Numbers: arithmetic, including fractions, and operations that become tables.

A fraction is a numerator over a fixed denominator. Operations that may have no result are guarded.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import lcm

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import BOOL, absolute, guard, integer, not_, to_int
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.lowering.values import order, tables
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Low, Scope
from gamedsl.model import nodes
from gamedsl.model.messages import no_number
from gamedsl.model.semantics.safety import may_be_zero
from gamedsl.model.types import BOOLEAN, Scalar, is_always_number, number
from gamedsl.model.values import NONE, Atom, Value, Vector
from gamedsl.model.walk import parts
from gamedsl.source import Span

Need = tuple[str, str]
"""The error where a number is needed and `none` is found: a code and a message."""

OPERATIONS: dict[str, Callable[[Expr, Expr], Expr]] = {
    "+": operator.add,
    "-": operator.sub,
    "//": operator.floordiv,
    "%": operator.mod,
}


def answer(expr: Expr) -> Low:
    """A truth value; `Known` if constant."""
    return Known(bool(expr.const)) if expr.is_const else Code(expr, BOOLEAN)


def coded(expr: Expr, kind: Scalar) -> Code:
    """A value of a type, from its code."""
    return Code(expr.ne(0) if kind.is_boolean and expr.type is not BOOL else expr, kind)


def as_number(lowering: Lowering, low: Low) -> Expr:
    """The code of a scalar, also for a truth value."""
    return to_int(lowering.value(low))


def by_table(
    lowering: Lowering, node: nodes.Builtin, function: Callable[..., Value], scope: Scope
) -> Low:
    """An operation on scalars as a table over the values of its operands; guarded where the
    operation has no result for some values.
    """
    assert isinstance(node.type, Scalar)
    lowered = [lowering.lower(operand, scope) for operand in node.arguments]
    values = [
        (type(low.value), low.value) if isinstance(low, Known) else low.type for low in lowered
    ]
    table = tables.table_of(
        lowering,
        lowered,
        function,
        node.type,
        (node.name, *values),
        may_fail=order.may_fail(lowered),
        site=lambda message, said: lowering.origin.site("E3007", node.span, message, said),
    )
    if table is None:
        raise CannotCompileError("an operation of too many different values", node.span)
    return table


def negated(low: Low) -> Low:
    """The negation of a truth value."""
    if isinstance(low, Known):
        return Known(not low.value)
    return Code(not_(low.expr), BOOLEAN)


def negate(lowering: Lowering, node: nodes.Builtin, scope: Scope) -> Low:
    """`-x` of a number."""
    low = numeric(lowering, node.arguments[0], scope)
    assert isinstance(node.type, Scalar)
    return Code(-low.expr, node.type, low.per)


def magnitude(lowering: Lowering, node: nodes.Builtin, scope: Scope) -> Low:
    """`abs(x)`."""
    low = numeric(lowering, node.arguments[0], scope, needed_by(node.name), node.span)
    assert isinstance(node.type, Scalar)
    return Code(absolute(low.expr), node.type, low.per)


def numeric(
    lowering: Lowering,
    node: nodes.Expr,
    scope: Scope,
    need: Need | None = None,
    span: Span | None = None,
) -> Code:
    """A number as code, including fractions; guarded where the value may be `none`. `need`: the
    error for `none` (None: the error of a sum), reported at `span` (None: at the number).
    """
    low = lowering.lower(node, scope)
    return _numeric_of(lowering, low, need or needed_by("+"), span or node.span)


def _numeric_of(lowering: Lowering, low: Low, need: Need, span: Span) -> Code:
    if isinstance(low, Known) and low.value is not NONE:
        return number_code(low.value, span)
    if isinstance(low, Code) and is_always_number(low.type):
        return low
    if isinstance(low, Code) and (low.per != 1 or not low.type.without_none().is_number):
        raise CannotCompileError("arithmetic with what may be no number", span)
    return not_none(lowering, low, need, span)


def ends(lowering: Lowering, node: nodes.Expr, scope: Scope) -> tuple[Code, Code]:
    """The ends of a range, evaluated now if one may be `none`."""
    lows: Sequence[Low] = [lowering.lower(end, scope) for end in parts(node)]
    if order.finds_none_too_early(lows):
        lows = [order.hold(lowering, low, "end") for low in lows]
    low, high = (_numeric_of(lowering, low, needed_by(".."), node.span) for low in lows)
    return low, high


def needed_by(operator: str) -> Need:
    """The error of an operator applied to `none`."""
    return "E3007", f"`{operator}` needs numbers, and one side is `none`"


def needed_as(role: str) -> Need:
    """The error where `none` is paid."""
    return "E3005", no_number(role, NONE)[0]


def not_none(lowering: Lowering, low: Low, need: Need, span: Span) -> Code:
    """A value that is not `none`, guarded; for the constant `none`, a guard that always fails."""
    code = low if isinstance(low, Code) else Code(integer(lowering.codes.none), number(0, 0))
    value = guard(code.expr.ne(lowering.codes.none), code.expr, none_site(lowering, need, span))
    return replace(code, expr=value, type=code.type.without_none())


def is_none(lowering: Lowering, low: Low) -> Low:
    """Whether a value is `none`."""
    if isinstance(low, Known) or not low.type.can_be_none:
        return Known(isinstance(low, Known) and low.value is NONE)
    return answer(low.expr.eq(lowering.codes.none))


def none_site(lowering: Lowering, need: Need, span: Span) -> int:
    """The number of the fault for a value `none`."""
    code, message = need
    return lowering.origin.site(code, span, lambda _, __: (message, None), (message,))


def number_code(value: Value, span: Span | None) -> Code:
    """A known number as code."""
    if isinstance(value, Atom | Vector | tuple):
        raise CannotCompileError("arithmetic with what is no number", span)
    kind = number(value, value, not isinstance(value, int))
    return Code(integer(value.numerator), kind, value.denominator)


def arithmetic(lowering: Lowering, node: nodes.Arithmetic, scope: Scope) -> Low:
    """`+ - * / // %`; a fraction is a numerator over a fixed denominator."""
    sides = lowering.lower(node.left, scope), lowering.lower(node.right, scope)

    def combined(lows: Sequence[Low]) -> Low:
        need = needed_by(node.operator)
        left, right = (_numeric_of(lowering, low, need, node.span) for low in lows)
        return _combined(lowering, node, left, right)

    return order.before_none_is_found(lowering, sides, combined)


def _combined(lowering: Lowering, node: nodes.Arithmetic, left: Code, right: Code) -> Code:
    assert isinstance(node.type, Scalar)
    if node.operator == "*":
        return Code(left.expr * right.expr, node.type, left.per * right.per)
    if node.operator == "/":
        return _divided(lowering, node, left, right, node.type)
    first, second, per = common(left, right)
    if node.operator in {"//", "%"}:
        second = _nonzero(lowering, node, first, second, right.type)
    value = OPERATIONS[node.operator](first, second)
    return Code(value, node.type, 1 if node.operator == "//" else per)


def common(left: Code, right: Code) -> tuple[Expr, Expr, int]:
    """Two numbers as numerators over one denominator."""
    per = lcm(left.per, right.per)
    return left.expr * (per // left.per), right.expr * (per // right.per), per


def _nonzero(
    lowering: Lowering, node: nodes.Arithmetic, left: Expr, divisor: Expr, kind: Scalar
) -> Expr:
    if not may_be_zero(kind):
        return divisor

    def message(dividend: int, _: int) -> tuple[str, str | None]:
        return f"`{dividend} {node.operator} 0`: division by zero", None

    site = lowering.origin.site("E3007", node.span, message, (node.operator, 0))
    return guard(divisor.ne(0), divisor, site, left)


def _divided(
    lowering: Lowering, node: nodes.Arithmetic, left: Code, right: Code, kind: Scalar
) -> Code:
    span = tables.span_of_codes(lowering, right.type) if right.per == 1 else None
    if span is None:
        raise CannotCompileError("division by this", node.span)
    whole = lcm(*(abs(code) for code in span[2] if code != 0))
    if whole > 1 << 20 or left.per * whole > 1 << 30:
        raise CannotCompileError("division by too many different numbers", node.span)
    divisor = _nonzero(lowering, node, left.expr, right.expr, right.type)
    if span[1] == 1 and span[0] > 0:
        return Code(left.expr, kind, left.per * span[0])
    return Code(left.expr * (integer(whole) // divisor), kind, left.per * whole)
