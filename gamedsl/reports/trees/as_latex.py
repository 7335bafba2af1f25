"""A game tree for LaTeX, drawn with TikZ: the same places and marks as in the SVG.

In: a `GameTree`. Out: a document that compiles as it is (`standalone`); the `tikzpicture` in it can
be copied. Boards are not drawn.
"""

from __future__ import annotations

from itertools import pairwise

from gamedsl.reports.latex import latex
from gamedsl.reports.svg import number
from gamedsl.reports.trees.boxes import SHAPE, Box, laid_out
from gamedsl.reports.trees.data import GameTree, NodeKind, caption

_HEAD = r"""\documentclass[tikz,border=4pt]{standalone}
\begin{document}
\begin{tikzpicture}[x=0.75pt,y=-0.75pt,line width=0.5pt,font=\scriptsize,
  chosen/.style={line width=1.6pt}, pruned/.style={draw=gray!60,text=gray!70},
  strike/.style={draw=red!70!black,line width=0.8pt}, cut/.style={text=red!70!black}]
"""
_TAIL = r"""\end{tikzpicture}
\end{document}
"""


def tree_latex(tree: GameTree) -> str:
    """The document."""
    drawing = laid_out(tree)
    boxes = drawing.boxes
    lines: list[str] = []
    for box in boxes:
        if box.node.parent >= 0:
            lines += _edge(boxes[box.node.parent], box)
    for members in tree.information_sets():
        placed = [boxes[node.number] for node in members]
        for one, other in pairwise(placed):
            lines.append(
                rf"\draw[dashed] {_at(one.x, one.shape_bottom)} to[bend right=18] "
                rf"{_at(other.x, other.shape_bottom)};"
            )
    for box in boxes:
        lines += _node(box)
    for place, words in enumerate(caption(tree)):
        middle = _at(drawing.width / 2, drawing.height + 22 + 18 * place)
        lines.append(rf"\node at {middle} {{{latex(words)}}};")
    return _HEAD + "\n".join(lines) + "\n" + _TAIL


def _at(x: float, y: float) -> str:
    return f"({number(x)},{number(y)})"


def _style(box: Box) -> str:
    return "pruned" if box.node.is_pruned else "chosen" if box.node.is_chosen else ""


def _edge(parent: Box, child: Box) -> list[str]:
    lines = [
        rf"\draw[{_style(child)}] {_at(parent.x, parent.bottom)} -- {_at(child.x, child.top)};"
    ]
    if child.node.is_pruned and not parent.node.is_pruned:
        x, y = (parent.x + child.x) / 2, (parent.bottom + child.top) / 2
        for shift in (-3, 3):
            ends = f"{_at(x - 8, y + shift + 4)} -- {_at(x + 8, y + shift - 4)}"
            lines.append(rf"\draw[strike] {ends};")
    return lines


def _node(box: Box) -> list[str]:
    style = _style(box)
    lines = [rf"\draw[{style}] {_outline(box)};"]
    middle = (box.shape_top + box.shape_bottom) / 2
    middle += {NodeKind.MAX: 5, NodeKind.PLAYER: 5, NodeKind.MIN: -5}.get(box.node.kind, 0)
    colour = "text=gray!70" if box.node.is_pruned else ""
    words = [(middle, box.inside or box.letter, colour)]
    y = box.top + 7.5
    for line in (*box.labels, *filter(None, [box.above])):
        words.append((y, line, colour))
        y += 15
    for place, line in enumerate(box.notes):
        is_cut = box.node.cut is not None and place == 0
        words.append((box.shape_bottom + 8 + 13 * place, line, "cut" if is_cut else colour))
    lines += [
        rf"\node[{kind}] at {_at(box.x, y)} {{{latex(text)}}};" for y, text, kind in words if text
    ]
    return lines


def _outline(box: Box) -> str:
    x, top, bottom = box.x, box.shape_top, box.shape_bottom
    half = SHAPE / 2 + 2
    match box.node.kind:
        case NodeKind.MAX | NodeKind.PLAYER:
            corners = ((x, top), (x + half, bottom), (x - half, bottom))
        case NodeKind.MIN:
            corners = ((x - half, top), (x + half, top), (x, bottom))
        case NodeKind.CHANCE:
            radius = number((bottom - top) / 2)
            return f"{_at(x, (top + bottom) / 2)} circle[radius={radius}]"
        case _:
            wide = box.shape_width / 2
            return f"{_at(x - wide, top)} rectangle {_at(x + wide, bottom)}"
    return " -- ".join(_at(*corner) for corner in corners) + " -- cycle"
