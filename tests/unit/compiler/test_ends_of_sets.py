"""Tests of an end of a set: no question whether there is any, and no branch."""

from __future__ import annotations

from gamedsl.compiler.ir.values import all_of, bits, highest, name
from gamedsl.compiler.passes.rules import shorter

BOARD = bits(9)
MEN, ENDS = name("men", BOARD), name("ends", BOARD)


def test_a_lowest_square_that_holds_something_is_there() -> None:
    holds = (MEN & (ENDS & -ENDS)).ne(0)
    assert shorter(all_of([ENDS.ne(0), holds])) is holds


def test_a_highest_square_is_looked_for_where_there_may_be_none() -> None:
    holds = ((MEN >> highest(ENDS)) & 1).ne(0)
    found = shorter(all_of([ENDS.ne(0), holds]))
    assert found is (((ENDS & MEN) >> highest(ENDS | 1)) & 1).ne(0)


def test_the_end_of_another_set_says_nothing() -> None:
    both = all_of([MEN.ne(0), (MEN & (ENDS & -ENDS)).ne(0)])
    assert shorter(both) is both
