"""Solve linear programs exactly by the simplex method.

In: maximise c x subject to A x <= b and x >= 0, with b >= 0, so that the search can start at x = 0.
Out: the maximum, x, and a solution of the dual program, as fractions (Dantzig, "Linear Programming
and Extensions", 1963; Chvatal, "Linear Programming", 1983, chapters 2, 3 and 5). Rows hold integers
without a common factor, without zeros. The module knows nothing about games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from math import lcm
from random import Random

from gamedsl.solvers.equilibria.sparse_rows import RIGHT, Row, without
from gamedsl.source.records import dataclass

BEYOND = -2
"""Column of a second right-hand side: a symbolic perturbation of `b`, multiplied by an
infinitesimal number. Without the perturbation most sequence forms would be degenerate, and the
search might cycle (Charnes, "Optimality and degeneracy in linear programming", Econometrica 20,
1952)."""
LARGEST_ADDED = 10**6

Coefficients = Mapping[int, Fraction]
"""By number of the variable, without zeros."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """The maximum of a program, the variables at the maximum, and the price of each constraint."""

    value: Fraction
    variables: tuple[Fraction, ...]
    prices: tuple[Fraction, ...]


def maximize(
    objective: Coefficients,
    constraints: Sequence[tuple[Coefficients, Fraction]],
    variables: int,
    tick: Callable[[], None] = lambda: None,
) -> Optimum:
    """Solve a program of `variables` variables; `constraints` are (row of A, number in b).

    `tick` is called at every step, and may raise an exception to end the search.

    Raises:
        ValueError: a number in b is negative, or the objective is unbounded.
    """
    if any(bound < 0 for _, bound in constraints):
        raise ValueError("the search begins at 0, which this program does not allow")
    tableau = _Tableau(objective, constraints, variables)
    while (column := tableau.entering()) is not None:
        tick()
        tableau.pivot(tableau.leaving(column), column)
    return tableau.optimum()


def all_optima(
    objective: Coefficients,
    constraints: Sequence[tuple[Coefficients, Fraction]],
    variables: int,
    most: int,
) -> tuple[tuple[Fraction, ...], ...] | None:
    """The corners of the set of all optimal solutions; None if more than `most` tableaus would be
    needed. A pivot on a variable with reduced cost 0 leads from one tableau to the next (Chvatal,
    chapter 18).

    Raises ValueError like `maximize`.
    """
    first = _Tableau(objective, constraints, variables)
    while (column := first.entering()) is not None:
        first.pivot(first.leaving(column), column)
    known, waiting, corners = {frozenset(first.basic)}, [first], []
    while waiting:
        tableau = waiting.pop()
        corners.append(tableau.optimum().variables)
        basic = frozenset(tableau.basic)
        for column in range(variables + len(constraints)):
            is_free = column not in basic and column not in tableau.objective
            row = tableau.stopping(column) if is_free else None
            if row is None:
                continue
            after = basic - {tableau.basic[row]} | {column}
            if after in known:
                continue
            if len(known) == most:
                return None
            known.add(after)
            neighbour = tableau.copied()
            neighbour.pivot(row, column)
            waiting.append(neighbour)
    return tuple(dict.fromkeys(corners))


class _Tableau:
    """The program as equations, each solved for its basic variable.

    Column n is variable n; the slack of constraint k is column `variables + k`. `objective` has
    the coefficients of the objective: scale * value + sum of entries * columns = its right-hand
    side.
    """

    def __init__(
        self,
        objective: Coefficients,
        constraints: Sequence[tuple[Coefficients, Fraction]],
        variables: int,
    ) -> None:
        random = Random(variables)  # arbitrary but reproducible numbers
        self.variables = variables
        self.constraints = len(constraints)
        self.scales: list[int] = []
        self.rows: list[Row] = []
        for number, (coefficients, bound) in enumerate(constraints):
            scale = lcm(bound.denominator, *(c.denominator for c in coefficients.values()))
            row = {column: int(c * scale) for column, c in coefficients.items() if c}
            row[variables + number] = scale
            if bound:
                row[RIGHT] = int(bound * scale)
            row[BEYOND] = random.randint(1, LARGEST_ADDED)
            self.rows.append(row)
            self.scales.append(scale)
        self.basic = [variables + number for number in range(len(constraints))]
        self.scale = lcm(*(c.denominator for c in objective.values()))
        self.objective: Row = {column: -int(c * self.scale) for column, c in objective.items() if c}

    def entering(self) -> int | None:
        """The column with the steepest increase of the objective; None at the maximum."""
        column = min(
            (column for column in self.objective if column >= 0),
            key=self.objective.__getitem__,
            default=None,
        )
        return None if column is None or self.objective[column] >= 0 else column

    def copied(self) -> _Tableau:
        """A copy of the tableau for further pivots."""
        duplicate = copy(self)
        duplicate.rows, duplicate.basic = list(self.rows), list(self.basic)
        return duplicate

    def leaving(self, column: int) -> int:
        """The row that first limits the growth of a column; ValueError if no row does."""
        row = self.stopping(column)
        if row is None:
            raise ValueError("the objective grows without end")
        return row

    def stopping(self, column: int) -> int | None:
        """The row that first limits the growth of a column; None if no row does."""
        best = None
        for number, row in enumerate(self.rows):
            entry = row.get(column, 0)
            if entry > 0 and (best is None or self._is_sooner(row, entry, self.rows[best], column)):
                best = number
        return best

    @staticmethod
    def _is_sooner(row: Row, entry: int, rival_row: Row, column: int) -> bool:
        rival = rival_row[column]
        for right in (RIGHT, BEYOND):
            mine, its = row.get(right, 0) * rival, rival_row.get(right, 0) * entry
            if mine != its:
                return mine < its
        return False

    def pivot(self, number: int, column: int) -> None:
        """Solve an equation for a new basic variable, and eliminate the variable from all other
        rows."""
        source = self.rows[number]
        for index, row in enumerate(self.rows):
            if column in row and index != number:
                self.rows[index] = without(row, source, column)[0]
        if column in self.objective:
            self.objective, factor, divisor = without(self.objective, source, column, self.scale)
            self.scale = self.scale * factor // divisor
        self.basic[number] = column

    def optimum(self) -> Optimum:
        """The solution with all non-basic variables 0."""
        values = [Fraction(0)] * self.variables
        for row, column in zip(self.rows, self.basic, strict=True):
            if column < self.variables:
                values[column] = Fraction(row.get(RIGHT, 0), row[column])
        prices = tuple(
            Fraction(self.objective.get(self.variables + number, 0), self.scale)
            for number in range(self.constraints)
        )
        value = Fraction(self.objective.get(RIGHT, 0), self.scale)
        return Optimum(value, tuple(values), prices)
