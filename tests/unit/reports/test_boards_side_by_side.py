"""Variables with more indices than the squares are drawn as boards beside each other."""

from __future__ import annotations

import gamedsl
from gamedsl.reports.boards.as_svg import state_svg
from gamedsl.reports.boards.contents import position_of

TEXT = """game "Two boards"
players X, O
type Which = left | right
board 2 wide 2 high
state:
    cross[b in Which, s in square]: empty | players = empty
    n: 0..4 = 0
move put(b in Which, s in square):
    require cross[b, s] == empty
    cross[b, s] = turn
end:
    if stuck: draw
"""


def test_boards_stand_beside_each_other() -> None:
    game = gamedsl.load(TEXT)
    state = game.result(game.initial_state(), 5)
    assert game.show(state).splitlines() == [
        "cross[left]:   cross[right]:",
        "2 . .          2 . .",
        "1 . .          1 . X",
        "  a b            a b",
        "n: 0",
        "O to move",
    ]


def test_they_begin_a_new_row_where_they_are_too_wide() -> None:
    text = TEXT.replace("left | right", " | ".join(f"place_{n}" for n in range(7)))
    game = gamedsl.load(text)
    shown = game.show(game.initial_state()).splitlines()
    assert max(map(len, shown)) <= 78
    assert sum(line.count("cross[") for line in shown) == 7
    assert sum("cross[" in line for line in shown) == 2


def test_the_picture_has_every_board_and_marks_the_last_move_on_its_own() -> None:
    game = gamedsl.load(TEXT)
    before = game.initial_state()
    state = game.result(before, 5)
    position = position_of(game, state, last=(before, 5))
    assert [(one.title, one.last) for one in position.small_boards] == [
        ("cross[left]", ()),
        ("cross[right]", ("b1",)),
    ]
    picture = state_svg(game, state, last=(before, 5))
    assert "cross[left]" in picture
    assert "cross[right]" in picture
    assert picture.count("<line") == 2  # a cross
