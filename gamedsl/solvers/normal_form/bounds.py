"""Arithmetic with numbers between two bounds, rounded outwards, for proved results.

In: non-negative fractions and decimals. Out: `Bounds` of computed values.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from gamedsl.source.records import dataclass

DIGITS = 60
FLOOR = Context(DIGITS, ROUND_FLOOR, MIN_EMIN, MAX_EMAX, traps=[])
CEILING = Context(DIGITS, ROUND_CEILING, MIN_EMIN, MAX_EMAX, traps=[])


@dataclass(frozen=True, slots=True)
class Bounds:
    """A non-negative number: at least `least`, at most `most`."""

    least: Decimal
    most: Decimal

    @classmethod
    def of(cls, number: Fraction | int | Decimal) -> Bounds:
        """Bounds of a known number."""
        if isinstance(number, Decimal):
            return cls(number, number)
        above, below = Decimal(number.numerator), Decimal(number.denominator)
        return cls(FLOOR.divide(above, below), CEILING.divide(above, below))

    def __mul__(self, other: Bounds) -> Bounds:
        return Bounds(
            FLOOR.multiply(self.least, other.least), CEILING.multiply(self.most, other.most)
        )

    def __truediv__(self, other: Bounds) -> Bounds:
        return Bounds(FLOOR.divide(self.least, other.most), CEILING.divide(self.most, other.least))

    def exp_less(self, other: Bounds) -> Bounds:
        """Bounds of exp(self - other); the error of `Decimal.exp` is at most half a digit, for any
        rounding mode."""
        least = FLOOR.exp(FLOOR.subtract(self.least, other.most))
        most = CEILING.exp(CEILING.subtract(self.most, other.least))
        return Bounds(max(Decimal(0), FLOOR.next_minus(least)), CEILING.next_plus(most))


def total(parts: Iterable[Bounds]) -> Bounds:
    """Bounds of a sum."""
    least = most = Decimal(0)
    for part in parts:
        least, most = FLOOR.add(least, part.least), CEILING.add(most, part.most)
    return Bounds(least, most)
