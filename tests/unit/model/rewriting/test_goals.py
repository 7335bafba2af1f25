"""What cells hold where a single player has won, read off the rules."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.model.rewriting.goals import goals_of
from gamedsl.model.rewriting.moments import Unknown

HALL = """players P
state:
    lamp[n in 1..3]: 0..2 = 0
    door: true | false = false
move light(n in 1..3):
    lamp[n] = 2
move open:
    door = true
end:
    if {won}: P wins
    if lamp[3] == 2 and lamp[1] == 0: P loses
endless: P loses
"""


@pytest.mark.parametrize(
    ("won", "goals"),
    [
        ("lamp[1] == 2 and lamp[3] == 1", [{0: 2, 2: 1}]),
        ("lamp[1] == 2 or door and lamp[2] == 0", [{0: 2}, {1: 0, 3: "true"}]),
        ("all(lamp[n] == 2 for n in 1..3)", [{0: 2, 1: 2, 2: 2}]),
        ("lamp[1] + lamp[2] == 4 and lamp[3] == 0", [{0: 2, 1: 2, 2: 0}]),
        ("lamp[2] != 0", [{1: 1}, {1: 2}]),
    ],
)
def test_each_way_to_win_says_what_cells_hold(won: str, goals: list[dict[int, object]]) -> None:
    model = gamedsl.load(HALL.format(won=won)).model
    found = goals_of(model)
    assert not isinstance(found, Unknown)
    door = next(one for one in model.variables if one.name == "door")
    digit = door.domain.digit[True]
    wanted = [{n: digit if v == "true" else v for n, v in goal.items()} for goal in goals]
    assert sorted(map(dict, found), key=str) == sorted(wanted, key=str)


def test_a_sum_does_not_say_what_cells_hold() -> None:
    found = goals_of(gamedsl.load(HALL.format(won="sum(lamp[n] for n in 1..3) == 5")).model)
    assert found == ({},)
