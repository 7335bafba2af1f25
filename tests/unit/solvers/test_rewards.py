"""What looks at the endings of plays alone refuses games that pay on the way."""

from __future__ import annotations

from random import Random

import pytest

import gamedsl
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.best_moves import best_moves
from gamedsl.solvers.montecarlo.monte_carlo import flat_monte_carlo
from gamedsl.solvers.montecarlo.random_plays import playouts
from gamedsl.solvers.montecarlo.uct import uct_search
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import SolverName
from gamedsl.solvers.textbook.algorithms import Algorithm, search

GAME = """game "Savings"
players A{more}
state:
    left: 0..3 = 3
move save(n in 1..2):
    require n <= left
    left -= n
    {reward}
end:
    if left == 0: payoff p: 0
"""
PAID = GAME.format(more=", B", reward="reward turn: n, opponent: -n")
ALONE = GAME.format(more="", reward="reward A: n")
DISCOUNTED = GAME.format(more=", B", reward="let idle = 0") + "discount = 1/2\n"


@pytest.mark.parametrize("text", [PAID, DISCOUNTED])
@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_searches_of_the_textbook_refuse(algorithm: Algorithm, text: str) -> None:
    with pytest.raises(UnsupportedGameError, match=r"how a play ends does not say|no `evaluate`"):
        search(algorithm, gamedsl.load(text), limit=None)


def test_simulations_refuse() -> None:
    game = gamedsl.load(PAID)
    with pytest.raises(UnsupportedGameError, match="how a play ends"):
        uct_search(game, iterations=10, rng=Random(1))
    with pytest.raises(UnsupportedGameError, match="how a play ends"):
        flat_monte_carlo(game, iterations=10, rng=Random(1))
    with pytest.raises(UnsupportedGameError, match="how a play ends"):
        playouts(game, count=10)


@pytest.mark.parametrize("solver", [SolverName.RETROGRADE, SolverName.SHORTEST_SOLUTION])
def test_solvers_that_measure_length_refuse(solver: SolverName) -> None:
    with pytest.raises(UnsupportedGameError, match="how a play ends"):
        solve(gamedsl.load(ALONE), solver=solver)


def test_native_code_that_solves_by_endings_is_left_aside() -> None:
    assert solve(gamedsl.load(PAID, engine="python")).value == (1, -1)
    assert solve(gamedsl.load(PAID)).solver is SolverName.BACKWARD_INDUCTION


def test_best_moves_are_proved_or_refused() -> None:
    game = gamedsl.load(PAID)
    found = best_moves(game, max_positions=100, budget=10, rng=Random(1))
    assert [move.name for move in found.moves] == ["save(2)"]
    with pytest.raises(
        UnsupportedGameError, match="more than 2 positions lie ahead, and estimates"
    ):
        best_moves(game, max_positions=2, budget=10, rng=Random(1))
