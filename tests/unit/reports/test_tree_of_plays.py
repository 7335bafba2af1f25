"""The tree of Monte-Carlo tree search: its counts, its phases, and its pseudo-code."""

from __future__ import annotations

from fractions import Fraction

import pytest

import gamedsl
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.reports.trees.as_html import tree_html
from gamedsl.reports.trees.data import GameTree, PlayPhase
from gamedsl.reports.trees.frames import frames
from gamedsl.reports.trees.pseudocode import pseudocode

PLAYS = 40


@pytest.fixture(scope="module")
def tree() -> GameTree:
    return gamedsl.tree("tic_tac_toe", "a1 b1 a2 b2 c2", algorithm="mcts", plays=PLAYS)


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "three_player_race"])
def test_every_play_is_counted_at_each_node_on_its_way(name: str) -> None:
    tree = gamedsl.tree(name, algorithm="mcts", plays=PLAYS)
    assert tree.root.visits == PLAYS
    for node in tree.nodes:
        below = sum(child.visits or 0 for child in tree.children(node))
        own = 0 if node.number == 0 or node.kind in ("terminal", "chance") else 1
        assert node.visits is not None
        if node.kind != "terminal":
            assert below in (node.visits - own, node.visits - 1, node.visits)


def test_a_tree_that_is_cut_short_has_the_first_nodes_with_all_their_plays() -> None:
    whole = gamedsl.tree("nim", algorithm="mcts", plays=PLAYS)
    part = gamedsl.tree("nim", algorithm="mcts", plays=PLAYS, max_nodes=7)
    assert len(part.nodes) == 7
    known = {node.path: (node.visits, node.value) for node in whole.nodes}
    assert all(known[node.path] == (node.visits, node.value) for node in part.nodes)


def test_a_play_goes_through_its_phases_in_order(tree: GameTree) -> None:
    order = [PlayPhase.SELECT, PlayPhase.EXPAND, PlayPhase.SIMULATE, PlayPhase.BACK_PROPAGATE]
    for number in range(1, PLAYS + 1):
        phases = [step.kind for step in tree.steps if step.words.startswith(f"Play {number}:")]
        assert phases == sorted(phases, key=order.index)
        assert phases.count(PlayPhase.SIMULATE) == 1
        paths = [step.node for step in tree.steps if step.words.startswith(f"Play {number}:")]
        assert paths[-1] == 0


def test_what_stands_at_a_node_in_the_end_is_its_average(tree: GameTree) -> None:
    shown = {step.node: step.shown for step in tree.steps if step.shown}
    for node in tree.nodes:
        total, visits = shown[node.number].split("/")
        assert int(visits) == node.visits
        assert Fraction(total) / int(visits) == node.value


def test_the_average_of_the_root_is_not_called_the_value_of_the_decision(tree: GameTree) -> None:
    paid = sum(Fraction(node.value) * (node.visits or 0) for node in tree.children(tree.root))
    said = f"UCT: average {paid / PLAYS}, {PLAYS} plays simulated"
    assert str(tree).splitlines()[-2] == said


def test_the_greatest_bound_is_taken(tree: GameTree) -> None:
    said = [step.words for step in tree.steps if "by the greatest bound" in step.words]
    assert said
    for words in said:
        bounds = dict(part.split() for part in words.rstrip(".").split("bound: ")[1].split(", "))
        assert float(bounds[words.split("takes ")[1].split(",")[0]]) == max(
            map(float, bounds.values())
        )


def test_the_algorithm_stands_beside_its_page(tree: GameTree) -> None:
    code = pseudocode(tree)
    assert code is not None
    at = {step.kind: code.lines[place] for step, place in zip(tree.steps, code.places, strict=True)}
    assert "EXPAND" in at[PlayPhase.EXPAND]
    assert "BACK-PROPAGATE" in at[PlayPhase.BACK_PROPAGATE]
    assert 'class="grows"' in tree_html(tree)


def test_a_stage_is_a_whole_play(tree: GameTree) -> None:
    made = frames(tree).trees
    assert len(made) == PLAYS
    assert sum(not node.is_hidden for node in made[0].nodes) == 2


def test_depth_cutoff_and_hidden_information_are_refused() -> None:
    with pytest.raises(ValueError, match="neither a depth nor a cutoff"):
        gamedsl.tree("nim", algorithm="mcts", depth=2)
    with pytest.raises(UnsupportedGameError):
        gamedsl.tree("kuhn_poker", algorithm="mcts")
