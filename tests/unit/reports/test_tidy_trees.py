"""Tidy trees: laws that hold for every tree and every width."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gamedsl.reports.trees.tidy import tidy

GAP = 5.0
SLACK = 1e-6


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[list[int]], list[float]]:
    """Children by node, in depth-first order or not, and a width for each node."""
    size = draw(st.integers(1, 45))
    children: list[list[int]] = [[] for _ in range(size)]
    for node in range(1, size):
        children[draw(st.integers(max(0, node - 7), node - 1))].append(node)
    widths = draw(st.lists(st.sampled_from([1.0, 10.0, 40.0, 200.0]), min_size=size, max_size=size))
    return children, widths


def levels_of(children: list[list[int]]) -> list[list[int]]:
    levels = [[0]]
    while levels[-1]:
        levels.append([child for node in levels[-1] for child in children[node]])
    return levels[:-1]


@given(trees())
def test_nodes_of_one_level_keep_their_order_and_their_distance(
    tree: tuple[list[list[int]], list[float]],
) -> None:
    children, widths = tree
    xs = tidy(children, widths, GAP)
    for level in levels_of(children):
        for left, right in pairwise(level):
            room = (widths[left] + widths[right]) / 2 + GAP
            assert xs[right] - xs[left] >= room - SLACK


@given(trees())
def test_a_parent_stands_in_the_middle_above_its_children(
    tree: tuple[list[list[int]], list[float]],
) -> None:
    children, widths = tree
    xs = tidy(children, widths, GAP)
    for node, below in enumerate(children):
        if below:
            assert abs(xs[node] - (xs[below[0]] + xs[below[-1]]) / 2) < SLACK


@given(trees())
def test_a_mirrored_tree_of_equal_widths_takes_as_much_room(
    tree: tuple[list[list[int]], list[float]],
) -> None:
    children, _ = tree
    widths = [10.0] * len(children)
    xs = tidy(children, widths, GAP)
    mirrored = tidy([below[::-1] for below in children], widths, GAP)
    assert abs((max(xs) - min(xs)) - (max(mirrored) - min(mirrored))) < SLACK


@given(trees())
def test_nothing_lies_left_of_the_paper(tree: tuple[list[list[int]], list[float]]) -> None:
    children, widths = tree
    lefts = [x - w / 2 for x, w in zip(tidy(children, widths, GAP), widths, strict=True)]
    assert abs(min(lefts)) < SLACK


def test_two_leaves_stand_side_by_side() -> None:
    assert tidy([[1, 2], [], []], [10, 10, 10], 5) == (12.5, 5, 20)
