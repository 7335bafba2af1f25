"""The leaves that a search never looked at."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gamedsl.solvers.textbook.algorithms import Algorithm, search
from gamedsl.solvers.textbook.alpha_beta import alpha_beta_search
from gamedsl.solvers.textbook.cutoff import alpha_beta_cutoff_search, h_minimax_decision
from gamedsl.solvers.textbook.minimax import minimax_decision
from gamedsl.solvers.textbook.pruned_leaves import pruned_leaves
from gamedsl.solvers.textbook.star import star1_decision, star2_decision
from gamedsl.solvers.textbook.trace import EventKind, Trace
from tests.generation.explicit_trees import Shape


def visited_leaves(game, trace):
    left = [event for event in trace.events if event.kind is EventKind.LEAVE]
    return {event.path for event in left if game.is_terminal(event.state)}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("decide", [alpha_beta_search, star1_decision, star2_decision])
def test_visited_and_unvisited_leaves_are_all_leaves_of_the_tree(random_tree, decide, seed):
    game = random_tree(seed, Shape(has_chance=decide is not alpha_beta_search))
    whole, trace = Trace(), Trace()
    search(Algorithm.EXPECTIMINIMAX, game, observer=whole)
    decide(game, observer=trace)
    pruned = pruned_leaves(game, trace.events)
    visited = visited_leaves(game, trace)
    assert pruned.is_complete
    assert not visited & set(pruned.leaves)
    assert visited | set(pruned.leaves) == visited_leaves(game, whole)


def test_minimax_leaves_nothing_out(shipped):
    trace = Trace()
    game = shipped("aima_fig_5_2")
    minimax_decision(game, observer=trace)
    assert pruned_leaves(game, trace.events).leaves == ()


def test_leaves_below_the_depth_limit_are_not_leaves_of_the_search(shipped):
    game, trace = shipped("othello_small"), Trace()

    def evaluation(state):
        return Fraction(0)

    full = h_minimax_decision(game, 2, evaluation=evaluation)
    cut = alpha_beta_cutoff_search(game, 2, evaluation=evaluation, observer=trace)
    pruned = pruned_leaves(game, trace.events, limit=2)
    assert {len(path) for path in pruned.leaves} == {2}
    assert cut.leaves + len(pruned.leaves) == full.leaves


def test_too_many_to_count_is_said(shipped):
    game, trace = shipped("aima_fig_5_2"), Trace()
    alpha_beta_search(game, observer=trace)
    pruned = pruned_leaves(game, trace.events, most_nodes=1)
    assert (len(pruned.leaves), pruned.is_complete) == (1, False)
    assert pruned_leaves(game, trace.events, most_nodes=2).is_complete
