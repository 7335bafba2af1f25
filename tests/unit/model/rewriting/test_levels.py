"""Levels that no move lowers are proved on the rules; with a rise of 0 some move may keep them."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.model.rewriting.levels import Levels, levels_of

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


def levels_with(moves: str) -> Levels:
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
    assert (levels.words, (levels.low, levels.high)) == (words, rise)


def test_a_sum_is_a_level_where_every_move_raises_some_part() -> None:
    take_left = TAKE.format(name="take_left", heap="left", sign="-")
    take_right = TAKE.format(name="take_right", heap="right", sign="-")
    levels = levels_with(take_left + take_right)
    assert (levels.words, levels.low, levels.high) == ("-sum of left + -sum of right", 1, 2)


TAKE_LEFT = TAKE.format(name="take_left", heap="left", sign="-")
BACK = """
move put(n in 1..2):
    require left + n <= 6 and right >= 1
    left = left + n
    right = right - 1
"""
IDLE = """
move pass():
    require right > 0
"""


@pytest.mark.parametrize(
    ("moves", "words", "rise"),
    [
        (TAKE_LEFT, "-sum of left", (1, 2)),
        (TAKE_LEFT + BACK, "-3 sum of right + -sum of left", (1, 2)),
        (TAKE_LEFT + IDLE, "-sum of left", (0, 2)),
        (TAKE_LEFT + BACK + IDLE, "-7 sum of right + -sum of left", (0, 6)),
        (TAKE_LEFT + TAKE.format(name="give", heap="left", sign="+"), "", (0, 0)),
    ],
)
def test_quantities_are_compared_one_after_the_other(
    moves: str, words: str, rise: tuple[int, int]
) -> None:
    levels = levels_with(moves)
    assert (levels.words, (levels.low, levels.high)) == (words, rise)


@pytest.mark.parametrize(
    ("game", "words", "rise"),
    [
        ("six_mens_morris", "-289 sum of hand + 17 empty in at + White in at", (0, 273)),
        ("othello_small", "-3 empty in cell + sum of passes", (1, 3)),
        ("dots_and_boxes", "-false in across + -false in upright", (1, 1)),
        ("kalah", "hole[6] + hole[13]", (0, 145)),
    ],
)
def test_levels_of_shipped_games(game: str, words: str, rise: tuple[int, int]) -> None:
    levels = levels_of(gamedsl.load(game).model)
    assert (levels.words, (levels.low, levels.high)) == (words, rise)


def test_a_rise_beyond_the_bound_leaves_a_quantity_out() -> None:
    text = TWO_HEAPS.replace("left: 0..6", "left: 0..90000").format(moves=TAKE_LEFT + BACK)
    text = text.replace("n in 1..2", "n in {1, 70000}")
    levels = levels_of(gamedsl.load(text, engine="interpreter").model)
    assert (levels.words, (levels.low, levels.high)) == ("-sum of right", (0, 1))
