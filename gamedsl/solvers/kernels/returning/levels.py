"""The levels of payoffs that retrograde analysis looks for, and in which order.

In: what endings pay, and what endless play does. Out: numbers for the kernels (`sweeps_kernel`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from gamedsl.solvers.exact.retrograde import endless_forcer
from gamedsl.solvers.graphs.graph import Vector

FAR = 1 << 40
"""A level that no payoff has."""

Target = tuple[int | None, int | None]
"""What the first player forces and what the second does; None: nothing."""


def levels_of(payoffs: Sequence[Vector], endless: Vector) -> list[int]:
    """For each payoff how good it is for the first player, endless play being 0."""
    firsts = [payoff[0] for payoff in payoffs]
    ordered = sorted({*firsts, endless[0]})
    middle = ordered.index(endless[0])
    return [ordered.index(first) - middle for first in firsts]


def targets_of(levels: Sequence[int], endless: Vector) -> list[Target]:
    """The levels in the order in which they are looked for. Those of one player need nothing of
    those of the other, so that two are looked for at a time."""
    above: list[int | None] = [*sorted({one for one in levels if one > 0}, reverse=True)]
    below: list[int | None] = [*sorted({one for one in levels if one < 0})]
    forces = endless_forcer(endless)
    if forces is not None and 0 in levels:
        (above if forces else below).append(0)
    found = [*zip_longest(above, below)]
    return [*found, (0, 0)] if forces is None and 0 in levels else found


def goals_of(target: Target) -> list[int]:
    """For the player who moves the level that is forced and the one that is borne, for each."""
    first, second = target
    if first == second:
        return [0, -FAR, 0, -FAR]
    up, down = FAR if first is None else first, -FAR if second is None else second
    return [up, down, -down, -up]


def sides_of(target: Target, levels: Sequence[int]) -> list[int]:
    """The payoff that the first player forces, the second, and both together."""
    first, second = (0 if one is None else levels.index(one) for one in target)
    return [first, second, first]
