"""CUTOFF-TEST and EVAL: H-minimax, alpha-beta with a limit, iterative deepening, squeezing."""

from __future__ import annotations

from fractions import Fraction
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gamedsl
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.planner import solve
from gamedsl.solvers.textbook.cutoff import alpha_beta_cutoff_search, h_minimax_decision
from gamedsl.solvers.textbook.evaluation import squeezer
from gamedsl.solvers.textbook.iterative_deepening import iterative_deepening_search
from gamedsl.solvers.textbook.leaves import QUIESCENCE_LIMIT
from gamedsl.solvers.textbook.minimax import minimax_decision
from gamedsl.solvers.textbook.ordering import reversed_order
from gamedsl.solvers.textbook.trace import EventKind, Trace
from tests.generation.explicit_trees import Shape

numbers = st.fractions(-1000, 1000)


@given(numbers, numbers, numbers)
def test_squeezing_keeps_the_order_and_stays_inside(one, other, low):
    high = low + 2
    squeeze = squeezer((low, high))
    assert low < squeeze(one) < high
    assert (one < other) == (squeeze(one) < squeeze(other))


def test_estimates_in_the_middle_half_stay_as_they_are():
    squeeze = squeezer((Fraction(-1), Fraction(1)))
    assert [squeeze(Fraction(n, 4)) for n in (-2, 0, 1, 2)] == [
        Fraction(n, 4) for n in (-2, 0, 1, 2)
    ]


def test_the_middle_of_the_payoffs_need_not_be_zero():
    squeeze = squeezer((Fraction(1), Fraction(5)))
    assert [squeeze(Fraction(n)) for n in (2, 3, 4)] == [2, 3, 4]
    assert squeeze(Fraction(11)) == 3 + 2 * (1 - Fraction(1, 16))


def test_where_all_payoffs_are_equal_so_are_all_estimates():
    assert squeezer((Fraction(3), Fraction(3)))(Fraction(100)) == 3


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_alpha_beta_finds_what_h_minimax_finds(shipped, limit):
    game = shipped("othello_small")
    full = h_minimax_decision(game, limit)
    pruned = alpha_beta_cutoff_search(game, limit, ordering=reversed_order)
    assert pruned.value == full.value
    assert not pruned.is_exact
    assert pruned.leaves <= full.leaves


@pytest.mark.parametrize("seed", range(15))
def test_a_limit_below_all_endings_changes_nothing(random_tree, seed):
    game = random_tree(seed, Shape())
    truth = minimax_decision(game)
    found = h_minimax_decision(game, 4, evaluation=lambda state: Fraction(0))
    assert (found.value, found.line, found.is_exact) == (truth.value, truth.line, True)


def test_eval_replaces_utility_at_the_limit_and_is_marked(shipped):
    trace = Trace()
    game = shipped("othello_small")
    alpha_beta_cutoff_search(game, 2, observer=trace)
    leaves = [e for e in trace.events if e.kind is EventKind.LEAVE and len(e.path) == 2]
    assert leaves
    assert all(event.is_cutoff for event in leaves)


def test_a_proven_win_beats_the_best_guess(shipped):
    game = shipped("aima_fig_5_2")
    guess = squeezer(game.facts.utility_bounds)(Fraction(10**6))
    found = h_minimax_decision(game, 1, evaluation=lambda state: guess)
    assert found.value < game.facts.utility_bounds[1]


def test_a_game_that_goes_round_in_circles_can_be_searched_to_a_limit(shipped):
    decision = alpha_beta_cutoff_search(
        shipped("dobutsu_shogi"), 1, evaluation=lambda state: Fraction(0)
    )
    assert decision.value == 0


EXCHANGE = """
game "An exchange"
players MAX, MIN
state:
    lost[players]: 0..9 = 0
    plies: 0..2 = 0
move quiet:
    plies += 1
move take:
    plies += 1
    lost[opponent] += 1 if turn == MAX else 3
end:
    if plies == 2: payoff p: lost[next(p)] - lost[p]
evaluate p{}: lost[next(p)] - lost[p]
"""


@pytest.mark.parametrize("search", [h_minimax_decision, alpha_beta_cutoff_search])
@pytest.mark.parametrize(
    ("where", "depths", "value", "is_exact"),
    [
        ("", {1}, 1, False),
        (" where plies != 1", {2}, -2, True),
        (" where lost[MIN] == 0", {1, 2}, 0, False),
        (" where false", {2}, -2, True),
    ],
)
def test_states_that_are_not_quiescent_are_searched_further(search, where, depths, value, is_exact):
    trace = Trace()
    found = search(gamedsl.load(EXCHANGE.format(where)), 1, observer=trace)
    inner = {event.path for event in trace.events if event.kind is EventKind.VALUE}
    leaves = {event.path for event in trace.events} - inner
    assert ({len(path) for path in leaves}, found.value, found.is_exact) == (
        depths, value, is_exact,
    )  # fmt: skip


def test_what_is_never_quiescent_is_evaluated_all_the_same():
    game = gamedsl.load(
        """
game "Round"
players A, B
state:
    on: bool = false
move turn_it:
    on = not on
end:
    if false: draw
endless: draw
evaluate p where false: 0
"""
    )
    found = h_minimax_decision(game, 2)
    assert (found.nodes, found.value) == (1 + 2 + QUIESCENCE_LIMIT, 0)


def test_a_limit_below_one_ply_is_a_mistake(shipped):
    with pytest.raises(ValueError, match="at least 1 ply"):
        h_minimax_decision(shipped("othello_small"), 0)


def test_without_eval_a_limit_is_refused(shipped):
    with pytest.raises(UnsupportedGameError, match="has no `evaluate`"):
        alpha_beta_cutoff_search(shipped("tic_tac_toe"), 2)


def test_a_bigger_budget_searches_no_less_deep(shipped):
    game = shipped("othello_small")
    depths = [iterative_deepening_search(game, nodes=n).depth for n in (1, 100, 1000)]
    assert depths[0] == 1
    assert all(a <= b for a, b in pairwise(depths))
    assert depths[-1] > 1


def test_deepening_ends_with_the_truth_where_the_budget_allows(shipped):
    game = shipped("othello_small")
    state = game.initial_state()
    for _ in range(8):
        state = game.result(state, game.legal_actions(state)[0])
    decision = iterative_deepening_search(game, state, nodes=10**6)
    assert decision.is_exact
    assert decision.value == solve(game, state).value[0]


def test_time_is_a_budget_too(shipped):
    ticks = count()
    decision = iterative_deepening_search(
        shipped("othello_small"), seconds=200, clock=lambda: float(next(ticks))
    )
    assert 1 < decision.depth < 10
    assert not decision.is_exact
