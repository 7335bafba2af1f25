"""Values in words: "draw", "X wins", "payoffs A: 1, B: 2". Inexact numbers are written with as many
decimals as the error bound guarantees."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.solvers.decimals import decimals, rounded
from gamedsl.solvers.graphs.graph import Vector


def outcome_words(names: Sequence[str], payoffs: Vector, *, has_winners: bool = True) -> str:
    """Certain payoffs, in the words of the language.

    One or two players: `draw` where no player gets or loses anything, `X wins 3` where the opponent
    (if any) loses as much; else every player's payoff. A lone player's payoff is written as in a
    game without winners (`Facts.has_winners`), and also if below 0 and not -1, where the payoff may
    be the cost of the way.
    """
    is_cost = len(payoffs) == 1 and payoffs[0] < 0 and payoffs[0] != -1
    if (
        is_cost
        or not has_winners
        or len(payoffs) > 2
        or (len(payoffs) == 2 and payoffs[0] != -payoffs[1])
    ):
        return f"payoffs {listed_payoffs(names, payoffs)}"
    if not any(payoffs):
        return "draw"
    size = abs(payoffs[0])
    amount = "" if size == 1 else f" {size}"
    if len(payoffs) == 1:
        return f"{names[0]} {'wins' if payoffs[0] > 0 else 'loses'}{amount}"
    return f"{names[0] if payoffs[0] > 0 else names[1]} wins{amount}"


def paid_words(names: Sequence[str], paid: Vector) -> str:
    """Expected payoffs, where no value is defined: `A -0.0208, B 0.0208`."""
    return ", ".join(
        f"{name} {rounded(payoff, '.3g')}" for name, payoff in zip(names, paid, strict=True)
    )


def listed_payoffs(names: Sequence[str], payoffs: Vector, error: Fraction = Fraction(0)) -> str:
    """Every player's payoff: `A: 1, B: 2`."""
    pairs = zip(names, payoffs, strict=True)
    return ", ".join(f"{name}: {decimals(payoff, error)}" for name, payoff in pairs)
