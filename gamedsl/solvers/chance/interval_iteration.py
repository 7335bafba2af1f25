"""Iterates a lower and an upper bound on a component's values until the bounds meet.

In: a component, bounds on the values of the exits and of endless play, policies one by one. Out:
bounds on the values of the nodes, which hold at any time, however good the policies are (Haddad and
Monmege, as cited in `best_response`).
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.solvers.chance.best_response import BestReply
from gamedsl.solvers.chance.component_game import ComponentGame, Side
from gamedsl.solvers.chance.policies import Policy

SWEEPS_BETWEEN_LOOKS = 8
MOST_STEPS = 20_000_000
"""Edges evaluated for one policy."""


class IntervalIteration:
    """Lower bounds, and negated upper bounds; iteration raises both.

    Args:
        low_exits, low_endless: lower bounds of the exits' values and of endless play.
        high_exits, high_endless: upper bounds, negated.
        allowed: the greatest distance at which the bounds count as having met.
    """

    def __init__(
        self,
        game: ComponentGame,
        low_exits: Sequence[int],
        low_endless: int,
        high_exits: Sequence[int],
        high_endless: int,
        allowed: int,
    ) -> None:
        self.game = game
        self.exits = (tuple(low_exits), tuple(high_exits))
        self.endless = (low_endless, high_endless)
        self.allowed = allowed
        self.bounds = [
            [min((endless, *exits))] * len(game.nodes)
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
    def gaps(self) -> list[int]:
        """The distance between the bounds of each node."""
        low_bounds, high_bounds = self.bounds
        return [-high - low for low, high in zip(low_bounds, high_bounds, strict=True)]

    def run(self, policy: Policy, *, until_stalled: bool = False) -> bool:
        """Whether the guarantees of `policy` for the two sides bring the bounds together.

        Gives up early at slow progress, unless `until_stalled`: then only without progress, or
        after MOST_STEPS.
        """
        game = self.game
        replies = [
            BestReply(game, side, policy, self.exits[side], self.endless[side])
            for side in (Side.MAX, Side.MIN)
        ]
        merged = [reply.start(known) for reply, known in zip(replies, self.bounds, strict=True)]
        total = sum(self.gaps)  # the greatest gap stays until the exits' values are spread to it
        for _ in range(max(4, MOST_STEPS // (2 * SWEEPS_BETWEEN_LOOKS * game.size))):
            for side, reply in enumerate(replies):
                for _ in range(SWEEPS_BETWEEN_LOOKS):
                    reply.sweep(merged[side])
                known = self.bounds[side]
                self.bounds[side] = list(map(max, known, reply.spread(merged[side])))
            gaps = self.gaps
            if max(gaps) <= self.allowed:
                return True
            before, total = total, sum(gaps)
            if total == before or (not until_stalled and total * 100 > before * 99):
                return False
        return False
