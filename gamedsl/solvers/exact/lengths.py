"""Counts positions by the length of best play, and finds the hardest positions of a solved game.

In: a solver's results for every state reachable from a state. Out: `Lengths`: the number of
positions for each result and each number of plies, and for each result the positions with the
longest best play. For a puzzle the greatest number is the *diameter* seen from the goal, for a cube
*God's number* (Rokicki and others, "The diameter of the Rubik's cube group is twenty", 2013). No
game is solved here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import nsmallest

from gamedsl.game.accelerator import Length, LengthsOfPlay
from gamedsl.model.state import State
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.source.records import dataclass

MOST_SHOWN = 10
"""Greatest number of hardest positions kept per result: the first in order of their digits."""


@dataclass(frozen=True, slots=True)
class OfResult:
    """The positions in which best play has a given result.

    Attributes:
        value: the payoffs, in turn order.
        counts: the number of positions for each number of plies, ascending.
        endless: the number of positions from which best play never ends.
        hardest: the positions with the most plies, all or the first `MOST_SHOWN`.
    """

    value: Vector
    counts: tuple[tuple[int, int], ...]
    endless: int
    hardest: tuple[State, ...]

    @property
    def plies(self) -> int | None:
        """The most plies of best play; None if best play never ends."""
        return self.counts[-1][0] if self.counts else None


@dataclass(frozen=True, slots=True)
class Lengths:
    """All reachable positions by result, the best result for the first player first."""

    results: tuple[OfResult, ...]

    @property
    def positions(self) -> int:
        """Number of positions."""
        return sum(sum(n for _, n in entry.counts) + entry.endless for entry in self.results)


def lengths_of(lengths: LengthsOfPlay) -> Lengths:
    """The table of a solved game."""
    counts = lengths.count()
    values = sorted({value for value, _ in counts}, reverse=True)
    return Lengths(tuple(_of_result(lengths, counts, value) for value in values))


def _of_result(lengths: LengthsOfPlay, counts: Mapping[Length, int], value: Vector) -> OfResult:
    plies = sorted((n, count) for (of, n), count in counts.items() if of == value and n is not None)
    longest: Iterator[State] = lengths.states((value, plies[-1][0])) if plies else iter(())
    hardest = nsmallest(MOST_SHOWN, longest, key=_order)
    return OfResult(value, tuple(plies), counts.get((value, None), 0), tuple(hardest))


def _order(state: State) -> tuple[int, ...]:
    """Sort key that makes the first positions independent of the solver."""
    return state.turn, *(-1 if digit is None else digit for digit in state.cells)
