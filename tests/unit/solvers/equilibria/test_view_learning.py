"""Learning on views: best responses that hold exact ones, and equal numbers in machine code."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

import gamedsl
from gamedsl.compiler.errors import has_llvm
from gamedsl.game import LoadedGame
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.equilibria.best_response import best_response_value
from gamedsl.solvers.equilibria.extensive_form import extensive_form
from gamedsl.solvers.equilibria.informed_play import GraphPlay
from gamedsl.solvers.equilibria.view_learning import Bounds, ViewLearning
from gamedsl.solvers.histories import observed_graph as graphs
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve

Shipped = Callable[..., LoadedGame]
MEMORY = 2_000_000


def learnt(game: LoadedGame, rounds: int, *, is_native: bool = False) -> ViewLearning:
    graph = graphs.observed_graph(game, 100_000)
    assert graph is not None
    learning = ViewLearning(graph, MEMORY, is_native=is_native)
    for _ in range(rounds):
        learning.play_round()
    return learning


def responses(learning: ViewLearning, rare: int = 1000) -> tuple[list[Bounds], tuple[int, ...]]:
    mean = learning.take_mean(rare)
    bounds = [learning.best_response(player) for player in range(learning.players)]
    return [bound for bound in bounds if bound is not None], mean


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        ("kuhn_poker", 7),
        ("kuhn_poker_several", 3),
        ("liars_dice", 5),
        ("phantom_line", 2),
        ("goofspiel", 2),
        ("hidden_coin", 3),
    ],
)
def test_best_responses_are_those_of_the_extensive_form(
    name: str, rounds: int, shipped: Shipped
) -> None:
    """The same behaviour, judged by best responses that share no code: with chance, several
    players, choices at once."""
    game = shipped(name)
    learning = learnt(game, rounds)
    bounds, mean = responses(learning)
    play, form = GraphPlay(learning, [mean] * learning.players), extensive_form(game)
    profile = []
    for player, sets in enumerate(form.sets):
        choices = [play.at(entry.history, player) for entry in sets]
        profile.append(
            tuple(tuple(p for _, p in choice.local.choices) for choice in choices if choice)
        )
    assert len(bounds) == len(game.players)
    for player, (least, most) in enumerate(bounds):
        exact = best_response_value(form, profile, player)
        assert least <= exact <= most
        assert most - least < Fraction(1, 10**6)


@pytest.mark.parametrize(
    ("name", "value", "bound"),
    [
        ("kuhn_poker", Fraction(-1, 18), Fraction(1, 100)),
        ("phantom_line", Fraction(1), Fraction(1, 1000)),
        ("liars_dice", Fraction(1, 9), Fraction(1, 10)),
        ("goofspiel", Fraction(0), Fraction(1, 100)),
    ],
)
def test_bounds_hold_the_known_value(
    name: str, value: Fraction, bound: Fraction, shipped: Shipped
) -> None:
    options = SolveOptions(solver=SolverName.VIEWS, rounds=64)
    solution = solve(shipped(name), options=options)
    assert solution.value is not None
    assert abs(solution.value[0] - value) <= solution.error_bound < bound


@pytest.mark.skipif(not has_llvm(), reason="needs LLVM")
@pytest.mark.parametrize("name", ["kuhn_poker_several", "phantom_line", "goofspiel"])
def test_machine_code_learns_the_same(name: str, shipped: Shipped) -> None:
    native, python = (learnt(shipped(name), 12, is_native=native) for native in (True, False))
    assert responses(native) == responses(python)


def test_memory_is_not_exceeded(shipped: Shipped) -> None:
    graph = graphs.observed_graph(shipped("leduc_poker"), 100_000)
    assert graph is not None
    learning = ViewLearning(graph, 2_000, is_native=False)
    learning.play_round()
    learning.take_mean(0)
    assert [learning.best_response(0) for _ in range(2)] == [None, None]


def test_best_replies_without_an_end_leave_the_payoffs_as_bounds(shipped: Shipped) -> None:
    """Nothing is claimed for strategies that could not be judged."""
    learning = learnt(shipped("liars_dice"), 1)
    assert learning.best_response(0, 3) is None
    assert learning.best_response(0) is not None


@pytest.mark.skipif(not has_llvm(), reason="needs LLVM")
@pytest.mark.parametrize(
    "name", ["kuhn_poker", "kuhn_poker_several", "leduc_poker", "liars_dice", "phantom_line"]
)
def test_machine_code_lists_the_same_states(
    name: str, shipped: Shipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = shipped(name)
    form = extensive_form(game)
    monkeypatch.setattr(graphs, "WORTH_LISTING", 1)
    listed = extensive_form(game)
    assert (listed.size, listed.outcomes) == (form.size, form.outcomes)
    assert listed.sets == form.sets
    assert listed.payoffs == form.payoffs


@pytest.mark.parametrize("is_native", [False, True])
def test_actions_that_do_not_follow_from_views_are_refused(*, is_native: bool) -> None:
    if is_native and not has_llvm():
        pytest.skip("needs LLVM")
    game = gamedsl.load(
        'game "Remembered"\nplayers A, B\nstate:\n    kept: 0..2 = 0 secret\n'
        "    is_over: bool = false\n"
        "move keep(k in 1..2) secret:\n    require kept == 0\n    kept = k\n    again\n"
        "move show(k in 1..2):\n    require kept == k\n    is_over = true\n"
        "end:\n    if is_over: A wins\n"
    )
    with pytest.raises(UnsupportedGameError, match="do not follow from what a player sees"):
        learnt(game, 1, is_native=is_native)


def test_a_game_with_many_histories_is_learned(shipped: Shipped) -> None:
    options = SolveOptions(max_positions=600, rounds=200)
    solution = solve(shipped("liars_dice"), options=options)
    assert solution.solver is SolverName.MERGED
    assert solution.form is not None
    assert solution.form.histories == 1147
