"""Comparisons by the values of both sides.

Operands are evaluated from the left; operands that may fail are never left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.ir.values import not_
from gamedsl.compiler.lowering.values import cells, conditions, numbers, order
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Known, Low, Scope
from gamedsl.model import nodes
from gamedsl.model.semantics.expressions import compares_sets
from gamedsl.model.types import BOOLEAN, ListType, Scalar, SetType, TupleType, element_of


def compare_plain(lowering: Lowering, node: nodes.Compare, scope: Scope) -> Low:
    """A comparison, by the values of both sides."""
    if node.operator in {"==", "!="}:
        are_sets = _may_be_taken_apart(lowering, node)
        equal = (_equal_sets if are_sets else equality)(lowering, node.left, node.right, scope)
        return equal if node.operator == "==" else numbers.negated(equal)
    sides = lowering.lower(node.left, scope), lowering.lower(node.right, scope)

    def compared(lows: Sequence[Low]) -> Low:
        left, right = (_ordered(lowering, node, low) for low in lows)
        first, second, _ = conditions.alike(lowering, left, right, node.span)
        return numbers.answer(_in_order(node.operator, first, second))

    return order.before_none_is_found(lowering, sides, compared)


def _ordered(lowering: Lowering, node: nodes.Compare, low: Low) -> Low:
    """One side of `<`, guarded where the value may be `none`."""
    if not order.may_be_none(low):
        return low
    need = "E3007", f"`{node.operator}` cannot order `none`"
    return numbers.not_none(lowering, low, need, node.span)


def equality(lowering: Lowering, left: nodes.Expr, right: nodes.Expr, scope: Scope) -> Low:
    """`left == right`."""
    if isinstance(left.type, TupleType):  # only tuples are compared with tuples
        return conditions.with_tuples(
            lowering,
            (left, right),
            scope,
            lambda rows: conditions.same_items(lowering, rows[0], rows[1], left.span),
        )
    for side in (left, right):
        if not isinstance(side.type, Scalar):
            raise CannotCompileError("equality of collections", side.span)
    for cell_side, value_side in ((left, right), (right, left)):
        if isinstance(cell_side, nodes.Cell):
            value = lowering.lower(value_side, scope)
            test = (
                cells.is_cell(lowering, cell_side, value.value, scope)
                if isinstance(value, Known)
                else None
            )
            if test is not None:
                return numbers.answer(test)
    lows = lowering.lower(left, scope), lowering.lower(right, scope)
    return conditions.equal_lowered(lowering, *lows, left.span)


def _may_be_taken_apart(lowering: Lowering, node: nodes.Compare) -> bool:
    """Whether two sets of single values are compared that may be traversed twice."""
    sides = (node.left, node.right)
    are_single = all(
        isinstance(side.type, SetType | ListType) and isinstance(side.type.element, Scalar)
        for side in sides
    )
    return compares_sets(node) and are_single and not any(map(lowering.can_fail, sides))


def _equal_sets(lowering: Lowering, left: nodes.Expr, right: nodes.Expr, scope: Scope) -> Low:
    """Equality of sets: each set holds all elements of the other."""
    tests: list[nodes.Expr] = []
    for whole, contained in ((left, right), (right, left)):
        element = nodes.Local(contained.span, element_of(contained.type), "one", conditions.ELEMENT)
        member = nodes.Member(contained.span, BOOLEAN, element, whole)
        clause = nodes.Clause(conditions.ELEMENT, "one", contained, None)
        tests.append(nodes.Comprehension(contained.span, BOOLEAN, "all", (clause,), member))
    return lowering.lower(nodes.Logic(left.span, BOOLEAN, "and", tuple(tests)), scope)


def _in_order(operator: str, left: Expr, right: Expr) -> Expr:
    """`one < other` and the like, the left operand evaluated first if both may fail."""
    if left.can_fail and right.can_fail and operator in {">", ">="}:
        return not_(left.le(right) if operator == ">" else left.lt(right))
    orders = {"<": left.lt, "<=": left.le, ">": left.gt, ">=": left.ge}
    return orders[operator](right)
