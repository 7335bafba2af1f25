"""The best moves of a position, proved or estimated."""

from __future__ import annotations

from random import Random

import pytest

from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.best_moves import best_moves


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


def test_secrets_are_refused(shipped):
    with pytest.raises(UnsupportedGameError, match="do not see the whole position"):
        found(shipped("kuhn_poker"))
