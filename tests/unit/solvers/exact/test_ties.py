"""What other ways to break ties would give."""

from __future__ import annotations

from fractions import Fraction

from gamedsl.solvers.exact.ties import choosable

ONE, TWO, THREE = (tuple(map(Fraction, pair)) for pair in ((1, 3), (2, 2), (3, 1)))


def test_a_payoff_can_bechoosable_that_no_other_child_must_beat() -> None:
    assert choosable(0, [(ONE, THREE), (TWO,)]) == (THREE, TWO)
    assert choosable(1, [(ONE, THREE), (TWO,)]) == (ONE, TWO)
    assert choosable(0, [(ONE, TWO), (TWO, THREE)]) == (TWO, THREE)
    assert choosable(0, [(ONE, THREE), (ONE, TWO)]) == (ONE, THREE, TWO)
    assert choosable(0, [(ONE,), None]) is None
