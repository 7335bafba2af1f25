"""Tests for constant-sum payoffs, the neutral payoff, and the players who prefer a late end.

All solvers for a single player, or for two players with opposed interests, measure the length of
best play by the definitions of the module.
"""

from __future__ import annotations

from collections.abc import Set
from fractions import Fraction

from gamedsl.solvers.graphs.graph import StateGraph, Vector


def constant_sum(outcomes: Set[Vector], players: int) -> Fraction | None:
    """The sum of payoffs common to all outcomes, for one or two players; None if the sum varies."""
    if players > 2:
        return None
    if players == 1:
        return Fraction(0)
    sums = {sum(payoffs, Fraction(0)) for payoffs in outcomes}
    return sums.pop() if len(sums) == 1 else None


def are_opposed(graph: StateGraph) -> bool:
    """Whether a game has a single player, or two players with opposed interests, rewards
    included."""
    players = len(graph.game.players)
    if players == 1:
        return True
    nothing = (Fraction(0),) * players
    total = constant_sum(graph.outcomes() or {nothing}, players)
    if total is None or (total and graph.game.facts.discount != 1):
        return False
    return all(not sum(paid) for node in graph.rewards for paid in node)


def neutral_payoff(outcomes: Set[Vector], endless: Vector | None, players: int) -> Vector | None:
    """Payoffs neither ahead nor behind, for opposed interests; else None.

    The neutral payoff is the payoff of endless play, if constant-sum too; else an equal share.
    """
    total = constant_sum(outcomes, players)
    if total is None:
        return None
    if endless is not None and constant_sum(outcomes | {endless}, players) is not None:
        return endless
    return (total / players,) * players


def delays(payoffs: Vector, mover: int, break_even: Vector) -> bool:
    """Whether a player with the given `payoffs` is behind and prefers a late end; players not
    behind hurry.

    A player with less than `break_even` is behind. A player with exactly `break_even` is also
    behind if `break_even` is the payoff of endless play and less than an equal share: the player
    then loses by the end and by endless play alike.
    """
    if payoffs[mover] != break_even[mover]:
        return payoffs[mover] < break_even[mover]
    share = sum(break_even, Fraction(0)) / len(break_even) if len(break_even) > 1 else Fraction(0)
    return payoffs[mover] < share
