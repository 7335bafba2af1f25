"""The payoff levels settled by retrograde analysis, and the order of the sweeps over the levels.

In: the payoffs of endings and the payoff of endless play. Out: numbers for the kernels
(`sweeps_kernel`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from gamedsl.solvers.exact.retrograde import endless_forcer
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

FAR = 1 << 40
"""A level beyond the level of every payoff."""

Target = tuple[int | None, int | None]
"""The levels forced by the first player and by the second player; None: no level for this
player."""


def levels_of(payoffs: Sequence[Vector], endless: Vector) -> list[int]:
    """The rank of every payoff for the first player, relative to endless play (rank 0)."""
    firsts = [payoff[0] for payoff in payoffs]
    ordered = sorted({*firsts, endless[0]})
    middle = ordered.index(endless[0])
    return [ordered.index(first) - middle for first in firsts]


def targets_of(levels: Sequence[int], endless: Vector) -> list[Target]:
    """The levels in the order of the sweeps. The levels of one player do not depend on the levels
    of the opponent, so a sweep looks for two levels, one per player."""
    above: list[int | None] = [*sorted({level for level in levels if level > 0}, reverse=True)]
    below: list[int | None] = [*sorted({level for level in levels if level < 0})]
    forces = endless_forcer(endless)
    if forces is not None and 0 in levels:
        (above if forces else below).append(0)
    targets = [*zip_longest(above, below)]
    return [*targets, (0, 0)] if forces is None and 0 in levels else targets


def goals_of(target: Target) -> list[int]:
    """For either player to move, the level forced by the player and the level conceded by the
    player."""
    first, second = target
    if first == second:
        return [0, -FAR, 0, -FAR]
    up, down = FAR if first is None else first, -FAR if second is None else second
    return [up, down, -down, -up]


def sides_of(target: Target, levels: Sequence[int]) -> list[int]:
    """Indices of the payoffs forced by the first player, by the second player, and by both
    together."""
    first, second = (0 if level is None else levels.index(level) for level in target)
    return [first, second, first]


class Levels:
    """The levels of one table, whose known payoffs grow while states are entered.

    Attributes:
        endless: the payoff of endless play.
    """

    def __init__(self, table: TranspositionTable, endless: Vector) -> None:
        self._table = table
        self.endless = endless

    @property
    def ranks(self) -> list[int]:
        """The level of every payoff."""
        return levels_of(self._table.payoffs, self.endless)

    @property
    def targets(self) -> list[Target]:
        """The levels in the order of the sweeps."""
        return targets_of(self.ranks, self.endless)

    @property
    def is_done(self) -> bool:
        """Whether all levels are done."""
        return bool(self._table.notes.level == len(self.targets))

    def sides(self, target: Target) -> list[int]:
        """Like `sides_of`."""
        return sides_of(target, self.ranks)
