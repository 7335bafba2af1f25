"""Interval arithmetic on types: the type of `left operator right`, from the types of both operands.

In: types (`Scalar`), in which the possible numbers are an interval. Out: the type of the result, as
narrow as possible for `+ - *`, perhaps too wide for `/`, `//` and `%`, and `UNKNOWN` if nothing can
be said. Zero is left out of the interval of a divisor, because a division by zero is an error in
play. The module also has the bounds that follow from a comparison, the same arithmetic for offsets
on a board, and the test whether the values of a type lie in a domain.
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
    """The type of `left operator right`; `UNKNOWN` unless both types have numbers."""
    if left.unknown or right.unknown or not (left.has_numbers and right.has_numbers):
        return UNKNOWN
    rational = left.rational or right.rational or operator == "/"
    left_bounds, right_bounds = left.interval, right.interval
    match operator:
        case "+":
            return number(
                left_bounds[0] + right_bounds[0], left_bounds[1] + right_bounds[1], rational
            )
        case "-":
            return number(
                left_bounds[0] - right_bounds[1], left_bounds[1] - right_bounds[0], rational
            )
        case "*":
            corners: list[Bound] = [a * b for a, b in product(left_bounds, right_bounds)]
            return number(min(corners), max(corners), rational)
        case "%":
            return _modulo(left_bounds, right_bounds, rational)
        case _:
            return _quotient(operator, left_bounds, right_bounds, rational)


def narrowed_by(
    operator: str, interval: tuple[Number, Number], compared: tuple[Number, Number]
) -> tuple[Number, Number]:
    """The bounds of the whole numbers in `interval` for which `number operator other` holds with
    some whole number `other` in `compared`; the lower bound exceeds the upper if there is no such
    number."""
    (low, high), (other_low, other_high) = interval, compared
    match operator:
        case "<":
            high = min(high, other_high - 1)
        case "<=":
            high = min(high, other_high)
        case ">":
            low = max(low, other_low + 1)
        case ">=":
            low = max(low, other_low)
        case "==":
            low, high = max(low, other_low), min(high, other_high)
        case "!=" if other_low == other_high:
            low = low + 1 if low == other_low else low
            high = high - 1 if high == other_low else high
    return low, high


def _divisors(interval: tuple[Bound, Bound]) -> list[Bound]:
    """The divisors at which a quotient can be extreme, if divisors are whole numbers: the ends of
    the interval, and the neighbours of zero; never zero."""
    low, high = interval
    divisors = [end for end in (low, high) if end != 0]
    if low <= 1 <= high:
        divisors.append(1)
    if low <= -1 <= high:
        divisors.append(-1)
    return divisors


def _quotient(
    operator: str, dividend: tuple[Bound, Bound], divisor: tuple[Bound, Bound], rational: bool
) -> Scalar:
    """The type of `/` or `//`."""
    divisors = _divisors(divisor)
    if not divisors:
        return UNKNOWN
    quotients = [Fraction(a) / Fraction(b) for a, b in product(dividend, divisors)]
    if dividend[0] <= 0 <= dividend[1]:
        quotients.append(Fraction(0))
    if operator == "//":
        return number(min(quotients) // 1, max(quotients) // 1)
    return number(min(quotients), max(quotients), rational)


def _modulo(dividend: tuple[Bound, Bound], divisor: tuple[Bound, Bound], rational: bool) -> Scalar:
    """The type of `%`: the sign of a remainder is that of the divisor."""
    if divisor[0] > 0 and dividend[0] >= 0 and dividend[1] < divisor[0]:
        return number(dividend[0], dividend[1], rational)
    per = divisor[0]
    if per == divisor[1] > 0 and dividend[0] // per == dividend[1] // per:
        return number(dividend[0] % per, dividend[1] % per, rational)
    low: Bound = min(0, divisor[0] + 1)
    high: Bound = max(0, divisor[1] - 1)
    return number(low, high, rational)


# --- offsets -----------------------------------------------------------------------------------

MOST_OFFSETS = 10_000
"""Greatest number of offsets that is listed; with more, a type is `UNKNOWN`."""


def negated(kind: Type) -> Scalar:
    """The type of `-d`, for an offset `d` on the board."""
    return _offsets((-vector for vector in _vectors(kind)), kind)


def added(left: Type, right: Type) -> Scalar:
    """The type of `d + e`, for two offsets."""
    left_vectors, right_vectors = _vectors(left), _vectors(right)
    if len(left_vectors) * len(right_vectors) > MOST_OFFSETS:
        return UNKNOWN
    return _offsets(
        (first + second for first in left_vectors for second in right_vectors), left, right
    )


def scaled(left: Type, right: Type) -> Scalar:
    """The type of `k*d` or `d*k`, for a whole number `k` and an offset `d`."""
    if _vectors(left):
        left, right = right, left
    factors = left.enumerate() if isinstance(left, Scalar) else None
    vectors = _vectors(right)
    if factors is None or len(factors) * len(vectors) > MOST_OFFSETS:
        return UNKNOWN
    whole_factors = [factor for factor in factors if isinstance(factor, int)]
    return _offsets((v.scaled(factor) for factor in whole_factors for v in vectors), right)


def _offsets(members: Iterable[Vector], *operands: Type) -> Scalar:
    """The type of the given offsets, with `none` if an operand may be `none`."""
    scalar = offsets(members)
    can_be_none = any(kind.can_be_none for kind in operands)
    return replace(scalar, atoms=frozenset({NONE})) if can_be_none else scalar


def _vectors(kind: Type) -> frozenset[Vector]:
    """The offsets of a type; empty for other types."""
    return kind.vectors if isinstance(kind, Scalar) else frozenset()


def lies_in(kind: Scalar, domain: Domain) -> bool | None:
    """Whether the values of the type lie in the domain: True (all), False (none), None (some, or
    undecided)."""
    if kind.unknown:
        return None
    values = kind.enumerate() if kind.size <= 10_000 else None
    if values is None:
        return _lies_widely_in(kind, domain)
    inside = [domain.position(value) is not None for value in values]
    if not inside:
        return None
    return True if all(inside) else None if any(inside) else False


def _lies_widely_in(kind: Scalar, domain: Domain) -> bool | None:
    """Like `lies_in`, for a type with too many values to list: False (none) or None (undecided)."""
    value_classes = {type(value) for value in domain.values}
    if kind.has_numbers and not {int, Fraction} & value_classes and not (kind.kinds - {"number"}):
        return False
    numbers = [v for v in domain.values if isinstance(v, int) and not isinstance(v, bool)]
    low, high = kind.interval
    if kind.kinds == {"number"} and numbers and (low > max(numbers) or high < min(numbers)):
        return False
    return None
