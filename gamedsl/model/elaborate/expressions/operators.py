"""Elaborate arithmetic on numbers and on the board, ranges and unions.

Typed nodes carry the interval, the squares or the offsets of possible results. Comparisons are
elaborated by `comparisons`, `and` and `or` by `logic`.
"""

from __future__ import annotations

from typing import TypeGuard

from gamedsl.model import nodes, operations
from gamedsl.model.elaborate.elaborator import Elaborator, in_error
from gamedsl.model.intervals import added, arithmetic_interval, negated, scaled
from gamedsl.model.limits import MOST_VALUES
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import (
    BOOLEAN,
    NOTHING,
    UNKNOWN,
    ArrayType,
    ListType,
    OptionalType,
    Scalar,
    SetType,
    TupleType,
    Type,
    atoms,
    can_be_equal,
    clashes,
    describe,
    element_of,
    is_number,
    join,
    number,
    set_of,
    size_of,
)
from gamedsl.model.values import NONE
from gamedsl.syntax import ast


def unary(elaborator: Elaborator, written: ast.Unary, scope: Scope) -> nodes.Expr:
    """`-x`, `not x`."""
    if written.operator == "not":
        operand = elaborator.condition(written.operand, scope, "`not`")
        return elaborator.folded(nodes.Not(written.span, BOOLEAN, operand))
    operand = elaborator.expression(written.operand, scope)
    match operand.type:
        case Scalar() as scalar if scalar.is_vacuous:
            return nodes.Builtin(written.span, scalar, "-n", (operand,))
        case Scalar() as scalar if scalar.is_vector:
            return elaborator.folded(nodes.Builtin(written.span, negated(scalar), "-d", (operand,)))
        case Scalar() as scalar if scalar.is_number:
            low, high = scalar.interval
            kind = number(-high, -low, scalar.rational)
            return elaborator.folded(nodes.Builtin(written.span, kind, "-n", (operand,)))
        case _:
            return elaborator.wrong(
                "E1101",
                written.span,
                f"`-` needs a number or a direction; this is {describe(operand.type)}",
                elaborator.guard_hint(operand),
            )


def binary(elaborator: Elaborator, written: ast.Binary, scope: Scope) -> nodes.Expr:
    """`a + b`, `a..b`, `a | b` and all other binary operators."""
    left = elaborator.expression(written.left, scope)
    right = elaborator.expression(written.right, scope)
    return combined(elaborator, written, left, right)


def combined(
    elaborator: Elaborator, written: ast.Binary, left: nodes.Expr, right: nodes.Expr
) -> nodes.Expr:
    """The binary operation on elaborated operands."""
    if written.operator == "|":
        return _union(elaborator, written, left, right)
    if written.operator == "-" and isinstance(left.type, SetType | ListType):
        return _difference(elaborator, written, left, right)
    if not (isinstance(left.type, Scalar) and isinstance(right.type, Scalar)):
        return _bad_operands(elaborator, written, left, right)
    if left.type.is_vacuous or right.type.is_vacuous:
        return _vacuous(written, left, right)
    if written.operator == "..":
        return _range(elaborator, written, left, right)
    moved = geometric(elaborator, written, left, right)
    if moved is not None:
        return elaborator.folded(moved)
    if not (left.type.is_number and right.type.is_number):
        return _bad_operands(elaborator, written, left, right)
    if written.operator in {"/", "//", "%"} and right.type.interval == (0, 0):
        return elaborator.wrong(
            "E1204", written.span, f"`{elaborator.text(written)}`: division by zero"
        )
    kind = arithmetic_interval(written.operator, left.type, right.type)
    return elaborator.folded(nodes.Arithmetic(written.span, kind, written.operator, left, right))


def geometric(
    elaborator: Elaborator, written: ast.Binary, left: nodes.Expr, right: nodes.Expr
) -> nodes.Expr | None:
    """`s + d`, `s - d`, `d + e`, `d - e`, `2*d`: the meaning of `+ - *` on a board."""
    span, operator = written.span, written.operator
    if operator == "*":
        if {_shape(left), _shape(right)} == {"number", "direction"}:
            return _offsets(
                elaborator, nodes.Builtin(span, scaled(left.type, right.type), "n*d", (left, right))
            )
        return None
    if operator not in {"+", "-"}:
        return None
    if operator == "-" and _shape(right) == "direction":
        right = elaborator.folded(nodes.Builtin(right.span, negated(right.type), "-d", (right,)))
    if _shape(left) == _shape(right) == "direction":
        return _offsets(
            elaborator, nodes.Builtin(span, added(left.type, right.type), "d+d", (left, right))
        )
    if operator == "+" and (_shape(left), _shape(right)) == ("direction", "square"):
        left, right = right, left
    if (_shape(left), _shape(right)) == ("square", "direction"):
        board = elaborator.symbols.board
        squares = board.squares if board else ()
        return nodes.Builtin(span, atoms(*squares, NONE), "s+d", (left, right))
    return None


def _offsets(elaborator: Elaborator, node: nodes.Builtin) -> nodes.Expr:
    if node.type == UNKNOWN:
        return elaborator.wrong("E1203", node.span, "too many different offsets are possible here")
    return node


def _range(
    elaborator: Elaborator, written: ast.Binary, left: nodes.Expr, right: nodes.Expr
) -> nodes.Expr:
    if not (_is_whole(left.type) and _is_whole(right.type)):
        return _bad_operands(elaborator, written, left, right)
    low, high = left.type.interval[0], right.type.interval[1]
    size = max(0, int(high) - int(low) + 1)
    if size > MOST_VALUES:
        return elaborator.wrong(
            "E1203",
            written.span,
            f"this range can have {size:,} values; at most {MOST_VALUES:,} are possible",
        )
    elaborator.effort.steps += size // 4
    element = number(low, max(low, high))  # for an empty range too: `1..n - 1` where n is 1
    return elaborator.folded(
        nodes.Builtin(written.span, SetType(element, size), "..", (left, right))
    )


def _union(
    elaborator: Elaborator, written: ast.Binary, left: nodes.Expr, right: nodes.Expr
) -> nodes.Expr:
    sides = [
        s.type if isinstance(s.type, SetType | ListType) else SetType(s.type, 1)
        for s in (left, right)
    ]
    if any(isinstance(side.element, ArrayType | TupleType | OptionalType) for side in sides):
        return _bad_operands(elaborator, written, left, right)
    size = sides[0].size + sides[1].size
    kind = SetType(join(sides[0].element, sides[1].element), size)
    if clashes(kind.element) and UNKNOWN not in (sides[0].element, sides[1].element):
        return elaborator.wrong(
            "E1101", written.span, "`|` cannot join truth values or sets with other values"
        )
    of = UNKNOWN if UNKNOWN in (left.type, right.type) else kind
    return elaborator.folded(nodes.Builtin(written.span, of, "|", (left, right)))


def _difference(
    elaborator: Elaborator, written: ast.Binary, left: nodes.Expr, right: nodes.Expr
) -> nodes.Expr:
    """`A - B` is `{x for x in A where x not in B}`; B may be a single value."""
    is_set = isinstance(right.type, SetType | ListType)
    element, taken = element_of(left.type), element_of(right.type) if is_set else right.type
    if UNKNOWN in (left.type, right.type):
        return in_error(written.span)
    is_single = isinstance(element, Scalar | TupleType) and isinstance(taken, Scalar | TupleType)
    if not is_single:
        return _bad_operands(elaborator, written, left, right)
    if not can_be_equal(element, taken):
        message = f"`-` takes {describe(taken)} from a set that holds none: of {describe(element)}"
        return elaborator.wrong("E1102", written.span, message)
    kind = SetType(element, size_of(left.type))
    if left.known is not None and right.known is not None:
        value = operations.without(left.known, right.known)
        is_plain = isinstance(element, Scalar) and value
        return nodes.Const(written.span, set_of(value) if is_plain else kind, value)
    slot = elaborator.new_slot("x")
    item = nodes.Local(written.span, element, "x", slot)
    among = right
    if not is_set:
        among = elaborator.folded(nodes.Collection(right.span, SetType(right.type, 1), (right,)))
    condition = nodes.Not(written.span, BOOLEAN, nodes.Member(written.span, BOOLEAN, item, among))
    clause = nodes.Clause(slot, "x", left, condition)
    return nodes.Comprehension(written.span, kind, "set", (clause,), item)


def _bad_operands(
    elaborator: Elaborator, written: ast.Binary, left: nodes.Expr, right: nodes.Expr
) -> nodes.Expr:
    if UNKNOWN in (left.type, right.type):
        return in_error(written.span)
    needs = {
        "+": "two numbers, or a square and a direction",
        "-": "two numbers, a square and a direction, or two sets",
        "*": "two numbers, or a number and a direction",
        "|": "sets or single values",
        "..": "two whole numbers",
    }.get(written.operator, "two numbers")
    hint = None
    whole = left.whole or right.whole
    if whole is not None:
        hint = f"`{whole.variable.name}` is many cells; say which: `{whole.variable.name}[...]`"
    else:
        hint = elaborator.guard_hint(left, right) or _operand_hint(elaborator, written, left, right)
    return elaborator.wrong(
        "E1101",
        written.span,
        f"`{written.operator}` needs {needs};"
        f" found {describe(left.type)} and {describe(right.type)}",
        hint=hint,
    )


def _operand_hint(
    elaborator: Elaborator, written: ast.Binary, left: nodes.Expr, right: nodes.Expr
) -> str | None:
    """A hint for `1..9 - {5}` and `s + 1`: the correct form."""
    shapes, text = (_shape(left), _shape(right)), elaborator.text
    if written.operator == "-" and shapes[0] == "number" and isinstance(right.type, SetType):
        taken = text(written.right)
        return f"a range stands in brackets there: `(1..{text(written.left)}) - {taken}`"
    if written.operator in {"+", "-"} and shapes == ("square", "number"):
        at, board = text(written.left), elaborator.symbols.board
        if board is not None and board.is_grid:
            return f"a step has a direction: `{at} {written.operator} E`, `{at} + 2*N`"
    if written.operator == "-" and shapes == ("square", "square"):
        to, begin = text(written.left), text(written.right)
        return f"the direction of a step: `first(d for d in directions where {begin} + d == {to})`"
    return None


def _shape(node: nodes.Expr) -> str:
    """The operand's class in board arithmetic: a number, a direction, a square, or other."""
    kind = node.type
    if not isinstance(kind, Scalar):
        return "other"
    if kind.is_vector:
        return "direction"
    if kind.is_square:
        return "square"
    return "number" if kind.is_number else "other"


def _vacuous(written: ast.Binary, left: nodes.Expr, right: nodes.Expr) -> nodes.Expr:
    """An operation with an operand of unknown type, or with an element of a set that is always
    empty."""
    kind = UNKNOWN if UNKNOWN in (left.type, right.type) else NOTHING
    if written.operator == "..":
        size = 1 if kind == UNKNOWN else 0  # not known to be empty
        return nodes.Builtin(written.span, SetType(kind, size), "..", (left, right))
    return nodes.Arithmetic(written.span, kind, written.operator, left, right)


def _is_whole(kind: Type) -> TypeGuard[Scalar]:
    return is_number(kind) and not kind.rational
