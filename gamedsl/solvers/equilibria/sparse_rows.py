"""Linear equations as sparse rows of whole numbers, solved exactly.

In: rows, entries by column, zeros left out. Out: a solution, as fractions; or one row less so much
of another that a variable is gone, in lowest terms. It knows nothing of programs or games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import gcd

RIGHT = -1
"""The column of what a row adds up to."""
Row = dict[int, int]


def without(row: Row, source: Row, column: int, scale: int = 0) -> tuple[Row, int, int]:
    """A row less so much of `source` that nothing is left in a column, in lowest terms; by what it
    was multiplied, and by what divided, with `scale`."""
    common = gcd(row[column], source[column])
    factor, much = source[column] // common, row[column] // common
    found = {place: entry * factor for place, entry in row.items()} if factor != 1 else dict(row)
    for place, entry in source.items():
        left = found.get(place, 0) - much * entry
        if left:
            found[place] = left
        else:
            del found[place]
    divisor = gcd(scale * factor, *found.values()) or 1
    if divisor != 1:
        found = {place: entry // divisor for place, entry in found.items()}
    return found, factor, divisor


def solve_rows(
    rows: Sequence[Row], open_values: Mapping[int, Fraction], tick: Callable[[], None]
) -> dict[int, Fraction] | None:
    """Values of all variables that obey linear equations; None if there are none.

    `open_values` has the values of variables that the equations leave open. `tick` is called at
    every step. The shortest row is solved for the variable that the fewest others have, and that is
    put into them (Markowitz, "The elimination form of the inverse", Management Science 3, 1957).
    """
    solved = _Elimination(rows).run(tick)
    if solved is None:
        return None
    found: dict[int, Fraction] = {}
    for column, row in reversed(solved):
        total = Fraction(row.get(RIGHT, 0))
        for other, entry in row.items():
            if other not in (RIGHT, column):
                if other not in found:
                    found[other] = open_values[other]
                total -= entry * found[other]
        found[column] = total / row[column]
    return found


class _Elimination:
    """Rows that are being solved, and for each column those that have it."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = list(rows)
        self.holders: dict[int, set[int]] = {}
        for number, row in enumerate(self.rows):
            for column in row.keys() - {RIGHT}:
                self.holders.setdefault(column, set()).add(number)

    def run(self, tick: Callable[[], None]) -> list[tuple[int, Row]] | None:
        """Each row with the variable that it was solved for, in order: it has none that rows before
        it were solved for. None if a row says that 0 is something else."""
        waiting = [(len(row), number) for number, row in enumerate(self.rows)]
        heapify(waiting)
        solved: list[tuple[int, Row]] = []
        done: set[int] = set()
        while waiting:
            length, number = heappop(waiting)
            row = self.rows[number]
            if number in done or length != len(row):
                continue  # it has become longer or shorter, and stands there once more
            tick()
            done.add(number)
            columns = row.keys() - {RIGHT}
            if not columns and row:
                return None
            for column in columns:
                self.holders[column].discard(number)
            if columns:
                column = min(columns, key=lambda one: (len(self.holders[one]), one))
                solved.append((column, row))
                for other in sorted(self.holders[column]):
                    self._put(other, row, column)
                    heappush(waiting, (len(self.rows[other]), other))
        return solved

    def _put(self, other: int, row: Row, column: int) -> None:
        before = self.rows[other]
        after = self.rows[other] = without(before, row, column)[0]
        for one in before.keys() - after.keys() - {RIGHT}:
            self.holders[one].discard(other)
        for one in after.keys() - before.keys() - {RIGHT}:
            self.holders[one].add(other)
