"""Linear equations as sparse rows of integers, solved exactly.

In: rows as dictionaries from column to entry, without zeros. Out: a solution in fractions; or a row
after elimination of one variable, in lowest terms. The module knows neither programs nor games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import gcd

RIGHT = -1
"""The column of the right-hand side."""
Row = dict[int, int]


def without(row: Row, source: Row, column: int, scale: int = 0) -> tuple[Row, int, int]:
    """Eliminate a column from a row by means of `source`.

    Returns the row in lowest terms, the factor by which the row was multiplied, and the divisor.
    `scale` is taken into account for the divisor.
    """
    common = gcd(row[column], source[column])
    factor, much = source[column] // common, row[column] // common
    reduced = {place: entry * factor for place, entry in row.items()} if factor != 1 else dict(row)
    for place, entry in source.items():
        left = reduced.get(place, 0) - much * entry
        if left:
            reduced[place] = left
        else:
            del reduced[place]
    divisor = gcd(scale * factor, *reduced.values()) or 1
    if divisor != 1:
        reduced = {place: entry // divisor for place, entry in reduced.items()}
    return reduced, factor, divisor


def solve_rows(
    rows: Sequence[Row], open_values: Mapping[int, Fraction], tick: Callable[[], None]
) -> dict[int, Fraction] | None:
    """Values of all variables that satisfy linear equations; None if there is no solution.

    `open_values` has the values of the free variables. `tick` is called at every step. The shortest
    row is solved for the variable that occurs in the fewest rows, and the variable is eliminated
    from these rows (Markowitz, "The elimination form of the inverse", Management Science 3, 1957).
    """
    solved = _Elimination(rows).run(tick)
    if solved is None:
        return None
    values: dict[int, Fraction] = {}
    for column, row in reversed(solved):
        total = Fraction(row.get(RIGHT, 0))
        for variable, entry in row.items():
            if variable not in (RIGHT, column):
                if variable not in values:
                    values[variable] = open_values[variable]
                total -= entry * values[variable]
        values[column] = total / row[column]
    return values


class _Elimination:
    """Rows under elimination, and for each column the rows with an entry in the column."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = list(rows)
        self.holders: dict[int, set[int]] = {}
        for number, row in enumerate(self.rows):
            for column in row.keys() - {RIGHT}:
                self.holders.setdefault(column, set()).add(number)

    def run(self, tick: Callable[[], None]) -> list[tuple[int, Row]] | None:
        """Each row with its pivot column, in order of elimination. A row has no entry in the pivot
        columns of earlier rows. None if a row is contradictory (0 = c with c not 0)."""
        waiting = [(len(row), number) for number, row in enumerate(self.rows)]
        heapify(waiting)
        solved: list[tuple[int, Row]] = []
        done: set[int] = set()
        while waiting:
            length, number = heappop(waiting)
            row = self.rows[number]
            if number in done or length != len(row):
                continue  # the row has changed its length and is queued once more
            tick()
            done.add(number)
            columns = row.keys() - {RIGHT}
            if not columns and row:
                return None
            for column in columns:
                self.holders[column].discard(number)
            if columns:
                column = min(
                    columns, key=lambda candidate: (len(self.holders[candidate]), candidate)
                )
                solved.append((column, row))
                for holder in sorted(self.holders[column]):
                    self._put(holder, row, column)
                    heappush(waiting, (len(self.rows[holder]), holder))
        return solved

    def _put(self, number: int, row: Row, column: int) -> None:
        before = self.rows[number]
        after = self.rows[number] = without(before, row, column)[0]
        for changed in before.keys() - after.keys() - {RIGHT}:
            self.holders[changed].discard(number)
        for changed in after.keys() - before.keys() - {RIGHT}:
            self.holders[changed].add(number)
