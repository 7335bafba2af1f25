"""Alpha-beta: the values of minimax in any order of moves, with no more leaves."""

from __future__ import annotations

from random import Random

import pytest

import gamedsl
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.planner import solve
from gamedsl.solvers.textbook.alpha_beta import alpha_beta_search
from gamedsl.solvers.textbook.cutoff import alpha_beta_cutoff_search, h_minimax_decision
from gamedsl.solvers.textbook.evaluation import squeezer
from gamedsl.solvers.textbook.minimax import minimax_decision
from gamedsl.solvers.textbook.ordering import (
    declared_order,
    first_of_all,
    reversed_order,
    solved_order,
    worst_order,
)
from gamedsl.solvers.textbook.search_context import Window
from gamedsl.solvers.textbook.trace import EventKind, Trace
from tests.generation.explicit_trees import Shape

SHAPE = Shape(depth=5)


def random_order(rng):
    """A new random order at every visit."""

    def shuffled(game, state):
        actions = declared_order(game, state)
        return tuple(rng.sample(actions, len(actions)))

    return shuffled


@pytest.mark.parametrize("seed", range(40))
def test_it_agrees_with_minimax_and_the_exact_solver_in_any_order(random_tree, seed):
    game = random_tree(seed, SHAPE)
    truth = solve(game)
    full = minimax_decision(game)
    assert full.value == truth.value[0]
    assert full.best == truth.best
    for ordering in (
        declared_order,
        reversed_order,
        random_order(Random(seed)),
        solved_order(truth.moves_at),
        worst_order(truth.moves_at),
    ):
        decision = alpha_beta_search(game, ordering=ordering)
        assert decision.value == full.value
        assert decision.line[0] in full.best
        assert decision.leaves <= full.leaves


@pytest.mark.parametrize("seed", range(20))
def test_the_values_of_the_root_actions_are_exact_or_bounds(random_tree, seed):
    game = random_tree(seed, SHAPE)
    exact = {move.name: move.value for move in minimax_decision(game).moves}
    sign = 1 if game.current_player(game.initial_state()) == 0 else -1
    for move in alpha_beta_search(game).moves:
        if move.is_bound:
            assert sign * exact[move.name] <= sign * move.value
        else:
            assert exact[move.name] == move.value


def test_of_figure_5_2_the_value_of_the_action_that_was_cut_is_a_bound_alone():
    moves = alpha_beta_search(gamedsl.load("aima_fig_5_2")).moves
    assert [(move.name, move.value, move.is_bound) for move in moves] == [
        ("a1", 3, False),
        ("a2", 2, True),
        ("a3", 2, False),
    ]


@pytest.mark.parametrize("seed", range(20))
def test_a_value_outside_the_window_is_a_bound_on_the_true_one(random_tree, seed):
    game = random_tree(seed, SHAPE)
    truth = minimax_decision(game).value
    for low in range(-4, 4):
        found = alpha_beta_search(game, window=Window(low, low + 1)).value
        if found <= low:
            assert truth <= found
        elif found >= low + 1:
            assert truth >= found
        else:
            assert truth == found


def test_players_may_move_several_times_in_a_row(twice):
    assert alpha_beta_search(twice).value == 3
    assert alpha_beta_search(twice, maximizer=1).value == -3


def test_a_cut_tells_the_window_that_made_it(shipped):
    trace = Trace()
    alpha_beta_search(shipped("aima_fig_5_2"), observer=trace)
    (cut,) = (event for event in trace.events if event.kind is EventKind.CUT)
    assert (cut.value, cut.alpha, cut.beta) == (2, 3, None)


def test_watching_changes_nothing(random_tree):
    game = random_tree(3, SHAPE)
    assert alpha_beta_search(game, observer=Trace()) == alpha_beta_search(game)


def test_with_perfect_order_the_leaves_are_near_the_square_root(shipped):
    """Tic-tac-toe after two marks: Knuth and Moore's b^(d/2) is for uniform trees; here the
    comparison is with the leaves that minimax visits."""
    game = shipped("tic_tac_toe")
    state = game.initial_state()
    for name in ("a1", "b2"):
        state = game.result(state, game.action_named(state, name))
    truth = solve(game, state)
    full = minimax_decision(game, state)
    best = alpha_beta_search(game, state, ordering=solved_order(truth.moves_at))
    worst = alpha_beta_search(game, state, ordering=worst_order(truth.moves_at))
    print(f"leaves: minimax {full.leaves}, worst order {worst.leaves}, best {best.leaves}")
    assert best.value == worst.value == full.value
    assert best.leaves <= 4 * full.leaves**0.5
    assert best.leaves < worst.leaves <= full.leaves


def test_the_first_plies_of_tic_tac_toe_need_about_the_square_root_of_the_leaves(shipped):
    """Four plies with the true values at the limit, the best moves first."""
    game = shipped("tic_tac_toe")
    truth = solve(game)
    squeeze = squeezer(game.facts.utility_bounds)

    def evaluation(state):
        return squeeze(truth.value_at(state)[0])

    full = h_minimax_decision(game, 4, evaluation=evaluation)
    best = alpha_beta_cutoff_search(
        game, 4, evaluation=evaluation, ordering=solved_order(truth.moves_at)
    )
    print(f"leaves: minimax {full.leaves}, alpha-beta with the best order {best.leaves}")
    assert full.leaves == 9 * 8 * 7 * 6
    assert best.value == full.value
    assert best.leaves <= 4 * full.leaves**0.5


def test_a_move_can_be_put_first_at_the_root_alone(shipped):
    game = shipped("aima_fig_5_2")
    root = game.initial_state()
    last = game.legal_actions(root)[-1]
    trace = Trace()
    alpha_beta_search(game, ordering=first_of_all(last, declared_order, root), observer=trace)
    visited = [e.path for e in trace.events if e.kind is EventKind.ENTER and len(e.path) == 1]
    assert visited[0] == (last,)
    assert len(visited) == 3


@pytest.mark.parametrize("name", ["aima_three_player", "kuhn_poker", "pig", "l_game"])
def test_a_game_it_cannot_do_is_refused(shipped, name):
    with pytest.raises(UnsupportedGameError):
        alpha_beta_search(shipped(name))


@pytest.mark.parametrize(("root", "below"), [("MAX", "MIN"), ("MIN", "MAX")])
def test_a_branch_that_can_only_tie_is_cut_at_either_players_node(root, below):
    """Figure 5.7 cuts at v <= alpha and at v >= beta: equality is enough."""
    game = gamedsl.load(
        f'game "Tie"\nplayers MAX, MIN\n\ntree:\n    {root}:\n        a -> 1\n'
        f"        b -> {below}: c -> 1, d -> 5, e -> -5\n"
    )
    trace = Trace()
    decision = alpha_beta_search(game, observer=trace)
    (cut,) = (event for event in trace.events if event.kind is EventKind.CUT)
    assert [game.action_name(cut.state, action) for action in cut.pruned] == ["d", "e"]
    assert (decision.value, decision.leaves) == (1, 2)
