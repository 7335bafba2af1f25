"""Numbers as decimals: rounded with a mark, or with as many digits as an error bound guarantees."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, log10

from gamedsl.solvers.graphs.extended import is_infinite

ROUNDED = "≈"
"""Mark before a rounded decimal."""
MOST_DECIMALS = 12
SHORT_DENOMINATOR = 1000
"""Greatest denominator of fractions written without decimals."""


def rounded(number: Fraction, form: str) -> str:
    """A number as a decimal, in the notation of `format` (`.3f`), with a mark if rounded: `0.250`,
    `≈0.333`."""
    text = format(Decimal(number.numerator) / Decimal(number.denominator), form)
    if form.endswith("g") and "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return text if Fraction(text) == number else f"{ROUNDED}{text}"


def near(number: Fraction, error: Fraction, form: str) -> str:
    """An exact number as a fraction; an inexact number as a decimal, always with a mark."""
    return f"{ROUNDED}{rounded(number, form).removeprefix(ROUNDED)}" if error else str(number)


def decimals(number: Fraction, error: Fraction) -> str:
    """A number as text: exact numbers as fractions, with decimals if long; inexact numbers as
    marked decimals with only certain digits."""
    if is_infinite(number):
        return "infinity" if number > 0 else "-infinity"
    if not error:
        is_short = number.denominator <= SHORT_DENOMINATOR
        return str(number) if is_short else f"{rounded(number, '.6f')} (exactly {number})"
    digits = 1
    while digits < MOST_DECIMALS and 2 * error * 10 ** (digits + 1) <= 1:
        digits += 1
    return f"{ROUNDED}{float(number):.{digits}f}"


def rounded_up(amount: Fraction) -> str:
    """A non-negative amount rounded up to a decimal of two digits: `0.00031`."""
    if not amount:
        return "0"
    scale = Fraction(10) ** (1 - floor(log10(amount)))
    return f"{float(ceil(amount * scale) / scale):.6g}"
