"""The planner: which solver, what is refused, and what a solution says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import gamedsl
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.facts import PayoffSum
from gamedsl.reports.outcomes import outcome_words
from gamedsl.reports.solutions.as_json import solution_data
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.solvers import problem, sums
from gamedsl.solvers.decimals import decimals
from gamedsl.solvers.graphs import graph
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.requirements import Requirement, refuse_unless
from gamedsl.solvers.solution import Limit, Status


@pytest.mark.parametrize("name", ["kuhn_poker", "myerson_poker"])
def test_solvers_of_positions_refuse_hidden_information_with_the_reason(
    games: Any, name: str
) -> None:
    game = gamedsl.load(games / f"{name}.game")
    with pytest.raises(UnsupportedGameError, match="do not see the whole position") as caught:
        solve(game, options=SolveOptions(solver=SolverName.BACKWARD_INDUCTION))
    assert caught.value.instead is not None
    assert "where interests are opposed" in caught.value.instead


@pytest.mark.parametrize("name", ["beer_and_quiche", "kuhn_poker_several"])
def test_where_interests_are_not_opposed_solve_is_said_to_look_for_equilibria(name: str) -> None:
    with pytest.raises(UnsupportedGameError) as caught:
        gamedsl.search(name, "minimax")
    assert str(caught.value.instead).startswith("`solve` looks for equilibria")


def test_a_repetition_rule_is_solved_where_positions_with_histories_are_few() -> None:
    """On a triangle of states, a state may not recur: A is out of moves first."""
    game = gamedsl.load("""\
game "Round"
players A, B
state:
    at: 0..2 = 0
move go(k in 1..2):
    at = (at + k) % 3
repeat at: illegal
end:
    if stuck: turn loses
""")
    solution = solve(game)
    assert solution.status is Status.STRONG
    assert (solution.outcome, solution.plies) == ("B wins", 2)


def test_a_repetition_rule_leaves_a_game_open_with_the_reason_where_they_are_many(
    games: Any,
) -> None:
    solution = solve(
        gamedsl.load(games / "go.game", size=3), options=SolveOptions(max_positions=500)
    )
    assert solution.status is Status.OPEN
    assert "the `repeat` rule makes the history part of every position" in solution.outcome


def test_a_search_out_of_budget_claims_nothing(games: Any) -> None:
    solution = solve(
        gamedsl.load(games / "connect_small.game"), options=SolveOptions(max_positions=100)
    )
    assert solution.status is Status.OPEN
    assert (solution.value, solution.best, solution.solver) == (None, (), None)
    assert solution.positions > 100
    assert solution.outcome == "not solved"


def test_a_position_is_solved_from_there(games: Any) -> None:
    game = gamedsl.load(games / "nim.game")
    state = game.result(game.initial_state(), game.action_named(game.initial_state(), "take(1, 2)"))
    assert solve(game, state).outcome == "A wins"
    other = game.result(game.initial_state(), game.action_named(game.initial_state(), "take(1, 1)"))
    assert solve(game, other).outcome == "B wins"


def test_a_solution_answers_for_every_reachable_state(games: Any) -> None:
    game = gamedsl.load(games / "nim.game")
    solution = solve(game)
    state, plies = game.initial_state(), solution.plies
    assert plies is not None
    while not game.is_terminal(state):
        assert state in solution
        assert solution.remoteness(state) == plies
        assert solution.value_at(state) == (1, -1)
        action = solution.choice(state)
        assert action is not None
        best = [move for move in solution.moves_at(state) if move.is_best]
        assert (action, plies) in [(move.action, move.plies) for move in best]
        state, plies = game.result(state, action), plies - 1
    assert solution.choice(state) is None
    assert solution.moves_at(state) == ()


def test_a_state_of_another_game_is_not_in_a_solution(games: Any) -> None:
    solution = solve(gamedsl.load(games / "nim.game"))
    stranger = gamedsl.load(games / "tic_tac_toe.game").initial_state()
    assert stranger not in solution
    with pytest.raises(KeyError):
        solution.value_at(stranger)


def test_the_moves_of_nim_are_listed_with_their_values(games: Any) -> None:
    """Bouton 1901: only the move to (1, 4, 5) wins."""
    solution = solve(gamedsl.load(games / "nim.game"))
    assert solution.best == ("take(1, 2)",)
    assert {move.name: move.value[0] for move in solution.moves if move.is_best} == {
        "take(1, 2)": 1
    }
    assert len(solution.moves) == 12
    assert dict(solution.parameters) == {"sizes": "[3, 4, 5]"}


@pytest.mark.parametrize("solver", [SolverName.RETROGRADE, SolverName.SHORTEST_SOLUTION])
def test_a_solver_that_does_not_apply_is_refused(games: Any, solver: SolverName) -> None:
    with pytest.raises(UnsupportedGameError):
        solve(gamedsl.load(games / "pig.game", goal=3), options=SolveOptions(solver=solver))


def test_backward_induction_has_no_last_move_to_begin_with_in_a_cycle(games: Any) -> None:
    with pytest.raises(UnsupportedGameError, match="no last move to begin with"):
        solve(
            gamedsl.load(games / "pig.game", goal=3),
            options=SolveOptions(solver=SolverName.BACKWARD_INDUCTION),
        )


def test_a_game_of_several_players_has_no_retrograde_analysis(games: Any) -> None:
    game = gamedsl.load(games / "three_player_race.game", n=3)
    with pytest.raises(UnsupportedGameError, match="opposed interests"):
        solve(game, options=SolveOptions(solver=SolverName.RETROGRADE))


@pytest.mark.parametrize(
    ("requirement", "game", "is_met"),
    [
        (Requirement.PERFECT_INFORMATION, "kuhn_poker", False),
        (Requirement.PERFECT_INFORMATION, "nim", True),
        (Requirement.SEQUENTIAL, "rock_paper_scissors", False),
        (Requirement.SEQUENTIAL, "nim", True),
        (Requirement.DETERMINISTIC, "pig", False),
        (Requirement.DETERMINISTIC, "nim", True),
        (Requirement.ONE_PLAYER, "nim", False),
        (Requirement.ONE_PLAYER, "eight_puzzle", True),
        (Requirement.STRICTLY_COMPETITIVE, "three_player_race", False),
        (Requirement.STRICTLY_COMPETITIVE, "nim", True),
        (Requirement.STRICTLY_COMPETITIVE, "eight_puzzle", True),
    ],
)
def test_each_requirement_is_met_or_refused_in_one_sentence(
    games: Any, requirement: Requirement, game: str, is_met: bool
) -> None:
    loaded = gamedsl.load(games / f"{game}.game")
    if is_met:
        refuse_unless(loaded, frozenset({requirement}))
        return
    with pytest.raises(UnsupportedGameError) as caught:
        refuse_unless(loaded, frozenset({requirement}))
    assert loaded.name in caught.value.reason
    assert not caught.value.reason.endswith(".")


def test_what_was_seen_outweighs_what_the_rules_prove(written: Any) -> None:
    game = written.game([written.end(1, -1)])
    assert game.facts.payoff_sum is PayoffSum.GENERAL
    needs = frozenset({Requirement.STRICTLY_COMPETITIVE})
    refuse_unless(game, needs, seen={Requirement.STRICTLY_COMPETITIVE: True})
    with pytest.raises(UnsupportedGameError):
        refuse_unless(game, needs)


@pytest.mark.parametrize(
    ("payoffs", "words"),
    [
        ((0, 0), "draw"),
        ((1, -1), "X wins"),
        ((-1, 1), "O wins"),
        ((3, -3), "X wins 3"),
        (("-1/2", "1/2"), "O wins 1/2"),
        ((1, 0), "payoffs X: 1, O: 0"),
        ((1,), "X wins"),
        ((-1,), "X loses"),
        ((-2,), "payoffs X: -2"),
        ((1, 2, 6), "payoffs X: 1, O: 2, Z: 6"),
        ((0, 0, 0), "payoffs X: 0, O: 0, Z: 0"),
    ],
)
def test_payoffs_in_words(payoffs: tuple[Any, ...], words: str) -> None:
    names = ("X", "O", "Z")[: len(payoffs)]
    assert outcome_words(names, tuple(map(Fraction, payoffs))) == words


def test_only_decimals_that_are_certain_are_written() -> None:
    assert decimals(Fraction(1, 3), Fraction(0)) == "1/3"
    assert decimals(Fraction(1, 3), Fraction(1, 10**4)) == "≈0.333"
    assert decimals(Fraction(1, 3), Fraction(1, 10**30)) == "≈0.333333333333"


def test_a_sure_win_in_a_game_of_chance_is_a_win(written: Any) -> None:
    nodes = [
        written.move(0, 1, 2),
        written.chance(("1/2", 2), ("1/2", 3)),
        written.end(1, -1),
        written.end(-1, 1),
    ]
    assert solve(written.game(nodes)).outcome == "A wins"


def test_a_search_out_of_time_claims_nothing(games: Any) -> None:
    solution = solve(gamedsl.load(games / "tic_tac_toe.game"), options=SolveOptions(max_seconds=0))
    assert (solution.status, solution.value) == (Status.OPEN, None)
    assert solution.positions < 5478


def test_ways_to_solve_are_asked_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single player's histories may have no end: nobody asks for them who is not needed."""

    def no_form(_: Problem) -> None:
        raise AssertionError("the extensive form was made")

    monkeypatch.setattr(Problem, "form_analysis", property(no_form))
    assert solve(gamedsl.load("monty_hall")).value == (Fraction(2, 3),)


def test_both_beginnings_of_a_sum_share_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    times, given = iter((0.0, 0.0, 60.0)), []

    def timed(game: Any, state: Any, options: SolveOptions) -> Any:
        given.append(options.max_seconds)
        return solve(game, state, replace(options, max_seconds=None))

    monkeypatch.setattr(sums, "perf_counter", lambda: next(times))
    monkeypatch.setattr(sums, "solve", timed)
    assert gamedsl.sum_value("domineering", max_seconds=100).outcome == "R"
    assert given == [100, 40]


@pytest.mark.parametrize(
    ("limits", "usual", "words"),
    [
        ({"max_positions": 50}, 10**6, "as many as --max-positions allows"),
        ({"max_seconds": 0}, 10**6, "until the time was up (--time)"),
        ({}, 50, "as many as are looked at unless --max-positions names a number"),
    ],
)
def test_an_open_answer_says_which_limit_was_met(
    limits: dict[str, Any], usual: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problem, "usual_limit", lambda *_: usual)
    found = solve(gamedsl.load("tic_tac_toe", "interpreter"), options=SolveOptions(**limits))
    text = " ".join(solution_text(found, 0, None).split())
    assert found.status is Status.OPEN
    assert words in text
    assert text.count("--max-positions") + text.count("--time") <= 3
    assert solution_data(found)["limit"] == str(found.limit)


def test_a_limit_of_choices_made_at_once_is_no_limit_that_somebody_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(problem, "MOST_TOGETHER", 5)
    game = gamedsl.load("goofspiel", "interpreter")
    assert solve(game).limit is Limit.USUAL_POSITIONS
    assert solve(game, options=SolveOptions(max_positions=5)).limit is Limit.POSITIONS


def test_positions_behind_choices_made_at_once_are_no_choices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(problem, "MOST_TOGETHER", 1)
    game = gamedsl.load("matching_pennies", "interpreter")
    assert solve(game).status is Status.STRONG


def test_a_first_look_that_takes_long_ends_where_native_code_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(problem, "WORTH_WAITING", -1)
    monkeypatch.setattr(graph, "REPORT_EVERY", 1)
    solution = solve(gamedsl.load("tic_tac_toe"))
    assert solution.solver is SolverName.NATIVE_INDUCTION
    assert solution.positions == 5478
    assert solve(gamedsl.load("tic_tac_toe", "interpreter")).solver.slug == "backward-induction"
