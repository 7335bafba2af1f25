"""Tests for constant-sum payoffs, the neutral payoff, and the players who prefer a late end.

All solvers for a single player, or for two players with opposed interests, measure the length of
best play by the definitions of the module.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from fractions import Fraction

from gamedsl.solvers.graphs.graph import StateGraph, Vector


def constant_sum(outcomes: Set[Vector], sides: Sequence[int]) -> Fraction | None:
    """The sum of the payoffs of both sides common to all outcomes, 0 for one player; None if the
    sum varies, if partners are paid differently, or with more than two sides.

    `sides`: the side of each player, as `Facts.sides`.
    """
    if max(sides) > 1:
        return None
    if len(sides) == 1:
        return Fraction(0)
    second = sides.index(1)
    sums = {payoffs[0] + payoffs[second] for payoffs in outcomes}
    if len(sides) > 2 and any(
        payoffs[player] != payoffs[second if side else 0]
        for payoffs in outcomes
        for player, side in enumerate(sides)
    ):
        return None
    return sums.pop() if len(sums) == 1 else None


def are_opposed(graph: StateGraph) -> bool:
    """Whether a game has a single player, or two players or sides with opposed interests, rewards
    included."""
    players = len(graph.game.players)
    if players == 1:
        return True
    nothing = (Fraction(0),) * players
    total = constant_sum(graph.outcomes() or {nothing}, graph.game.facts.sides)
    if total is None or (total and graph.game.facts.discount != 1):
        return False
    return all(not sum(paid) for node in graph.rewards for paid in node)


def neutral_payoff(
    outcomes: Set[Vector], endless: Vector | None, sides: Sequence[int]
) -> Vector | None:
    """Payoffs neither ahead nor behind, for opposed interests; else None.

    The neutral payoff is the payoff of endless play, if constant-sum too; else an equal share.
    """
    total = constant_sum(outcomes, sides)
    if total is None:
        return None
    if endless is not None and constant_sum(outcomes | {endless}, sides) is not None:
        return endless
    return (total / min(2, len(sides)),) * len(sides)


def delays(payoffs: Vector, mover: int, break_even: Vector) -> bool:
    """Whether a player with the given `payoffs` is behind and prefers a late end; players not
    behind hurry.

    A player with less than `break_even` is behind. A player with exactly `break_even` is also
    behind if `break_even` is the payoff of endless play and less than an equal share: the player
    then loses by the end and by endless play alike.
    """
    if payoffs[mover] != break_even[mover]:
        return payoffs[mover] < break_even[mover]
    share = (min(break_even) + max(break_even)) / 2 if len(break_even) > 1 else Fraction(0)
    return payoffs[mover] < share
