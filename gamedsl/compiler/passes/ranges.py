"""Bounds of a value, derived from the operation.

A bound is None where the value is unbounded. `LOWEST` and `HIGHEST` have non-empty operands.
"""

from __future__ import annotations

from gamedsl.compiler.ir.values import Op, Value

Range = tuple[int | None, int | None]
ANYWHERE: Range = (None, None)


def range_of(value: Value, depth: int = 4) -> Range:
    """The least and the greatest number that the value can be."""
    args = value.args
    if value.is_const:
        return value.const, value.const
    if depth == 0:
        return ANYWHERE
    match value.op:
        case Op.LOWEST | Op.HIGHEST | Op.COUNT:
            return 0, args[0].type.width
        case Op.TO_INT:
            return 0, 1
        case Op.LOOKUP:
            assert isinstance(value.arg, tuple)
            return min(value.arg), max(value.arg)
        case Op.SELECT:
            return _around(range_of(args[1], depth - 1), range_of(args[2], depth - 1))
        case Op.ADD if args[1].is_const:
            low, high = range_of(args[0], depth - 1)
            step = args[1].const
            return (None if low is None else low + step), (None if high is None else high + step)
    return ANYWHERE


def _around(first: Range, second: Range) -> Range:
    lows = [bound for bound in (first[0], second[0]) if bound is not None]
    highs = [bound for bound in (first[1], second[1]) if bound is not None]
    return (min(lows) if len(lows) == 2 else None), (max(highs) if len(highs) == 2 else None)


def decided(op: Op, left: Value, right: Value) -> bool | None:
    """The constant result of a comparison; None if not constant."""
    (low, high), (least, most) = range_of(left), range_of(right)
    is_below = high is not None and least is not None and high < least
    is_above = low is not None and most is not None and low > most
    if op in {Op.EQ, Op.NE}:
        return op is Op.NE if is_below or is_above else None
    if op is Op.LT:
        is_not_below = low is not None and most is not None and low >= most
        return True if is_below else False if is_not_below else None
    is_not_above = high is not None and least is not None and high <= least
    return True if is_not_above else False if is_above else None
