"""The best moves of a position, proved or estimated."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

import gamedsl
from gamedsl.game.reading import read_play
from gamedsl.model import UnsupportedGameError
from gamedsl.reports.solutions.best_moves import best_moves_text
from gamedsl.solvers.advice.adviser import Adviser
from gamedsl.solvers.advice.best_moves import best_moves, moves_of_equilibrium
from gamedsl.solvers.montecarlo.uct import uct_search


def played(game, *names):
    return read_play(game, game.initial_state(), " ".join(names))[1]


def found(game, state=None, max_positions=10_000, budget=100):
    return best_moves(game, state, max_positions=max_positions, budget=budget, rng=Random(1))


def test_every_best_move_has_a_line_that_ends_the_game(shipped):
    game = shipped("hexapawn")
    answer = found(game)
    assert answer.is_proved
    for move in answer.moves:
        state = game.initial_state()
        for name in move.line:
            state = game.result(state, game.action_named(state, name))
        assert len(move.line) == move.plies
        assert game.utilities(state) == move.value


def test_a_puzzle_solved_weakly_has_the_line_that_was_found(shipped):
    answer = found(shipped("hanoi"))
    assert answer.is_proved
    assert answer.moves[0].plies == len(answer.moves[0].line)


def test_an_estimate_uses_evaluate_where_the_file_has_it(shipped):
    answer = found(shipped("othello_small"), max_positions=10)
    assert answer.estimate.algorithm == "alpha-beta"
    assert "more than 10 positions" in answer.why_estimate


def test_an_estimate_simulates_plays_elsewhere(shipped):
    for name in ("connect_four", "pig"):
        answer = found(shipped(name), max_positions=10)
        assert answer.estimate.algorithm == "UCT"
        assert not answer.is_proved


def test_a_proof_by_search_is_no_estimate(shipped):
    game = shipped("othello_small")
    state = game.initial_state()
    for _ in range(8):
        state = game.result(state, game.legal_actions(state)[0])
    answer = found(game, state, max_positions=2, budget=100_000)
    assert answer.is_proved
    assert answer.estimate.is_exact


def test_a_chance_event_that_cannot_be_solved_has_no_best_move(shipped):
    game = shipped("pig")
    state = game.result(game.initial_state(), game.action_named(game.initial_state(), "roll"))
    with pytest.raises(ValueError, match="nobody is to move"):
        found(game, state, max_positions=10)


def test_secrets_are_another_question(shipped):
    with pytest.raises(UnsupportedGameError, match="do not see the whole position"):
        found(shipped("kuhn_poker"))


def test_an_answer_is_no_weaker_than_what_solving_proves(shipped):
    game = shipped("connect_small", width="4", height="4")
    assert best_moves(game, seconds=600, rng=Random(1)).is_proved


def test_a_win_is_taken_and_a_threat_is_answered(shipped):
    game = shipped("connect_four")
    win = played(game, "4 1 4 1 4 2")
    assert found(game, win, max_positions=10, budget=300).moves[0].name == "drop(4)"
    threat = played(game, "4 1 4 1 4")
    assert found(game, threat, max_positions=10, budget=300).moves[0].name == "drop(4)"


def test_a_move_that_loses_at_once_is_not_tried(shipped):
    game = shipped("connect_four")
    threat = played(game, "4 1 4 1 4")
    decision = Adviser(game, Random(1)).estimate(threat, budget=2_000)
    assert [move.name for move in decision.moves] == ["drop(4)"]


def test_without_any_limit_there_is_no_estimate(shipped):
    with pytest.raises(ValueError, match="has a limit"):
        best_moves(shipped("nim"), rng=Random(1))


def test_the_clock_ends_an_estimate(shipped):
    ticks = iter(range(1_000))
    game = shipped("connect_four")
    decision = uct_search(game, seconds=20, rng=Random(1), clock=lambda: next(ticks))
    assert decision.nodes == 20


@pytest.mark.parametrize("name", ["connect_four", "othello_small"])
def test_an_estimate_is_told_for_the_player_to_move(shipped, name):
    game = shipped(name)
    state = game.result(game.initial_state(), game.legal_actions(game.initial_state())[0])
    answer = found(game, state, max_positions=2, budget=60)
    text = best_moves_text(game, state, answer)
    told = [line for line in text.splitlines() if line.startswith(("value", "  "))]
    assert all(f"{game.players[1]!r}: " in line for line in told if "(not" not in line)


def test_a_time_that_went_into_compiling_is_told(shipped):
    game = shipped("othello_small")
    state = game.initial_state()
    answer = found(game, state, max_positions=2, budget=60)
    waited = replace(answer, preparing=2.0, is_compiled=True)
    texts = [waited, replace(waited, is_compiled=False), replace(answer, preparing=0.2)]
    once, on, none = (" ".join(best_moves_text(game, state, text).split()) for text in texts)
    assert "; compiling took 2.00 s of the time, once for each game" in once
    assert "; compiling took 2.00 s of the time and was not over (--time)" in on
    assert "compiling" not in none


def test_a_proof_has_all_of_the_time_where_no_estimate_can_follow(shipped, monkeypatch):
    given = []
    monkeypatch.setattr(Adviser, "solve", lambda _self, _root, seconds, _: given.append(seconds))
    for game in (gamedsl.load("craps_throws", "interpreter"), shipped("pig")):
        with suppress(UnsupportedGameError):
            best_moves(game, seconds=10, budget=5, rng=Random(1))
    assert given == [10, 6]


def test_a_budget_is_enough_where_rewards_are_paid_on_the_way():
    """Plays in Python do not count them; machine code is compiled for any budget."""
    answer = best_moves(gamedsl.load(PAID_LONG), budget=20, max_positions=9, rng=Random(1))
    assert answer.estimate is not None
    assert answer.estimate.nodes == 20


PAID_LONG = """game "Paid"
players A, B
state:
    left: 0..30 = 30
    sum: 0..400 = 0
move take(n in 1..3):
    require n <= left
    reward turn: n
    left -= n
    sum = (sum * 3 + n) % 401
end:
    if left == 0: draw
"""


AT_ONCE = """game "At once"
players Ann, Bob
state:
    card[p in players]: 1..2 secret to p
    bid[players]: 0..2 = 0
setup:
    for p in players: chance card[p] in 1..2
simultaneous offer(n in 1..2): bid[me] = n
end:
    if bid[Ann] > 0: payoff p: card[p] * bid[p] - bid[other(p)]
"""


def test_before_the_deal_choices_are_told_player_by_player():
    game = gamedsl.load(AT_ONCE)
    best = moves_of_equilibrium(game, gamedsl.solve(game), ((game.initial_state(), None),))
    assert [local.player for local in best.mixed] == [0, 0, 1, 1]
