"""What is proved of a position beside an estimate, the search being plain Python here."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from random import Random
from threading import enumerate as enumerate_threads

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import NativeMode
from gamedsl.model import State
from gamedsl.reports.solutions.best_moves import best_moves_text, method_words
from gamedsl.solvers.advice import adviser as advisers
from gamedsl.solvers.advice.adviser import Adviser
from gamedsl.solvers.advice.best_moves import best_moves
from gamedsl.solvers.advice.machine_values import MachineValues
from gamedsl.solvers.kernels import accelerator
from gamedsl.solvers.kernels.search import alpha_beta
from gamedsl.solvers.kernels.search.proof_number import KernelProofNumber
from gamedsl.solvers.planner import solve
from gamedsl.solvers.running.value_search import proved_value
from gamedsl.solvers.solution import Solution, Status

PATIENCE = 60
"""Seconds after which something has gone wrong."""
OPEN = "4 4 4 4 4 1 4 2"
"""In connect four; nobody wins within a few moves."""


@pytest.fixture(autouse=True)
def _in_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The kernel is not compiled; no thread goes on behind a test."""
    begun = list[MachineValues]()
    begin = MachineValues.begin

    def noted(values: MachineValues, state: State) -> None:
        begun.append(values)
        begin(values, state)

    monkeypatch.setattr(MachineValues, "begin", noted)
    kernel = partial(alpha_beta.KernelAlphaBeta, native=False)
    monkeypatch.setattr(accelerator, "KernelAlphaBeta", kernel)
    monkeypatch.setattr(LoadedGame, "native_mode", NativeMode.WHEN_LARGE)
    monkeypatch.setattr(accelerator.KernelAccelerator, "refusal", lambda *_: None)
    monkeypatch.setattr(alpha_beta, "SLICE", 10)
    yield
    for values in begun:
        values.stop()
    end = time.monotonic() + PATIENCE
    while any(one.name.endswith("(_work)") for one in enumerate_threads()):
        assert time.monotonic() < end, "a thread goes on"
        time.sleep(0.01)


def proved(values: MachineValues, state: State, wanted: str = "") -> Solution:
    """What is found of a position, when all is, or a move that is wanted."""
    end = time.monotonic() + PATIENCE
    values.begin(state)
    while time.monotonic() < end:
        solution = values.proof(state)
        is_enough = solution is not None and solution.status is Status.WEAK
        if solution is not None and (
            is_enough or not solution.undecided or wanted in solution.best
        ):
            return solution
        time.sleep(0.01)
    raise AssertionError("nothing is proved")


def test_one_position_after_the_other_is_proved_by_the_same_table() -> None:
    game = gamedsl.load("tic_tac_toe", "python")
    values = MachineValues(game)
    for moves in ("a1 b1", "a1 b2", "a1 b1"):
        state = game.position(moves)
        found, wanted = proved(values, state), solve(game, state)
        assert (found.value, found.best) == (wanted.value, wanted.best)
        assert found.status is Status.ULTRA_WEAK
    assert values.proof(game.initial_state()) is None


def test_another_position_is_begun_before_the_last_one_is_done() -> None:
    game = gamedsl.load("connect_four", "python")
    values = MachineValues(game)
    values.begin(game.initial_state())
    won = game.position("4 1 4 1 4 2")
    assert proved(values, won, "drop(4)").outcome == "Red wins"
    assert values.proof(game.initial_state()) is None


def test_where_the_search_does_not_apply_nothing_is_found() -> None:
    for name in ("pig", "chess"):
        game = gamedsl.load(name, "python")
        values = MachineValues(game)
        values.prepare(game.initial_state(), PATIENCE)
        values.begin(game.initial_state())
        assert values.proof(game.initial_state()) is None


class Known:
    """In the place of `MachineValues`: the value is known at once, and two moves that keep it."""

    is_ready = True

    def __init__(self, game: LoadedGame) -> None:
        self.game, self.begun = game, False

    def begin(self, _: State) -> None:
        self.begun = True

    def stop(self) -> None: ...

    def proof(self, state: State) -> Solution | None:
        if not self.begun:
            return None
        draw = Fraction(0), Fraction(0)
        return proved_value(self.game, state, 7, draw, [2, 3], [])


def test_of_several_moves_that_are_proved_the_estimate_prefers_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(advisers, "MachineValues", Known)
    monkeypatch.setattr(advisers, "WORTH_COMPILING", 0)
    game = gamedsl.load("connect_four", "python")
    decision = Adviser(game, Random(1)).estimate(game.position(OPEN), seconds=0.05)
    assert decision.is_exact
    assert decision.action in {2, 3}
    assert method_words(decision).startswith("proved: alpha-beta in native code, ")


def test_a_move_that_is_proved_while_others_are_estimated_is_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(advisers, "MachineValues", Known)
    monkeypatch.setattr(advisers, "WORTH_COMPILING", 0)
    game = gamedsl.load("connect_four", "python")
    state = game.position(OPEN)
    found = best_moves(game, state, seconds=0.05, rng=Random(1))
    assert found.is_proved
    assert found.names == ("drop(3)", "drop(4)")
    assert "draw (proved" in best_moves_text(game, state, found)


def test_where_play_can_return_a_win_that_is_forced_is_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(accelerator, "KernelProofNumber", partial(KernelProofNumber, native=False))
    game = gamedsl.load("rook_endgame", "python")
    state = game.position("a1 d2 c3")
    solution = proved(MachineValues(game), state, "")
    assert solution.status is Status.WEAK
    wanted = solve(game, state)
    assert (solution.value, solution.best[0] in wanted.best) == (wanted.value, True)
