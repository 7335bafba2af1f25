"""Solve matrix games: two players with opposed interests choose once, simultaneously.

In: the row player's payoff for every pair of choices. Out: the value, and optimal mixtures of both
players, as exact fractions (von Neumann 1928; as a linear program: Dantzig 1951).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from gamedsl.solvers.equilibria.linear_program import maximize
from gamedsl.source.records import dataclass

ZERO, ONE = Fraction(0), Fraction(1)
Mixture = tuple[Fraction, ...]
"""The probability of each choice."""


@dataclass(frozen=True, slots=True)
class MatrixSolution:
    """The row player's expected payoff, and an optimal mixture of either player."""

    value: Fraction
    row: Mixture
    column: Mixture


def solve_matrix(
    matrix: Sequence[Sequence[Fraction]], tick: Callable[[], None] = lambda: None
) -> MatrixSolution:
    """Solve a matrix game: rows maximise, columns minimise. `tick`, called at every step, may raise
    an exception to end the work.

    With all payoffs made positive, the column player's variables are x = mixture / value: the sum
    of x is maximised so that no row pays more than 1. The row player's mixture follows from the
    prices. Raises ArithmeticError if the mixtures do not prove each other optimal.
    """
    lift = ONE - min(min(row) for row in matrix)
    width = len(matrix[0])
    constraints = [({n: entry + lift for n, entry in enumerate(row)}, ONE) for row in matrix]
    optimum = maximize(dict.fromkeys(range(width), ONE), constraints, width, tick)
    value = ONE / optimum.value
    row = tuple(price * value for price in optimum.prices)
    column = tuple(part * value for part in optimum.variables)
    solution = MatrixSolution(value - lift, row, column)
    least = min(_mean(row, entries) for entries in zip(*matrix, strict=True))
    most = max(_mean(column, entries) for entries in matrix)
    if not least == most == solution.value:
        raise ArithmeticError(f"no equilibrium: between {least} and {most}, not {solution.value}")
    return solution


def _mean(mixture: Mixture, payoffs: Sequence[Fraction]) -> Fraction:
    return sum((p * payoff for p, payoff in zip(mixture, payoffs, strict=True)), ZERO)
