"""Actions by name: in full, by their values alone, and what is said when a name is wrong."""

from __future__ import annotations

import pytest

from gamedsl import IllegalActionError
from tests.unit.interpreter.playing import loaded, play, shipped

GAME = """game "Names"
players A, B
state:
    left: 0..9 = 9
    other: 0..9 = 9
move take(n in 1..2, m in 0..1):
    left -= n
    other -= m
move give(n in 2..3):
    left -= n
move pass: again
move roll:
    chance die in 1..2
    left -= die
end:
    if left == 0: draw
"""


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("take(1, 0)", "take(1, 0)"),
        ("take(1,0)", "take(1, 0)"),
        (" take( 1 ,0 ) ", "take(1, 0)"),
        ("1, 0", "take(1, 0)"),
        ("give(3)", "give(3)"),
        ("3", "give(3)"),
        ("pass", "pass"),
    ],
)
def test_an_action_is_named_in_full_or_by_values_that_only_it_has(name: str, full: str) -> None:
    game = loaded(GAME)
    state = game.initial_state()
    assert game.action_name(state, game.action_named(state, name)) == full


def test_an_outcome_of_chance_is_named_by_its_value_alone() -> None:
    game = loaded(GAME)
    state = play(game, "roll")
    assert game.action_named(state, "die=2") == game.action_named(state, "2")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tkae(1, 0)", "did you mean `take(1, 0)`?"),
        ("take(3, 0)", "is not legal here"),
        ("fly", "legal are take(1, 0), take(1, 1)"),
        ("", "is not legal here"),
    ],
)
def test_a_wrong_name_is_answered_with_right_ones(name: str, words: str) -> None:
    game = loaded(GAME)
    state = game.initial_state()
    with pytest.raises(IllegalActionError) as caught:
        game.action_named(state, name)
    assert words in str(caught.value)
    assert caught.value.action == name


def test_values_that_several_actions_share_are_not_enough() -> None:
    game = loaded(GAME.replace("give(n in 2..3)", "give(n in 2..3, m in 0..1)"))
    with pytest.raises(IllegalActionError, match=r"`2, 0` could be take\(2, 0\), give\(2, 0\)"):
        game.action_named(game.initial_state(), "2, 0")


def test_every_legal_action_has_a_name_of_its_own_that_names_it() -> None:
    for name in ("chess", "kalah", "checkers", "kuhn_poker", "aima_fig_5_2"):
        game = shipped(name)
        state = game.initial_state()
        choices = game.legal_actions(state) or [o for o, _ in game.chance_outcomes(state)]
        assert [game.action_named(state, game.action_name(state, a)) for a in choices] == list(
            choices
        )


def test_a_number_that_is_no_action_has_no_name() -> None:
    game = loaded(GAME)
    for number in (-1, game.facts.action_count):
        with pytest.raises(ValueError, match="there is no action"):
            game.action_name(game.initial_state(), number)
    with pytest.raises(ValueError, match="there is no outcome"):
        game.action_name(play(game, "roll"), 5)
