"""Matrix games against published values, and against their own proofs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.solvers.equilibria.matrix_game import solve_matrix


def matrix(*rows: tuple[int, ...]) -> list[list[Fraction]]:
    return [[Fraction(entry) for entry in row] for row in rows]


@pytest.mark.parametrize(
    ("rows", "value", "mixture"),
    [
        (((0, -25, 50), (25, 0, -5), (-50, 5, 0)), 0, (1, 10, 5)),  # OpenSpiel's biased RPS
        (((-2, 3), (3, -4)), Fraction(1, 12), (7, 5)),  # Ferguson: odd or even
        (((4,),), 4, (1,)),
        (((1, 2), (3, 4)), 3, (0, 1)),
    ],
)
def test_published_games(
    rows: tuple[tuple[int, ...], ...], value: Fraction, mixture: tuple[int, ...]
) -> None:
    found = solve_matrix(matrix(*rows))
    assert found.value == value
    assert found.row == tuple(Fraction(part, sum(mixture)) for part in mixture)


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(-4, 4), min_size=n, max_size=n), min_size=1, max_size=4
        )
    )
)
def test_mixtures_prove_each_other(rows: list[list[int]]) -> None:
    """No column gives the row player less than the value, no row more."""
    found = solve_matrix(matrix(*map(tuple, rows)))
    for mixture in (found.row, found.column):
        assert sum(mixture) == 1
        assert min(mixture) >= 0
    for column in zip(*rows, strict=True):
        assert sum(p * u for p, u in zip(found.row, column, strict=True)) >= found.value
    for row in rows:
        assert sum(p * u for p, u in zip(found.column, row, strict=True)) <= found.value
