"""The state graph, its components, and what is counted on it."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gamedsl
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.solvers.graphs.counting import count_plays, longest_play
from gamedsl.solvers.graphs.graph import Exploration, OutOfBudgetError, explore
from gamedsl.source.components import components, is_cyclic
from tests.unit.solvers.kernels.solving import random_race

graphs = st.integers(1, 9).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=3), min_size=n, max_size=n)
)


def reachable(successors: Any, start: int) -> set[int]:
    """Nodes at the end of some path of at least one edge."""
    found: set[int] = set()
    queue = list(successors[start])
    while queue:
        node = queue.pop()
        if node not in found:
            found.add(node)
            queue.extend(successors[node])
    return found


@given(graphs)
def test_components_are_the_sets_of_mutually_reachable_nodes(successors: Any) -> None:
    after = [reachable(successors, node) for node in range(len(successors))]
    expected = {
        frozenset({a} | {b for b in after[a] if a in after[b]}) for a in range(len(successors))
    }
    assert {frozenset(component) for component in components(successors)} == expected


@given(graphs)
def test_components_come_after_all_that_they_lead_to(successors: Any) -> None:
    done: set[int] = set()
    for component in components(successors):
        done.update(component)
        assert all(child in done for node in component for child in successors[node])


@given(graphs)
def test_a_component_is_cyclic_where_a_node_can_return(successors: Any) -> None:
    for component in components(successors):
        returns = [node in reachable(successors, node) for node in component]
        assert all(returns) if is_cyclic(component, successors) else not any(returns)


def test_a_long_path_is_no_deep_recursion() -> None:
    path = [[node + 1] for node in range(100_000)] + [[]]
    assert len(components(path)) == 100_001


def test_chance_events_are_counted_apart_from_positions(written: Any) -> None:
    game = written.game(
        [written.chance(("1/2", 1), ("1/2", 2)), written.move(0, 2), written.end(1, -1)]
    )
    graph = explore(game)
    assert (graph.positions, len(graph.chances), len(graph.payoffs)) == (2, 1, 1)
    assert graph.chances == {0: (Fraction(1, 2), Fraction(1, 2))}


def test_a_graph_larger_than_allowed_says_how_far_it_got(games: Any) -> None:
    with pytest.raises(OutOfBudgetError, match="more than 100 positions") as caught:
        explore(gamedsl.load(games / "tic_tac_toe.game"), max_positions=100)
    assert caught.value.explored + caught.value.frontier > 100


def test_a_graph_just_as_large_as_allowed_is_explored(games: Any) -> None:
    game = gamedsl.load(games / "tic_tac_toe.game")
    assert explore(game, max_positions=5478).positions == 5478


def test_progress_is_told_from_time_to_time(games: Any) -> None:
    told: list[tuple[int, int]] = []
    explore(gamedsl.load(games / "tic_tac_toe.game"), progress=lambda *counts: told.append(counts))
    assert [explored for explored, _ in told] == list(range(64, 5478, 64))


def test_a_failure_of_the_rules_comes_with_the_play_that_leads_to_it() -> None:
    game = gamedsl.load("""\
game "Overflow"
players A, B
state:
    n: 0..2 = 0
move up:
    n += 1
end:
    if n == 5: A wins
""")
    with pytest.raises(GameRuleError) as caught:
        explore(game)
    assert caught.value.__notes__ == ["the play that leads there: up, up"]


def test_plays_and_the_longest_play_of_tic_tac_toe(games: Any) -> None:
    """255168 complete plays: Wikipedia, "Tic-tac-toe", combinatorics."""
    graph = explore(gamedsl.load(games / "tic_tac_toe.game"))
    order = components(graph.successors)
    assert count_plays(graph, order) == 255168
    assert longest_play(graph, order) == 9


def test_chance_events_lengthen_no_play_but_multiply_plays(written: Any) -> None:
    nodes = [written.move(0, 1), written.chance(("1/3", 2), ("2/3", 2)), written.end(1, -1)]
    graph = explore(written.game(nodes))
    order = components(graph.successors)
    assert (count_plays(graph, order), longest_play(graph, order)) == (2, 1)


def test_plays_that_can_go_round_are_not_counted(written: Any) -> None:
    graph = explore(written.game([written.move(0, 0, 1), written.end(1, -1)]))
    order = components(graph.successors)
    with pytest.raises(UnsupportedGameError, match="infinitely many plays"):
        count_plays(graph, order)
    with pytest.raises(UnsupportedGameError, match="no play is the longest"):
        longest_play(graph, order)


def test_all_choices_at_once_are_one_joint_action(games: Any) -> None:
    graph = explore(gamedsl.load(games / "rock_paper_scissors.game"))
    assert graph.actions[0][:2] == ((0, 0), (0, 1))
    assert len(graph.actions[0]) == 9


def test_an_exploration_can_be_taken_up_where_it_stopped() -> None:
    game = gamedsl.load("tic_tac_toe")
    exploration = Exploration(game, game.initial_state())
    for limit in (1, 20, 500):
        with pytest.raises(OutOfBudgetError):
            exploration.run(limit, None)
        assert limit < len(exploration.keys) < limit + 10
    exploration.run(5478, None)
    whole = explore(game)
    assert tuple(exploration.graph().states) == tuple(whole.states)
    assert exploration.graph().successors == whole.successors


@pytest.mark.parametrize("seed", range(30))
def test_an_exploration_sees_a_cycle_as_soon_as_it_has_walked_it(seed: int) -> None:
    game = gamedsl.load(random_race(seed, returns=seed % 2 == 0))
    exploration = Exploration(game, game.initial_state())
    for limit in range(1, 45):
        with suppress(OutOfBudgetError):
            exploration.run(limit, None)
        successors = [*exploration.successors, *[()] * len(exploration.keys)]
        known = successors[: len(exploration.keys)]
        cyclic = any(is_cyclic(found, known) for found in components(known))
        assert exploration.has_cycle() == cyclic


def test_what_chance_settles_before_the_first_ply_is_known_where_a_discount_counts() -> None:
    text = """players P
discount = 1/2
state:
    at: 0..3
    left: 0..2 = 2
setup:
    chance start in {0: 1/2, 1: 1/2}
    at = start
move go:
    left -= 1
end:
    if left == 0: P wins
"""
    graph = explore(gamedsl.load(text))
    assert graph.opening
    assert graph.opening <= set(graph.chances)
    plain = explore(gamedsl.load(text.replace("discount = 1/2\n", "")))
    assert plain.opening == frozenset()
