"""Payoffs in the extended reals: infinite costs or payments of endless play.

An infinite payoff is used in place of a `Fraction`, with comparison, addition and multiplication.
An infinite value is never an answer: `solve` refuses a game with an infinite value, but a single
move may have an infinite value.
"""

from __future__ import annotations

from fractions import Fraction
from typing import cast

INFINITY = cast(Fraction, float("inf"))


def is_infinite(payoff: Fraction | int) -> bool:
    """Whether a payoff has no bound."""
    return abs(payoff) == INFINITY
