"""What is out of reach is not begun; what is only declared large is."""

from __future__ import annotations

import pytest

from gamedsl import load
from gamedsl.game.reading import read_play
from gamedsl.model.errors import GameRuleError
from gamedsl.solvers import planner
from gamedsl.solvers.planner import solve
from gamedsl.solvers.reach import out_of_reach
from gamedsl.solvers.solution import Status

SPARSE = """game "Sparse"
players A, B
board 10 wide 10 high
state:
    at: square = a1
    met[s in square]: empty | players = empty
move go(d in {N, E}):
    require at + d != none
    at = at + d
    for s in square: met[s] = turn
end:
    if stuck: turn loses
"""
"""So many cells that a bound is hopeless, and few positions."""


@pytest.mark.parametrize("name", ["othello", "racing_kings", "horde"])
def test_solving_what_is_out_of_reach_is_not_begun(name, monkeypatch) -> None:
    monkeypatch.setattr(planner, "Survey", None)
    found = solve(load(name))
    assert found.status is Status.OPEN
    assert found.positions == 0
    assert "out of reach: its size is of the order of 10^" in found.outcome


def test_declarations_alone_are_no_reason() -> None:
    game = load(SPARSE)
    assert game.facts.state_bound > 10**20
    assert out_of_reach(game, game.initial_state()) is None
    assert solve(game).status is Status.STRONG


def test_what_has_been_solved_elsewhere_is_tried() -> None:
    for name in ("dobutsu_shogi", "connect_four", "nine_mens_morris", "teeko"):
        game = load(name)
        assert out_of_reach(game, game.initial_state()) is None


def test_out_of_time_one_random_play_is_enough() -> None:
    game = load("othello")
    found = out_of_reach(game, game.initial_state(), seconds=0)
    assert found is not None
    assert "by a random play" in found


def test_who_names_a_number_of_positions_gets_them_looked_at() -> None:
    found = solve(load("othello"), max_positions=500)
    assert found.positions > 500


def test_python_stops_where_there_is_no_memory(monkeypatch) -> None:
    held = iter(range(0, 10**9, 10**7))
    monkeypatch.setattr("gamedsl.solvers.graphs.graph.resident_bytes", lambda: next(held))
    found = solve(load("hexapawn"), max_bytes=10**7)
    assert found.status is Status.OPEN
    assert "no memory for more" in found.outcome


def test_rules_that_fail_in_a_random_play_fail_with_that_play() -> None:
    counted = SPARSE.replace("state:", "state:\n    n: 0..2 = 0")
    game = load(counted.replace("    at = at + d", "    n = n + 1\n    at = at + d"))
    with pytest.raises(GameRuleError) as raised:
        out_of_reach(game, game.initial_state())
    (note,) = raised.value.__notes__
    play = note.removeprefix("the play that leads there: ")
    assert read_play(game, game.initial_state(), play)[1] == raised.value.state
