"""Semantics of the operators on values, the only definition in Python.

Used to fold constants and to run games in the interpreter. An operation that fails raises
`OperationError`, which the caller turns into a diagnostic or an error in the game.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from gamedsl.model.values import NONE, Atom, Square, Table, Value, Vector, text_of, unique


class OperationError(ArithmeticError):
    """A failed operation: division by zero, `none` in arithmetic, ..."""

    def __init__(self, message: str, hint: str | None = None, code: str = "E3007") -> None:
        super().__init__(message)
        self.hint = hint
        self.code = code


def _numbers(operator: str, left: Value, right: Value) -> tuple[int | Fraction, int | Fraction]:
    for side in (left, right):
        if not isinstance(side, int | Fraction):
            raise OperationError(f"`{operator}` needs numbers, and one side is `{text_of(side)}`")
    return left, right  # type: ignore[return-value]


def add(left: Value, right: Value) -> Value:
    """`left + right` of two numbers."""
    left_number, right_number = _numbers("+", left, right)
    return left_number + right_number


def subtract(left: Value, right: Value) -> Value:
    """`left - right` of two numbers."""
    left_number, right_number = _numbers("-", left, right)
    return left_number - right_number


def multiply(left: Value, right: Value) -> Value:
    """`left * right` of two numbers."""
    left_number, right_number = _numbers("*", left, right)
    return left_number * right_number


def divide(left: Value, right: Value) -> Value:
    """`left / right`, exact; an integral quotient is a whole number."""
    dividend, divisor = _numbers("/", left, right)
    if divisor == 0:
        raise OperationError(f"`{text_of(left)} / 0`: division by zero")
    quotient = Fraction(dividend) / Fraction(divisor)
    return quotient.numerator if quotient.denominator == 1 else quotient


def floor_divide(left: Value, right: Value) -> Value:
    """`left // right`, rounded down as in Python."""
    dividend, divisor = _numbers("//", left, right)
    if divisor == 0:
        raise OperationError(f"`{text_of(left)} // 0`: division by zero")
    return dividend // divisor


def modulo(left: Value, right: Value) -> Value:
    """`left % right`, with the sign of the divisor as in Python."""
    dividend, divisor = _numbers("%", left, right)
    if divisor == 0:
        raise OperationError(f"`{text_of(left)} % 0`: division by zero")
    return dividend % divisor


def equal(left: Value, right: Value) -> bool:
    """`left == right`; in Python `True == 1`, here truth values are distinct from numbers."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def equal_sets(left: Value, right: Value) -> bool:
    """Whether two sets have the same elements; the order of elements matters to loops only."""
    if left is NONE or right is NONE:
        return left is right
    assert isinstance(left, tuple)
    assert isinstance(right, tuple)
    return all(item in right for item in left) and all(item in left for item in right)


def is_member(value: Value, items: Value) -> bool:
    """`value in items`."""
    assert isinstance(items, tuple)
    return value in items and any(equal(value, item) for item in items)


def order_key(operator: str, value: Value) -> int | Fraction:
    """The key by which `< <= > >=` compare: the number, or an atom's place in its type."""
    if isinstance(value, int | Fraction):
        return value
    if isinstance(value, Atom) and value is not NONE:
        return value.order
    raise OperationError(f"`{operator}` cannot order `{text_of(value)}`")


ARITHMETIC: dict[str, Callable[[Value, Value], Value]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "//": floor_divide,
    "%": modulo,
}

COMPARISONS: dict[str, Callable[[Value, Value], bool]] = {
    "==": equal,
    "!=": lambda left, right: not equal(left, right),
    "<": lambda left, right: order_key("<", left) < order_key("<", right),
    "<=": lambda left, right: order_key("<=", left) <= order_key("<=", right),
    ">": lambda left, right: order_key(">", left) > order_key(">", right),
    ">=": lambda left, right: order_key(">=", left) >= order_key(">=", right),
}


def span_of_numbers(low: Value, high: Value) -> tuple[Value, ...]:
    """`low..high`, both ends included; empty if low > high."""
    start, end = _numbers("..", low, high)
    return tuple(range(int(start), int(end) + 1))


def column(square: Value) -> Value:
    """The column of a square, from 1; `none` for `none`."""
    return square.column or NONE if isinstance(square, Square) else NONE


def row(square: Value) -> Value:
    """The row of a square, from 1; `none` for `none`."""
    return square.row or NONE if isinstance(square, Square) else NONE


def looked_up(table: Value, *arguments: Value) -> Value:
    """The value of a table for some arguments; `none` for arguments without a row."""
    assert isinstance(table, Table)
    return table.rows.get(arguments, NONE)


def scale(factor: Value, offset: Value) -> Value:
    """`2*d`: a number times an offset, in either order."""
    if isinstance(factor, Vector) or not isinstance(offset, Vector | Atom):
        factor, offset = offset, factor
    if offset is NONE and isinstance(factor, int):
        return NONE
    if isinstance(factor, int) and isinstance(offset, Vector):
        return offset.scaled(factor)
    raise OperationError(f"`*` cannot multiply `{text_of(factor)}` and `{text_of(offset)}`")


def add_offsets(left: Value, right: Value) -> Value:
    """`d + e` of two offsets; `none` if an operand is `none`."""
    if isinstance(left, Vector) and isinstance(right, Vector):
        return left + right
    return NONE


def negate(value: Value) -> Value:
    """`-x` of a number or an offset."""
    if isinstance(value, Vector):
        return -value
    return subtract(0, value)


def opposite(offset: Value) -> Value:
    """`-d` of an offset; `none` for `none`."""
    return NONE if offset is NONE else negate(offset)


def magnitude(value: Value) -> Value:
    """`abs(n)` of a number."""
    amount, _ = _numbers("abs", value, 0)
    return amount if amount >= 0 else -amount


def length(items: Value) -> Value:
    """`len(items)`."""
    assert isinstance(items, tuple)
    return len(items)


def list_item(items: Value, index: Value) -> Value:
    """`items[index]`, counted from 1; `none` if an operand is `none`."""
    if items is NONE or index is NONE:
        return NONE
    if not isinstance(items, tuple) or not isinstance(index, int):
        raise OperationError(f"`{text_of(index)}` is no position in a list")
    if not 1 <= index <= len(items):
        raise OperationError(
            f"position {index} is outside the list, whose positions are 1..{len(items)}"
        )
    return items[index - 1]


def as_collection(value: Value) -> tuple[Value, ...]:
    """A collection unchanged, a scalar as a set with a single element: the operands of `|`."""
    return value if isinstance(value, tuple) else (value,)


def joined(left: Value, right: Value) -> tuple[Value, ...]:
    """`left | right`: the elements of both, without duplicates."""
    return unique(as_collection(left) + as_collection(right))


def without(left: Value, right: Value) -> tuple[Value, ...]:
    """`left - right`: the elements of `left` that are not in `right`, without duplicates."""
    taken = as_collection(right)
    return unique(item for item in as_collection(left) if not is_member(item, taken))


def of_nothing(kind: str) -> OperationError:
    """The error of `min` or `max` of an empty collection."""
    start = 0 if kind == "max" else 99
    return OperationError(
        f"`{kind}` of nothing",
        f"give it a value to begin with, `{kind}({start}, ... for ...)` for numbers, or ask before "
        "whether there is anything",
    )


def least(items: tuple[Value, ...]) -> Value:
    """The least value; OperationError if empty."""
    if not items:
        raise of_nothing("min")
    return min(items, key=lambda item: order_key("min", item))


def greatest(items: tuple[Value, ...]) -> Value:
    """The greatest value; OperationError if empty."""
    if not items:
        raise of_nothing("max")
    return max(items, key=lambda item: order_key("max", item))


def total(items: tuple[Value, ...]) -> Value:
    """The sum of numbers; 0 if empty."""
    result: Value = 0
    for item in items:
        result = add(result, item)
    return result


def counted(items: tuple[Value, ...]) -> int:
    """The number of values that are not false."""
    return sum(1 for item in items if item is not False)


def first(items: tuple[Value, ...]) -> Value:
    """The first value, or `none` if empty."""
    return items[0] if items else NONE


def last(items: tuple[Value, ...]) -> Value:
    """The last value, or `none` if empty."""
    return items[-1] if items else NONE


def any_of(items: tuple[Value, ...]) -> bool:
    """Whether a value is true."""
    return any(item is True for item in items)


def all_of(items: tuple[Value, ...]) -> bool:
    """Whether all values are true."""
    return all(item is True for item in items)


REDUCTIONS: dict[str, Callable[[tuple[Value, ...]], Value]] = {
    "any": any_of,
    "all": all_of,
    "count": counted,
    "sum": total,
    "min": least,
    "max": greatest,
    "first": first,
    "last": last,
}
"""The quantifiers as functions of the values of their element expression, in order."""
