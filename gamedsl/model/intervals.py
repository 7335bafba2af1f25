"""Interval arithmetic: the possible results of `left op right`, from the operands' intervals.

Exact for `+ - *`; sound, perhaps wide, for the remaining operators. A division by a range that
contains zero is taken over the nonzero values; a division by zero is an error in play.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import TypeVar

from gamedsl.model.types import UNKNOWN, Bound, Scalar, Type, number, offsets
from gamedsl.model.values import NONE, Domain, Vector

Number = TypeVar("Number", float, Bound)


def arithmetic_interval(operator: str, left: Scalar, right: Scalar) -> Scalar:
    """The type of `left operator right` for two number types."""
    if left.unknown or right.unknown or not (left.has_numbers and right.has_numbers):
        return UNKNOWN
    rational = left.rational or right.rational or operator == "/"
    one, other = left.interval, right.interval
    match operator:
        case "+":
            return number(one[0] + other[0], one[1] + other[1], rational)
        case "-":
            return number(one[0] - other[1], one[1] - other[0], rational)
        case "*":
            corners: list[Bound] = [a * b for a, b in product(one, other)]
            return number(min(corners), max(corners), rational)
        case "%":
            return _modulo(one, other, rational)
        case _:
            return _quotient(operator, one, other, rational)


def narrowed_by(
    operator: str, one: tuple[Number, Number], other: tuple[Number, Number]
) -> tuple[Number, Number]:
    """Bounds of a whole number in `one` that compares by `operator` with a number in `other`; the
    lower bound exceeds the upper if no number does."""
    (low, high), (least, most) = one, other
    match operator:
        case "<":
            high = min(high, most - 1)
        case "<=":
            high = min(high, most)
        case ">":
            low = max(low, least + 1)
        case ">=":
            low = max(low, least)
        case "==":
            low, high = max(low, least), min(high, most)
        case "!=" if least == most:
            low = low + 1 if low == least else low
            high = high - 1 if high == least else high
    return low, high


def _divisors(interval: tuple[Bound, Bound]) -> list[Bound]:
    """The divisors that give the extreme quotients, without zero."""
    low, high = interval
    found = [end for end in (low, high) if end != 0]
    if low <= 1 <= high:
        found.append(1)
    if low <= -1 <= high:
        found.append(-1)
    return found


def _quotient(
    operator: str, one: tuple[Bound, Bound], other: tuple[Bound, Bound], rational: bool
) -> Scalar:
    divisors = _divisors(other)
    if not divisors:
        return UNKNOWN
    quotients = [Fraction(a) / Fraction(b) for a, b in product(one, divisors)]
    if one[0] <= 0 <= one[1]:
        quotients.append(Fraction(0))
    if operator == "//":
        return number(min(quotients) // 1, max(quotients) // 1)
    return number(min(quotients), max(quotients), rational)


def _modulo(one: tuple[Bound, Bound], other: tuple[Bound, Bound], rational: bool) -> Scalar:
    if other[0] > 0 and one[0] >= 0 and one[1] < other[0]:
        return number(one[0], one[1], rational)
    low: Bound = min(0, other[0] + 1)
    high: Bound = max(0, other[1] - 1)
    return number(low, high, rational)


# --- offsets -----------------------------------------------------------------------------------

MOST_OFFSETS = 10_000
"""Limit on the offsets of a type."""


def negated(found: Type) -> Scalar:
    """The type of `-d`."""
    return _offsets((-vector for vector in _vectors(found)), found)


def added(left: Type, right: Type) -> Scalar:
    """The type of `d + e`."""
    ones, others = _vectors(left), _vectors(right)
    if len(ones) * len(others) > MOST_OFFSETS:
        return UNKNOWN
    return _offsets((one + other for one in ones for other in others), left, right)


def scaled(left: Type, right: Type) -> Scalar:
    """The type of `k*d`, in either order."""
    if _vectors(left):
        left, right = right, left
    factors = left.enumerate() if isinstance(left, Scalar) else None
    vectors = _vectors(right)
    if factors is None or len(factors) * len(vectors) > MOST_OFFSETS:
        return UNKNOWN
    whole = [factor for factor in factors if isinstance(factor, int)]
    return _offsets((v.scaled(factor) for factor in whole for v in vectors), right)


def _offsets(members: Iterable[Vector], *operands: Type) -> Scalar:
    """The type of the given offsets, with `none` if an operand may be `none`."""
    found = offsets(members)
    missing = any(isinstance(kind, Scalar) and kind.can_be_none for kind in operands)
    return replace(found, atoms=frozenset({NONE})) if missing else found


def _vectors(found: Type) -> frozenset[Vector]:
    return found.vectors if isinstance(found, Scalar) else frozenset()


def lies_in(found: Scalar, domain: Domain) -> bool | None:
    """Whether the values of the type lie in the domain: True (all), False (none), None (some)."""
    if found.unknown:
        return None
    values = found.enumerate() if found.size <= 10_000 else None
    if values is None:
        return _lies_widely_in(found, domain)
    inside = [domain.position(value) is not None for value in values]
    if not inside:
        return None
    return True if all(inside) else None if any(inside) else False


def _lies_widely_in(found: Scalar, domain: Domain) -> bool | None:
    kinds = {type(value) for value in domain.values}
    if found.has_numbers and not {int, Fraction} & kinds and not (found.kinds - {"number"}):
        return False
    numbers = [v for v in domain.values if isinstance(v, int) and not isinstance(v, bool)]
    low, high = found.interval
    if found.kinds == {"number"} and numbers and (low > max(numbers) or high < min(numbers)):
        return False
    return None
