"""What other ways to break ties would give."""

from __future__ import annotations

from fractions import Fraction

from gamedsl.solvers.exact.ties import _chosen

ONE, TWO, THREE = (tuple(map(Fraction, pair)) for pair in ((1, 3), (2, 2), (3, 1)))


def test_a_payoff_can_be_chosen_that_no_other_child_must_beat() -> None:
    assert _chosen(0, [(ONE, THREE), (TWO,)]) == (THREE, TWO)
    assert _chosen(1, [(ONE, THREE), (TWO,)]) == (ONE, TWO)
    assert _chosen(0, [(ONE, TWO), (TWO, THREE)]) == (TWO, THREE)
    assert _chosen(0, [(ONE, THREE), (ONE, TWO)]) == (ONE, THREE, TWO)
    assert _chosen(0, [(ONE,), None]) is None
