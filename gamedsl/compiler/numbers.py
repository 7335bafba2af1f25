"""Numbers: arithmetic, fractions included, and operations that are looked up.

In: a node and a scope. Out: code for its value; a fraction is a numerator over a fixed
denominator. Guards stand where an operation may have no answer.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lcm

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.tables import Low, Tables
from gamedsl.model import nodes, operations
from gamedsl.model.types import BOOLEAN, Scalar, is_always_number, number
from gamedsl.model.values import NONE, Atom, Value, Vector
from gamedsl.source import Span


class Numbers(Tables):
    """The numbers of one game."""

    def _by_table(
        self,
        node: nodes.Expr,
        operands: tuple[nodes.Expr, ...],
        function: Callable[..., Value],
        scope: Scope,
    ) -> Low:
        assert isinstance(node.type, Scalar)
        lowered = [self.lower(operand, scope) for operand in operands]
        may_fail = any(self.safety.can_fail(operand) for operand in operands)
        found = self.table_of(lowered, function, node.type, may_fail=may_fail)
        if found is None:
            raise CannotCompileError("an operation of too many different values", node.span)
        return found

    @staticmethod
    def _not(low: Low) -> Low:
        if isinstance(low, Known):
            return Known(not low.value)
        return Code(f"(not {low.text})", BOOLEAN)

    def _negate(self, node: nodes.Negate, scope: Scope) -> Low:
        if is_always_number(node.operand.type):
            low = self.numeric(node.operand, scope)
            assert isinstance(node.type, Scalar)
            return Code(f"(-{low.text})", node.type, low.per)
        return self._by_table(node, (node.operand,), operations.negate, scope)

    def numeric(self, node: nodes.Expr, scope: Scope, operator: str = "+") -> Code:
        """A number as code, fractions included; guarded where it may be `none`."""
        return self._numeric_of(node, self.lower(node, scope), operator)

    def _numeric_of(self, node: nodes.Expr, low: Low, operator: str) -> Code:
        if isinstance(low, Code):
            return low if is_always_number(low.type) else self._surely_number(node, low, operator)
        if low.value is NONE:
            return self._surely_number(node, Code(str(self.codes.none), number(0, 0)), operator)
        return self.number_code(low.value, node.span)

    def _surely_number(self, node: nodes.Expr, low: Code, operator: str) -> Code:
        """A number that may be `none`, guarded."""
        if low.per != 1 or not low.type.without_none().is_number:
            raise CannotCompileError("arithmetic with what may be no number", node.span)
        message = f"`{operator}` needs numbers, and one side is `none`"
        site = self.site(
            "E3007",
            self._operation.span if self._operation else node.span,
            lambda _, __: (message, None),
        )
        none = self.codes.none
        text = self.as_name(
            low, "amount", lambda n: f"({n.text} if {n.text} != {none} else fault({site}, 0, 0))"
        )
        return Code(text, low.type.without_none())

    def number_code(self, value: Value, span: Span) -> Code:
        """A known number as code."""
        if isinstance(value, Atom | Vector | tuple):
            raise CannotCompileError("arithmetic with what is no number", span)
        if isinstance(value, int):
            return Code(self.program.number(value), number(value, value))
        return Code(
            self.program.number(value.numerator), number(value, value, True), value.denominator
        )

    def _arithmetic(self, node: nodes.Arithmetic, scope: Scope) -> Low:
        outer, self._operation = self._operation, None
        lows = self.lower(node.left, scope), self.lower(node.right, scope)
        self._operation = node
        left, right = (
            self._numeric_of(side, low, node.operator)
            for side, low in zip((node.left, node.right), lows, strict=True)
        )
        self._operation = outer
        assert isinstance(node.type, Scalar)
        match node.operator:
            case "*":
                return Code(f"({left.text} * {right.text})", node.type, left.per * right.per)
            case "+" | "-":
                one, other, per = self.common(left, right)
                return Code(f"({one} {node.operator} {other})", node.type, per)
            case "/":
                return self._divided(node, left, right, node.type)
        one, other, per = self.common(left, right)
        other = self._nonzero(node, one, other, right.type)
        if node.operator == "//":
            return Code(f"({one} // {other})", node.type)
        return Code(f"({one} % {other})", node.type, per)

    @staticmethod
    def common(left: Code, right: Code) -> tuple[str, str, int]:
        """Two numbers as numerators over one denominator."""
        per = lcm(left.per, right.per)

        def scaled(code: Code) -> str:
            return code.text if code.per == per else f"({code.text} * {per // code.per})"

        return scaled(left), scaled(right), per

    def _nonzero(self, node: nodes.Arithmetic, left: str, divisor: str, kind: Scalar) -> str:
        low, high = kind.interval
        if not low <= 0 <= high:
            return divisor
        site = self._division_site(node, Scalar())
        return self.as_name(
            Code(divisor, kind),
            "divisor",
            lambda d: f"({d.text} if {d.text} != 0 else fault({site}, {left}, 0))",
        )

    def _division_site(self, node: nodes.Arithmetic, _: Scalar) -> int:
        def message(found: int, _: int) -> tuple[str, str | None]:
            return f"`{found} {node.operator} 0`: division by zero", None

        return self.site("E3007", node.span, message)

    def _divided(self, node: nodes.Arithmetic, left: Code, right: Code, kind: Scalar) -> Code:
        span = self.span_of_codes(right.type) if right.per == 1 else None
        if right.per != 1 or span is None:
            raise CannotCompileError("division by this", node.span)
        whole = lcm(*(abs(code) for code in span[2] if code != 0))
        if whole > 1 << 20 or left.per * whole > 1 << 30:
            raise CannotCompileError("division by too many different numbers", node.span)
        divisor = self._nonzero(node, left.text, right.text, right.type)
        if span[1] == 1 and span[0] > 0:
            return Code(left.text, kind, left.per * span[0])
        return Code(f"({left.text} * ({whole} // {divisor}))", kind, left.per * whole)
