"""What a game may offer besides the contract: used where it is there, done without where not."""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import NativeMode, PlayoutCounts, Refusal, accelerator_of
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.methods import METHODS, SolverName
from gamedsl.solvers.montecarlo.random_plays import playouts, playouts_by_contract
from gamedsl.solvers.perft import divide, is_much, perft
from gamedsl.solvers.planner import solve


class Plain:
    """A game that passes on what the contract has and nothing else."""

    def __init__(self, game: LoadedGame) -> None:
        for name in ("name", "players", "parameters", "facts", "initial_state", "current_player"):
            setattr(self, name, getattr(game, name))
        for name in ("legal_actions", "result", "is_terminal", "utilities", "action_name"):
            setattr(self, name, getattr(game, name))


class Counter:
    """Code that counts one play more than there can be, to be told apart."""

    def refusal(self, *_: object) -> None:
        return None

    def perft(self, state: object, depth: int, *, turns: bool = False, expected: float = 1) -> int:
        return -1 - depth

    def playouts(self, *_: object, **__: object) -> PlayoutCounts:
        raise UnsupportedGameError("no kernels")


class WithCode(Plain):
    """A game of a user's own, with code of its own."""

    def __init__(self, game: LoadedGame, mode: NativeMode) -> None:
        super().__init__(game)
        self.native_mode = mode

    def accelerator(self) -> Counter:
        return Counter()


@pytest.fixture
def game() -> LoadedGame:
    return gamedsl.load("tic_tac_toe", "python")


def test_a_game_that_offers_nothing_is_counted_and_solved_by_the_contract(game: Any) -> None:
    plain: Any = Plain(game)
    assert isinstance(accelerator_of(plain), Refusal)
    assert perft(plain, depth=3) == (1, 9, 72, 504)
    assert divide(plain, depth=2) == divide(game, depth=2)
    assert solve(plain).value == solve(game).value
    tally = playouts(plain, count=60, seed=1)
    assert tally == playouts(plain, count=60, seed=1, threads=2)
    assert tally.playouts == sum(times for _, times in tally.endings) == 60
    assert {payoffs for payoffs, _ in tally.endings} <= {(1, -1), (-1, 1), (0, 0)}
    assert 5 <= tally.shortest <= tally.longest <= 9
    assert playouts(plain, count=20, seed=1, longest=4).unfinished == 20


def test_where_rules_are_too_long_for_kernels_plays_follow_the_contract(game: Any) -> None:
    coded: Any = WithCode(game, NativeMode.WHEN_LARGE)
    assert playouts(coded, count=9, seed=1) == playouts_by_contract(
        coded, game.initial_state(), 9, seed=1, longest=9
    )
    with pytest.raises(UnsupportedGameError, match="no kernels"):
        playouts(WithCode(game, NativeMode.ALWAYS), count=9)


@pytest.mark.parametrize(
    ("mode", "counts"),
    [
        (NativeMode.ALWAYS, (-1, -2, -3)),
        (NativeMode.WHEN_LARGE, (1, 9, 72)),
        (NativeMode.NEVER, (1, 9, 72)),
    ],
)
def test_code_of_any_game_is_used_when_the_game_says(
    game: Any, mode: NativeMode, counts: tuple[int, ...]
) -> None:
    with_code: Any = WithCode(game, mode)
    assert perft(with_code, depth=2) == counts


def test_large_counts_go_over_to_native_code(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamedsl.solvers.perft.WORTH_COMPILING", 0)
    with_code: Any = WithCode(game, NativeMode.WHEN_LARGE)
    assert perft(with_code, depth=2) == (1, 9, -3)


def test_what_is_expected_of_the_last_depths_decides_on_native_code() -> None:
    assert not is_much([(1, 1), (9, 9)], depth=4)
    assert is_much([(1, 1), (9, 9)], depth=6)
    assert not is_much([(9, 9), (9, 81)], depth=60), "positions that merge are few"


def test_every_solver_that_can_be_asked_for_is_one_row_of_the_table() -> None:
    named = [method.name for method in METHODS]
    assert len(named) == len(set(named))
    assert set(named) == set(SolverName)
    assert all(callable(method.entry_function()) for method in METHODS)
