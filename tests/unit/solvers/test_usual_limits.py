"""Where nobody names a limit, fewer positions are looked at where states are large."""

from __future__ import annotations

import contextlib

import pytest

import gamedsl
from gamedsl.conformance import explore
from gamedsl.game.game import LoadedGame
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.solvers import reach
from gamedsl.solvers.graphs.graph import (
    DEFAULT_MAX_POSITIONS,
    MOST_CELLS,
    REPORT_EVERY,
    Exploration,
    OutOfBudgetError,
    usual_limit,
)
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.reach import PLAYS, random_sample
from gamedsl.solvers.solution import Status


def test_the_limit_is_a_number_of_positions_or_of_their_cells() -> None:
    assert usual_limit(gamedsl.load("nim", sizes=[1]).initial_state()) == DEFAULT_MAX_POSITIONS
    large = gamedsl.load("cram", width=40, height=50).initial_state()
    assert usual_limit(large) == MOST_CELLS // len(large.cells) <= 2_000
    assert usual_limit(large, 10) == 10


def test_a_game_of_large_states_is_left_open_soon_and_a_limit_that_is_named_counts() -> None:
    game = gamedsl.load("cram", "python", width=20, height=20)
    found = solve(game)
    assert found.status is Status.OPEN
    assert found.positions <= MOST_CELLS // 400 + 800
    assert (
        solve(game, options=SolveOptions(max_positions=20_000)).positions > MOST_CELLS // 400 + 800
    )


def test_a_limit_holds_where_one_position_has_many_thousands_of_moves() -> None:
    game = gamedsl.load("nim", sizes=[1, 40_000, 5])
    assert solve(game, options=SolveOptions(max_positions=2_000)).status is Status.OPEN


def test_check_looks_at_fewer_positions_of_large_states() -> None:
    seen = explore(gamedsl.load("cram", width=20, height=20), plays=5)
    assert seen.positions + seen.waiting <= 10_000_000 // 400 + 800
    assert not seen.diagnostics


def _counting_results(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One number for each action that a game is asked to carry out from now on."""
    done: list[int] = []
    plain = LoadedGame.result

    def result(self, state, action):
        done.append(len(state.cells))
        return plain(self, state, action)

    monkeypatch.setattr(LoadedGame, "result", result)
    return done


def test_a_position_of_more_choices_than_the_limit_is_left_before_any_is_made(monkeypatch) -> None:
    done = _counting_results(monkeypatch)
    game = gamedsl.load("goofspiel", n=300)
    found = solve(game)
    assert found.status is Status.OPEN
    assert found.positions == 1
    assert not done
    assert (
        solve(gamedsl.load("goofspiel", n=2), options=SolveOptions(max_positions=3)).positions > 3
    )


def test_check_carries_out_no_more_joint_choices_than_their_cells_allow(monkeypatch) -> None:
    done = _counting_results(monkeypatch)
    seen = explore(gamedsl.load("goofspiel", n=100), plays=0)
    assert not seen.is_complete
    assert sum(done) <= 2 * 2_000_000 + 200


def test_random_plays_carry_out_one_action_a_ply_and_end_when_much_was_seen(monkeypatch) -> None:
    done = _counting_results(monkeypatch)
    for name, parameters in (("othello", {}), ("kalah", {"pits": 40})):
        game = gamedsl.load(name, **parameters)
        done.clear()
        sample = random_sample(game, game.initial_state())
        assert sample.plays == PLAYS
        assert len(done) <= PLAYS * sample.plies
    monkeypatch.setattr(reach, "MOST_SEEN", 2_000)
    done.clear()
    sample = random_sample(game, game.initial_state())
    assert sample.plays < PLAYS
    assert sample.is_cut
    assert 0 < sum(done) <= 2_000 + len(game.initial_state().cells)


def test_progress_is_told_after_each_position_where_positions_are_dear() -> None:
    told: list[int] = []
    for game in (gamedsl.load("kalah", pits=100), gamedsl.load("nim")):
        told.clear()
        exploration = Exploration(game, game.initial_state())
        with contextlib.suppress(OutOfBudgetError):
            exploration.run(600, lambda explored, _: told.append(explored))
        step = 1 if game.facts.action_count > 50 else REPORT_EVERY
        assert told[:3] == [step, 2 * step, 3 * step]


def test_an_initial_value_is_worked_out_once_where_no_index_stands_in_it(monkeypatch) -> None:
    asked = []
    plain = Elaborator.constant

    def constant(self, written, scope):
        asked.append(written)
        return plain(self, written, scope)

    monkeypatch.setattr(Elaborator, "constant", constant)
    text = """players A
state:
    s[n in 1..50]: 0..100 = {}
move go: s[1] = 1
end:
    if s[1] == 1: draw
"""
    game = gamedsl.load(text.format("7"))
    few = len(asked)
    assert game.initial_state().cells == (7,) * 50
    assert gamedsl.load(text.format("2 * n")).initial_state().cells == tuple(range(2, 101, 2))
    assert few < 10 < 50 <= len(asked) - few
