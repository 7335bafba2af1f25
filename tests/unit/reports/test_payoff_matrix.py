"""The payoff matrix: best replies, and where there is none."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from gamedsl.reports.solutions.payoff_matrix import payoff_matrix_text
from gamedsl.solvers.solution import MoveValue


def moves(*rows: tuple[tuple[int | Fraction, int | Fraction], ...]) -> list[MoveValue]:
    places = product(range(len(rows)), range(len(rows[0])))
    return [
        MoveValue(
            (row, column), f"go({row})+go({column})",
            (Fraction(rows[row][column][0]), Fraction(rows[row][column][1])), None, False, False,
        )
        for row, column in places
    ]  # fmt: skip


def test_every_best_reply_has_a_star_equal_ones_too() -> None:
    """The battle of the sexes, with a row that is as good against the first column."""
    assert payoff_matrix_text(moves(((2, 1), (0, 0)), ((0, 0), (1, 2)), ((2, 1), (0, 1)))) == (
        "   0         1\n"
        "0  [2*, 1*]  0, 0\n"
        "1  0, 0      [1*, 2*]\n"
        "2  [2*, 1*]  0, 1*"
    )  # fmt: skip


def test_what_is_no_matrix_or_does_not_fit_is_none() -> None:
    assert payoff_matrix_text([]) is None
    assert payoff_matrix_text(moves(((1, 2), (3, 4)))) is None
    wide = tuple((n, -n) for n in range(20))
    assert payoff_matrix_text(moves(wide, wide)) is None
    long = Fraction(1, 2001)
    assert payoff_matrix_text(moves(((long, 0), (0, 0)), ((0, 0), (0, 0)))) is None
    alone = MoveValue(1, "go(1)", (Fraction(1), Fraction(-1)), 1, True, True)
    assert payoff_matrix_text([alone, alone]) is None
