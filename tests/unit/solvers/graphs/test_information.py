"""Information sets of small games."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import gamedsl
from gamedsl.model.errors import GameRuleError
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.graphs.information import information_sets, play_names, told_apart

LEAK = """\
game "Leak"
players A, B
state:
    coin: 0..1 = 0 secret to A
    said: bool = false
setup:
    chance coin in 0..1
move look:
    require turn == A and not said
    said = true
move guess(c in 0..1):
    require turn == B and (c == 0 or coin == 1)
    said = true
    coin = c
end:
    if turn == A and said: draw
"""


def test_kuhn_poker_has_twelve_information_sets(games: Any) -> None:
    """Kuhn, "A simplified two-person poker", 1950: two deals count as one chance node there."""
    game = gamedsl.load(games / "kuhn_poker.game")
    sets = information_sets(game)
    assert len(sets) == 12
    assert [s.player for s in sets].count(0) == 6
    for information_set in sets:
        assert len(information_set.members) == 2
        assert {member.chance for member in information_set.members} == {Fraction(1, 6)}
        assert information_set.actions in {("check", "bet"), ("call", "fold")}


def test_every_history_of_a_set_looks_the_same_to_its_player(games: Any) -> None:
    game = gamedsl.load(games / "kuhn_poker.game")
    for information_set in information_sets(game):
        for member in information_set.members:
            seen = game.information_state(member.history, information_set.player)
            assert seen == information_set.observations


def test_where_all_choose_at_once_each_player_has_an_information_set(games: Any) -> None:
    sets = information_sets(gamedsl.load(games / "rock_paper_scissors.game"))
    assert [s.player for s in sets] == [0, 1]


def test_without_secrets_every_history_is_told_apart(games: Any) -> None:
    sets = information_sets(gamedsl.load(games / "nim.game", sizes=[1, 2]))
    assert all(len(s.members) == 1 for s in sets)


def test_legal_actions_that_depend_on_a_secret_are_an_error_with_both_plays() -> None:
    with pytest.raises(GameRuleError, match="B cannot tell two plays apart") as caught:
        information_sets(gamedsl.load(LEAK))
    assert caught.value.code == "E3010"
    assert "coin=0, look: guess(0); after coin=1, look: guess(0), guess(1)" in caught.value.message


def test_a_game_with_too_many_histories_is_given_up(games: Any) -> None:
    with pytest.raises(OutOfBudgetError):
        information_sets(gamedsl.load(games / "tic_tac_toe.game"), max_histories=1000)


def test_the_names_of_a_play_include_its_chance_outcomes(games: Any) -> None:
    game = gamedsl.load(games / "kuhn_poker.game")
    member = information_sets(game)[0].members[0]
    assert len(play_names(game, member.history)) == 2


def test_a_position_is_shown_once_to_tell_sets_apart() -> None:
    asked: list[int] = []

    def shown(place: int) -> tuple[str, ...]:
        asked.append(place)
        return (f"card: {place}", "pot: 1")

    found = told_apart([("a",), ("a",), ("a",), ("b",)], shown)
    assert found == [("a", "card=0"), ("a", "card=1"), ("a", "card=2"), ("b",)]
    assert asked == sorted({*asked}, key=asked.index)


def test_sets_of_which_the_same_is_told_are_parted_by_what_is_to_be_seen_there() -> None:
    told = [("high",), ("high",), ("low",)]
    shown = [["card: 3", "pot: 1"], ["card: 3", "pot: 2"], ["card: 1", "pot: 1"]]
    parted = told_apart(told, lambda n: shown[n])
    assert parted == [("high", "pot=1"), ("high", "pot=2"), ("low",)]
    assert told_apart(told, lambda n: shown[n], groups=[0, 1, 0]) == told
