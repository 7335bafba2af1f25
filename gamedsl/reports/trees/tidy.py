"""The horizontal positions of a tree's nodes: tidy drawing in linear time, for varying widths.

Nodes of a level never overlap, a parent stands in the middle above the children, and equal subtrees
are drawn equally. Heights do not matter, since levels are separate.

Source: C. Buchheim, M. Juenger and S. Leipert, "Improving Walker's algorithm to run in linear
time", Graph Drawing 2002, LNCS 2528, pages 344-353 (source of the function names).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from gamedsl.source.records import dataclass


@dataclass(slots=True, eq=False)
class _Place:
    """A node during placement; the attributes are the paper's."""

    index: int
    width: float
    parent: _Place | None = None
    rank: int = 0
    children: list[_Place] = field(default_factory=list)
    prelim: float = 0.0
    mod: float = 0.0
    change: float = 0.0
    shift: float = 0.0
    thread: _Place | None = None
    ancestor: _Place | None = None

    def next_left(self) -> _Place | None:
        """The next node down the left contour."""
        return self.children[0] if self.children else self.thread

    def next_right(self) -> _Place | None:
        """The next node down the right contour."""
        return self.children[-1] if self.children else self.thread


def tidy(
    children: Sequence[Sequence[int]], widths: Sequence[float], gap: float
) -> tuple[float, ...]:
    """The horizontal middle of every node; node 0 is the root, the least left edge is at 0.

    `children[i]` are numbers greater than i, in order from left to right; `gap` is the least
    distance between neighbours of a level. Time is linear in the number of nodes.
    """
    places = [_Place(index, width) for index, width in enumerate(widths)]
    for place in places:
        place.ancestor = place
        for rank, index in enumerate(children[place.index]):
            places[index].parent = place
            places[index].rank = rank
            place.children.append(places[index])
    for parent in reversed(places):
        _first_walk_of_children(parent, gap)
    xs = [0.0] * len(places)
    shifts = [0.0] * len(places)
    for place in places:
        xs[place.index] = place.prelim + shifts[place.index]
        for child in place.children:
            shifts[child.index] = shifts[place.index] + place.mod
    left = min(x - width / 2 for x, width in zip(xs, widths, strict=True))
    return tuple(x - left for x in xs)


def _first_walk_of_children(parent: _Place, gap: float) -> None:
    """Place the children of a node side by side; all deeper nodes are already placed."""
    if not parent.children:
        return
    default_ancestor = parent.children[0]
    for rank, child in enumerate(parent.children):
        middle = 0.0
        if child.children:
            middle = (child.children[0].prelim + child.children[-1].prelim) / 2
        if rank == 0:
            child.prelim = middle
        else:
            before = parent.children[rank - 1]
            child.prelim = before.prelim + _distance(before, child, gap)
            child.mod = child.prelim - middle
        default_ancestor = _apportion(child, default_ancestor, gap)
    _execute_shifts(parent)
    if parent.parent is None:
        parent.prelim = (parent.children[0].prelim + parent.children[-1].prelim) / 2


def _distance(left: _Place, right: _Place, gap: float) -> float:
    return (left.width + right.width) / 2 + gap


def _apportion(place: _Place, default_ancestor: _Place, gap: float) -> _Place:
    """Push the subtree of `place` to the right until clear of the subtrees on the left."""
    if place.parent is None or place.rank == 0:
        return default_ancestor
    first = place.parent.children[0]
    inner_right = outer_right = place
    inner_left, outer_left = place.parent.children[place.rank - 1], first
    sum_ir = sum_or = place.mod
    sum_il, sum_ol = inner_left.mod, outer_left.mod
    while True:
        left, right = inner_left.next_right(), inner_right.next_left()
        if left is None or right is None:
            break
        inner_left, inner_right = left, right
        further_left, further_right = outer_left.next_left(), outer_right.next_right()
        assert further_left is not None
        assert further_right is not None
        outer_left, outer_right = further_left, further_right
        outer_right.ancestor = place
        shift = (
            inner_left.prelim + sum_il + _distance(inner_left, inner_right, gap)
            - inner_right.prelim - sum_ir
        )  # fmt: skip
        if shift > 0:
            _move_subtree(_ancestor(inner_left, place, default_ancestor), place, shift)
            sum_ir += shift
            sum_or += shift
        sum_il += inner_left.mod
        sum_ir += inner_right.mod
        sum_ol += outer_left.mod
        sum_or += outer_right.mod
    if left is not None and outer_right.next_right() is None:
        outer_right.thread = left
        outer_right.mod += sum_il - sum_or
    if right is not None and outer_left.next_left() is None:
        outer_left.thread = right
        outer_left.mod += sum_ir - sum_ol
        return place
    return default_ancestor


def _ancestor(inner_left: _Place, place: _Place, default_ancestor: _Place) -> _Place:
    """The sibling of `place`, or the default, whose subtree contains `inner_left`."""
    ancestor = inner_left.ancestor
    assert ancestor is not None
    return ancestor if ancestor.parent is place.parent else default_ancestor


def _move_subtree(left: _Place, right: _Place, shift: float) -> None:
    between = right.rank - left.rank
    right.change -= shift / between
    right.shift += shift
    left.change += shift / between
    right.prelim += shift
    right.mod += shift


def _execute_shifts(parent: _Place) -> None:
    shift = change = 0.0
    for child in reversed(parent.children):
        child.prelim += shift
        child.mod += shift
        change += child.change
        shift += child.shift + change
