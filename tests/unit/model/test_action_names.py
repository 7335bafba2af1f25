"""Actions by number and by name."""

from __future__ import annotations

import pytest

from gamedsl.model.action_names import arguments_of, move_of, name_of, name_of_outcome
from gamedsl.model.values import Domain
from tests.unit.model.reading import HEAP, model_of, spoilt

MOVES = model_of(
    spoilt(
        HEAP,
        "end:",
        "move never(n in {}):\n    left -= n\n\nmove pass_on:\n    kept = 0\n\n"
        "move give(n in 0..1, whom in players):\n    left -= n\n\nend:",
    )
).moves
"""`take` has ids 0, 1, 2; `never` none; `pass_on` 3; `give` 4 to 7."""


def test_each_id_has_a_name_and_the_last_parameter_changes_first() -> None:
    names = [name_of(move_of(MOVES, action), action) for action in range(8)]
    assert names[:4] == ["take(1)", "take(2)", "take(3)", "pass_on"]
    assert names[4:] == ["give(0, A)", "give(0, B)", "give(1, A)", "give(1, B)"]


def test_a_move_without_instances_has_no_id() -> None:
    assert [move.name for move in MOVES if move.size == 0] == ["never"]
    assert {move_of(MOVES, action).name for action in range(8)} == {"take", "pass_on", "give"}


@pytest.mark.parametrize("action", [-1, 8, 100])
def test_an_id_that_no_move_has_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match=f"there is no action {action}"):
        move_of(MOVES, action)


def test_arguments_are_values_of_the_parameters() -> None:
    assert arguments_of(move_of(MOVES, 1), 1) == (2,)
    assert arguments_of(move_of(MOVES, 3), 3) == ()


def test_an_outcome_is_named_after_what_is_drawn() -> None:
    assert name_of_outcome("die", Domain((1, 2, 3)), 2) == "die=3"
    with pytest.raises(ValueError, match="there is no outcome 3"):
        name_of_outcome("die", Domain((1, 2, 3)), 3)
