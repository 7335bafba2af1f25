"""What values of the intermediate representation are worth, and random ones: the oracle of passes.

`worth(value, names)` works a value out as Python would. Where Python would break off (a shift by a
negative number, an index outside of a table, the lowest square of nothing) the value has no worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hypothesis import strategies as st

from gamedsl.compiler.ir.values import (
    BOOL,
    INT,
    Op,
    Value,
    all_of,
    any_of,
    bits,
    count,
    guard,
    integer,
    lookup,
    lowest,
    name,
    not_,
    number,
    select,
    to_int,
    truth,
)

BOARD = bits(5)
FULL = number(31, BOARD)
NUMBERS = [name(title, INT) for title in "nm"]
TRUTHS = [name(title, BOOL) for title in "cd"]
SETS = [name(title, BOARD) for title in ("X", "Y", "Z")]


class NoWorthError(Exception):
    """The value is not worked out by anybody: its game would be compiled otherwise."""


class FaultError(Exception):
    """A guard has failed."""


_TWO: dict[Op, Callable[[int, int], int]] = {
    Op.EQ: lambda a, b: a == b,
    Op.NE: lambda a, b: a != b,
    Op.LT: lambda a, b: a < b,
    Op.LE: lambda a, b: a <= b,
    Op.AND: lambda a, b: a & b,
    Op.OR: lambda a, b: a | b,
    Op.XOR: lambda a, b: a ^ b,
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.MIN: min,
    Op.MAX: max,
}
_ONE: dict[Op, Callable[[int], int]] = {
    Op.NOT: lambda a: not a,
    Op.COMPLEMENT: lambda a: ~a,
    Op.NEGATE: lambda a: -a,
    Op.ABS: abs,
    Op.COUNT: int.bit_count,
    Op.TO_INT: int,
}


def worth(value: Value, names: Mapping[str, int]) -> int:
    """What a value is worth. Raises NoWorthError and FaultError."""
    args = value.args
    match value.op:
        case Op.CONST:
            return value.const
        case Op.NAME:
            return names[value.name]
        case Op.ALL:
            return all(worth(one, names) for one in args)
        case Op.ANY:
            return any(worth(one, names) for one in args)
        case Op.SELECT:
            return worth(args[1] if worth(args[0], names) else args[2], names)
        case Op.GUARD:
            if not worth(args[0], names):
                raise FaultError(value.arg, worth(args[2], names), worth(args[3], names))
            return worth(args[1], names)
    known = [worth(one, names) for one in args]
    if value.op in _TWO:
        return _TWO[value.op](*known)
    if value.op in _ONE:
        return _ONE[value.op](*known)
    return _partial(value, known)


def _partial(value: Value, known: list[int]) -> int:
    match value.op:
        case Op.SHL | Op.SHR if known[1] >= 0:
            return known[0] << known[1] if value.op is Op.SHL else known[0] >> known[1]
        case Op.LOWEST | Op.HIGHEST if known[0] > 0:
            squares = known[0]
            is_low = value.op is Op.LOWEST
            return ((squares & -squares) if is_low else squares).bit_length() - 1
        case Op.LOOKUP:
            assert isinstance(value.arg, tuple)
            if 0 <= known[0] < len(value.arg):
                return int(value.arg[known[0]])
    raise NoWorthError(value.op)


def outcome(value: Value, names: Mapping[str, int]) -> object:
    """What a value is worth, or the fault that it raises. Raises NoWorthError."""
    try:
        return worth(value, names)
    except FaultError as fault:
        return fault.args


# --- random values -----------------------------------------------------------------------------

Draw = Callable[[st.SearchStrategy[int]], int]


class Made:
    """Makes values of a kind by what a number generator says."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._made: dict[str, list[Value]] = {"number": [], "truth": [], "set": []}

    def _below(self, many: int) -> int:
        return self._draw(st.integers(0, many - 1))

    def _again(self, kind: str, value: Value) -> Value:
        self._made[kind].append(value)
        return value

    def _old(self, kind: str) -> Value | None:
        made = self._made[kind]
        return made[self._below(len(made))] if made and self._below(4) == 0 else None

    def number(self, depth: int) -> Value:
        """A number."""
        return self._old("number") or self._again("number", self._number(depth))

    def truth(self, depth: int) -> Value:
        """A truth value."""
        return self._old("truth") or self._again("truth", self._truth(depth))

    def set(self, depth: int) -> Value:
        """A set of squares."""
        return self._old("set") or self._again("set", self._set(depth))

    def _number(self, depth: int) -> Value:
        if depth == 0:
            return [*NUMBERS, integer(-2), integer(0), integer(1)][self._below(5)]
        less = depth - 1
        match self._below(8):
            case 0:
                return self.number(less) + self.number(less)
            case 1:
                return to_int(self.truth(less))
            case 2:
                return count(self.set(less))
            case 3:
                squares = self.set(less)
                return select(squares.ne(0), lowest(squares), integer(-2))
            case 4:
                return lookup((-2, 3, 1, 0), self.number(less))
            case 5:
                return guard(self.truth(less), self.number(less), self._below(9), self.number(0))
            case 6:
                return lowest(self.set(less))
        return select(self.truth(less), self.number(less), self.number(less))

    def _truth(self, depth: int) -> Value:
        if depth == 0:
            return [*TRUTHS, truth(True)][self._below(3)]
        less = depth - 1
        match self._below(9):
            case 0:
                return self.number(less).eq(self.number(less))
            case 1:
                return self.number(less).lt(self.number(less))
            case 2:
                return self.set(less).ne(0)
            case 3:
                return not_(self.truth(less))
            case 4:
                return all_of([self.truth(less) for _ in range(3)])
            case 5:
                return any_of([self.truth(less) for _ in range(3)])
            case 6:
                return (self.set(less) >> self.number(less) & 1).ne(0)
            case 7:
                return self.number(less).le(self.number(less))
        return select(self.truth(less), self.truth(less), self.truth(less))

    def _set(self, depth: int) -> Value:
        if depth == 0:
            return [*SETS, FULL, number(0, BOARD), number(6, BOARD)][self._below(6)]
        less = depth - 1
        match self._below(7):
            case 0:
                return self.set(less) & self.set(less)
            case 1:
                return self.set(less) | self.set(less)
            case 2:
                return self.set(less) & ~self.set(less)
            case 3:
                return (number(1, BOARD) << self.number(less)) & FULL
            case 4:
                return FULL & ~(self.set(less) | self.set(less))
            case 5:
                return self.set(less) & select(self.truth(less), FULL, number(0, BOARD))
        return select(self.truth(less), self.set(less), self.set(less))
