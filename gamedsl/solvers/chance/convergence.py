"""Tests whether staying in a component for ever costs one side, whatever the players do.

In: a component with rewards, and the edges by which play can stay. Out: whether a cost is proved.
The proof is that no edge gains and no way to stay is free, or a potential: numbers h by which every
step of staying, plus the step's reward, leads to less. The potential is found in floating-point
numbers and tested in fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.solvers.chance.best_response import end_component_edges
from gamedsl.solvers.chance.component_game import ComponentGame, Side, unpaid_part

DISCOUNTS = (1 - 2.0**-7, 1 - 2.0**-10, 1 - 2.0**-14)
MOST_SWEEPS = 4_000

Inside = list[list[int]]
"""Per node the edges that stay in the node's end component; empty outside end components."""


def staying_costs(game: ComponentGame, inside: Inside, payer: Side) -> bool:
    """Whether every way to stay costs a side without end; also true where play cannot stay."""
    sign = 1 if payer is Side.MAX else -1
    nodes = [node for node, edges in enumerate(inside) if edges]
    rewards = {(n, e): sign * game.reward(n, e) for n in nodes for e in inside[n]}
    if all(reward <= 0 for reward in rewards.values()):
        return not any(end_component_edges(unpaid_part(game)))
    for discount in DISCOUNTS:
        potential = _potential(game, inside, nodes, rewards, discount)
        if _leads_down(game, inside, nodes, rewards, potential):
            return True
    return False


def _potential(
    game: ComponentGame,
    inside: Inside,
    nodes: Sequence[int],
    rewards: dict[tuple[int, int], Fraction],
    discount: float,
) -> list[float]:
    """The greatest discounted reward of staying."""
    values = [0.0] * len(game.nodes)
    floats = {key: float(reward) for key, reward in rewards.items()}
    for _ in range(MOST_SWEEPS):
        change, largest = 0.0, 1e-300
        for node in reversed(nodes):
            payoffs = [
                floats[node, e] + discount * values[game.edges[node][e]] for e in inside[node]
            ]
            if game.sides[node] is Side.NATURE:
                shares = (game.weights[node][e] / game.totals[node] for e in inside[node])
                value = sum(share * payoff for share, payoff in zip(shares, payoffs, strict=True))
            else:
                value = max(payoffs)
            change = max(change, abs(value - values[node]))
            largest = max(largest, abs(value))
            values[node] = value
        if change <= 1e-13 * largest:
            break
    return values


def _leads_down(
    game: ComponentGame,
    inside: Inside,
    nodes: Sequence[int],
    rewards: dict[tuple[int, int], Fraction],
    potential: Sequence[float],
) -> bool:
    """Whether every step of staying, plus the step's reward, leads to a lower potential."""
    heights = list(map(Fraction, potential))
    for node in nodes:
        payoffs = [rewards[node, e] + heights[game.edges[node][e]] for e in inside[node]]
        if game.sides[node] is Side.NATURE:
            weights = [game.weights[node][e] for e in inside[node]]
            mean = sum(
                (w * payoff for w, payoff in zip(weights, payoffs, strict=True)), Fraction(0)
            )
            payoffs = [mean / game.totals[node]]
        if max(payoffs) >= heights[node]:
            return False
    return True
