"""Records and arrays shared by all kernels that solve in a table."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.compiler.records import Array, Arrays, Record


class TableNotes(Record):
    """The first notes of each algorithm: numbers that live on between calls.

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


class TableArrays(Arrays):
    """The arrays of an algorithm, as in `induction_kernel`.

    table: int64[n, WIDTH]: entries.
    keys: int64[m, WIDTH]: keys of states.
    actions: int64[ACTIONS + 1].
    buckets: int64[ACTIONS + 1, 2]: the beginning of each successor's chain, and space for a number.
    payoffs: int64[n, 3]: a denominator and the numerators of both players.
    """

    table: Array
    keys: Array
    actions: Array
    buckets: Array
    payoffs: Array
