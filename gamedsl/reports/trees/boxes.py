"""The layout of a tree: the room and the position of the nodes.

A `Drawing` consists of boxes with positions, drawn by `as_svg`. A node's box holds, from top to
bottom, the label of the edge, the value if too large for the shape, the shape, and the notes or
board.
"""

from __future__ import annotations

from gamedsl.reports.svg import text_width
from gamedsl.reports.trees.data import (
    DrawnNode,
    GameTree,
    NodeKind,
    cut_text,
    likelihood_text,
    value_text,
)
from gamedsl.reports.trees.tidy import tidy
from gamedsl.source.records import dataclass

SHAPE = 34.0
"""Width of a triangle or circle in pixels; the height is similar."""
GAP = 9.0
LEVEL_GAP, DEEPEST_GAP = 44.0, 150.0
"""Gap between two levels; larger if edges would be flat otherwise."""
FLATTEST = 0.12
"""Slope of the flattest edge, as far as the gap allows."""
LABEL_SIZE, VALUE_SIZE, NOTE_SIZE = 12.0, 13.0, 10.0
LINE = 15.0
BOARD_UNIT = 13.0
INSIDE = 4
"""Letters of a value that fit into a triangle."""


@dataclass(frozen=True, slots=True)
class Room:
    """Room reserved for later text, equal at all nodes, so that gaps reveal no values.

    Attributes:
        inner: the widest value of a node with a shape.
        ending: the widest value of a box.
        window: the widest alpha and beta, written above a shape; empty without a window.
        caption: the longest line of the caption.
    """

    inner: str
    ending: str
    window: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A node in place: `x` is the middle, `top` the upper edge of the whole box.

    Attributes:
        labels: lines above the shape that belong to the edge.
        window: whether a line for alpha and beta follows the labels.
        inside, above: the value inside or above the shape; the unused field is empty.
        letter: the player's letter inside the shape, if the value is outside.
        notes: lines below the shape.
        shape_top, shape_bottom: edges of the shape alone.
        board: left, top and unit of the small board; None without a board.
        bottom: start of the edges to children.
    """

    node: DrawnNode
    x: float
    top: float
    labels: tuple[str, ...]
    window: bool
    inside: str
    above: str
    letter: str
    notes: tuple[str, ...]
    shape_top: float
    shape_bottom: float
    shape_width: float
    board: tuple[float, float, float] | None
    bottom: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """All boxes by number of the node, and the size of the drawing in pixels."""

    boxes: tuple[Box, ...]
    width: float
    height: float


def laid_out(
    tree: GameTree, board_size: tuple[float, float] | None = None, room: Room | None = None
) -> Drawing:
    """Place every node.

    `board_size`: size of a small board in squares, if boards are drawn. `room`: reserved room in
    place of the tree's own values and cuts.
    """
    fits = _all_fit(tree) if room is None else len(room.inner) <= INSIDE
    sizes = [_Size(tree, node, board_size, fits, room) for node in tree.nodes]
    xs = tidy([node.children for node in tree.nodes], [size.width for size in sizes], GAP)
    shape_tops, height = _levels(sizes, _gaps(tree, xs))
    boxes = tuple(
        size.box(x, shape_tops[size.node.depth]) for x, size in zip(xs, sizes, strict=True)
    )
    width = max(x + size.width / 2 for x, size in zip(xs, sizes, strict=True))
    return Drawing(boxes, width, height)


def _gaps(tree: GameTree, xs: tuple[float, ...]) -> dict[int, float]:
    """The gaps above the levels."""
    gaps = {0: 0.0}
    for node in tree.nodes[1:]:
        wanted = FLATTEST * abs(xs[node.number] - xs[node.parent])
        gaps[node.depth] = max(gaps.get(node.depth, LEVEL_GAP), min(wanted, DEEPEST_GAP))
    return gaps


def _levels(sizes: list[_Size], gaps: dict[int, float]) -> tuple[list[float], float]:
    """The tops of the shapes by level, so that shapes form a row; and the total height."""
    tops = []
    bottom = 0.0
    for depth in range(max(size.node.depth for size in sizes) + 1):
        level = [size for size in sizes if size.node.depth == depth]
        tops.append(bottom + gaps[depth] + max(size.head for size in level))
        bottom = tops[-1] + max(size.shape_height + size.tail for size in level)
    return tops, bottom


class _Size:
    """The room needed by a node."""

    def __init__(
        self,
        tree: GameTree,
        node: DrawnNode,
        board_size: tuple[float, float] | None,
        fits: bool,
        room: Room | None,
    ) -> None:
        self.node = node
        is_named = node.kind is NodeKind.PLAYER
        is_box = node.kind in (NodeKind.TERMINAL, NodeKind.REST)
        if room is not None:
            value = room.ending if is_box else room.inner
        else:
            value = value_text(node.value, node.bound) if node.is_visited else ""
        self.inside = value if is_box or (fits and not is_named) else ""
        self.above = "" if self.inside else value
        self.letter = _letter(tree, node) if is_named else ""
        if node.kind is NodeKind.REST:
            self.inside = node.label
        words = (likelihood_text(node), node.label)
        self.labels = () if node.kind is NodeKind.REST else tuple(filter(None, words))
        self.window = "" if room is None or is_box else room.window
        self.notes = _notes(node, with_cuts=room is None)
        is_wide = is_box or text_width(self.inside, VALUE_SIZE) > SHAPE
        self.shape_width = max(26.0, text_width(self.inside, VALUE_SIZE) + 10) if is_wide else SHAPE
        self.shape_height = 22.0 if is_box else 32.0
        self.board = None if node.kind in (NodeKind.REST, NodeKind.CHANCE) else board_size
        self.head = LINE * (len(self.labels) + bool(self.window) + bool(self.above))
        texts = [text_width(line, LABEL_SIZE) for line in self.labels]
        texts += [text_width(line, NOTE_SIZE) for line in self.notes]
        texts += [text_width(self.above, VALUE_SIZE)] if self.above else []
        texts += [text_width(self.window, NOTE_SIZE)] if self.window else []
        wide = self.board[0] * BOARD_UNIT if self.board else 0.0
        self.width = max(self.shape_width, wide, *texts, 0.0)

    @property
    def tail(self) -> float:
        """Height of the parts below the shape."""
        board = self.board[1] * BOARD_UNIT + 6 if self.board else 0.0
        return board + 13.0 * len(self.notes)

    def box(self, x: float, shape_top: float) -> Box:
        """The node in place."""
        bottom = shape_top + self.shape_height
        board = None
        if self.board is not None:
            board = (x - self.board[0] * BOARD_UNIT / 2, bottom + 4, BOARD_UNIT)
        return Box(
            self.node, x, shape_top - self.head, self.labels, bool(self.window), self.inside,
            self.above, self.letter, self.notes, shape_top, bottom, self.shape_width, board,
            bottom + self.tail,
        )  # fmt: skip


def _all_fit(tree: GameTree) -> bool:
    """Whether the values of all inner nodes fit into the shapes."""
    inner = [n for n in tree.nodes if n.kind is not NodeKind.TERMINAL]
    return all(len(value_text(node.value, node.bound)) <= INSIDE for node in inner)


def _letter(tree: GameTree, node: DrawnNode) -> str:
    """The player in one letter, if the first letters differ; else the first three letters."""
    firsts = {name[0] for name in tree.players}
    return node.name[0] if len(firsts) == len(tree.players) else node.name[:3]


def _notes(node: DrawnNode, *, with_cuts: bool) -> tuple[str, ...]:
    notes = [cut_text(node.cut)] if with_cuts and node.cut is not None else []
    if node.visits is not None and with_cuts:
        notes.append(f"n={node.visits:,}")
    notes += node.about
    if node.below != 0:
        notes.append("+ more" if node.below is None else f"+{node.below:,}")
    return tuple(notes)
