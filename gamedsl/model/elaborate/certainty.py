"""Which conditions hold in every state or in none, by the types of their parts.

In: a typed condition. Out: True, False, or None where both may be. What stands behind a condition
that never holds is never carried out, whatever its values would be.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.types import (
    ListType,
    Scalar,
    SetType,
    Type,
    element_of,
    is_always_number,
    size_of,
)

EQUALITIES = ("==", "!=")
DEEPEST_CALL = 3
"""Calls in the bodies of `def`s are looked into so deep."""


def truth_of(condition: nodes.Expr, depth: int = DEEPEST_CALL) -> bool | None:
    """Whether the condition surely holds (True), or surely does not (False)."""
    match condition:
        case nodes.Const(value=bool() as value):
            return value
        case nodes.Not():
            inner = truth_of(condition.operand, depth)
            return None if inner is None else not inner
        case nodes.Logic():
            decisive = condition.operator == "or"
            answers = [truth_of(operand, depth) for operand in condition.operands]
            if decisive in answers:
                return decisive
            return None if None in answers else not decisive
        case nodes.Compare():
            return _compared(condition.operator, condition.left.type, condition.right.type)
        case nodes.Member():
            return _contained(condition.element.type, condition.collection.type)
        case nodes.Comprehension(kind="any" | "all"):
            return _quantified(condition, depth)
        case nodes.Apply() if depth > 0:
            return truth_of(condition.definition.body, depth - 1)
        case _:
            return None


def is_never(collection: Type) -> bool:
    """Whether a set or list has no elements, so that nothing is done for each of them."""
    return isinstance(collection, SetType | ListType) and size_of(collection) == 0


def _compared(operator: str, left: Type, right: Type) -> bool | None:
    if not (is_always_number(left) and is_always_number(right)):
        if operator in EQUALITIES and left == right and _is_one_atom(left):
            return operator == "=="
        return None
    assert isinstance(left, Scalar)
    assert isinstance(right, Scalar)
    (low, high), (least, most) = left.interval, right.interval
    match operator:
        case "<":
            return True if high < least else False if low >= most else None
        case "<=":
            return True if high <= least else False if low > most else None
        case ">":
            return _compared("<", right, left)
        case ">=":
            return _compared("<=", right, left)
        case "==":
            if high < least or most < low:
                return False
            return True if low == high == least == most else None
        case _:
            equal = _compared("==", left, right)
            return None if equal is None else not equal


def _is_one_atom(kind: Type) -> bool:
    """Whether the value is always the same atom, as the first element of an empty set is `none`."""
    return isinstance(kind, Scalar) and len(kind.atoms) == 1 and kind == Scalar(atoms=kind.atoms)


def _contained(element: Type, collection: Type) -> bool | None:
    if is_never(collection):
        return False
    return False if _compared("==", element, element_of(collection)) is False else None


def _quantified(node: nodes.Comprehension, depth: int) -> bool | None:
    """Over nothing `any` does not hold and `all` does."""
    decisive = node.kind == "any"
    if any(is_never(clause.domain.type) for clause in node.clauses):
        return not decisive
    return not decisive if truth_of(node.element, depth) is (not decisive) else None
