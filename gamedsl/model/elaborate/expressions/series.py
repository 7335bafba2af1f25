"""Elaborate a long `a + b - c ...` to nodes of few levels, for any number of terms.

The operators of a `Series` have equal precedence. Sums and products of numbers, and unions, are
halved: (a + b) + (c + d), with inverted signs in a half behind a minus. The operands are still
evaluated from the left, and nothing can fail between the operands: values and errors are the values
and errors of the text. Remaining operations are elaborated from the left, a level per term.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator, in_error
from gamedsl.model.elaborate.expressions import operators
from gamedsl.model.symbols.scope import Scope
from gamedsl.source import Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast

TURNED = {"+": "-", "-": "+"}


def series(elaborator: Elaborator, written: ast.Series, scope: Scope) -> nodes.Expr:
    """The typed nodes of a long sum, product or union."""
    operands = tuple(elaborator.expression(operand, scope) for operand in written.operands)
    typed = _Series(elaborator, written, operands)
    if _can_be_halved(written, operands):
        return typed.halved(0, len(operands), is_turned=False)
    levels = len(operands) - ast.LONGEST_SPINE
    elaborator.effort.enter(levels)
    result = typed.from_the_left() if elaborator.may_go_on(written.span) else None
    elaborator.effort.leave(levels)
    return result or in_error(written.span)


def _can_be_halved(written: ast.Series, operands: tuple[nodes.Expr, ...]) -> bool:
    signs = set(written.operators)
    if signs == {"|"}:
        return True
    return (signs <= {"+", "-"} or signs == {"*"}) and all(
        operand.type.is_number and not operand.type.is_vacuous for operand in operands
    )


@dataclass(frozen=True, slots=True)
class _Series:
    """A series with its elaborated operands."""

    elaborator: Elaborator
    written: ast.Series
    operands: tuple[nodes.Expr, ...]

    def halved(self, start: int, stop: int, *, is_turned: bool) -> nodes.Expr:
        """The operands from `start` to before `stop`; `is_turned`: with + and - exchanged."""
        if stop - start == 1:
            return self.operands[start]
        middle = (start + stop) // 2
        operator = self.written.operators[middle - 1]
        left = self.halved(start, middle, is_turned=is_turned)
        right = self.halved(middle, stop, is_turned=operator == "-")
        sign = TURNED.get(operator, operator) if is_turned else operator
        return self._combined(start, middle, sign, left, right)

    def from_the_left(self) -> nodes.Expr:
        """All operands, joined from the left."""
        node = self.operands[0]
        for place, operator in enumerate(self.written.operators, start=1):
            node = self._combined(place - 1, place, operator, node, self.operands[place])
        return node

    def _combined(
        self, start: int, middle: int, operator: str, left: nodes.Expr, right: nodes.Expr
    ) -> nodes.Expr:
        span = Span(left.span.start, right.span.end)
        first, second = self.written.operands[start], self.written.operands[middle]
        pair = ast.Binary(span, operator, first, second)
        return self.elaborator.of_fair_size(operators.combined(self.elaborator, pair, left, right))
