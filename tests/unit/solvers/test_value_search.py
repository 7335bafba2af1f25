"""`solve --goal value`: what a search of one position says, the search being plain Python here."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import NativeMode, Payoffs, PositionSearch
from gamedsl.game.contract import Game
from gamedsl.model.errors import GameRuleError
from gamedsl.model.facts import UNKNOWN
from gamedsl.model.state import State
from gamedsl.reports.solutions.as_json import solution_data
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.reports.solutions.sentences import progress_words, proved_words
from gamedsl.solvers import problem
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.kernels import accelerator
from gamedsl.solvers.kernels.search import alpha_beta, proof_number
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.running import value_search
from gamedsl.solvers.running.proved import keeps
from gamedsl.solvers.solution import Goal, Solution, Status
from gamedsl.solvers.verdicts import Bounds, Progressed

RING = 'game "Ring"\nplayers A, B\n\nstate:\n    at: 0..59 = 0\n\nmove go(n in {2, 4}):\n'
RING += "    at = (at + n) % 60\n\nend:\n    if at == 59: turn loses\nendless: draw\n"


@pytest.fixture(autouse=True)
def _in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel is not compiled, and used after a look at twenty positions."""
    kernel = partial(alpha_beta.KernelAlphaBeta, native=False)
    monkeypatch.setattr(accelerator, "KernelAlphaBeta", kernel)
    prover = partial(proof_number.KernelProofNumber, native=False)
    monkeypatch.setattr(accelerator, "KernelProofNumber", prover)
    monkeypatch.setattr(LoadedGame, "native_mode", NativeMode.WHEN_LARGE)
    monkeypatch.setattr(accelerator.KernelAccelerator, "refusal", lambda *_: None)
    monkeypatch.setattr(problem, "WORTH_COMPILING", 20)
    monkeypatch.setattr(alpha_beta, "SLICE", 10)


def load_plain() -> LoadedGame:
    return gamedsl.load("tic_tac_toe", "python")


def value_of(source: str, most: int | None = None, **settings: str) -> Solution:
    game = gamedsl.load(source, "python", **settings)
    return solve(game, options=SolveOptions(max_positions=most, goal=Goal.VALUE))


@pytest.mark.parametrize(
    ("name", "settings"),
    [("tic_tac_toe", {}), ("hexapawn", {"height": "5"}), ("connect_small", {"width": "3"})],
)
def test_value_and_best_moves_are_those_of_the_whole_graph(
    name: str, settings: dict[str, str]
) -> None:
    found, wanted = value_of(name, **settings), solve(gamedsl.load(name, "python", **settings))
    assert found.solver is SolverName.NATIVE_ALPHA_BETA
    assert (found.status, found.positions < wanted.positions) == (Status.ULTRA_WEAK, True)
    assert (found.value, found.outcome) == (wanted.value, wanted.outcome)
    assert (found.best, found.undecided) == (wanted.best, ())


def test_few_states_are_explored_before_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tic-tac-toe has 5,478 states: fewer than are explored where all values are wanted."""
    monkeypatch.setattr(problem, "WORTH_COMPILING", 10_000)
    monkeypatch.setattr(problem, "A_LOOK", 30)
    assert value_of("tic_tac_toe").solver is SolverName.NATIVE_ALPHA_BETA
    assert solve(load_plain()).solver is SolverName.BACKWARD_INDUCTION


def test_what_is_proved_is_told_on_the_way() -> None:
    game, proved = gamedsl.load("tic_tac_toe", "python"), list[Progressed]()
    solve(game, options=SolveOptions(goal=Goal.VALUE, tell=proved.append))
    told = [progress_words(game.facts, each) or "" for each in proved]
    assert told[:3] == [
        "O does not lose",
        "draw; 0 of 9 first actions asked",
        "draw; 1 of 9 first actions asked, as good: mark(a1)",
    ]
    assert told[-1].startswith("draw; 8 of 9 first actions asked, as good: mark(a1) ")
    assert told[-1].endswith(" ...")


def test_moves_that_cost_more_than_the_value_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_search, "AT_LEAST", 0)
    moves = solve(gamedsl.load("tic_tac_toe", "python")).best
    found = value_of("tic_tac_toe")
    assert {*found.best, *found.undecided} == {*moves}
    assert found.best


def test_moves_are_told_apart_in_all_the_time_that_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most: list[int | None] = []

    def note(_game: object, _root: object, search: PositionSearch, *_rest: object) -> bool:
        most.append(search.max_positions)
        return True

    monkeypatch.setattr(value_search, "keeps", note)
    game = gamedsl.load("tic_tac_toe", "python")
    for seconds in (None, 600):
        solve(game, options=SolveOptions(goal=Goal.VALUE, max_seconds=seconds))
    assert [one is None for one in most] == [False] * 9 + [True] * 9


def test_a_hard_action_leaves_room_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search for an action ends at a limit; the sum stays within a part of the value's cost,
    and all that is not decided is said to be unknown."""
    asked: list[tuple[int, int | None]] = []

    def note(game: Game, root: State, search: PositionSearch, action: int, value: Payoffs) -> bool:
        asked.append((action, search.max_positions))
        if action == 0:
            raise OutOfBudgetError(1, 1, 0)
        return keeps(game, root, search, action, value)

    monkeypatch.setattr(value_search, "keeps", note)
    monkeypatch.setattr(value_search, "AT_LEAST", 400)
    found = value_of("tic_tac_toe")
    assert found.undecided == ("mark(a1)",)
    assert found.best == tuple(one for one in solve(load_plain()).best if one != "mark(a1)")
    limits = [most for _, most in asked if most is not None]
    assert len(limits) == len(asked)
    assert limits[0] < limits[-1] == max(limits)
    assert [action for action, _ in asked].count(0) == 3


@pytest.mark.parametrize("width", ["3", "4"])
def test_a_forced_win_is_looked_for_beside_a_long_search(
    width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hex has no draws; a search for wins that gets as many positions is the faster there."""
    monkeypatch.setattr(value_search, "ALONE", 60)
    monkeypatch.setattr(value_search, "PART", 1)
    settings = {"width": width, "height": "3"}
    found = value_of("hex", **settings)
    wanted = solve(gamedsl.load("hex", "python", **settings))
    assert found.solver is SolverName.NATIVE_PROOF_NUMBERS
    assert (found.value, found.outcome) == (wanted.value, wanted.outcome)
    assert found.best
    assert set(found.best) <= set(wanted.best) <= {*found.best, *found.undecided}


def test_a_forced_win_is_not_looked_for_where_there_are_draws(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(value_search, "ALONE", 20)
    monkeypatch.setattr(accelerator, "KernelProofNumber", None)
    assert value_of("tic_tac_toe").outcome == "draw"


def test_what_is_proved_when_the_budget_ends_is_told() -> None:
    """The value takes more than 200 positions; some 60 say that the first player has it."""
    few, many = (value_of("connect_small", most, width="4") for most in (30, 120))
    assert (few.status, few.value, few.proved) == (Status.OPEN, None, None)
    assert (many.status, many.value, many.proved) == (Status.OPEN, None, "Red does not lose")
    assert "proved      Red does not lose" in solution_text(many, 0, None)
    assert solution_data(many)["proved"] == "Red does not lose"


def test_play_that_returns_is_left_to_what_values_whole_graphs() -> None:
    found = value_of(RING)
    assert (found.status, found.outcome) == (Status.STRONG, "endless draw")


def test_bounds_are_said_of_the_player_whom_they_are_good_for() -> None:
    even, more = (Fraction(0), Fraction(0)), (Fraction(2), Fraction(-2))
    of_two = replace(UNKNOWN, players=("A", "B"))
    assert proved_words(of_two, Bounds(None, None)) is None
    assert proved_words(of_two, Bounds(None, even)) == "B does not lose"
    assert proved_words(of_two, Bounds(even, more)) == "A does not lose and B gets at least -2"


FAILING = """
game "No way behind the second choice"
players A, B
state:
    at: 0..12 = 0
    chosen[0..12]: 0..2 = 0
move go(k in 1..2):
    require not (at == 11 and chosen[0] == 2)
    chosen[at] = k
    at += 1
end:
    if at == 12 and chosen[0] == 1 and chosen[2] == 1: A wins
    if at == 12: draw
"""


def test_a_proved_value_stands_though_the_rules_fail_behind_another_first_action() -> None:
    game = gamedsl.load(FAILING)
    solution = solve(game, options=SolveOptions(goal=Goal.VALUE, max_seconds=5))
    assert solution.value == (1, -1)
    assert [move.name for move in solution.moves] == ["go(1)"]
    assert solution.undecided == ("go(2)",)
    with pytest.raises(GameRuleError, match="no legal move"):
        solve(game, options=SolveOptions(max_seconds=5))
