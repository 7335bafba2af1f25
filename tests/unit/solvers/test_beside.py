"""What is proved beside an attempt to solve all positions outlives the attempt."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, partialmethod
from typing import Any

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import NativeMode, SearchLimits
from gamedsl.solvers import planner, problem, reach
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError, OutOfTimeError
from gamedsl.solvers.kernels import accelerator
from gamedsl.solvers.kernels.search import alpha_beta, proof_number
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.reach import LikelySize
from gamedsl.solvers.running import beside, value_search
from gamedsl.solvers.solution import Goal, Solution, Status
from gamedsl.solvers.verdicts import Bounds

from .conftest import three_in_a_row

ENDS = (OutOfBudgetError(1, 5000, 0), OutOfMemoryError(5000, 1), OutOfTimeError(5000, 0))
NIM = 'game "Pile"\nplayers A, B\n\nstate:\n    left: 0..9 = 9\n\nmove take(n in 1..2):\n'
NIM += "    require left >= n\n    left -= n\n\nend:\n    if left == 0: turn loses\n"


@pytest.fixture(autouse=True)
def _in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches in Python, after a look at five positions; a search for the value after ten."""
    for name, search in (
        ("KernelAlphaBeta", alpha_beta.KernelAlphaBeta),
        ("KernelProofNumber", proof_number.KernelProofNumber),
    ):
        monkeypatch.setattr(accelerator, name, partial(search, native=False))
    monkeypatch.setattr(LoadedGame, "native_mode", NativeMode.WHEN_LARGE)
    monkeypatch.setattr(accelerator.KernelAccelerator, "refusal", lambda *_: None)
    monkeypatch.setattr(problem, "WORTH_COMPILING", 5)
    monkeypatch.setattr(problem, "BEFORE_VALUE", 3_000)


def attempt(monkeypatch: pytest.MonkeyPatch, end: Exception) -> None:
    """Attempts to solve all positions end so, after 5,000 of them."""

    def ended(_self: object, _root: object, *, limits: SearchLimits, **_rest: Any) -> None:
        assert limits.progress is not None
        limits.progress(5_000, 0)
        raise end

    monkeypatch.setattr(accelerator.KernelAccelerator, "solve", ended)


def solved(name: str, parameters: dict[str, str] | None = None, **wishes: Any) -> Solution:
    game = gamedsl.load(name, "python", **(parameters or {}))
    return solve(game, options=SolveOptions(**wishes))


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    ("name", "best"), [("tic_tac_toe", 9), (NIM, 0), (NIM.replace("= 9", "= 8"), 1)]
)
def test_a_value_proved_beside_is_the_answer_at_any_limit(
    name: str, best: int, end: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt(monkeypatch, end)
    monkeypatch.setattr(planner, "_searches", lambda _: ())  # nothing is proved later
    found, alone = solved(name), solved(name, goal=Goal.VALUE)
    assert (found.status, found.value) == (Status.ULTRA_WEAK, alone.value)
    assert (len(found.best), found.undecided) == (best or len(found.moves), ())
    assert found.positions > 5_000  # of the attempt and the search


@pytest.mark.parametrize("end", ENDS)
def test_a_value_proved_beside_without_first_moves_is_kept(
    end: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt(monkeypatch, end)
    few = solved("tic_tac_toe", max_positions=92)  # no positions are left for moves
    assert (few.status, few.best, len(few.undecided)) == (Status.ULTRA_WEAK, (), 9)
    monkeypatch.setattr(planner, "_searches", lambda _: ())  # nothing is proved later
    assert solved("tic_tac_toe", max_positions=92).value == few.value


@pytest.mark.parametrize("seconds", [None, 60])
def test_bounds_proved_beside_are_kept(
    seconds: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt(monkeypatch, ENDS[0])
    monkeypatch.setattr(alpha_beta, "SLICE", 10)
    monkeypatch.setattr(planner, "_searches", lambda _: ())  # nothing is proved later
    few = solved("tic_tac_toe", max_positions=80, max_seconds=seconds)
    assert (few.status, type(few.facts_proved)) == (Status.OPEN, Bounds)


def test_with_the_answer_known_few_positions_are_worth_solving(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attempt(monkeypatch, AssertionError("gone on"))
    with pytest.raises(AssertionError, match="gone on"):
        solved("tic_tac_toe")
    monkeypatch.setattr(beside, "WORTH", 100)
    assert solved("tic_tac_toe").status is Status.ULTRA_WEAK
    with pytest.raises(AssertionError, match="gone on"):  # every position is wanted
        solved("tic_tac_toe", goal=Goal.ALL)


def test_an_attempt_far_beyond_memory_leaves_the_time_to_the_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attempt(monkeypatch, AssertionError("gone on"))
    game = gamedsl.load("mnk", "python", width="4", height="4", run="4")  # 9,722,011 positions
    unknown = Solution(game, Status.OPEN, 0)
    monkeypatch.setattr(problem, "beyond_memory", lambda *_: None)  # meetings do not tell
    monkeypatch.setattr(beside, "by_value_search", lambda *_args, **_limits: unknown)
    monkeypatch.setattr(beside, "LEAST_BYTES", 0)
    monkeypatch.setattr(reach, "WORK", 2_000)
    monkeypatch.setattr(LikelySize, "exceeds", partialmethod(LikelySize.exceeds, seconds=60))
    monkeypatch.setattr(planner, "_searches", lambda _: ())
    left = solve(game, options=SolveOptions(max_bytes=300_000))
    assert "more than" in left.obstacle_words
    monkeypatch.setattr(beside, "SURELY", 1_000)
    with pytest.raises(AssertionError, match="gone on"):
        solve(game, options=SolveOptions(max_bytes=300_000))


def test_an_attempt_far_beyond_memory_ends_where_no_search_for_a_value_applies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attempt(monkeypatch, AssertionError("gone on"))
    three = three_in_a_row(4), three_in_a_row(3)
    monkeypatch.setattr(beside, "BEFORE_VALUE", 4_000)
    monkeypatch.setattr(problem, "beyond_memory", lambda *_: None)
    monkeypatch.setattr(reach, "WORK", 2_000)
    large, small = (gamedsl.load(text, "python") for text in three)
    limited = SolveOptions(max_bytes=1_000_000)
    assert "more than" in solve(large, options=limited).obstacle_words
    for game, options in (small, limited), (large, replace(limited, max_positions=10_000)):
        with pytest.raises(AssertionError, match="gone on"):
            solve(game, options=options)
    monkeypatch.setattr(LikelySize, "exceeds", partialmethod(LikelySize.exceeds, seconds=0))
    with pytest.raises(AssertionError, match="gone on"):  # few plays are no estimate
        solve(large, options=limited)


def test_symmetric_first_moves_are_told_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_search, "FREELY", 0)
    monkeypatch.setattr(value_search, "PART", 10**6)
    monkeypatch.setattr(alpha_beta, "SLICE", 10)
    monkeypatch.setattr(value_search, "A_FEW", 30)
    solution = solved("mnk", {"width": "4", "height": "3", "run": "4"}, goal=Goal.VALUE)
    best = {name.removeprefix("mark") for name in solution.best}
    assert best == {name.translate(str.maketrans("abcd", "dcba")) for name in best}
    assert solution.undecided


def test_bounds_proved_within_the_positions_allowed_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attempt(monkeypatch, ENDS[0])
    monkeypatch.setattr(problem, "BEFORE_VALUE", 10_000)
    monkeypatch.setattr(alpha_beta, "SLICE", 10)
    few, many = (solved("tic_tac_toe", max_positions=most) for most in (80, 2_000))
    assert (few.status, type(few.facts_proved)) == (Status.OPEN, Bounds)
    assert (many.status, len(many.best)) == (Status.ULTRA_WEAK, 9)


def test_an_estimate_tells_many_positions_from_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "WORK", 2_000)
    game = gamedsl.load("connect_small", "python", width="4", height="4")  # 161,029 positions
    size = LikelySize(game, game.initial_state())
    assert [size.exceeds(most, 60) for most in (10_000, 10_000_000)] == [True, False]
