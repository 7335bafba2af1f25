"""Stages of a search, each with what its nodes can still be worth."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import gamedsl
from gamedsl.reports.trees.as_latex import slides_latex, tree_latex
from gamedsl.reports.trees.as_svg import tree_svg
from gamedsl.reports.trees.data import GameTree
from gamedsl.reports.trees.frames import frames


@pytest.fixture(scope="module")
def figure() -> GameTree:
    return gamedsl.tree("aima_fig_5_2", algorithm="alpha-beta")


def ranges(tree: GameTree) -> list[str]:
    """Of the root and its children, as far as they were visited."""
    return [node.shown for node in tree.nodes[:4] if node.shown]


def test_the_stages_of_figure_5_5_have_the_ranges_of_the_book(figure: GameTree) -> None:
    """(a) to (f) of AIMA 3rd ed., figure 5.5; the book leaves out the stage behind the leaf 5."""
    a, b, c, d, e, left_out, f = frames(figure).trees
    assert ranges(a) == ["[-∞, +∞]", "[-∞, 3]"]
    assert ranges(b) == ["[-∞, +∞]", "[-∞, 3]"]
    assert ranges(c) == ["[3, +∞]", "[3, 3]"]
    assert ranges(d) == ["[3, +∞]", "[3, 3]", "[-∞, 2]"]
    assert ranges(e) == ["[3, 14]", "[3, 3]", "[-∞, 2]", "[-∞, 14]"]
    assert ranges(left_out) == ["[3, 5]", "[3, 3]", "[-∞, 2]", "[-∞, 5]"]
    assert ranges(f) == ["[3, 3]", "[3, 3]", "[-∞, 2]", "[2, 2]"]
    assert [node.label for node in d.nodes if node.is_hidden] == ["a3", "d1", "d2", "d3"]
    assert [node.label for node in d.nodes if node.is_pruned] == ["c2", "c3"]


def test_a_node_stands_in_the_same_place_in_all_stages(figure: GameTree) -> None:
    made = frames(figure, "all")
    assert len(made.trees) == len(figure.steps) + 1
    places: dict[str, set[str]] = {}
    sizes = set()
    for tree in made.trees:
        root = ElementTree.fromstring(tree_svg(tree, room=made.room))
        sizes.add((root.get("width"), root.get("height")))
        for group in root.iter("{http://www.w3.org/2000/svg}g"):
            for shape in group:
                if shape.get("class") == "shape":
                    at = shape.get("points") or shape.get("x") or ""
                    places.setdefault(group.get("id") or "", set()).add(at)
    assert len(places) == 13
    assert all(len(found) == 1 for found in places.values())
    assert len(sizes) == 1


def test_cuts_and_numbers_choose_stages(figure: GameTree) -> None:
    assert [tree.remark for tree in frames(figure, "cuts").trees] == [
        "Step 18 of 33. Cut after a2: the value is ≤2 with α=3, β=+∞, so c2, c3 cannot matter."
    ]
    assert [tree.remark for tree in frames(figure, "0, 33").trees] == [
        "Step 0 of 33. Before the search.",
        "Step 33 of 33. Leave MAX at the root with value 3.",
    ]


@pytest.mark.parametrize("wanted", ["34", "leafs", "1,,2", "", "-1"])
def test_what_is_no_stage_is_refused_with_what_there_is(figure: GameTree, wanted: str) -> None:
    with pytest.raises(ValueError, match="numbers of steps from 0 to 33"):
        frames(figure, wanted)


def test_chance_has_a_range_when_all_its_outcomes_have_one() -> None:
    tree = gamedsl.tree("expectiminimax", algorithm="expectiminimax")
    shown = [stage.nodes[2].shown for stage in frames(tree).trees]
    assert shown == ["", "[-∞, +∞]", "[2/5, 2/5]", "[2/5, 2/5]", "[2/5, 2/5]", "[2/5, 2/5]"]


def test_vectors_are_shown_as_they_become_known() -> None:
    tree = gamedsl.tree("aima_three_player", algorithm="maxn")
    assert frames(tree).trees[0].root.shown == ""
    assert frames(tree).trees[-1].root.shown == "(1, 2, 6)"


def test_stages_are_pages_in_latex(figure: GameTree) -> None:
    written = tree_latex(frames(figure).trees)
    assert written.count(r"\begin{page}") == 7
    assert "range={[3, 14]}" in written
    assert "unseen" in written


def test_stages_are_overlays_of_a_slide(figure: GameTree) -> None:
    written = slides_latex(frames(figure, "cuts").trees)
    assert written.count(r"\begin{frame}") == 1
    assert [f"<{n}>" in written for n in (1, 2)] == [True, False]
    assert "Cut after a2" in written
