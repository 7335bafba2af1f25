"""Minimax decision: the values of Figure 5.3's recursion, its ties and its refusals."""

from __future__ import annotations

from fractions import Fraction

import pytest

import gamedsl
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.textbook.minimax import minimax_decision
from gamedsl.solvers.textbook.trace import EventKind, Trace

THE_BOUNDLESS = """\
game "Long"
players A, B

state:
    left: 0..400 = 400

move down:
    left -= 1

end:
    if left == 0: A wins
"""


def test_players_may_move_several_times_in_a_row(twice):
    decision = minimax_decision(twice)
    assert decision.value == 3
    assert decision.line == ("r", "e", "f")


def test_a_root_of_min_takes_the_least(shipped):
    game = shipped("aima_fig_5_2")
    below = game.result(game.initial_state(), game.action_named(game.initial_state(), "a2"))
    decision = minimax_decision(game, below)
    assert decision.value == 2
    assert decision.line == ("c1",)


def test_the_second_player_may_be_max(shipped):
    game = shipped("aima_fig_5_2")
    decision = minimax_decision(game, maximizer=1)
    assert decision.value == -3
    assert decision.best == ("a1",)


def test_of_equal_actions_the_first_decides_and_all_are_named():
    game = gamedsl.load('game "T"\nplayers A, B\n\ntree:\n    A: x -> 0, y -> 2, z -> 2\n')
    decision = minimax_decision(game)
    assert decision.line == ("y",)
    assert decision.best == ("y", "z")


def test_an_ending_has_a_value_and_no_action(shipped):
    game = shipped("aima_fig_5_2")
    state = game.initial_state()
    for name in ("a1", "b2"):
        state = game.result(state, game.action_named(state, name))
    decision = minimax_decision(game, state)
    assert (decision.value, decision.action, decision.line) == (Fraction(12), None, ())


def test_every_node_is_entered_and_left_once(shipped):
    trace = Trace()
    decision = minimax_decision(shipped("sequential_rochambeau"), observer=trace)
    entered = [event.path for event in trace.events if event.kind is EventKind.ENTER]
    left = [event.path for event in trace.events if event.kind is EventKind.LEAVE]
    assert len(entered) == len(set(entered)) == decision.nodes == 16
    assert sorted(entered) == sorted(left)


@pytest.mark.parametrize(
    ("name", "reason", "instead"),
    [
        ("kuhn_poker", "do not see the whole position", ""),
        ("rock_paper_scissors", "at the same time", ""),
        ("aima_three_player", "has 3 players", "max^n"),
        ("centipede", "the other need not lose", "max^n"),
        ("expectiminimax", "chance", "expectiminimax"),
        ("nine_mens_morris", "return to an earlier position", "solve"),
    ],
)
def test_a_game_it_cannot_do_is_refused_with_the_reason(shipped, name, reason, instead):
    with pytest.raises(UnsupportedGameError, match=reason) as refusal:
        minimax_decision(shipped(name))
    assert instead in (refusal.value.instead or "")


def test_a_play_too_long_to_recurse_into_is_refused():
    with pytest.raises(UnsupportedGameError, match="more than 300 plies"):
        minimax_decision(gamedsl.load(THE_BOUNDLESS))
