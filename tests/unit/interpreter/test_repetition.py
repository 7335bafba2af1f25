"""`repeat`: what counts as having been before."""

from __future__ import annotations

import pytest

from tests.unit.interpreter.playing import legal_names, loaded, play

LAMP = """game "Lamp"
players A, B
state:
    lamp: 0..2 = 0
    other: 0..1 = 0
move set(k in 0..2): lamp = k
move flip: other = 1 - other
{rule}
end:
    if lamp == 2 and other == 1: draw
"""


def lamp(rule: str) -> str:
    return LAMP.replace("{rule}", rule)


def test_a_value_that_has_been_is_forbidden_and_the_present_one_is_not() -> None:
    game = loaded(lamp("repeat lamp: illegal"))
    assert legal_names(game, play(game, "set(1)")) == ["set(1)", "set(2)", "flip"]
    assert legal_names(game, play(game, "set(1)", "set(2)")) == ["set(2)", "flip"]


def test_a_state_that_has_been_is_forbidden_with_the_turn_it_had() -> None:
    game = loaded(lamp("repeat state: illegal"))
    assert legal_names(game, game.initial_state()) == ["set(0)", "set(1)", "set(2)", "flip"]
    assert legal_names(game, play(game, "set(0)")) == ["set(1)", "set(2)", "flip"]
    assert legal_names(game, play(game, "set(1)")) == ["set(1)", "set(2)", "flip"]
    assert legal_names(game, play(game, "set(1)", "set(1)")) == ["set(0)", "set(2)", "flip"]


@pytest.mark.parametrize("times", [2, 3, 4])
def test_the_outcome_comes_at_the_occurrence_that_was_named(times: int) -> None:
    game = loaded(lamp(f"repeat state {times} times: A wins"))
    for rounds in range(1, times):
        state = play(game, *["flip"] * (2 * rounds))
        assert game.is_terminal(state) == (rounds == times - 1)
    assert game.utilities(state) == (1, -1)


def test_the_state_of_play_holds_what_has_been_and_without_rules_nothing() -> None:
    game = loaded(lamp("repeat lamp: illegal"))
    assert play(game, "set(1)", "set(2)") != play(game, "set(0)", "set(2)")
    free = loaded(lamp(""))
    assert play(free, "set(1)", "set(2)") == play(free, "set(0)", "set(2)")
    assert free.initial_state().history is None


def test_play_taken_up_from_a_state_counts_from_there() -> None:
    game = loaded(lamp("repeat lamp: illegal"))
    later = play(game, "set(1)", "set(2)")
    engine = game.engine
    taken_up = engine.state_of(later.cells, later.turn)  # type: ignore[union-attr]
    assert legal_names(game, later) == ["set(2)", "flip"]
    assert legal_names(game, taken_up) == ["set(0)", "set(1)", "set(2)", "flip"]


def test_superko_forbids_taking_back_at_once_and_allows_it_later() -> None:
    text = """game "Ko"
players Black, White
board 4 wide 3 high
directions N, E, S, W
state:
    stone[square]: empty | players = diagram
        . B W .
        B . B W
        . B W .
    passes: 0..9 = 0
def free(s) = any(stone[q + d] == empty for q in group(stone, s) for d in directions)
move play(s in square):
    require stone[s] == empty
    stone[s] = turn
    for d in directions where stone[s + d] == opponent and not free(s + d):
        for q in group(stone, s + d): stone[q] = empty
    ensure free(s)
move skip: passes += 1
repeat stone: illegal
end:
    if passes == 9: draw
"""
    game = loaded(text)
    assert "play(b2)" in legal_names(game, play(game, "skip"))
    taken = play(game, "skip", "play(b2)")
    assert "play(c2)" not in legal_names(game, taken)
    elsewhere = play(game, "skip", "play(b2)", "play(a3)", "play(d3)")
    assert "play(c2)" in legal_names(game, elsewhere)
