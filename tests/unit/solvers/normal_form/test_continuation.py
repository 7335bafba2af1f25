"""Curves followed: where they turn back, where others cross them, where they end."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt

import pytest

from gamedsl.solvers.normal_form.continuation import LostCurveError, Rows, follow, solved

Values = tuple[list[float], Rows]


def nothing() -> None:
    """Nobody asks for the time."""


def cubic(point: Sequence[float]) -> Values:
    """t = x^3 - 3x, which turns back at (-1, 2) and (1, -2)."""
    x, t = point
    return [t - x**3 + 3 * x], [[3 - 3 * x * x, 1.0]]


def test_a_curve_that_turns_back_is_followed_through_both_turns() -> None:
    found = follow(cubic, [-3.0, -18.0], 3.0, nothing)
    assert found.unknowns[0] == pytest.approx(2.103803402735536, abs=1e-9)
    assert found.turns == pytest.approx((2, -2), abs=1e-4)
    assert found.crossings == ()


def test_the_first_point_that_is_as_far_is_taken() -> None:
    found = follow(cubic, [-3.0, -18.0], 0.0, nothing)
    assert found.unknowns[0] == pytest.approx(-sqrt(3), abs=1e-9)
    assert found.turns == ()


def test_where_curves_cross_it_goes_straight_on() -> None:
    """A pitchfork: x = 0 and, from t = 0 on, x = +-sqrt(t)."""

    def pitchfork(point: Sequence[float]) -> Values:
        x, t = point
        return [x * (t - x * x)], [[t - 3 * x * x, x]]

    found = follow(pitchfork, [0.0, -1.0], 1.0, nothing)
    assert found.unknowns == pytest.approx((0,), abs=1e-12)
    assert found.crossings == pytest.approx((0,), abs=2e-3)
    assert found.turns == ()


def test_a_curve_that_never_comes_so_far_is_lost() -> None:
    def pole(point: Sequence[float]) -> Values:
        x, t = point
        return [x * (1 - t) - 1], [[1 - t, -x]]

    with pytest.raises(LostCurveError, match="no step leads on from 1"):
        follow(pole, [1.0, 0.0], 2.0, nothing)


def test_equations_without_a_solution_have_none() -> None:
    assert solved([[1.0, 2.0], [2.0, 4.0]], [1.0, 2.0]) == (None, 0)
    assert solved([[inf]], [1.0]) == (None, 0)
    assert solved([[0.0, 2.0], [1.0, 0.0]], [2.0, 3.0]) == ([3.0, 1.0], -1)
