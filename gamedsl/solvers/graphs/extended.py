"""Payoffs in the extended reals: what play without end may cost or pay without bound.

An infinite payoff stands where a `Fraction` does: it compares, adds and multiplies as one. It is no
answer: `solve` refuses a game whose value is infinite, but a move may be worth that much.
"""

from __future__ import annotations

from fractions import Fraction
from typing import cast

INFINITY = cast(Fraction, float("inf"))


def is_infinite(payoff: Fraction | int) -> bool:
    """Whether a payoff has no bound."""
    return abs(payoff) == INFINITY
