"""Decimals of iterated values as displayed, within the payoffs of plays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from math import ceil

from gamedsl.model.facts import Facts
from gamedsl.solvers.decimals import rounded_up
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.solution import MoveValue

DECIMALS = 12

ZERO = Fraction(0)


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
            return value, tuple(moves), ZERO
        vectors = [
            tuple(round(payoff, DECIMALS) for payoff in paid)
            for paid in (value, *(move.value for move in moves))
        ]
        error = self.bound + Fraction(1, 2 * 10**DECIMALS)
        if any(self._within(paid, error) != paid for paid in vectors):
            error = Fraction(rounded_up(Fraction(ceil(error * 10**DECIMALS), 10**DECIMALS)))
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
