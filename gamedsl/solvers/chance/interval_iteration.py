"""Two bounds on the values of a block, brought together from both sides.

In: a block, bounds on the values of its exits and of endless play, one policy after the other. Out:
bounds on the values of its nodes, which hold at any time, however good the policies are.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.solvers.chance.best_response import BestReply
from gamedsl.solvers.chance.component_game import Block, Side
from gamedsl.solvers.chance.policies import Policy

SWEEPS_BETWEEN_LOOKS = 8
MOST_STEPS = 20_000_000
"""Edges looked at for one policy."""


class Pincers:
    """Lower bounds, and upper bounds negated, so that both are raised.

    Args:
        low_exits, low_endless: lower bounds of the exits' values and of endless play.
        high_exits, high_endless: upper bounds, negated.
        allowed: the greatest distance at which the bounds count as having met.
    """

    def __init__(
        self,
        block: Block,
        low_exits: Sequence[int],
        low_endless: int,
        high_exits: Sequence[int],
        high_endless: int,
        allowed: int,
    ) -> None:
        self.block = block
        self.exits = (tuple(low_exits), tuple(high_exits))
        self.endless = (low_endless, high_endless)
        self.allowed = allowed
        self.bounds = [
            [min((endless, *exits))] * len(block.nodes)
            for endless, exits in zip(self.endless, self.exits, strict=True)
        ]

    @property
    def lower(self) -> list[int]:
        """Lower bounds of the nodes' values."""
        return self.bounds[0]

    @property
    def upper(self) -> list[int]:
        """Upper bounds of the nodes' values."""
        return [-bound for bound in self.bounds[1]]

    @property
    def gap(self) -> int:
        """The greatest distance between the bounds of one node."""
        low_bounds, high_bounds = self.bounds
        return max(-high - low for low, high in zip(low_bounds, high_bounds, strict=True))

    def close(self, policy: Policy, *, patiently: bool = False) -> bool:
        """Whether what `policy` guarantees to each side brings the bounds together.

        Gives up soon where little progress is made, unless `patiently`: then only where there is
        none, or after MOST_STEPS.
        """
        block = self.block
        replies = [
            BestReply(block, side, policy, self.exits[side], self.endless[side])
            for side in (Side.MAX, Side.MIN)
        ]
        merged = [reply.start(known) for reply, known in zip(replies, self.bounds, strict=True)]
        gap = self.gap
        for _ in range(max(4, MOST_STEPS // (2 * SWEEPS_BETWEEN_LOOKS * block.size))):
            for side, reply in enumerate(replies):
                for _ in range(SWEEPS_BETWEEN_LOOKS):
                    reply.sweep(merged[side])
                known = self.bounds[side]
                self.bounds[side] = list(map(max, known, reply.spread(merged[side])))
            before, gap = gap, self.gap
            if gap <= self.allowed:
                return True
            if gap == before or (not patiently and gap * 100 > before * 99):
                return False
        return False
