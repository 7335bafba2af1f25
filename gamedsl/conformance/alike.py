"""Actions that do the same: not in one position, but wherever both can be done.

In: the positions that were looked at. Out: pairs of actions of one position with one effect, and
whether another position tells them apart. What is hidden, or stands elsewhere on the board, may
make two actions the same for once: that is no slip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from gamedsl.conformance.visits import AnyAction, Visits

MOST_POSITIONS = 2_000
"""Positions in which two actions are compared."""
MOST_PAIRS = 200
"""Pairs of one kind that are compared so."""
Pair = tuple[AnyAction, AnyAction]
Effect = tuple[int, Hashable]
"""The number of the next position, and what is paid."""


class Alike:
    """Pairs of actions in the positions of `visits`."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits
        self._effects: dict[int, dict[AnyAction, Effect]] = {}
        self._compared: Counter[Hashable] = Counter()

    def pairs(self, number: int) -> Iterator[Pair]:
        """The pairs that do the same in a position, and change something there."""
        first: dict[Effect, AnyAction] = {}
        cells = self._visits.state(number).cells
        for choice, effect in self._of(number).items():
            other = first.setdefault(effect, choice)
            if other != choice:
                after = self._visits.state(effect[0])
                # a move that changes nothing is another matter, and so are ways to one throw
                if after.cells != cells and after.pending is None:
                    yield other, choice

    def are_always(self, number: int, same: Pair, kind: Hashable) -> bool:
        """Whether no position near this one tells the two apart; False where pairs of this kind
        were told apart often enough."""
        self._compared[kind] += 1
        if self._compared[kind] > MOST_PAIRS:
            return False
        mover = self._visits.movers[number]
        first = max(0, number - MOST_POSITIONS // 2)
        one, two = same
        for other in range(first, min(first + MOST_POSITIONS, len(self._visits.movers))):
            if self._visits.movers[other] == mover:
                effects = self._of(other)
                if one in effects and two in effects and effects[one] != effects[two]:
                    return False
        return True

    def _of(self, number: int) -> dict[AnyAction, Effect]:
        """What each action leads to and pays, in a position that was looked at."""
        if number not in self._effects:
            visits = self._visits
            after = visits.successors[number]
            paid = visits.rewards[number] if visits.rewards else [None] * len(after)
            effects = zip(after, paid, strict=True)
            self._effects[number] = dict(zip(visits.choices[number], effects, strict=True))
        return self._effects[number]
