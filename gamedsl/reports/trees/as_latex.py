"""Game trees for LaTeX: nested brackets for the package `forest`, which places the nodes.

The result is a complete document, with a page for each tree (`standalone`), or with the trees as
the overlays of a slide (`beamer`); the game is needed for small boards. A node is
`[{3}, name=n1, MIN, by={a1} ...]`; the styles `MAX`, `MIN`, `CHANCE`, `PLAYER`, `ENDING`, `by`,
`best` and `cut off` are defined once, in the preamble, so the tree can be cut, copied, restyled and
annotated.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from gamedsl.game import LoadedGame
from gamedsl.reports.boards.contents import Position, position_of
from gamedsl.reports.boards.data import Piece
from gamedsl.reports.latex import latex
from gamedsl.reports.trees.as_svg import board_size
from gamedsl.reports.trees.data import (
    Cut,
    DrawnNode,
    GameTree,
    NodeKind,
    bound_text,
    caption,
    cut_text,
    likelihood_text,
    row_name,
    value_text,
)

_PAGES = r"""\documentclass[multi=page,border=4pt]{standalone}
\usepackage{forest}
\newenvironment{page}{}{}
"""
_SLIDES = r"""\documentclass[aspectratio=169]{beamer}
\usepackage{forest}
\setbeamertemplate{navigation symbols}{}
\newsavebox\stage
\newcommand\shrunk[3]{\ifdim#1\stage>#2\sbox\stage{\resizebox#3{\usebox\stage}}\fi}
\newcommand\shown{\shrunk\wd{\textwidth}{{\textwidth}{!}}%
  \shrunk\ht{0.68\textheight}{{!}{0.68\textheight}}\usebox\stage}
"""
_STYLES = r"""\usetikzlibrary{shapes.geometric}
\tikzset{every picture/.append style={font=\scriptsize},
  information/.style={dashed, line width=0.7pt, rounded corners=1.5pt},
  note/.style={inner sep=1pt, font=\tiny}}
\forestset{
  game tree/.style={for tree={parent anchor=south, child anchor=north, align=center,
    inner sep=1.5pt, l sep+=8mm, s sep+=1mm}},
  MAX/.style={draw, regular polygon, regular polygon sides=3, inner sep=0pt,
    minimum size=9mm, fill=blue!10},
  MIN/.style={MAX, shape border rotate=180, fill=orange!20},
  CHANCE/.style={draw, circle, minimum size=6mm, fill=yellow!15},
  PLAYER/.style={draw, rounded corners=2pt, fill=gray!10},
  ENDING/.style={draw, minimum size=5mm},
  REST/.style={},
  board/.style={},
  best/.style={line width=1.2pt, edge={line width=1.6pt}},
  pruned/.style={draw=gray!60, fill=gray!10, text=gray!80!black, edge={gray!60}},
  unseen/.style={draw=none, fill=none, edge={draw=none}},
  by/.style={edge label={node[pos=0.7, fill=white, inner sep=1pt]{#1}}},
  cut off/.style={pruned, edge label={node[pos=0.7, fill=white, inner sep=1pt,
    text=gray!80!black]{#1} node[pos=0.35, sloped, text=red!70!black]{$\|$}}},
  range/.style={label={[note, xshift=-1mm]left:{#1}}},
  cut note/.style={label={[note, xshift=1mm, text=red!70!black]right:{#1}}},
  below note/.style={label={[note, align=center]below:{#1}}}}
\newcommand\board[2]{{\tiny\setlength\tabcolsep{1.5pt}\begin{tabular}{|*{#1}{c|}}\hline
  #2\end{tabular}}}
\begin{document}
"""
_COLOURS = ("violet", "blue", "teal", "red!70!black", "orange", "cyan!60!black")
_TAIL = "\\end{document}\n"


def tree_latex(trees: Sequence[GameTree], game: LoadedGame | None = None) -> str:
    """The document."""
    return _PAGES + _STYLES + "\n".join(_page(tree, game) for tree in trees) + "\n" + _TAIL


def slides_latex(stages: Sequence[GameTree], game: LoadedGame | None = None) -> str:
    """A document with one slide, which has the stages of a search as overlays."""
    title = latex(caption(stages[0])[0])
    lines = [rf"\begin{{frame}}{{{title}}}", r"\centering"]
    for number, stage in enumerate(stages, start=1):
        words = r"\\ ".join(map(latex, caption(stage)[1:]))
        lines += [rf"\begin{{onlyenv}}<{number}>", r"\begin{lrbox}{\stage}", *_forest(stage, game),
                  r"\end{lrbox}\shown\par\medskip", rf"{{\small {words}\par}}",
                  r"\end{onlyenv}"]  # fmt: skip
    return _SLIDES + _STYLES + "\n".join([*lines, r"\end{frame}"]) + "\n" + _TAIL


def _page(tree: GameTree, game: LoadedGame | None) -> str:
    *picture, end = _forest(tree, game)
    words = "  {" + r"\\ ".join(map(latex, caption(tree))) + "};"
    below = r"\node[align=center, below=4mm] at (current bounding box.south)"
    return "\n".join([r"\begin{page}", *picture, below, words, end, r"\end{page}"])


def _forest(tree: GameTree, game: LoadedGame | None) -> list[str]:
    """The lines of the picture."""
    pictured = game if game is not None and board_size(tree, game) is not None else None
    opening = rf"\begin{{forest}} game tree, for tree={{s sep+={_apart(tree):.1f}mm}}"
    lines = [opening, *_bracket(tree, tree.root, pictured, 0)]
    for place, members in enumerate(tree.information_sets()):
        lines += [_information_line(tree, left, right, place) for left, right in pairwise(members)]
    return [*lines, *_rows(tree), r"\end{forest}"]


def _apart(tree: GameTree) -> float:
    """Millimetres between neighbours, so that the labels of their edges do not meet.

    Labels stand at 0.7 of an edge, have letters 1.25 mm wide, and stand above nodes 6 mm wide.
    """
    longest = max((len(_label(node)) for node in tree.nodes if node.parent >= 0), default=0)
    return max(1.0, (1.25 * longest + 1) / 0.7 - 6)


def _bracket(tree: GameTree, node: DrawnNode, game: LoadedGame | None, depth: int) -> list[str]:
    """A node with all nodes below."""
    indent = "  " * depth
    if node.is_hidden:
        options, words = [*_looks(node, game), "unseen"], ""
    else:
        options = [*_looks(node, game), *_edge(tree, node), *_notes(node)]
        words = _content(node, game)
    opening = f"{indent}[{{{words}}}, name=n{node.number}, {', '.join(options)}"
    children = tree.children(node)
    if not children:
        return [opening + "]"]
    below = [line for child in children for line in _bracket(tree, child, game, depth + 1)]
    return [opening, *below, indent + "]"]


def _looks(node: DrawnNode, game: LoadedGame | None) -> list[str]:
    """The style of a node, by the player to move and by the search."""
    style = "ENDING" if node.kind is NodeKind.TERMINAL else node.kind.upper()
    states = ["pruned"] if node.is_pruned else ["best"] if node.is_chosen else []
    return ["board" if _has_board(node, game) else style, *states]


def _edge(tree: GameTree, node: DrawnNode) -> list[str]:
    """The options of the edge from the parent."""
    if node.parent < 0 or node.kind is NodeKind.REST:
        return []
    words = latex(_label(node))
    is_cut = node.is_pruned and not tree.nodes[node.parent].is_pruned
    return [f"cut off={{{words}}}"] if is_cut else [f"by={{{words}}}"] if words else []


def _label(node: DrawnNode) -> str:
    """The label of the edge to a node: `a1`, `heads: 1/2`."""
    return ": ".join(filter(None, [node.label, likelihood_text(node)]))


def _notes(node: DrawnNode) -> list[str]:
    """The notes beside a node."""
    notes = []
    if _is_range(node):
        notes.append(f"range={{{latex(node.shown)}}}")
    if node.cut is not None:
        notes.append(f"cut note={{{latex(_why(node.cut))}}}")
    lines = [latex(line) for line in node.about]
    if node.below != 0 and node.kind is not NodeKind.REST:
        lines.append("+ more" if node.below is None else f"+{node.below:,}")
    if lines:
        joined = r"\\".join(lines)
        notes.append(f"below note={{{joined}}}")
    return notes


def _why(cut: Cut) -> str:
    """`2 ≤ α=3`: the comparison behind a cut, if the cut has a comparison."""
    value = value_text(cut.value)
    if isinstance(cut.value, Fraction) and cut.alpha is not None and cut.value <= cut.alpha:
        return f"{value} ≤ α={bound_text(cut.alpha, '')}"
    if isinstance(cut.value, Fraction) and cut.beta is not None and cut.value >= cut.beta:
        return f"{value} ≥ β={bound_text(cut.beta, '')}"
    return cut_text(cut)


def _content(node: DrawnNode, game: LoadedGame | None) -> str:
    """The text in a node."""
    value = latex("" if _is_range(node) else _value(node))
    lines = [value] if value else []
    if node.kind is NodeKind.PLAYER:
        lines.insert(0, latex(node.name))
    if node.kind is NodeKind.REST:
        lines = [latex(node.label)]
    if game is not None and _has_board(node, game):
        lines.append(_board(position_of(game, node.state)))
    return r"\\".join(lines)


def _value(node: DrawnNode) -> str:
    return node.shown or (value_text(node.value, node.bound) if node.is_visited else "")


def _is_range(node: DrawnNode) -> bool:
    return node.kind in (NodeKind.MAX, NodeKind.MIN, NodeKind.CHANCE) and bool(node.shown)


def _has_board(node: DrawnNode, game: LoadedGame | None) -> bool:
    return game is not None and node.kind not in (NodeKind.REST, NodeKind.CHANCE)


def _board(position: Position) -> str:
    board = position.board
    assert board is not None, "boards are drawn only where there is one"
    cells = [_cell(position, piece) for piece in position.pieces]
    rows = [cells[start : start + board.width] for start in range(0, len(cells), board.width)]
    text = "".join(" & ".join(row) + r"\\\hline " for row in reversed(rows))
    return rf"\board{{{board.width}}}{{{text}}}"


def _cell(position: Position, piece: Piece) -> str:
    """The piece on a square, in a letter or two."""
    if piece.is_blank:
        return r"\phantom{X}"
    owner = "" if piece.owner is None else position.players[piece.owner][0]
    return latex(piece.word[:2] or owner or "*")


def _information_line(tree: GameTree, left: DrawnNode, right: DrawnNode, place: int) -> str:
    """A line between two nodes of an information set.

    The line is straight between adjacent nodes; else the line passes below the nodes between, above
    the labels of outgoing edges.
    """
    row = [node.number for node in tree.nodes if node.depth == left.depth]
    colour = _COLOURS[place % len(_COLOURS)]
    if abs(row.index(left.number) - row.index(right.number)) == 1:
        return rf"\draw[information, {colour}] (n{left.number}.east) -- (n{right.number}.west);"
    low = 1.0 + 0.6 * (place % len(_COLOURS))
    return (
        rf"\draw[information, {colour}] ([xshift=0.6mm]n{left.number}.south) -- ++(0,-{low:.1f}mm)"
        rf" -| ([xshift=-0.6mm]n{right.number}.south);"
    )


def _rows(tree: GameTree) -> list[str]:
    """The player to move in a row, left of the tree."""
    room = 11 if any(map(_is_range, tree.nodes)) else 3
    lines = [rf"\coordinate (left) at ([xshift=-{room}mm]current bounding box.west);"]
    for depth in range(tree.depth + 1):
        words = row_name(tree, depth)
        first = next((n for n in tree.nodes if n.depth == depth and not n.is_hidden), None)
        if words and first is not None:
            lines.append(rf"\node[left] at (left |- n{first.number}) {{{latex(words)}}};")
    return lines
