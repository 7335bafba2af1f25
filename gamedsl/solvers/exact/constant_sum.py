"""What payoffs add up to, and which are neither ahead nor behind.

In: the payoffs of endings. Out: their sum, where interests are opposed, and the middle.
"""

from __future__ import annotations

from collections.abc import Set
from fractions import Fraction

from gamedsl.solvers.graphs.graph import Vector


def constant_sum(outcomes: Set[Vector], players: int) -> Fraction | None:
    """What the payoffs of every outcome add up to for one or two players; None if it varies."""
    if players > 2:
        return None
    if players == 1:
        return Fraction(0)
    sums = {sum(payoffs, Fraction(0)) for payoffs in outcomes}
    return sums.pop() if len(sums) == 1 else None


def neutral_payoff(outcomes: Set[Vector], endless: Vector | None, players: int) -> Vector | None:
    """Payoffs that are neither ahead nor behind, where interests are opposed; else None.

    It is what endless play pays, if that is opposed as well; else an equal share.
    """
    total = constant_sum(outcomes, players)
    if total is None:
        return None
    if endless is not None and constant_sum(outcomes | {endless}, players) is not None:
        return endless
    return (total / players,) * players
