"""Levels that every move raises are proved on the rules, or refused."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.model.rewriting.levels import Levels, levels_of
from gamedsl.model.rewriting.moments import Unknown

TWO_HEAPS = """players A, B
state:
    left: 0..6 = 6
    right: 0..6 = 6
{moves}
end:
    if left + right == 0: turn loses
"""
TAKE = """
move {name}(n in 1..2):
    require {heap} >= n
    {heap} = {heap} {sign} n
"""


def levels_with(moves: str) -> Levels | Unknown:
    return levels_of(gamedsl.load(TWO_HEAPS.format(moves=moves), engine="interpreter").model)


@pytest.mark.parametrize(
    ("game", "words", "rise"),
    [
        ("tic_tac_toe", "-empty in cell", (1, 1)),
        ("domineering", "-empty in cell", (2, 2)),
        ("subtraction", "-sum of left", (1, 3)),
    ],
)
def test_one_quantity_is_a_level(game: str, words: str, rise: tuple[int, int]) -> None:
    levels = levels_of(gamedsl.load(game).model)
    assert isinstance(levels, Levels)
    assert (levels.words, (levels.low, levels.high)) == (words, rise)


def test_a_sum_is_a_level_where_every_move_raises_some_part() -> None:
    take_left = TAKE.format(name="take_left", heap="left", sign="-")
    take_right = TAKE.format(name="take_right", heap="right", sign="-")
    levels = levels_with(take_left + take_right)
    assert isinstance(levels, Levels)
    assert (levels.words, levels.low, levels.high) == ("-sum of left + -sum of right", 1, 2)


def test_no_level_is_proved_where_a_move_goes_back_or_may_change_nothing() -> None:
    take_left = TAKE.format(name="take_left", heap="left", sign="-")
    back = "\nmove put(n in 1..2):\n    require left + n <= 6 and right >= 1\n"
    back += "    left = left + n\n    right = right - 1\n"
    idle = "\nmove pass():\n    require right > 0\n"
    assert isinstance(levels_with(take_left), Levels)
    assert isinstance(levels_with(take_left + back), Unknown)
    assert isinstance(levels_with(take_left + idle), Unknown)
