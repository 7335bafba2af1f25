"""Breadth-first search by layers, run as plain Python: what the search over the contract finds."""

from __future__ import annotations

from itertools import count

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import SearchLimits, ShortestPlay
from gamedsl.model import GameRuleError, UnsupportedGameError
from gamedsl.solvers.exact.puzzle import is_to_be_found, of_play, shortest_solution
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.puzzles import layers
from gamedsl.solvers.kernels.puzzles.layers import KernelDepthFirst, KernelLayers, any_play
from tests.unit.solvers.kernels.solving import random_race

WIDE = 'game "Wide"\nplayers P\n\nstate:\n    at: 0..90 = 0\n\nmove go(n in 1..70):\n'
WIDE += "    at = (at + n) % 91\n\nend:\n    if at in {75, 80}: P wins\nendless: P loses\n"
DEAD_END = 'game "Dead end"\nplayers P\n\nstate:\n    at: 0..9 = 0\n\nmove go(n in 1..3):\n'
DEAD_END += "    at = min(9, at + n)\n\nend:\n    if at == 5: P wins\n    if at == 9: P loses\n"
LOST = DEAD_END.replace("at == 5", "at == 5 and at == 6")
FAILING = DEAD_END.replace("min(9, at + n)", "at + 2 * n")


def play_of(game: LoadedGame, **limits: int) -> ShortestPlay:
    assert isinstance(game.engine, CompiledEngine)
    return KernelLayers(game.engine, native=False).solve(
        game.initial_state(), SearchLimits(**limits)
    )


def agrees(game: LoadedGame) -> bool:
    found = of_play(game, game.initial_state(), play_of(game))
    return found == shortest_solution(game)


@pytest.fixture
def _in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that grow often, and slices that end often."""
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 1)
    monkeypatch.setattr(transposition_table, "SLICE", 3)


def test_a_random_circle_has_the_shortest_solution_that_python_finds() -> None:
    won = 0
    for seed in count(200):
        game = gamedsl.load(random_race(seed, returns=True, alone=True), "python")
        if is_to_be_found(game) and not game.is_terminal(game.initial_state()):
            won += shortest_solution(game) is not None
            assert agrees(game), seed
        if won == 20:
            break


@pytest.mark.parametrize("text", ["hanoi", "lights_out", WIDE, DEAD_END])
@pytest.mark.usefixtures("_in_small_steps")
def test_a_puzzle_has_the_shortest_solution_that_python_finds(text: str) -> None:
    game = gamedsl.load(text, "python")
    assert shortest_solution(game) is not None
    assert agrees(game)


def test_layers_hold_the_positions_at_each_distance() -> None:
    assert play_of(gamedsl.load(DEAD_END, "python")).layers == (1, 3, 3)
    assert play_of(gamedsl.load(LOST, "python")).layers == (1, 3, 3, 3)


def test_a_puzzle_without_a_solution_has_no_line() -> None:
    game = gamedsl.load(LOST, "python")
    found = play_of(game)
    assert (found.line, found.firsts, found.explored, found.endings) == (None, (), 10, 1)
    assert of_play(game, game.initial_state(), found) is None


@pytest.mark.parametrize("attempts", [(5_000,), (2, 4, 5_000)])
@pytest.mark.parametrize("text", ["hanoi", "lights_out", WIDE, DEAD_END, LOST])
@pytest.mark.usefixtures("_in_small_steps")
def test_depth_first_search_plays_to_the_best_payoff_in_any_order_of_actions(
    text: str, attempts: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layers, "DEEP", attempts)
    game = gamedsl.load(text, "python")
    state, best = game.initial_state(), game.facts.utility_bounds[1]
    play = any_play(game.engine, state, native=False)  # type: ignore[arg-type]
    if text == LOST:
        assert (play.line, play.explored) == (None, 10)
        return
    assert play.line is not None
    for action in play.line:
        assert action in game.legal_actions(state)
        state = game.result(state, action)
    assert game.utility(state, 0) == best


SQUARE = """game "Latin square"
players P
board 4 wide 4 high
state:
    mark[square]: 0..4 = 0
move write(s in square, n in 1..4):
    require mark[s] == 0
    require all(mark[t] != n for t in square where row(t) == row(s) or column(t) == column(s))
    mark[s] = n
end:
    if all(mark[s] != 0 for s in square): P wins
    if stuck: P loses
"""


def test_the_guess_that_cells_are_to_be_filled_meets_a_solution_sooner() -> None:
    game = gamedsl.load(SQUARE, "python")
    assert isinstance(game.engine, CompiledEngine)
    search, explored = KernelDepthFirst(game.engine, native=False), {}
    for search.fills in (True, False):
        play = search.solve(game.initial_state(), SearchLimits(positions=5_000))
        assert play.line is not None
        explored[search.fills] = play.explored
    assert explored[True] < explored[False] / 2


@pytest.mark.parametrize(("goal", "is_met"), [("mark[a1] == 0", True), ("mark[a1] > 3", False)])
def test_a_guess_that_leads_nowhere_is_no_proof(goal: str, is_met: bool) -> None:
    """The cells are not to be filled."""
    text = SQUARE.replace("4", "2").replace("all(mark[s] != 0 for s in square)", "TOLD")
    game = gamedsl.load(text.replace("TOLD", f"mark[b2] == 2 and {goal}"), "python")
    play = any_play(game.engine, game.initial_state(), native=False)  # type: ignore[arg-type]
    assert (play.line is not None) is is_met


@pytest.mark.parametrize("estimate", ["at - 9999", "1 % (at - 1)"])
def test_an_estimate_of_payoffs_is_no_distance(estimate: str) -> None:
    """It may be negative, or fail: it is not asked."""
    game = gamedsl.load(DEAD_END + f"evaluate p: {estimate}\n", "python")
    play = any_play(game.engine, game.initial_state(), native=False)  # type: ignore[arg-type]
    assert play.line == (0, 2, 0)


def test_numbers_that_do_not_fit_above_the_key_get_room_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted = play_of(gamedsl.load(WIDE, "python"))
    monkeypatch.setattr(KernelLayers, "least_room", 3)
    assert play_of(gamedsl.load(WIDE, "python")) == wanted


def test_the_search_stops_at_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 100)
    game = gamedsl.load("hanoi", "python", discs="5")
    with pytest.raises(OutOfBudgetError):
        play_of(game, positions=20)
    with pytest.raises(OutOfMemoryError):
        play_of(gamedsl.load("lights_out", "python"), bytes=10_000)


def test_rules_that_fail_are_an_error_of_the_game() -> None:
    with pytest.raises(GameRuleError, match="`at` can reach"):
        play_of(gamedsl.load(FAILING, "python"))


def test_two_players_have_no_shortest_solution() -> None:
    game = gamedsl.load("nim", "python")
    assert isinstance(game.engine, CompiledEngine)
    with pytest.raises(UnsupportedGameError, match="one player only"):
        KernelLayers(game.engine, native=False)
