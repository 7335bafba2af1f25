"""`solve --goal value` where play can return: forced wins, gone through by the rules."""

from __future__ import annotations

from functools import partial

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import NativeMode
from gamedsl.model import GameRuleError
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.solvers import planner, problem
from gamedsl.solvers.kernels import accelerator
from gamedsl.solvers.kernels.search.proof_number import KernelProofNumber
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.problem import Problem
from gamedsl.solvers.running import proof_search
from gamedsl.solvers.solution import Goal, Solution, Status

TO_AND_FRO = """
game "To and fro"
players A, B
state:
    at: 0..9 = 5
move go(d in {-1, 1}):
    require at + d in 0..9
    at += d
end:
    if at == 9: A wins
    if at == 0: B wins
endless: draw
"""
"""Each takes back what the other does."""
STEPS = """
game "Steps"
players A, B
state:
    done: 0..30 = 0
    mark: 0..1 = 0
move step:
    done += 1
    if turn == A: mark = 1 - mark
end:
    if done == 30: A wins
repeat RULE
"""
"""The only play there is: A wins, but for rules about repetition."""

VAST = """
game "Vast"
players A, B
board 8 wide 8 high
state:
    man[s in square]: empty | players = empty
move claim(s in square):
    require man[s] == empty
    require turn == A or row(s) > 5
    man[s] = turn
end:
    if man[a1] == A and man[b1] == A: A wins
    if stuck: draw
endless: draw
"""
"""Two squares win, of so many that nobody could look at all that follows."""
LIFTING = """move lift(s in square):
    require man[s] == turn
    man[s] = empty
end:"""


@pytest.fixture(autouse=True)
def _in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel is not compiled, and used after a look at a few positions."""
    kernel = partial(KernelProofNumber, native=False)
    monkeypatch.setattr(accelerator, "KernelProofNumber", kernel)
    monkeypatch.setattr(LoadedGame, "native_mode", NativeMode.WHEN_LARGE)
    monkeypatch.setattr(accelerator.KernelAccelerator, "refusal", lambda *_: None)
    monkeypatch.setattr(problem, "WORTH_COMPILING", 5)


TRAP = """game "Trap"
players A, B
state:
    at: 0..9 = 0
move step(to in 1..6):
    require at == 0 and to in {1, 6} or at == 1 and to == 2 or at == 2 and to == 3
    at = to
end:
    if at == 3: A wins
endless: draw
"""
"""Nobody can move from 6, and there is no payoff."""


def value_of(source: str, **settings: int) -> Solution:
    return solve(gamedsl.load(source, "python", **settings), options=SolveOptions(goal=Goal.VALUE))


def test_a_forced_win_is_told_with_its_play_where_play_can_return() -> None:
    found = value_of("rook_endgame")
    assert found.solver is SolverName.NATIVE_PROOF_NUMBERS
    assert (found.status, found.outcome) == (Status.WEAK, "White wins")
    game = gamedsl.load("rook_endgame", "python")
    state = game.initial_state()
    for name in found.principal_variation:
        names = {game.action_name(state, one): one for one in game.legal_actions(state)}
        state = game.result(state, names[name])
    assert game.utilities(state) == found.value
    assert "weakly: this position" in solution_text(found, 0, None)


@pytest.mark.parametrize("source", [VAST, VAST.replace("end:", LIFTING)])
@pytest.mark.parametrize("most", [None, 2000])
def test_a_win_at_hand_is_found_where_solving_is_out_of_reach(
    source: str, most: int | None
) -> None:
    found = solve(gamedsl.load(source, "python"), options=SolveOptions(max_positions=most))
    assert (found.outcome, found.ways) == ("A wins", ())


def test_what_is_out_of_reach_names_every_way_that_could_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(planner, "AT_ONCE", 50)
    game = gamedsl.load(VAST.replace("man[b1] == A: A wins", "man[a1] == B: A wins"), "python")
    found = solve(game)
    assert found.positions >= 50
    text = " ".join(solution_text(found, 0, None).split())
    assert "out of reach: about 10^" in text
    assert "`gamedsl solve --goal value --time 10m` looks longer" in text
    assert "`gamedsl best` estimates the best move" in text
    assert "a later position (--at) may be solved" in text
    assert "--max-positions N tries it all the same" in text
    longer = solve(game, options=SolveOptions(goal=Goal.VALUE, max_seconds=0))
    assert "--time allows more time" in longer.ways
    assert not any("--goal value" in way for way in longer.ways)


def test_a_search_knows_that_play_returns_where_solving_has_seen_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = list[bool]()

    def note(problem: Problem, part: float) -> None:
        seen.append(problem.returns)

    monkeypatch.setattr(planner, "by_value_search", note)
    for seconds in (None, 1_000):
        solve(
            gamedsl.load(TO_AND_FRO, "python"),
            options=SolveOptions(max_positions=6, max_seconds=seconds),
        )
    assert seen == [True, True]


def test_where_nobody_can_force_a_win_every_position_is_looked_at() -> None:
    found = value_of(TO_AND_FRO)
    assert (found.outcome, found.solver) == ("endless draw", SolverName.NATIVE_RETROGRADE)


@pytest.mark.parametrize(
    ("rule", "outcome", "is_forced"),
    [
        ("mark, turn 40 times: B wins", "A wins", True),
        ("mark 3 times: B wins", "B wins", False),
    ],
)
def test_rules_about_repetition_are_kept(rule: str, outcome: str, is_forced: bool) -> None:
    found = value_of(STEPS.replace("RULE", rule))
    assert found.outcome == outcome
    assert (found.solver is SolverName.NATIVE_PROOF_NUMBERS) == is_forced


def test_play_that_is_too_long_to_be_gone_through_is_not_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(proof_search, "MOST_WALKED", 3)
    found = value_of(STEPS.replace("repeat RULE", "endless: draw"))
    assert (found.status, found.principal_variation, found.outcome) == (
        Status.ULTRA_WEAK,
        (),
        "A wins",
    )


def test_a_limit_of_positions_ends_the_search() -> None:
    game = gamedsl.load(VAST.replace("man[b1] == A: A wins", "man[a1] == B: A wins"), "python")
    found = solve(game, options=SolveOptions(goal=Goal.VALUE, max_positions=20))
    assert found.status is Status.OPEN


NEVER_AGAIN = """game "Never again"
players A, B
state:
    at: 0..4 = 0
move go(n in 0..4):
    require n != at
    at = n
repeat at 2 times: illegal
end:
    if at == 3 and stuck: turn loses
    if stuck: turn wins
"""


def test_a_search_without_history_is_not_begun_where_repetitions_may_leave_no_move() -> None:
    options = SolveOptions(max_positions=3)
    assert solve(gamedsl.load(NEVER_AGAIN), options=options).status is Status.OPEN
    assert solve(gamedsl.load(NEVER_AGAIN)).value == (1, -1)


def test_a_forced_win_stands_in_python_though_the_rules_fail_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LoadedGame, "native_mode", NativeMode.NEVER)
    found = value_of(TRAP)
    assert (found.outcome, found.best, found.undecided) == ("A wins", ("step(1)",), ("step(6)",))
    assert found.principal_variation == ("step(1)", "step(2)", "step(3)")
    with pytest.raises(GameRuleError, match="no legal move"):
        value_of(TRAP.replace("A wins", "B wins"))
