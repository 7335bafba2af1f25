"""Conditions: comparisons, `and`, `or`, `if-else`.

In: a node and a scope. Out: `Known` or `Code`. Operands are evaluated from the left, no further
than needed, and what may fail is never left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.ir.values import all_of, any_of, not_, select, truth
from gamedsl.compiler.numbers import Numbers
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes, operations
from gamedsl.model.types import BOOLEAN, Scalar, TupleType
from gamedsl.model.values import NONE, Atom, Value, Vector
from gamedsl.source import Span

Write = Callable[[], None]
"""Writes statements into the function being written."""


class Conditions(Numbers):
    """The conditions of one game."""

    def _compare(self, node: nodes.Compare, scope: Scope) -> Low:
        if node.operator in {"==", "!="}:
            equal = self.equal(node.left, node.right, scope)
            return equal if node.operator == "==" else self._not(equal)
        left, right = self.lower(node.left, scope), self.lower(node.right, scope)
        left, right = self._ordered(node, left), self._ordered(node, right)
        one, other, _ = self._alike(left, right, node.span)
        return self.answer(_in_order(node.operator, one, other))

    def _ordered(self, node: nodes.Compare, low: Low) -> Low:
        """One side of `<`, guarded where it may be `none`."""
        if isinstance(low, Known) and low.value is NONE:
            raise CannotCompileError("an order of `none`", node.span)
        if isinstance(low, Known) or not low.type.can_be_none:
            return low
        return self._not_none(low, f"`{node.operator}` cannot order `none`", node.span)

    def _alike(self, left: Low, right: Low, span: Span | None) -> tuple[Expr, Expr, int]:
        """Two values as numbers over one denominator."""
        if not (_is_fraction(left) or _is_fraction(right)):
            return self._as_number(left), self._as_number(right), 1
        one, other = (
            low if isinstance(low, Code) else self.number_code(low.value, span)
            for low in (left, right)
        )
        return self.common(one, other)

    def equal(self, left: nodes.Expr, right: nodes.Expr, scope: Scope) -> Low:
        """`left == right`."""
        if isinstance(left.type, TupleType) and isinstance(right.type, TupleType):
            return self.with_tuples(
                (left, right), scope, lambda rows: self.same_items(rows[0], rows[1], left.span)
            )
        for side in (left, right):
            if not isinstance(side.type, Scalar):
                raise CannotCompileError("equality of collections", side.span)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, nodes.Cell):
                value = self.lower(other, scope)
                test = self.is_cell(one, value.value, scope) if isinstance(value, Known) else None
                if test is not None:
                    return self.answer(test)
        lows = self.lower(left, scope), self.lower(right, scope)
        return self.equal_lowered(*lows, left.span)

    def after(self, value: Expr, result: bool) -> Expr:
        """A truth value that is known, once a value that may fail has been worked out."""
        if not value.can_fail:
            return truth(result)

        def write() -> None:
            self.builder.evaluate(value)
            self.builder.give(truth(result))

        return self.program.call("evaluated", write)

    def equal_lowered(self, one: Low, other: Low, span: Span | None = None) -> Low:
        """Whether two values are equal; code that may fail is kept whatever the answer."""
        if isinstance(one, Known) and isinstance(other, Known):
            return Known(operations.equal(one.value, other.value))
        for known, code in ((one, other), (other, one)):
            if isinstance(known, Known) and isinstance(code, Code):
                if isinstance(known.value, bool) and code.type.is_boolean:
                    return code if known.value else self._not(code)
                if not _can_be(code.type, known.value):
                    return self.answer(self.after(code.expr, False))
        left, right, _ = self._alike(one, other, span)
        return self.answer(left.eq(right))

    def same_items(self, one: Sequence[Low], other: Sequence[Low], span: Span) -> Low:
        """Whether two tuples have the same items."""
        pairs = zip(one, other, strict=True)
        return self.all_of([self.equal_lowered(a, b, span) for a, b in pairs])

    def with_tuples(
        self,
        tuples: Sequence[nodes.Expr],
        scope: Scope,
        test: Callable[[Sequence[Sequence[Low]]], Low],
    ) -> Low:
        """A test of tuples; their items are worked out in full before it where they may fail."""
        rows = [self.tuple_items(node, scope) for node in tuples]

        def test_of_items(items: Sequence[Low]) -> Low:
            rest = iter(items)
            return test([[next(rest) for _ in row] for row in rows])

        return self.worked_out([low for row in rows for low in row], test_of_items)

    def worked_out(self, values: Sequence[Low], result: Callable[[Sequence[Low]], Low]) -> Low:
        """What becomes of values all of which are worked out before it, if that may fail."""
        if not self.may_fail(values):
            return result(values)
        found: list[Low] = []

        def write() -> None:
            found.append(result([self._hold(low, "item") for low in values]))
            self.builder.give(self.value(found[0]))

        call = self.program.call("tested", write)
        return Code(call, found[0].type if isinstance(found[0], Code) else BOOLEAN)

    def _hold(self, low: Low, stem: str) -> Low:
        """The value worked out now, under a name, unless it stays what it is."""
        if isinstance(low, Known):
            return low
        return replace(low, expr=self.held(low.expr, stem))

    def held(self, value: Expr, stem: str) -> Expr:
        """The value worked out now, under a name, unless it stays what it is."""
        is_fixed = value.is_atom and value.names.isdisjoint(self.program.fields)
        return value if is_fixed else self.program.hold(value, stem)

    def branch(self, test: Expr, then: Write, otherwise: Write | None = None) -> None:
        """What `then` writes where a condition holds, and what `otherwise` writes elsewhere."""
        if test.is_const:
            chosen = then if test.const else otherwise
            if chosen is not None:
                chosen()
            return
        with self.builder.when(test):
            then()
        if otherwise is not None:
            with self.builder.otherwise():
                otherwise()

    def tuple_items(self, node: nodes.Expr, scope: Scope) -> list[Low]:
        """The items of a tuple."""
        if isinstance(node, nodes.Collect):
            return [self.lower(item, scope) for item in node.items]
        low = self.lower(node, scope)
        if isinstance(low, Known) and isinstance(low.value, tuple):
            return [Known(value) for value in low.value]
        raise CannotCompileError("a tuple that is neither written out nor known", node.span)

    def all_of(self, conditions: Sequence[Low]) -> Low:
        """All of some conditions, from the left, no further than needed."""
        return self.answer(all_of(self.value(low) for low in conditions))

    def any_of(self, conditions: Sequence[Low]) -> Low:
        """Any of some conditions, from the left, no further than needed."""
        return self.answer(any_of(self.value(low) for low in conditions))

    def _logic(self, node: nodes.Logic, scope: Scope) -> Low:
        """What stands behind an operand that decides is not looked at."""
        connected = any_of if node.operator == "or" else all_of
        return self.answer(connected(self.condition(one, scope) for one in node.operands))

    def _choose(self, node: nodes.Choose, scope: Scope) -> Low:
        condition = self.lower(node.condition, scope)
        if isinstance(condition, Known):
            return self.lower(node.then if condition.value else node.otherwise, scope)
        then, otherwise = self.lower(node.then, scope), self.lower(node.otherwise, scope)
        assert isinstance(node.type, Scalar)
        if then == otherwise and not condition.expr.can_fail:
            return then
        if node.type.is_boolean:
            return self.answer(_chosen(condition.expr, self.value(then), self.value(otherwise)))
        one, other, per = self._alike(then, otherwise, node.span)
        return Code(select(condition.expr, one, other), node.type, per)


def _in_order(operator: str, one: Expr, other: Expr) -> Expr:
    """`one < other` and the like, the left worked out first if both may fail."""
    if one.can_fail and other.can_fail and operator in {">", ">="}:
        return not_(one.le(other) if operator == ">" else one.lt(other))
    orders = {"<": one.lt, "<=": one.le, ">": one.gt, ">=": one.ge}
    return orders[operator](other)


def _chosen(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """The one truth value or the other."""
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
    """Whether an expression of this type may have the value; when in doubt, yes."""
    if isinstance(value, Atom):
        return value in kind.atoms
    if isinstance(value, Vector):
        return value in kind.vectors
    if isinstance(value, bool):
        return kind.boolean
    low, high = kind.interval
    return kind.has_numbers and not isinstance(value, tuple) and low <= value <= high
