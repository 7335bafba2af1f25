"""Conditions: equal values, `and`, `or`, `if-else`.

Operands are evaluated from the left, no further than needed, and expressions that may fail are
never left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.ir.values import all_of, any_of, not_, select, truth
from gamedsl.compiler.lowering.values import numbers, order
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Known, Low, Scope
from gamedsl.model import nodes, operations
from gamedsl.model.types import Scalar
from gamedsl.model.values import Atom, Value, Vector
from gamedsl.source import Span

ELEMENT = -1
"""The local for an element of a set where the rules have no name for the element."""

Write = Callable[[], None]

"""Writes statements into the function being written."""


def alike(lowering: Lowering, left: Low, right: Low, span: Span | None) -> tuple[Expr, Expr, int]:
    """Two values as numbers over one denominator."""
    if not (_is_fraction(left) or _is_fraction(right)):
        return numbers.as_number(lowering, left), numbers.as_number(lowering, right), 1
    first, second = (
        low if isinstance(low, Code) else numbers.number_code(low.value, span)
        for low in (left, right)
    )
    return numbers.common(first, second)


def after(lowering: Lowering, value: Expr, result: bool) -> Expr:
    """A known truth value, after the evaluation of a value that may fail."""
    if not value.can_fail:
        return truth(result)

    def write() -> None:
        lowering.builder.evaluate(value)
        lowering.builder.give(truth(result))

    return lowering.program.call("evaluated", write)


def equal_lowered(lowering: Lowering, first: Low, second: Low, span: Span | None = None) -> Low:
    """Whether two values are equal; code that may fail is kept even if the answer is known."""
    if isinstance(first, Known) and isinstance(second, Known):
        return Known(operations.equal(first.value, second.value))
    for known, code in ((first, second), (second, first)):
        if isinstance(known, Known) and isinstance(code, Code):
            if isinstance(known.value, bool) and code.type.is_boolean:
                return code if known.value else numbers.negated(code)
            if not _can_be(code.type, known.value):
                return numbers.answer(after(lowering, code.expr, False))
    left, right, _ = alike(lowering, first, second, span)
    return numbers.answer(left.eq(right))


def same_items(lowering: Lowering, first: Sequence[Low], second: Sequence[Low], span: Span) -> Low:
    """Whether two tuples have the same items."""
    pairs = zip(first, second, strict=True)
    return conjunction(lowering, [equal_lowered(lowering, a, b, span) for a, b in pairs])


def with_tuples(
    lowering: Lowering,
    tuples: Sequence[nodes.Expr],
    scope: Scope,
    test: Callable[[Sequence[Sequence[Low]]], Low],
) -> Low:
    """A test of tuples; their items are all evaluated before the test if they may fail."""
    rows = [tuple_items(lowering, node, scope) for node in tuples]

    def test_of_items(items: Sequence[Low]) -> Low:
        rest = iter(items)
        return test([[next(rest) for _ in row] for row in rows])

    return order.worked_out(lowering, [low for row in rows for low in row], test_of_items)


def branch(lowering: Lowering, test: Expr, then: Write, otherwise: Write | None = None) -> None:
    """The statements of `then` where a condition holds, of `otherwise` elsewhere."""
    if test.is_const:
        chosen = then if test.const else otherwise
        if chosen is not None:
            chosen()
        return
    with lowering.builder.when(test):
        then()
    if otherwise is not None:
        with lowering.builder.otherwise():
            otherwise()


def tuple_items(lowering: Lowering, node: nodes.Expr, scope: Scope) -> list[Low]:
    """The items of a tuple."""
    if isinstance(node, nodes.Collection):
        return [lowering.lower(item, scope) for item in node.items]
    low = lowering.lower(node, scope)
    if isinstance(low, Known) and isinstance(low.value, tuple):
        return [Known(value) for value in low.value]
    raise CannotCompileError("a tuple that is neither written out nor known", node.span)


def conjunction(lowering: Lowering, conditions: Sequence[Low]) -> Low:
    """All of some conditions, from the left, no further than needed."""
    return numbers.answer(all_of(lowering.value(low) for low in conditions))


def disjunction(lowering: Lowering, conditions: Sequence[Low]) -> Low:
    """Any of some conditions, from the left, no further than needed."""
    return numbers.answer(any_of(lowering.value(low) for low in conditions))


def logic(lowering: Lowering, node: nodes.Logic, scope: Scope) -> Low:
    """`and`, `or`: operands behind a deciding operand are not evaluated."""
    connected = any_of if node.operator == "or" else all_of
    return numbers.answer(
        connected(lowering.condition(operand, scope) for operand in node.operands)
    )


def choose(lowering: Lowering, node: nodes.Conditional, scope: Scope) -> Low:
    """`a if c else b`."""
    condition = lowering.lower(node.condition, scope)
    if isinstance(condition, Known):
        return lowering.lower(node.then if condition.value else node.otherwise, scope)
    then, otherwise = lowering.lower(node.then, scope), lowering.lower(node.otherwise, scope)
    assert isinstance(node.type, Scalar)
    return either(lowering, condition.expr, then, otherwise, node.type, node.span)


def either(
    lowering: Lowering, condition: Expr, then: Low, otherwise: Low, kind: Scalar, span: Span | None
) -> Low:
    """One of two values of a kind, by a condition."""
    if then == otherwise and not condition.can_fail:
        return then
    if kind.is_boolean:
        return numbers.answer(_chosen(condition, lowering.value(then), lowering.value(otherwise)))
    first, second, per = alike(lowering, then, otherwise, span)
    return Code(select(condition, first, second), kind, per)


def _chosen(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """A choice between two truth values."""
    if then.is_const:
        joined = any_of if then.const else all_of
        return joined([condition if then.const else not_(condition), otherwise])
    if otherwise.is_const:
        joined = any_of if otherwise.const else all_of
        return joined([not_(condition) if otherwise.const else condition, then])
    return select(condition, then, otherwise)


def _is_fraction(low: Low) -> bool:
    if isinstance(low, Code):
        return low.per != 1
    return not isinstance(low.value, int | Atom | Vector | tuple)


def _can_be(kind: Scalar, value: Value) -> bool:
    """Whether an expression of the type may have the value; when in doubt, true."""
    if isinstance(value, Atom):
        return value in kind.atoms
    if isinstance(value, Vector):
        return value in kind.vectors
    if isinstance(value, bool):
        return kind.boolean
    low, high = kind.interval
    return kind.has_numbers and not isinstance(value, tuple) and low <= value <= high
