"""Shortest solutions against the solved graph."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gamedsl
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.solvers import problem
from gamedsl.solvers.exact import puzzle
from gamedsl.solvers.exact.puzzle import shortest_solution
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status

SLIDING = """\
game "Sliding 3 x 2"
players Solver
board 3 wide 2 high
directions N, E, S, W
state:
    tile[square]: 0..5 = diagram
        4 5 0
        1 2 3
move slide(d in directions):
    let hole = first(s for s in square where tile[s] == 0)
    let from = hole + d
    require from != none
    tile[hole] = tile[from]
    tile[from] = 0
end:
    if all(tile[s] == column(s) - 1 + 3*(2 - row(s)) for s in square): Solver wins
endless: Solver loses
"""

LOST = """\
game "Nine counters"
players P
state:
    left: 0..9 = 9
move take(n in 1..3):
    require n <= left
    left -= n
end:
    if stuck: P loses
"""


@given(
    st.lists(st.lists(st.integers(0, 11), min_size=1, max_size=3), min_size=12, max_size=12),
    st.sets(st.integers(1, 11)),
)
def test_breadth_first_search_agrees_with_the_solved_graph(
    written: Any, successors: Any, goals: set[int]
) -> None:
    nodes = [
        written.end(1) if node in goals else written.move(0, *below)
        for node, below in enumerate(successors)
    ]
    game = written.game([*nodes, written.end(-1)], 1, (Fraction(-1),))
    strong = solve(game, options=SolveOptions(solver=SolverName.RETROGRADE))
    weak = solve(game, options=SolveOptions(solver=SolverName.SHORTEST_SOLUTION))
    assert (weak.value, weak.plies, weak.best) == (strong.value, strong.plies, strong.best)
    assert (weak.progress, weak.undecided) == (strong.progress, ())
    assert weak.status is (Status.WEAK if strong.value == (1,) else Status.STRONG)


def test_a_large_puzzle_is_solved_from_its_start_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gamedsl.load(SLIDING, "python")
    strong = solve(game)
    monkeypatch.setattr(problem, "SMALL_PUZZLE", 50)
    monkeypatch.setattr(problem, "LARGE_PUZZLE", 50)
    weak = solve(game)
    assert (strong.status, weak.status) == (Status.STRONG, Status.WEAK)
    assert strong.positions == 360
    assert weak.solver is SolverName.SHORTEST_SOLUTION
    assert (weak.value, weak.plies, weak.best) == (strong.value, strong.plies, strong.best)
    assert len(weak.principal_variation) == weak.plies
    assert weak.outcome == "Solver wins"


def test_the_line_of_a_solution_ends_in_a_solved_position() -> None:
    game = gamedsl.load(SLIDING)
    found = shortest_solution(game)
    assert found is not None
    state = game.initial_state()
    for action in found.line:
        state = game.result(state, action)
    assert game.utilities(state) == (found.payoff,)


def test_a_puzzle_without_a_best_ending_is_left_to_the_graph(written: Any) -> None:
    game = written.game([written.move(0, 0, 1), written.end(-1)], 1, (Fraction(0),))
    assert shortest_solution(game) is None
    assert solve(game).outcome == "endless draw"
    assert (
        solve(game, options=SolveOptions(solver=SolverName.SHORTEST_SOLUTION)).outcome
        == "endless draw"
    )


def test_a_first_move_that_costs_too_much_to_follow_is_left_undecided(
    written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Move 0 solves it at once; behind move 1 lies a long corridor to the same end."""
    monkeypatch.setattr(puzzle, "FEW_STATES", 10)
    corridor = [written.move(0, node + 1) for node in range(2, 30)]
    game = written.game([written.move(0, 1, 2), written.end(1), *corridor, written.end(1)], 1)
    found = solve(game, options=SolveOptions(solver=SolverName.SHORTEST_SOLUTION))
    assert (found.best, found.progress, found.undecided) == (("0.0",), ("0.0",), ("0.1",))
    text = solution_text(found, 0, None)
    assert "whether 0.1 is as good" in text


def test_a_puzzle_that_cannot_be_won_is_no_search_for_a_solution() -> None:
    """Nine counters, one to three at a time, and whoever is stuck loses: delaying takes nine."""
    game = gamedsl.load(LOST)
    assert shortest_solution(game) is None
    for solver in (None, SolverName.SHORTEST_SOLUTION, SolverName.RETROGRADE):
        solution = solve(game, options=SolveOptions(solver=solver))
        assert (solution.outcome, solution.plies) == ("P loses", 9)
        assert solution.best == ("take(1)", "take(2)", "take(3)")
        assert solution.progress == ("take(1)",)
        assert ["longest", "take(1)"] in map(
            str.split, solution_text(solution, 0, None).split("\n")
        )


@pytest.mark.parametrize("endless", ["P loses", "draw"])
def test_what_endless_play_is_worth_does_not_hurry_a_loser_who_cannot_have_it(endless: str) -> None:
    assert solve(gamedsl.load(LOST + f"endless: {endless}\n")).plies == 9


def test_a_solved_puzzle_needs_no_move(written: Any) -> None:
    found = shortest_solution(written.game([written.end(1)], 1))
    assert found is not None
    assert (found.line, found.first_actions) == ((), ())


def test_only_puzzles_have_shortest_solutions(games: Any) -> None:
    with pytest.raises(UnsupportedGameError, match="has 2 players"):
        shortest_solution(gamedsl.load(games / "nim.game"))


def test_a_search_says_how_far_it_has_got(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle, "REPORT_EVERY", 5)
    told: list[tuple[int, int]] = []
    shortest_solution(gamedsl.load(SLIDING), progress=lambda *numbers: told.append(numbers))
    assert [expanded for expanded, _ in told] == [5 * n for n in range(1, len(told) + 1)]
    assert len(told) > 3
    assert all(waiting > 0 for _, waiting in told)


def test_a_search_beyond_its_budget_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gamedsl.load(SLIDING)
    with pytest.raises(OutOfBudgetError):
        shortest_solution(game, max_positions=20)
    assert solve(game, options=SolveOptions(max_positions=20)).status is Status.OPEN
    monkeypatch.setattr(problem, "SMALL_PUZZLE", 10)
    monkeypatch.setattr(problem, "LARGE_PUZZLE", 10)
    assert solve(game, options=SolveOptions(max_positions=5)).status is Status.OPEN
    found = solve(
        game, options=SolveOptions(max_positions=20)
    )  # pattern databases lead straight to the end
    assert found.status is Status.WEAK
    assert found.positions <= 20


def test_a_first_move_after_which_nothing_can_be_had_is_no_detour() -> None:
    game = gamedsl.load("""players P
state:
    at: 0..6 = 0
move right:
    require at < 3
    at += 1
move fall:
    require at < 4
    at = 4
move crawl:
    require at in {0, 4, 5}
    at = 6 if at == 0 else 9 - at
move climb:
    require at == 6
    at = 0
end:
    if at == 3: P wins
endless: P loses
""")
    found = shortest_solution(game)
    assert found is not None
    names = [
        [game.action_name(game.initial_state(), one) for one in actions]
        for actions in (found.line, found.first_actions, found.detours, found.undecided)
    ]
    assert names == [["right", "right", "right"], ["right"], ["crawl"], []]
