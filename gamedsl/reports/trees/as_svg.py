"""A game tree as a picture: MAX points up, MIN down, chance is round, ends are boxes.

Cut branches are struck through, unvisited nodes are grey, the chosen line is bold, nodes of an
information set are joined by dashed lines. The game is needed for small boards at the nodes. Every
node and edge has an id (`n5`, `e5`), used by `as_html`.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise

from gamedsl.game import LoadedGame
from gamedsl.model.values import Square
from gamedsl.reports.boards.as_svg import board_group
from gamedsl.reports.boards.contents import position_of
from gamedsl.reports.svg import document, element, label, number, text_width
from gamedsl.reports.trees.boxes import (
    GAP,
    LABEL_SIZE,
    LINE,
    NOTE_SIZE,
    SHAPE,
    VALUE_SIZE,
    Box,
    Drawing,
    Room,
    laid_out,
)
from gamedsl.reports.trees.data import DrawnNode, GameTree, NodeKind, caption, row_name

MARGIN = 18.0
CAPTION_SIZE = 13.0
SMALL_BOARD = 4
"""Columns and rows of the largest board drawn at nodes."""
MOST_BOARDS = 150
"""Nodes of the largest tree with boards."""
SET_COLOURS = ("#8757a8", "#2f6fb3", "#3f8f4f", "#b5434b", "#b7791f", "#4f8f8f")

STYLE = """
.edge line { stroke: #66707c; stroke-width: 1.3 }
.edge.chosen line { stroke: #1f2933; stroke-width: 3.4 }
.edge.pruned line { stroke: #b9c0c7; stroke-width: 1.2 }
.edge .strike line { stroke: #c2410c; stroke-width: 2 }
.shape { stroke: #1f2933; stroke-width: 1.3; fill: #eef2f6 }
.max .shape { fill: #dbe9f8 } .min .shape { fill: #fbe3cb }
.chance .shape { fill: #f4eeda } .terminal .shape { fill: #ffffff }
.rest .shape { fill: #ffffff; stroke-dasharray: 3 3 }
.chosen .shape { stroke-width: 2.6 }
.pruned .shape { fill: #f1f2f3; stroke: #b9c0c7 } .pruned text { fill: #5f6873 }
.cut-note { fill: #b93a0a } .note { fill: #5f6873 } .edge-label { fill: #394450 }
.share { fill: #1d5a9e; font-weight: bold }
.row-label { fill: #5f6873; letter-spacing: .04em }
.information { fill: none; stroke-width: 1.8; stroke-dasharray: 5 4 }
"""


def tree_svg(tree: GameTree, game: LoadedGame | None = None, room: Room | None = None) -> str:
    """The picture with a caption; with the game, small boards at nodes if the boards fit.

    With `room`, the `shown` text of a node stands in the reserved room.
    """
    small = None if game is None else board_size(tree, game)
    drawing = laid_out(tree, small, room)
    lines = caption(tree)
    rows = _row_labels(tree, drawing)
    label_width = max((text_width(words, LABEL_SIZE) + GAP for _, words in rows), default=0.0)
    width = drawing.width + 2 * MARGIN + label_width
    longest = max((*lines, "" if room is None else room.caption), key=len)
    words_width = len(longest) * CAPTION_SIZE * 0.56 + 2 * MARGIN
    left = MARGIN + label_width + max(0.0, (words_width - width) / 2)
    width = max(width, words_width)
    height = drawing.height + 2 * MARGIN + len(lines) * 18 + 10
    words = [
        label(width / 2, drawing.height + MARGIN + 24 + 18 * place, line, CAPTION_SIZE)
        for place, line in enumerate(lines)
    ]
    words += [
        label(left - GAP, y + MARGIN, role, LABEL_SIZE, text_anchor="end", class_="row-label")
        for y, role in rows
    ]
    group = _tree_group(tree, drawing, left, game, is_roomy=room is not None)
    return document(width, height, f"game tree of {tree.title}", group, *words, style=STYLE)


def _tree_group(
    tree: GameTree, drawing: Drawing, left: float, game: LoadedGame | None, *, is_roomy: bool
) -> str:
    """The tree without caption and style, the upper left corner at (left, MARGIN)."""
    boxes = drawing.boxes
    drawn = [box for box in boxes if not box.node.is_hidden]
    edges = [_edge(boxes[box.node.parent], box) for box in drawn if box.node.parent >= 0]
    nodes = [_node(box, game, is_roomy=is_roomy) for box in drawn]
    return element(
        "g", *edges, *_information_lines(tree, boxes), *nodes,
        transform=f"translate({number(left)} {number(MARGIN)})",
    )  # fmt: skip


def _row_labels(tree: GameTree, drawing: Drawing) -> list[tuple[float, str]]:
    """The vertical middles of rows of shapes, with the common player to move."""
    middles = {box.node.depth: (box.shape_top + box.shape_bottom) / 2 for box in drawing.boxes}
    named = ((middles[depth], row_name(tree, depth)) for depth in middles)
    return [(middle, words) for middle, words in named if words]


def board_size(tree: GameTree, game: LoadedGame) -> tuple[float, float] | None:
    """Columns and rows of the board, if small enough for all nodes."""
    board = game.model.board
    if board is None or not board.is_grid or len(tree.nodes) > MOST_BOARDS:
        return None
    if not all(isinstance(square, Square) for square in board.squares):
        return None
    if max(board.width, board.height) > SMALL_BOARD:
        return None
    if position_of(game, tree.root.state).board is None:
        return None
    return (board.width, board.height)


def _classes(box: Box, *more: str) -> str:
    states = [
        *more,
        "chosen" if box.node.is_chosen else "",
        "pruned" if box.node.is_pruned else "",
    ]
    return " ".join(filter(None, states))


def _edge(parent: Box, child: Box) -> str:
    x1, y1, x2, y2 = parent.x, parent.bottom, child.x, child.top
    parts = [element("line", x1=x1, y1=y1, x2=x2, y2=y2)]
    is_cut = child.node.is_pruned and not parent.node.is_pruned
    parts.append(_strike((x1 + x2) / 2, (y1 + y2) / 2, is_cut))
    return element("g", *parts, id=f"e{child.node.number}", class_=_classes(child, "edge"))


def _strike(x: float, y: float, is_shown: bool) -> str:
    """Two short lines across an edge."""
    lines = [
        element("line", x1=x - 8, y1=y + shift + 4, x2=x + 8, y2=y + shift - 4) for shift in (-3, 3)
    ]
    return element("g", *lines, class_="strike", visibility=None if is_shown else "hidden")


def _node(box: Box, game: LoadedGame | None, *, is_roomy: bool) -> str:
    node = box.node
    value = node.shown if is_roomy else box.inside or box.above
    if node.kind is NodeKind.REST:
        value = box.inside
    parts = []
    y = box.top + LINE / 2
    for line in box.labels:
        kind = (
            "edge-label share" if node.share is not None and line is box.labels[0] else "edge-label"
        )
        parts.append(label(box.x, y, line, LABEL_SIZE, class_=kind))
        y += LINE
    if box.window:
        parts.append(label(box.x, y - 2, "", NOTE_SIZE, class_="window"))
        y += LINE
    if box.above:
        parts.append(label(box.x, y - 2, value, VALUE_SIZE, class_="value", font_weight="bold"))
    parts.append(_shape(box))
    middle = (box.shape_top + box.shape_bottom) / 2
    middle += {NodeKind.MAX: 5, NodeKind.PLAYER: 5, NodeKind.MIN: -5}.get(node.kind, 0)
    if box.letter:
        parts.append(label(box.x, middle, box.letter, VALUE_SIZE))
    if not box.above:
        parts.append(label(box.x, middle, value, _inside_size(box), class_="value",
                           font_weight="bold"))  # fmt: skip
    if game is not None and box.board is not None:
        parts.append(board_group(position_of(game, node.state), *box.board))
    for place, line in enumerate(box.notes):
        y = box.bottom - 13 * (len(box.notes) - place) + 7
        kind = "cut-note" if node.cut is not None and place == 0 else "note"
        parts.append(label(box.x, y, line, NOTE_SIZE, class_=kind))
    parts.insert(0, element("title", _spoken(node, value)))
    return element("g", *parts, id=f"n{node.number}", class_=_classes(box, "node", node.kind))


def _inside_size(box: Box) -> float:
    """The font size of a value, smaller in a triangle, whose sides a long value would touch."""
    is_triangle = box.node.kind in (NodeKind.MAX, NodeKind.MIN)
    return VALUE_SIZE - 2.5 if is_triangle and len(box.inside) > 2 else VALUE_SIZE


def _spoken(node: DrawnNode, value: str) -> str:
    who = (node.name or node.kind) + (f", value {value}" if value else "")
    return escape(f"{node.action}: {who}" if node.action else who, quote=False)


def _shape(box: Box) -> str:
    x, top, bottom = box.x, box.shape_top, box.shape_bottom
    half = SHAPE / 2 + 2
    match box.node.kind:
        case NodeKind.MAX | NodeKind.PLAYER:
            points = ((x, top), (x + half, bottom), (x - half, bottom))
        case NodeKind.MIN:
            points = ((x - half, top), (x + half, top), (x, bottom))
        case NodeKind.CHANCE:
            return element("circle", cx=x, cy=(top + bottom) / 2, r=(bottom - top) / 2,
                           class_="shape")  # fmt: skip
        case _:
            wide = box.shape_width
            return element("rect", x=x - wide / 2, y=top, width=wide, height=bottom - top, rx=3,
                           class_="shape")  # fmt: skip
    written = " ".join(f"{number(a)},{number(b)}" for a, b in points)
    return element("polygon", points=written, class_="shape")


def _information_lines(tree: GameTree, boxes: tuple[Box, ...]) -> list[str]:
    """Dashed arcs between neighbours of an information set, below the shapes."""
    lines = []
    for index, members in enumerate(tree.information_sets()):
        colour = SET_COLOURS[index % len(SET_COLOURS)]
        placed = sorted((boxes[node.number] for node in members), key=lambda box: box.x)
        for left, right in pairwise(placed):
            upper, lower = sorted((left, right), key=lambda box: box.node.depth)
            y1 = (left.shape_top + left.shape_bottom) / 2
            y2 = (right.shape_top + right.shape_bottom) / 2
            x1, x2 = left.x + SHAPE / 3, right.x - SHAPE / 3
            bends = x1 + 14, x2 - 14
            if upper.node.depth < lower.node.depth:  # round the corner above the lower node
                bends = (x1, x1) if lower is left else (x2, x2)
            sag = 10.0 + 4 * (index % 6) if _is_between(left, right, boxes) else 0.0
            low = (upper.shape_top + upper.shape_bottom) / 2 + 2 * sag
            path = f"M {number(x1)} {number(y1)} C {number(bends[0])} {number(low)} "
            path += f"{number(bends[1])} {number(low)} {number(x2)} {number(y2)}"
            lines.append(element("path", d=path, class_="information", stroke=colour))
    return lines


def _is_between(left: Box, right: Box, boxes: tuple[Box, ...]) -> bool:
    """Whether a node stands between two nodes, on the level of the upper node."""
    level = min(left.node.depth, right.node.depth)
    return any(left.x < box.x < right.x and box.node.depth == level for box in boxes)
