"""Tests whether staying in a component for ever costs one side, whatever the players do.

In: a component with rewards, and the edges by which play can stay. Out: whether a cost is proved.
The proof is that no edge gains and no way to stay is free, or a potential: numbers h by which every
step of staying, plus the step's reward, leads to less. The potential is found in floating-point
numbers and tested in fractions.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from gamedsl.solvers.chance.best_response import end_component_edges
from gamedsl.solvers.chance.component_game import (
    ComponentGame,
    Side,
    unpaid_part,
    with_discount,
    with_edges,
)
from gamedsl.solvers.chance.policies import Floats
from gamedsl.solvers.chance.policy_iteration import backed_up

DISCOUNTS = tuple(1 - Fraction(1, 2**n) for n in (7, 10, 14))
MOST_SWEEPS = 4_000

Inside = list[list[int]]
"""Per node the edges that stay in the node's end component; empty outside end components."""


def staying_costs(game: ComponentGame, inside: Inside, payer: Side) -> bool:
    """Whether every way to stay costs a side without end; also true where play cannot stay."""
    sign = 1 if payer is Side.MAX else -1
    nodes = [node for node, edges in enumerate(inside) if edges]
    staying = with_edges(game, nodes, [inside[node] for node in nodes])
    staying = replace(
        staying,
        sides=tuple(side if side is Side.NATURE else Side.MAX for side in staying.sides),
        rewards=tuple(tuple(sign * reward for reward in row) for row in staying.rewards),
    )
    if all(reward <= 0 for row in staying.rewards for reward in row):
        return not any(end_component_edges(unpaid_part(game)))
    for discount in DISCOUNTS:
        floats = Floats(with_discount(staying, discount), ())
        potential = list(map(Fraction, floats.iterate([0.0] * len(nodes), sweeps=MOST_SWEEPS)))
        if all(
            backed_up(staying, node, potential, ()) < height
            for node, height in enumerate(potential)
        ):
            return True
    return False
