"""What is out of reach is not begun; what is only declared large is."""

from __future__ import annotations

from contextlib import suppress

import pytest

from gamedsl import load
from gamedsl.game.accelerator import Refusal
from gamedsl.game.reading import read_play
from gamedsl.model.errors import GameRuleError
from gamedsl.solvers import planner
from gamedsl.solvers.graphs.graph import Exploration, OutOfBudgetError
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.reach import beyond_search, out_of_reach
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


@pytest.mark.parametrize("name", ["othello", "racing_kings"])
def test_solving_what_is_out_of_reach_is_not_begun(name, monkeypatch) -> None:
    monkeypatch.setattr(planner, "_solved_by_methods", None)
    monkeypatch.setattr(planner, "AT_ONCE", 50)
    found = solve(load(name))
    assert found.status is Status.OPEN
    assert found.positions < 100_000
    assert "out of reach: about 10^" in found.outcome


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
    assert "estimated from a random play" in found


def test_who_names_a_number_of_positions_gets_them_looked_at() -> None:
    found = solve(load("othello"), options=SolveOptions(max_positions=500))
    assert found.positions > 500


def test_python_stops_where_there_is_no_memory(monkeypatch) -> None:
    held = iter(range(0, 10**9, 10**7))
    monkeypatch.setattr("gamedsl.solvers.graphs.graph.resident_bytes", lambda: next(held))
    found = solve(load("hexapawn"), options=SolveOptions(max_bytes=10**7, searches=False))
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


def search_refused(name: str, room: int, most: int = 2_000, **parameters: str) -> str | None:
    """Why breadth-first search is hopeless with so much room, by so many positions."""
    game = load(name, **parameters)
    exploration = Exploration(game, game.initial_state())
    with suppress(OutOfBudgetError):
        exploration.run(most, None)
    accelerator = game.accelerator()
    assert not isinstance(accelerator, Refusal)
    return beyond_search(exploration.graph().states, accelerator.goals(), room)


@pytest.mark.parametrize("pegs", ["3", "4"])
def test_a_search_is_hopeless_where_the_cells_that_it_has_to_change_stand_still(pegs: str) -> None:
    assert search_refused("hanoi", 10**8, discs="12", pegs=pegs) is None
    refused = search_refused("hanoi", 10**8, discs="32", pegs=pegs)
    assert refused is not None
    assert "it changes 32 cells" in refused


def test_the_positions_before_a_solution_are_told_nearly() -> None:
    refused = search_refused("hanoi", 1, most=7_000, discs="30")
    assert refused is not None
    assert refused.startswith("very probably 10^13 positions or more")  # 3^30 = 2.1 * 10^14
    assert "unchanged in the first 7,000 positions, and each took 3 times" in refused


@pytest.mark.parametrize("name", ["fifteen_puzzle", "eight_puzzle", "pocket_cube", "lights_out"])
def test_a_search_in_which_all_is_moved_about_is_begun(name: str) -> None:
    assert search_refused(name, 1) is None


def test_a_goal_that_asks_nothing_of_single_cells_is_searched_for() -> None:
    counted = """players P
state:
    at[n in 1..40]: 0..2 = 0
move go(n in 1..40):
    require at[n] < 2 and all(at[m] == 2 for m in 1..n-1)
    at[n] += 1
end:
    if sum(at[n] for n in 1..40) == 80: P wins
endless: P loses
"""
    assert search_refused(counted, 1) is None


def test_a_puzzle_is_refused_at_once_and_tried_if_asked() -> None:
    game = load("hanoi", discs="40")
    found = solve(game, options=SolveOptions(searches=False))
    assert (found.status, found.positions) == (Status.OPEN, 0)
    assert "out of reach: very probably 10^18 positions" in found.outcome
    assert solve(game, options=SolveOptions(max_positions=100)).positions > 100
