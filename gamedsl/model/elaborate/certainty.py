"""Decide conditions that hold in every state or in no state, by the types of the operands.

The answer is True, False, or None if undecided. Code behind a condition that never holds is never
carried out, so values in the code do not matter.
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


def truth_of(condition: nodes.Expr) -> bool | None:
    """Whether the condition certainly holds (True), or certainly fails (False)."""
    match condition:
        case nodes.Const(value=bool() as value):
            return value
        case nodes.Not():
            inner = truth_of(condition.operand)
            return None if inner is None else not inner
        case nodes.Logic():
            decisive = condition.operator == "or"
            answers = [truth_of(operand) for operand in condition.operands]
            if decisive in answers:
                return decisive
            return None if None in answers else not decisive
        case nodes.Compare():
            return _compared(condition.operator, condition.left.type, condition.right.type)
        case nodes.Member():
            return _contained(condition.element.type, condition.collection.type)
        case nodes.Comprehension(kind="any" | "all"):
            return _quantified(condition)
        case nodes.Apply():
            return condition.definition.truth
        case _:
            return None


def is_never(collection: Type) -> bool:
    """Whether the type of a set or list allows no elements."""
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
    """Whether the value is always the same atom: the first element of an empty set is always
    `none`."""
    return isinstance(kind, Scalar) and len(kind.atoms) == 1 and kind == Scalar(atoms=kind.atoms)


def _contained(element: Type, collection: Type) -> bool | None:
    if is_never(collection):
        return False
    return False if _compared("==", element, element_of(collection)) is False else None


def _quantified(node: nodes.Comprehension) -> bool | None:
    """The truth of a quantifier over an empty domain, or with a constant element."""
    decisive = node.kind == "any"
    if any(is_never(clause.domain.type) for clause in node.clauses):
        return not decisive
    return not decisive if truth_of(node.element) is (not decisive) else None
