"""How long best play is from every position of a solved game: counts, and the hardest positions.

In: what a solver found for every state that can be reached from one. Out: `Lengths`: how many
positions there are for each result and each number of plies, and for each result the positions
from which best play takes longest. Of a puzzle the greatest number is the *diameter* seen from the
goal, of a cube *God's number* (Rokicki and others, "The diameter of the Rubik's cube group is
twenty", 2013). Nothing is solved here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import nsmallest

from gamedsl.game.native import Length, LengthsOfPlay
from gamedsl.model.state import State
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.source.records import dataclass

MOST_SHOWN = 10
"""Hardest positions of one result that are kept: the first in order of their digits."""


@dataclass(frozen=True, slots=True)
class OfResult:
    """The positions in which best play has one result.

    Attributes:
        value: the payoffs, in turn order.
        counts: how many positions there are for each number of plies, ascending.
        endless: how many there are from which best play never ends.
        hardest: some of those with the most plies, at most `MOST_SHOWN`; all if they are as few.
    """

    value: Vector
    counts: tuple[tuple[int, int], ...]
    endless: int
    hardest: tuple[State, ...]

    @property
    def plies(self) -> int | None:
        """The most plies of best play; None if it never ends."""
        return self.counts[-1][0] if self.counts else None


@dataclass(frozen=True, slots=True)
class Lengths:
    """All positions that can be reached, by result: the best for the first player first."""

    results: tuple[OfResult, ...]

    @property
    def positions(self) -> int:
        """How many they are."""
        return sum(sum(n for _, n in one.counts) + one.endless for one in self.results)


def lengths_of(found: LengthsOfPlay) -> Lengths:
    """The table of a solved game."""
    counts = found.count()
    values = sorted({value for value, _ in counts}, reverse=True)
    return Lengths(tuple(_of_result(found, counts, value) for value in values))


def _of_result(found: LengthsOfPlay, counts: Mapping[Length, int], value: Vector) -> OfResult:
    plies = sorted((n, count) for (of, n), count in counts.items() if of == value and n is not None)
    longest: Iterator[State] = found.states((value, plies[-1][0])) if plies else iter(())
    hardest = nsmallest(MOST_SHOWN, longest, key=_order)
    return OfResult(value, tuple(plies), counts.get((value, None), 0), tuple(hardest))


def _order(state: State) -> tuple[int, ...]:
    """So that the same positions come first, whoever has solved the game."""
    return state.turn, *(-1 if digit is None else digit for digit in state.cells)
