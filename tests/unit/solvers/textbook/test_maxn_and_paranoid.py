"""Several players: max^n with its ties, paranoid search as a lower bound."""

from __future__ import annotations

import pytest

from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.planner import solve
from gamedsl.solvers.textbook.alpha_beta import alpha_beta_search
from gamedsl.solvers.textbook.maxn import maxn_decision
from gamedsl.solvers.textbook.paranoid import paranoid_decision
from tests.generation.explicit_trees import Shape

THREE = Shape(players=3)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("has_chance", [False, True])
def test_maxn_agrees_with_backward_induction_ties_included(random_tree, seed, has_chance):
    game = random_tree(seed, Shape(players=3, has_chance=has_chance))
    truth = solve(game)
    decision = maxn_decision(game)
    assert decision.value == truth.value
    assert (decision.ties is None) == (truth.ties is None)
    for other in truth.alternatives:
        assert f"({', '.join(map(str, other))})" in decision.ties


@pytest.mark.parametrize("seed", range(30))
def test_paranoid_search_promises_no_more_than_maxn_gives(random_tree, seed):
    game = random_tree(seed, THREE)
    mover = game.current_player(game.initial_state())
    assert paranoid_decision(game).value <= maxn_decision(game).value[mover]


@pytest.mark.parametrize("seed", range(10))
def test_paranoid_search_of_two_opposed_players_is_alpha_beta(random_tree, seed):
    game = random_tree(seed, Shape())
    mover = game.current_player(game.initial_state())
    sign = 1 if mover == 0 else -1
    assert paranoid_decision(game).value == sign * alpha_beta_search(game).value


def test_the_tie_at_the_root_is_named(shipped):
    decision = maxn_decision(shipped("aima_three_player"))
    assert "A is indifferent between left, right at the root" in decision.ties


def test_without_ties_nothing_is_said(shipped):
    assert maxn_decision(shipped("centipede")).ties is None


def test_a_tree_without_end_is_refused(shipped):
    with pytest.raises(UnsupportedGameError, match="earlier position, so its tree has no end"):
        maxn_decision(shipped("pig"))


@pytest.mark.parametrize("decide", [maxn_decision, paranoid_decision])
def test_secrets_are_refused(shipped, decide):
    with pytest.raises(UnsupportedGameError, match="do not see the whole position"):
        decide(shipped("kuhn_poker"))


def test_paranoid_search_refuses_chance(shipped):
    with pytest.raises(UnsupportedGameError, match=r"chance.*max\^n"):
        paranoid_decision(shipped("pig"))
