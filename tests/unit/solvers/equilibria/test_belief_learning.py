"""Learning on beliefs: bounds that hold the known values, and equal numbers in machine code."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from gamedsl.compiler.errors import has_llvm
from gamedsl.game import LoadedGame
from gamedsl.solvers.equilibria.belief_learning import BeliefLearning, BeliefPlay
from gamedsl.solvers.equilibria.best_response import best_response_value
from gamedsl.solvers.equilibria.extensive_form import extensive_form
from gamedsl.solvers.histories import observed_graph as graphs
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve

Shipped = Callable[..., LoadedGame]
MEMORY = 2_000_000


def learnt(game: LoadedGame, rounds: int, *, is_native: bool = False) -> BeliefLearning:
    graph = graphs.observed_graph(game, 100_000)
    assert graph is not None
    learning = BeliefLearning(graph, MEMORY, is_native=is_native)
    for _ in range(rounds):
        learning.play_round()
    return learning


def test_best_responses_are_those_of_the_extensive_form(shipped: Shipped) -> None:
    """The same behaviour, judged by the two best responses that know nothing of each other."""
    game = shipped("kuhn_poker")
    learning = learnt(game, 7)
    found = learning.best_responses()
    assert found is not None
    play, form = BeliefPlay(learning), extensive_form(game)
    profile = []
    for player, sets in enumerate(form.sets):
        choices = [play.at(one.history, player) for one in sets]
        profile.append(
            tuple(tuple(p for _, p in choice.local.choices) for choice in choices if choice)
        )
    for player in (0, 1):
        exact = best_response_value(form, profile, player)
        least, most = found[player]
        assert least <= exact <= most
        assert most - least < Fraction(1, 10**6)


@pytest.mark.parametrize(
    ("name", "rounds", "value", "bound"),
    [
        ("kuhn_poker", 100, Fraction(-1, 18), Fraction(1, 100)),
        ("phantom_line", 100, Fraction(1), Fraction(1, 100)),
        ("liars_dice", 60, Fraction(1, 9), Fraction(1, 10)),
    ],
)
def test_bounds_hold_the_known_value(
    name: str, rounds: int, value: Fraction, bound: Fraction, shipped: Shipped
) -> None:
    options = SolveOptions(solver=SolverName.BELIEFS, rounds=rounds)
    solution = solve(shipped(name), options=options)
    assert solution.value is not None
    assert abs(solution.value[0] - value) <= solution.error_bound < bound


@pytest.mark.skipif(not has_llvm(), reason="needs LLVM")
@pytest.mark.parametrize("name", ["kuhn_poker", "phantom_line"])
def test_machine_code_learns_the_same(name: str, shipped: Shipped) -> None:
    one, other = (learnt(shipped(name), 40, is_native=native) for native in (True, False))
    assert one.members == other.members
    assert one.information_sets == other.information_sets
    assert one.best_responses() == other.best_responses()


def test_memory_is_not_exceeded(shipped: Shipped) -> None:
    graph = graphs.observed_graph(shipped("leduc_poker"), 100_000)
    assert graph is not None
    learning = BeliefLearning(graph, 100_000, is_native=False)
    for _ in range(3):
        learning.play_round()
    assert learning.is_full
    assert learning.best_responses() is None


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


def test_a_game_with_many_histories_is_learned(shipped: Shipped) -> None:
    options = SolveOptions(max_positions=600, rounds=200)
    solution = solve(shipped("liars_dice"), options=options)
    assert solution.solver is SolverName.BELIEFS
    assert solution.form is not None
    assert solution.form.histories == 1147
