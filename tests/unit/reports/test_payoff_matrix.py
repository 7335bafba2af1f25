"""The payoff matrix: best replies, and where there is none."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from gamedsl.reports.solutions.payoff_matrix import (
    form_of_moves,
    matrix_text,
    titled_matrix,
    too_many_words,
)
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


def payoff_matrix_text(known: list[MoveValue]) -> str | None:
    form = form_of_moves(known)
    return None if form is None else matrix_text(form)


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


def test_where_both_payoffs_are_too_wide_or_long_those_of_the_first_are_enough() -> None:
    """What the second one gets follows; of choices of one family the arguments are the names, and
    long fractions are rounded."""
    rows = [
        [
            (Fraction(n - m, 1 + 3_000 * (n > m)), Fraction(m - n, 1 + 3_000 * (n > m)))
            for n in (0, 1)
        ]
        for m in (0, 1)
    ]
    form = form_of_moves(moves(*map(tuple, rows)))
    assert form is not None
    assert titled_matrix(("A", "B"), form) == (
        "payoffs of A, which B loses; [ ] an equilibrium:\n\n"
        "     0    1\n"
        "  0  [0]  ≈0.000\n"
        "  1  -1   0"
    )
    wide = [tuple((10 + n - m, m - n) for n in range(9)) for m in range(9)]
    form = form_of_moves(
        [
            MoveValue(
                one.action,
                one.name.replace("(", "(1, "),
                one.value, None, False, False,
            )
            for one in moves(*wide)
        ]
    )  # fmt: skip
    assert form is not None
    lines = str(titled_matrix(("A", "B"), form)).splitlines()
    assert lines[0] == "payoffs of A; B gets 10 less each; [ ] an equilibrium:"
    assert lines[2].split() == [f"1,{n}" for n in range(9)]
    assert all(len(line) <= 80 for line in lines)


def test_hundreds_of_combinations_are_counted_and_not_listed() -> None:
    """Colonel Blotto with ten soldiers against nine has 3,630: a list of them was 1,800 lines."""
    assert too_many_words(moves(((1, 2), (3, 4)))) is None
    wide = tuple((n, n) for n in range(20))
    words = too_many_words(moves(wide, wide, wide))
    assert words is not None
    assert words.startswith("60 combinations")
    alone = MoveValue(1, "go(1)", (Fraction(1), Fraction(-1)), 1, True, True)
    assert too_many_words([alone] * 100) is None
