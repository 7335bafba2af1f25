"""Where a generator's decisions come from: Hypothesis, which can shrink them, or a seed.

In: nothing, or a `draw` function of Hypothesis. Out: choices. The first option, the least number
and `False` count as the simplest, and a failing example is shrunk towards them.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


class Dice(ABC):
    """A source of decisions."""

    @abstractmethod
    def number(self, low: int, high: int) -> int:
        """A whole number, both ends included."""

    def choose(self, options: Sequence[T]) -> T:
        """One of some options, the simplest first."""
        return options[self.number(0, len(options) - 1)]

    def happens(self, percent: int) -> bool:
        """True about so often."""
        return self.number(0, 99) >= 100 - percent

    def some(self, options: Sequence[T], low: int, high: int) -> tuple[T, ...]:
        """Between `low` and `high` different options, in their order."""
        size = self.number(min(low, len(options)), min(high, len(options)))
        left = list(range(len(options)))
        while len(left) > size:
            left.pop(self.number(0, len(left) - 1))
        return tuple(options[position] for position in left)


class DrawnDice(Dice):
    """Decisions drawn by Hypothesis."""

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        self._draw = draw

    def number(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low if low == high else self._draw(st.integers(low, high))


class SeededDice(Dice):
    """Decisions that follow from a seed: quick, the same every time, and they do not shrink."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def number(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return self._random.randint(low, high)
