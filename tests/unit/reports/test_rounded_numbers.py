"""Decimals that are not the number itself say so."""

from __future__ import annotations

from fractions import Fraction

import gamedsl
from gamedsl.reports.solutions.policy import share
from gamedsl.reports.solutions.sentences import outcome_in_short
from gamedsl.reports.trees.data import ValueBound, value_text
from gamedsl.solvers.decimals import decimals, near, rounded

LONG = Fraction(333333333, 1333333333)


def test_a_rounded_decimal_is_marked_and_an_exact_one_is_not() -> None:
    assert rounded(Fraction(1, 4), ".3f") == "0.250"
    assert rounded(LONG, ".3f") == "≈0.250"
    assert share(LONG) == "≈0.250"
    assert share(1 - LONG) == "≈0.750"
    assert decimals(-100 * LONG, Fraction(0)).startswith("≈-25.000000 (exactly -")
    assert decimals(Fraction(1, 2), Fraction(1, 10**6)) == "≈0.50000"
    assert near(Fraction(1, 2), Fraction(1, 10**6), ".3f") == "≈0.500"
    assert near(Fraction(1, 2), Fraction(0), ".3f") == "1/2"


def test_a_picture_marks_a_rounded_value_once() -> None:
    assert value_text(LONG) == "≈0.25"
    assert value_text(LONG, ValueBound.ESTIMATE) == "≈0.25"
    assert value_text(LONG, ValueBound.AT_LEAST) == "≥≈0.25"


def test_what_solve_says_of_a_long_fraction_does_not_look_exact() -> None:
    text = (
        'game "Long"\nplayers A\nstate:\n    s: 0..1 = 0\nmove go:\n    s = 1\n'
        "end:\n    if s == 1: payoff A: -33333333300/1333333333\n"
    )
    assert "≈-25.000000 (exactly -33333333300/1333333333)" in str(gamedsl.solve(gamedsl.load(text)))


def test_a_report_for_reading_has_no_fractions_of_many_digits() -> None:
    odds = "\n    chance die in 1..3 weighted [1000, 332, 1][die]"
    text = (
        'game "Odds"\nplayers A, B\nstate:\n    s: 0..3 = 0\nmove go:'
        f"{odds}\n    s = die\nend:\n    if s == 1: A wins\n    if s > 1: B wins\n"
    )
    solution = gamedsl.solve(gamedsl.load(text))
    assert "exactly" in solution.outcome
    assert outcome_in_short(solution) == "A wins with probability ≈0.750188"
    other = text.replace("A wins", "payoff A: 3, B: 1").replace("B wins", "payoff A: 0, B: 0")
    pays = gamedsl.solve(gamedsl.load(other))
    assert outcome_in_short(pays) == "expected payoffs A: ≈2.250563, B: ≈0.750188"


def test_a_value_of_few_digits_stays_a_fraction() -> None:
    text = (
        'game "Coin"\nplayers A, B\nstate:\n    s: 0..3 = 0\nmove go:\n    chance s in 1..3\n'
        "end:\n    if s == 1: A wins\n    if s > 1: B wins\n"
    )
    solution = gamedsl.solve(gamedsl.load(text))
    assert outcome_in_short(solution) == solution.outcome == "A wins with probability 1/3"
