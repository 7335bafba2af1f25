"""Two players with opposed interests who choose once, both at once.

In: what the row player gets for every pair of choices. Out: the value, and with what probabilities
both choose, as exact fractions (von Neumann 1928; as a linear program: Dantzig 1951).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from gamedsl.solvers.equilibria.linear_program import maximize
from gamedsl.source.records import dataclass

ZERO, ONE = Fraction(0), Fraction(1)
Mixture = tuple[Fraction, ...]
"""The probability of each choice."""


@dataclass(frozen=True, slots=True)
class MatrixSolution:
    """What the row player gets on average, and an optimal mixture of either player."""

    value: Fraction
    row: Mixture
    column: Mixture


def solve_matrix(matrix: Sequence[Sequence[Fraction]]) -> MatrixSolution:
    """Solve a matrix game: rows choose for the most, columns for the least.

    With all payoffs made positive, what the column player gives up is x = mixture / value: as much
    x as possible, so that no row pays more than 1. The row player's mixture is the prices.
    Raises ArithmeticError if the mixtures do not prove each other optimal.
    """
    lift = ONE - min(min(row) for row in matrix)
    width = len(matrix[0])
    constraints = [({n: entry + lift for n, entry in enumerate(row)}, ONE) for row in matrix]
    optimum = maximize(dict.fromkeys(range(width), ONE), constraints, width)
    value = ONE / optimum.value
    row = tuple(price * value for price in optimum.prices)
    column = tuple(part * value for part in optimum.variables)
    found = MatrixSolution(value - lift, row, column)
    least = min(_mean(row, entries) for entries in zip(*matrix, strict=True))
    most = max(_mean(column, entries) for entries in matrix)
    if not least == most == found.value:
        raise ArithmeticError(f"no equilibrium: between {least} and {most}, not {found.value}")
    return found


def _mean(mixture: Mixture, payoffs: Sequence[Fraction]) -> Fraction:
    return sum((p * payoff for p, payoff in zip(mixture, payoffs, strict=True)), ZERO)
