"""What looks at the endings of plays alone refuses games that pay on the way."""

from __future__ import annotations

from random import Random

import pytest

import gamedsl
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.advice.best_moves import best_moves
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.montecarlo.random_plays import playouts
from gamedsl.solvers.montecarlo.uct import uct_search
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
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


ADDING = (Algorithm.MINIMAX, Algorithm.ALPHA_BETA, Algorithm.EXPECTIMINIMAX)


@pytest.mark.parametrize("algorithm", ADDING)
def test_searches_to_the_end_add_up_what_is_paid(algorithm: Algorithm) -> None:
    for left in ("0..3 = 3", "0..5 = 5", "0..7 = 7"):
        game = gamedsl.load(PAID.replace("0..3 = 3", left))
        truth = solve(game)
        assert truth.value is not None
        decision = search(algorithm, game, limit=None)
        assert decision.value == truth.value[0]
        assert decision.line[0] in truth.best
        by_name = {move.name: move.value[0] for move in truth.moves}
        exact = {move.name: move.value for move in decision.moves if not move.is_bound}
        assert exact.items() <= by_name.items()


@pytest.mark.parametrize("algorithm", ADDING)
def test_what_is_paid_after_chance_is_added_up_too(algorithm: Algorithm) -> None:
    coin = "chance lucky in {true: 1/3, false: 2/3}\n    reward turn: n if lucky else 0"
    game = gamedsl.load(ALONE.replace("reward A: n", coin))
    if algorithm is Algorithm.EXPECTIMINIMAX:
        assert search(algorithm, game, limit=None).value == 1
    else:
        with pytest.raises(UnsupportedGameError, match="chance"):
            search(algorithm, game, limit=None)


@pytest.mark.parametrize(
    ("text", "algorithm"),
    [(DISCOUNTED, one) for one in Algorithm]
    + [(PAID, one) for one in Algorithm if one not in {*ADDING, Algorithm.AUTO}],
)
def test_other_searches_of_the_textbook_refuse(algorithm: Algorithm, text: str) -> None:
    with pytest.raises(UnsupportedGameError, match=r"how a play ends does not say|no `evaluate`"):
        search(algorithm, gamedsl.load(text), limit=None)


def test_simulations_refuse() -> None:
    game = gamedsl.load(PAID)
    with pytest.raises(UnsupportedGameError, match="how a play ends"):
        uct_search(game, iterations=10, rng=Random(1))


TAKEN = """
game "Taken"
players A, B
state:
    left: 0..5 = 5
move take(n in 1..2):
    require n <= left
    chance lucky in bool
    reward A: n, B: 3 if lucky else 2
    left -= n
end:
    if left == 0: payoff A: 10, B: 0
"""
"""A is always paid 15; B 2 or 3 for each of three to five moves."""


def test_random_plays_add_rewards_up_and_refuse_a_discount() -> None:
    tally = playouts(gamedsl.load(TAKEN), count=200)
    assert {payoffs[0] for payoffs, _ in tally.endings} == {15}
    shares = {payoffs[1] for payoffs, _ in tally.endings}
    assert {7, 8, 9, 10} <= shares <= {*range(6, 16)}
    assert tally.mean_payoffs[1] == pytest.approx(2.5 * tally.plies / 200, abs=0.2)
    with pytest.raises(UnsupportedGameError, match="discounts its payoffs, so how a play ends"):
        playouts(gamedsl.load(TAKEN + "discount = 1/2\n"), count=10)


@pytest.mark.parametrize("solver", [SolverName.RETROGRADE, SolverName.SHORTEST_SOLUTION])
def test_solvers_that_measure_length_refuse(solver: SolverName) -> None:
    with pytest.raises(UnsupportedGameError, match="how a play ends"):
        solve(gamedsl.load(ALONE), options=SolveOptions(solver=solver))


def test_native_code_that_solves_by_endings_is_left_aside() -> None:
    assert solve(gamedsl.load(PAID, engine="python")).value == (1, -1)
    assert solve(gamedsl.load(PAID)).solver is SolverName.BACKWARD_INDUCTION


def test_best_moves_are_proved_or_estimated() -> None:
    game = gamedsl.load(PAID)
    proved = best_moves(game, max_positions=100, budget=10, rng=Random(1))
    assert [move.name for move in proved.moves] == ["save(2)"]
    estimated = best_moves(game, max_positions=2, budget=500, rng=Random(1))
    assert estimated.solution is None
    assert estimated.moves[0].name == "save(2)"


RING = """
game "Ring"
players A, B
state:
    at: 0..12 = 0
move forward:
    at += 1
    reward A: -1
    reward B: 1
move back:
    require at > 1
    at -= 2
    reward A: (1 if at % 3 == 0 else -1)
    reward B: (-1 if at % 3 == 0 else 1)
end:
    if at == 12: draw
endless: draw
"""


def test_the_loop_by_which_a_player_pays_without_end_is_named_in_small_games() -> None:
    with pytest.raises(UnsupportedGameError, match=r"such as forward, forward, .*, back, back can"):
        solve(gamedsl.load(RING))
