"""What payoffs add up to, which are neither ahead nor behind, and who is in no hurry.

In: the payoffs of endings. Out: their sum, where interests are opposed, the middle, and whether a
player delays. It is the one place that says so: all solvers of one player, or of two with opposed
interests, measure the length of best play by it.
"""

from __future__ import annotations

from collections.abc import Set
from fractions import Fraction

from gamedsl.solvers.graphs.graph import StateGraph, Vector


def constant_sum(outcomes: Set[Vector], players: int) -> Fraction | None:
    """What the payoffs of every outcome add up to for one or two players; None if it varies."""
    if players > 2:
        return None
    if players == 1:
        return Fraction(0)
    sums = {sum(payoffs, Fraction(0)) for payoffs in outcomes}
    return sums.pop() if len(sums) == 1 else None


def are_opposed(graph: StateGraph) -> bool:
    """Whether what one of two players gets the other loses, rewards included, or one is alone."""
    players = len(graph.game.players)
    if players == 1:
        return True
    nothing = (Fraction(0),) * players
    total = constant_sum(graph.outcomes() or {nothing}, players)
    if total is None or (total and graph.game.facts.discount != 1):
        return False
    return all(not sum(paid) for node in graph.rewards for paid in node)


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


def delays(payoffs: Vector, mover: int, break_even: Vector) -> bool:
    """Whether a player who gets `payoffs` wants the end late: one who is behind. All others hurry.

    Behind is who gets less than `break_even`; and also who gets just that, where it is what
    endless play pays and less than an equal share: a loser by an end and by endless play alike.
    """
    if payoffs[mover] != break_even[mover]:
        return payoffs[mover] < break_even[mover]
    share = sum(break_even, Fraction(0)) / len(break_even) if len(break_even) > 1 else Fraction(0)
    return payoffs[mover] < share
