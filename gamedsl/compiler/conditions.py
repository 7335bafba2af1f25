"""Conditions: comparisons, `and`, `or`, `if-else`.

In: a node and a scope. Out: `Known` or `Code`. Operands are evaluated from the left, no further
than needed, and what may fail is never left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.numbers import Numbers
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes, operations
from gamedsl.model.types import BOOLEAN, Scalar, TupleType
from gamedsl.model.values import NONE, Atom, Value, Vector
from gamedsl.source import Span


class Conditions(Numbers):
    """The conditions of one game."""

    def _compare(self, node: nodes.Compare, scope: Scope) -> Low:
        if node.operator in {"==", "!="}:
            equal = self.equal(node.left, node.right, scope)
            return equal if node.operator == "==" else self._not(equal)
        left, right = self.lower(node.left, scope), self.lower(node.right, scope)
        left, right = self._ordered(node, left), self._ordered(node, right)
        one, other = self._comparable(left, right, node.span)
        return Code(f"({one} {node.operator} {other})", BOOLEAN)

    def _ordered(self, node: nodes.Compare, low: Low) -> Low:
        """One side of `<`, guarded where it may be `none`."""
        if isinstance(low, Known) and low.value is NONE:
            raise CannotCompileError("an order of `none`", node.span)
        if isinstance(low, Known) or not low.type.can_be_none:
            return low
        message = f"`{node.operator}` cannot order `none`"
        site = self.site("E3007", node.span, lambda _, __: (message, None))
        none = self.codes.none
        text = self.as_name(
            low, "side", lambda s: f"({s.text} if {s.text} != {none} else fault({site}, 0, 0))"
        )
        return Code(text, low.type.without_none(), low.per)

    def _comparable(self, left: Low, right: Low, span: Span) -> tuple[str, str]:
        if _is_fraction(left) or _is_fraction(right):
            one = left if isinstance(left, Code) else self.number_code(left.value, span)
            other = right if isinstance(right, Code) else self.number_code(right.value, span)
            return self.common(one, other)[:2]
        return self.text(left), self.text(right)

    def equal(self, left: nodes.Expr, right: nodes.Expr, scope: Scope) -> Low:
        """`left == right`."""
        if isinstance(left.type, TupleType) and isinstance(right.type, TupleType):
            return self._equal_tuples(left, right, scope)
        for side in (left, right):
            if not isinstance(side.type, Scalar):
                raise CannotCompileError("equality of collections", side.span)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, nodes.Cell):
                value = self.lower(other, scope)
                if isinstance(value, Known):
                    text = self.is_cell(one, value.value, scope)
                    if text is not None:
                        return Code(text, BOOLEAN)
        may_fail = self.safety.can_fail(left) or self.safety.can_fail(right)
        lows = self.lower(left, scope), self.lower(right, scope)
        return self.equal_lowered(*lows, left.span, may_fail)

    def evaluated(self, code: str, then: bool) -> Low:
        """A truth value that is known, after code that may fail has been evaluated."""

        def write() -> None:
            self.program.writer.assign(self.program.fresh("unused"), code)
            self.program.writer.line(f"return {then}")

        return Code(self.program.call("evaluated", write), BOOLEAN)

    def equal_lowered(self, one: Low, other: Low, span: Span, may_fail: bool = False) -> Low:
        """Whether two values are equal; code that `may_fail` is kept whatever the answer."""
        if isinstance(one, Known) and isinstance(other, Known):
            return Known(operations.equal(one.value, other.value))
        for known, code in ((one, other), (other, one)):
            if isinstance(known, Known) and isinstance(code, Code):
                if isinstance(known.value, bool) and code.type.is_boolean:
                    return code if known.value else self._not(code)
                if not may_fail and not _can_be(code.type, known.value):
                    return Known(False)
        left, right = self._comparable(one, other, span)
        return Code(f"({left} == {right})", BOOLEAN)

    def _equal_tuples(self, left: nodes.Expr, right: nodes.Expr, scope: Scope) -> Low:
        def test(rows: Sequence[Sequence[Low]]) -> Low:
            return self.same_items(rows[0], rows[1], left.span)

        return self.with_tuples((left, right), scope, test)

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
        if not any(self.safety.can_fail(node) for node in tuples):
            return test(rows)

        def test_of_items(items: Sequence[Low]) -> Low:
            rest = iter(items)
            return test([[next(rest) for _ in row] for row in rows])

        return self.worked_out([low for row in rows for low in row], test_of_items)

    def worked_out(self, values: Sequence[Low], test: Callable[[Sequence[Low]], Low]) -> Low:
        """A test of values all of which are worked out before it, since that may fail."""

        def held(low: Low) -> Low:
            if isinstance(low, Known):
                return low
            name = self.program.fresh("item")
            self.program.writer.assign(name, low.text)
            return Code(name, low.type, low.per)

        def write() -> None:
            found = test([held(low) for low in values])
            self.program.writer.line(f"return {self.text(found)}")

        return Code(self.program.call("tested", write), BOOLEAN)

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
        return self._joined(conditions, "and")

    def any_of(self, conditions: Sequence[Low]) -> Low:
        """Any of some conditions, from the left, no further than needed."""
        return self._joined(conditions, "or")

    def _joined(self, conditions: Sequence[Low], operator: str) -> Low:
        """Known operands are dropped; one that decides cuts off those after it."""
        decides = operator == "or"
        texts: list[str] = []
        for low in conditions:
            if isinstance(low, Code):
                texts.append(low.text)
            elif low.value is decides:
                texts.append(str(decides))
                break
        if not texts:
            return Known(not decides)
        if texts == [str(decides)]:
            return Known(decides)
        return Code(texts[0] if len(texts) == 1 else f"({f' {operator} '.join(texts)})", BOOLEAN)

    def _logic(self, node: nodes.Logic, scope: Scope) -> Low:
        decides = node.operator == "or"
        lowered: list[Low] = []
        for operand in node.operands:
            low = self.lower(operand, scope)
            lowered.append(low)
            if isinstance(low, Known) and low.value is decides:
                before = node.operands[: len(lowered) - 1]
                if not any(self.safety.can_fail(one) for one in before):
                    return Known(decides)
                break
        return self._joined(lowered, node.operator)

    def _choose(self, node: nodes.Choose, scope: Scope) -> Low:
        condition = self.lower(node.condition, scope)
        if isinstance(condition, Known):
            return self.lower(node.then if condition.value else node.otherwise, scope)
        then, otherwise = self.lower(node.then, scope), self.lower(node.otherwise, scope)
        assert isinstance(node.type, Scalar)
        if then == otherwise and not self.safety.can_fail(node.condition):
            return then
        if node.type.is_boolean and isinstance(then, Known) and isinstance(otherwise, Known):
            if then == otherwise:
                return self.evaluated(condition.text, then.value is True)
            return condition if then.value else self._not(condition)
        if _is_fraction(then) or _is_fraction(otherwise):
            one = then if isinstance(then, Code) else self.number_code(then.value, node.span)
            other = (
                otherwise
                if isinstance(otherwise, Code)
                else self.number_code(otherwise.value, node.span)
            )
            first, second, per = self.common(one, other)
            return Code(f"({first} if {condition.text} else {second})", node.type, per)
        return Code(
            f"({self.text(then)} if {condition.text} else {self.text(otherwise)})", node.type
        )


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
