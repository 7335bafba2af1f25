"""The notes that all kernels of solving in a table share: numbers that live on between calls."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.compiler.records import Record


class TableNotes(Record):
    """The first notes of each algorithm.

    top: the top of the stack of a depth-first search.
    used, endings: entries in use; endings in use.
    per, first_share, second_share: an unknown payoff, as a denominator and two numerators.
    payoffs: the number of known payoffs.
    """

    top: int
    used: int
    endings: int
    per: int
    first_share: int
    second_share: int
    payoffs: int

    @property
    def payoff(self) -> tuple[int, int, int]:
        """The unknown payoff."""
        return self.per, self.first_share, self.second_share

    @payoff.setter
    def payoff(self, numbers: Sequence[int]) -> None:
        self.per, self.first_share, self.second_share = numbers
