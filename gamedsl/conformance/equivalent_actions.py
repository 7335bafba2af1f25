"""Actions with equal effects, not only in one position but wherever both are legal.

Two actions may coincide in one position because of hidden information or a distant part of the
board. Only pairs that no nearby position tells apart are mistakes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from gamedsl.conformance.visits import AnyAction, Visits

MOST_POSITIONS = 2_000
"""Positions in which a pair of actions is compared."""
MOST_PAIRS = 200
"""Pairs of a kind that are compared across positions."""
Pair = tuple[AnyAction, AnyAction]
Effect = tuple[int, Hashable]
"""The number of the next position, and the rewards paid."""


class EquivalentActions:
    """Pairs of actions with equal effects in the positions of `visits`."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits
        self._effects: dict[int, dict[AnyAction, Effect]] = {}
        self._compared: Counter[Hashable] = Counter()

    def pairs(self, number: int) -> Iterator[Pair]:
        """The pairs with equal effects in a position, if the effect changes the position."""
        first: dict[Effect, AnyAction] = {}
        cells = self._visits.state(number).cells
        for choice, effect in self._of(number).items():
            earlier = first.setdefault(effect, choice)
            if earlier != choice:
                after = self._visits.state(effect[0])
                # moves without effect are a different matter; several ways to a throw are fine
                if after.cells != cells and after.pending is None:
                    yield earlier, choice

    def are_always(self, number: int, same: Pair, kind: Hashable) -> bool:
        """Whether no position near `number` tells the pair apart.

        False also if more than `MOST_PAIRS` pairs of the kind were compared.
        """
        self._compared[kind] += 1
        if self._compared[kind] > MOST_PAIRS:
            return False
        mover = self._visits.movers[number]
        first = max(0, number - MOST_POSITIONS // 2)
        left, right = same
        for position in range(first, min(first + MOST_POSITIONS, len(self._visits.movers))):
            if self._visits.movers[position] == mover:
                effects = self._of(position)
                if left in effects and right in effects and effects[left] != effects[right]:
                    return False
        return True

    def _of(self, number: int) -> dict[AnyAction, Effect]:
        """The effects of the actions in a visited position."""
        if number not in self._effects:
            visits = self._visits
            after = visits.successors[number]
            paid = visits.rewards[number] if visits.rewards else [None] * len(after)
            effects = zip(after, paid, strict=True)
            self._effects[number] = dict(zip(visits.choices[number], effects, strict=True))
        return self._effects[number]
