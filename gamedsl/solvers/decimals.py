"""Numbers as decimals: rounded with a mark, or with as many digits as an error bound guarantees;
values as displayed, within the payoffs of plays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, log10

from gamedsl.model.facts import Facts
from gamedsl.solvers.graphs.extended import is_infinite
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.solution import MoveValue

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
    text = f"{float(number):.{digits}f}"
    return f"{ROUNDED}{text if float(text) else text.removeprefix('-')}"


def rounded_up(amount: Fraction) -> str:
    """A non-negative amount rounded up to a decimal of two digits: `0.00031`."""
    if not amount:
        return "0"
    scale = Fraction(10) ** (1 - floor(log10(amount)))
    return f"{float(ceil(amount * scale) / scale):.6g}"


class DisplayedValues:
    """Displayed decimals of iterated values, with an error bound that includes rounding.

    Displayed payoffs stay between the minimum and the maximum of the payoffs `paid`.
    """

    def __init__(self, bound: Fraction, paid: Iterable[Vector]) -> None:
        self.bound = bound
        columns = zip(*paid, strict=True)
        self.limits = [(min(column), max(column)) for column in columns]

    def of(
        self, value: Vector, moves: Sequence[MoveValue]
    ) -> tuple[Vector, tuple[MoveValue, ...], Fraction]:
        """The value, the moves, and the common error bound."""
        if not self.bound:
            return value, tuple(moves), Fraction(0)
        vectors = [
            tuple(round(payoff, MOST_DECIMALS) for payoff in paid)
            for paid in (value, *(move.value for move in moves))
        ]
        error = self.bound + Fraction(1, 2 * 10**MOST_DECIMALS)
        if any(self._within(paid, error) != paid for paid in vectors):
            error = Fraction(
                rounded_up(Fraction(ceil(error * 10**MOST_DECIMALS), 10**MOST_DECIMALS))
            )
            error = min(error, max(most - least for least, most in self.limits) / 2)
            vectors = [self._within(paid, error) for paid in vectors]
        told = (replace(move, value=paid) for move, paid in zip(moves, vectors[1:], strict=True))
        return vectors[0], tuple(told), error

    def _within(self, paid: Vector, error: Fraction) -> Vector:
        """The nearest payoffs that stay within the limits when the error is added."""
        if not self.limits:
            return paid
        payoffs = []
        for payoff, (least, most) in zip(paid, self.limits, strict=True):
            is_wide = most - least >= 2 * error
            near = min(max(payoff, least + error), most - error)
            payoffs.append(near if is_wide else (least + most) / 2)
        return tuple(payoffs)


def paid_in_plays(facts: Facts, endings: Set[Vector]) -> Set[Vector]:
    """The payoffs of all plays, endless plays included, if plays pay only at the end; else
    empty."""
    if not facts.pays_at_the_end:
        return frozenset()
    return endings if facts.endless is None else endings | {facts.endless}
