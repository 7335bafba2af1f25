"""Stages of a search as separate pictures, as in AIMA's figure 5.5 (3rd ed.).

Each stage is a tree; nodes keep their places across stages. Nodes not yet visited are absent, cut
nodes are struck out, and every node shows the range of possible values, `[-∞, 3]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from gamedsl.reports.trees.boxes import Room
from gamedsl.reports.trees.data import (
    DrawnNode,
    GameTree,
    NodeKind,
    PlayPhase,
    ValueBound,
    bound_text,
    caption,
)
from gamedsl.solvers.textbook.trace import EventKind
from gamedsl.source.records import dataclass

LEAVES, CUTS, ALL = "leaves", "cuts", "all"


@dataclass(frozen=True, slots=True)
class Frames:
    """The stages in order, and the room that the texts of all stages need."""

    trees: tuple[GameTree, ...]
    room: Room


@dataclass(frozen=True, slots=True)
class _Range:
    """The range between the least and the greatest possible value of a node; None is infinite."""

    low: Fraction | None = None
    high: Fraction | None = None

    def __str__(self) -> str:
        return f"[{bound_text(self.low, '-∞')}, {bound_text(self.high, '+∞')}]"


def frames(tree: GameTree, wanted: str = LEAVES) -> Frames:
    """The stages of a search.

    Args:
        tree: a tree with a search.
        wanted: `leaves`: after each leaf; `cuts`: at each cut; `all`: after each step; or the
            numbers of steps, `5,9,17`, counted as on the page of the search.

    Raises:
        ValueError: the tree has no search, or the steps do not exist.
    """
    if not tree.steps:
        raise ValueError("frames are the stages of a search, and there is none")
    made = tuple(_frame(tree, number) for number in _numbers(tree, wanted))
    ends = (NodeKind.TERMINAL, NodeKind.REST)
    inner = [n.shown or "" for frame in made for n in frame.nodes if n.kind not in ends]
    ending = [n.shown or "" for frame in made for n in frame.nodes if n.kind is NodeKind.TERMINAL]
    captions = [line for frame in made for line in caption(frame)]
    room = [max(texts, key=len, default="") for texts in (inner, ending, captions)]
    return Frames(made, Room(room[0], room[1], caption=room[2]))


def _numbers(tree: GameTree, wanted: str) -> Sequence[int]:
    """The number of steps before each stage."""
    last = len(tree.steps)
    match wanted:
        case "leaves":
            return _after_leaves(tree)
        case "cuts":
            return [i for i, step in enumerate(tree.steps, 1) if step.kind is EventKind.CUT]
        case "all":
            return range(last + 1)
    numbers = [int(part) for part in wanted.split(",") if part.strip().isdecimal()]
    if len(numbers) != wanted.count(",") + 1 or not all(n <= last for n in numbers):
        raise ValueError(
            f"`leaves`, `cuts`, `all` or numbers of steps from 0 to {last} are needed here, "
            f"as in `5,9,17`; found `{wanted}`"
        )
    return numbers


def _after_leaves(tree: GameTree) -> list[int]:
    """The steps after which a leaf's visit and all consequences are complete.

    For random plays, the steps at the end of a play.
    """
    if tree.root.visits is not None:
        return [
            i
            for i, step in enumerate(tree.steps, 1)
            if step.node == 0 and step.kind is PlayPhase.BACK_PROPAGATE
        ]
    numbers = []
    inner = {step.node for step in tree.steps if step.kind is EventKind.VALUE}
    is_new = False
    for i, step in enumerate(tree.steps):
        if step.kind is EventKind.ENTER:
            if is_new:
                numbers.append(i)
            is_new = step.node not in inner
    return [*numbers, len(tree.steps)]


def _frame(tree: GameTree, number: int) -> GameTree:
    """The tree after the first `number` steps."""
    steps = tree.steps[:number]
    seen = {step.node for step in steps}
    left = {step.node for step in steps if step.kind is EventKind.LEAVE}
    cut = {child for step in steps for child in step.pruned} - seen
    texts = {step.node: step.shown for step in steps if step.shown}
    ranges = _ranges(tree, left)
    is_over = number == len(tree.steps)
    nodes = []
    for node in tree.nodes:
        is_number = isinstance(tree.root.value, Fraction) and tree.root.visits is None
        is_end = node.kind is NodeKind.TERMINAL
        shown = str(ranges[node.number]) if is_number and not is_end else texts.get(node.number, "")
        is_seen = node.number in seen
        nodes.append(
            replace(
                node,
                value=None,
                bound=ValueBound.EXACT,
                cut=None,
                shown=shown if is_seen else "",
                is_visited=node.number not in cut,
                is_hidden=not is_seen and node.number not in cut,
                is_chosen=is_over and node.is_chosen,
            )
        )
    words = steps[-1].words if steps else "Before the search."
    remark = f"Step {number} of {len(tree.steps)}. {words}"
    return replace(
        tree, nodes=tuple(nodes), algorithm=None, steps=(), visited=None, ties=None, remark=remark
    )


def _ranges(tree: GameTree, left: set[int]) -> list[_Range]:
    """The possible values of the nodes, given the values of the nodes already left."""
    ranges = [_Range()] * len(tree.nodes)
    for node in reversed(tree.nodes):
        children = tree.children(node)
        if children and all(child.kind is not NodeKind.REST for child in children):
            ranges[node.number] = _backed_up(node, children, ranges)
        elif node.number in left:
            ranges[node.number] = _known(node)
    return ranges


def _known(node: DrawnNode) -> _Range:
    """The range from the value at exit."""
    if not isinstance(node.value, Fraction):
        return _Range()
    low = None if node.bound is ValueBound.AT_MOST else node.value
    high = None if node.bound is ValueBound.AT_LEAST else node.value
    return _Range(low, high)


def _backed_up(node: DrawnNode, children: Sequence[DrawnNode], ranges: Sequence[_Range]) -> _Range:
    """The range from the children's ranges: the greatest, the least, or the average."""
    below = [ranges[child.number] for child in children]
    lows, highs = [interval.low for interval in below], [interval.high for interval in below]
    if node.kind is NodeKind.CHANCE:
        odds = [child.chance or Fraction(0) for child in children]
        return _Range(_average(lows, odds), _average(highs, odds))
    known_lows = [low for low in lows if low is not None]
    known_highs = [high for high in highs if high is not None]
    if node.kind is NodeKind.MAX:
        return _Range(
            max(known_lows, default=None),
            max(known_highs) if len(known_highs) == len(below) else None,
        )
    return _Range(
        min(known_lows) if len(known_lows) == len(below) else None,
        min(known_highs, default=None),
    )


def _average(values: Sequence[Fraction | None], odds: Sequence[Fraction]) -> Fraction | None:
    total = Fraction(0)
    for value, chance in zip(values, odds, strict=True):
        if value is None:
            return None
        total += chance * value
    return total
