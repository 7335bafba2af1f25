"""Expectiminimax: exact averages; Star1 and Star2 find the same."""

from __future__ import annotations

from fractions import Fraction

import pytest

import gamedsl
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.planner import solve
from gamedsl.solvers.textbook.expectiminimax import expectiminimax_decision
from gamedsl.solvers.textbook.minimax import minimax_decision
from gamedsl.solvers.textbook.star import star1_decision, star2_decision
from gamedsl.solvers.textbook.trace import EventKind, Trace
from tests.generation.explicit_trees import Shape

DICE = Shape(has_chance=True, depth=5)


def coin(sure: str, heads: str, tails: str, chance: str = "1/2") -> str:
    """MAX takes a sure payoff, or tosses a coin."""
    rest = 1 - Fraction(chance)
    return (
        f'game "Coin"\nplayers MAX, MIN\n\ntree:\n    MAX:\n        sure -> {sure}\n'
        f"        toss -> chance:\n            {chance} heads -> {heads}\n"
        f"            {rest} tails -> {tails}\n"
    )


@pytest.mark.parametrize(
    ("sure", "heads", "tails", "chance", "best", "value"),
    [
        ("1/2", "0", "8/10", "1/2", "sure", "1/2"),
        ("1/3", "0", "8/10", "1/2", "toss", "2/5"),
        ("6/10", "1", "1", "1/2", "toss", "1"),
        ("3/10", "0", "1", "2/3", "toss", "1/3"),
        ("-1/2", "0", "-8/10", "1/2", "toss", "-2/5"),
        ("1/2", "0", "2", "3/4", "sure", "1/2"),
    ],
)
@pytest.mark.parametrize("decide", [expectiminimax_decision, star1_decision, star2_decision])
def test_a_sure_thing_or_a_coin(decide, sure, heads, tails, chance, best, value):
    decision = decide(gamedsl.load(coin(sure, heads, tails, chance)))
    assert decision.value == Fraction(value)
    assert decision.line == (best,)


@pytest.mark.parametrize("seed", range(60))
def test_star1_and_star2_find_the_value_of_expectiminimax(random_tree, seed):
    game = random_tree(seed, DICE)
    plain = expectiminimax_decision(game)
    assert plain.value == solve(game).value[0]
    for decide in (star1_decision, star2_decision):
        pruned = decide(game)
        assert pruned.value == plain.value
        assert pruned.line[0] in plain.best


@pytest.mark.parametrize("seed", range(30))
def test_star1_visits_no_more_leaves(random_tree, seed):
    game = random_tree(seed, DICE)
    assert star1_decision(game).leaves <= expectiminimax_decision(game).leaves


def test_the_stars_do_cut(random_tree):
    trees = [random_tree(seed, DICE) for seed in range(30)]
    plain = sum(expectiminimax_decision(game).leaves for game in trees)
    star1 = sum(star1_decision(game).leaves for game in trees)
    star2 = sum(star2_decision(game).leaves for game in trees)
    print(f"leaves: expectiminimax {plain}, star1 {star1}, star2 {star2}")
    assert star1 < plain


def test_without_chance_it_is_minimax(shipped):
    game = shipped("sequential_rochambeau")
    assert expectiminimax_decision(game).value == minimax_decision(game).value == -1


def test_a_chance_node_cuts_where_its_bounds_leave_the_window():
    game = gamedsl.load(coin("1/2", "-1", "1", "9/10"))
    trace = Trace()
    star1_decision(game, observer=trace)
    (cut,) = (event for event in trace.events if event.kind is EventKind.CUT)
    assert [game.action_name(cut.state, action) for action in cut.pruned] == ["tails"]
    assert cut.value == Fraction(-9, 10) + Fraction(1, 10)


def test_one_player_against_chance(shipped):
    game = shipped("tic_tac_toe_random")
    state = game.initial_state()
    while len(game.legal_actions(state) or (0, 0)) > 5 or game.current_player(state) < 0:
        outcomes = game.chance_outcomes(state) if game.current_player(state) < 0 else None
        action = outcomes[0][0] if outcomes else game.legal_actions(state)[0]
        state = game.result(state, action)
    assert expectiminimax_decision(game, state).value == solve(game, state).value[0]


@pytest.mark.parametrize("name", ["kuhn_poker", "aima_three_player", "pig"])
def test_a_game_it_cannot_do_is_refused(shipped, name):
    with pytest.raises(UnsupportedGameError):
        expectiminimax_decision(shipped(name))


def test_an_outcome_that_a_probe_has_settled_is_not_called_cut(shipped):
    game, trace = shipped("expectiminimax"), Trace()
    star2_decision(game, observer=trace)
    cuts = [event for event in trace.events if event.kind is EventKind.CUT]
    pruned = [game.action_name(cut.state, action) for cut in cuts for action in cut.pruned]
    assert pruned == ["high"]


def test_a_play_of_many_rolls_is_searched_to_the_end() -> None:
    game = gamedsl.load(
        "players A, B\nstate:\n    n: 0..149 = 0\nmove go:\n    chance c in 1..1\n    n += c\n"
        "end:\n    if n == 149: A wins\n"
    )
    assert expectiminimax_decision(game).value == 1
