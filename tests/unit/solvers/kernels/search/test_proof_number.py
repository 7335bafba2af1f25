"""Proof-number search by its kernel, run as plain Python: it proves the wins that there are."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import SearchLimits
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.kernels.search import growth, proof_number
from gamedsl.solvers.kernels.search.proof_number import KernelProofNumber
from gamedsl.solvers.planner import solve

GAMES = [
    ("tic_tac_toe", {}),
    ("hexapawn", {}),
    ("nim_misere", {}),
    ("chomp", {}),
    ("rook_endgame", {}),
    ("quixo", {"size": 2}),
    ("six_mens_morris", {"men": 2}),
    ("dots_and_boxes", {}),
]

PAID_MORE = """game "More"
players A, B
state:
    n: 0..9 = 0
move add(k in 1..2):
    require n + k <= 3
    n += k
end:
    if n == 3: opponent wins
    if n == 9: A wins 5
"""
RETURNING = """game "Waiting"
players A, B
state:
    n: 0..1 = 0
    is_over: bool = false
move wait:
    n = 1 - n
move resign:
    is_over = true
end:
    if is_over: turn wins
endless: draw
"""


def search_in(game: LoadedGame, **limits: Any) -> KernelProofNumber:
    assert isinstance(game.engine, CompiledEngine)
    return KernelProofNumber(game.engine, native=False, limits=SearchLimits(bytes=10**8, **limits))


def positions(game: LoadedGame, count: int) -> list[State]:
    """Positions of plays at random that are not over."""
    rng, found = random.Random(1), []
    while len(found) < count:
        state = game.initial_state()
        for _ in range(rng.randrange(40)):
            after = game.result(state, rng.choice(game.legal_actions(state)))
            if game.is_terminal(after):
                break
            state = after
        found.append(state)
    return found


@pytest.mark.parametrize(("name", "settings"), GAMES)
def test_wins_that_are_forced_are_proved_and_no_others(name: str, settings: dict[str, int]) -> None:
    game = gamedsl.load(name, "python", **settings)
    solved = solve(game).solved
    assert solved is not None
    search = search_in(game)
    low, high = game.facts.utility_bounds
    for state in positions(game, 40):
        wanted = solved.value(state)
        if abs(wanted[0]) == max(high, -low):
            assert search.value(state) == wanted
        else:
            with pytest.raises(UnsupportedGameError, match="nobody can force a win"):
                search.value(state)


def test_a_refuted_win_of_the_first_player_is_a_win_of_the_second() -> None:
    game = gamedsl.load("hexapawn", "python")
    for state in positions(game, 20):
        search = search_in(game)
        value = search.value(state)
        assert search.gives(state, value.index(1), value)
        assert not search.gives(state, value.index(-1), tuple(-payoff for payoff in value))
        _, second = search._questions
        assert second.looked_at == 0
        distance = solve(game, state).plies
        assert distance is not None
        assert distance <= search.plies(state) <= 2 * distance


@pytest.mark.parametrize("text", [PAID_MORE, RETURNING])
def test_a_refuted_win_is_no_win_of_the_other_by_less_or_by_returning(text: str) -> None:
    game = gamedsl.load(text, "python")
    with pytest.raises(UnsupportedGameError, match="nobody can force a win"):
        search_in(game).value(game.initial_state())


def test_a_search_says_often_how_far_it_is_where_positions_take_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where actions are many, a thousand positions take a second, which a limit of time has not."""
    monkeypatch.setattr(growth, "ACTIONS_OF_SLICE", 1)
    told = [0]
    game = gamedsl.load("rook_endgame", "python")
    search = search_in(game, progress=lambda explored, _: told.append(explored))
    search.value(game.initial_state())
    assert max(after - before for before, after in pairwise(told)) <= 256


def test_an_action_keeps_a_win_if_what_follows_is_won() -> None:
    game = gamedsl.load("rook_endgame", "python")
    solved, search = solve(game).solved, search_in(game)
    assert solved is not None
    for state in positions(game, 10):
        value, mover = search.value(state), game.current_player(state)
        for action in game.legal_actions(state):
            after = game.result(state, action)
            if not game.is_terminal(after):
                assert search.gives(after, mover, value) == (solved.value(after) == value)


def test_a_budget_ends_the_search_and_what_it_knows_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_number, "SLICE", 8)
    game = gamedsl.load("breakthrough", "python", width=4, height=4)
    search = search_in(game, positions=500)
    with pytest.raises(OutOfBudgetError):
        search.value(game.initial_state())
    assert 500 < search.looked_at < 600
    search.max_positions = None
    assert search.value(game.initial_state()) == (-1, 1)
    assert search.bounds(game.initial_state()) == ((-1, 1), (-1, 1))


def test_a_table_that_grows_and_one_that_is_full_give_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(proof_number, "FIRST_BUCKETS", 64)
    monkeypatch.setattr(proof_number, "SLICE", 64)
    game = gamedsl.load("hexapawn", "python", width=4, height=4)
    wanted, root = solve(game).value, game.initial_state()
    assert search_in(game).value(root) == wanted
    monkeypatch.setattr(proof_number.Question, "_see_to_table", lambda _: None)
    assert search_in(game).value(root) == wanted


def test_what_is_not_for_two_with_opposed_interests_is_refused() -> None:
    for name in ("pig", "kuhn_poker", "aima_three_player", "goofspiel", "eight_puzzle"):
        game = gamedsl.load(name, "python")
        if isinstance(game.engine, CompiledEngine):
            with pytest.raises(UnsupportedGameError, match="proof-number search"):
                search_in(game)
