"""Boards as text, with a short text at the place of each square and coordinates at the edges.

The inputs are a board, a short text for every square, perhaps with a colour, and the squares to be
marked. A graph needs places, or points with coordinates in their names. The module is independent
of values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import pairwise

from gamedsl.game.pictures.tints import tinted
from gamedsl.model.board import Board, column_name
from gamedsl.model.values import Vector

HEX_DIRECTIONS = 6
COORDINATES = re.compile(r"([a-z])([1-9]\d?)")
GAP = 3
"""Signs between two neighbouring points of a graph."""


def is_hexagonal(board: Board) -> bool:
    """Whether a grid has the six directions of hexagons."""
    return board.is_grid and len(set(board.directions)) == HEX_DIRECTIONS


def leans_left(board: Board) -> bool:
    """Whether each row of hexagons begins half a hexagon to the left of the row below."""
    return Vector(1, 1) in board.directions


def board_text(
    board: Board,
    texts: Sequence[str],
    marked: Set[str] = frozenset(),
    tints: Sequence[str] = (),
) -> str | None:
    """The board, first row at the bottom, with a text for each square, in the colours of `tints`;
    `marked` squares stand in brackets. None where the board cannot be drawn.
    """
    tints = tints or [""] * len(texts)
    if board.places:
        return _places(board, texts, marked, tints)
    if board.is_grid:
        return _grid(board, texts, marked, tints)
    return _graph(board, texts, marked, tints)


def _grid(board: Board, texts: Sequence[str], marked: Set[str], tints: Sequence[str]) -> str:
    cells = {
        (square.column, square.row): (text, tint, square.name in marked)
        for square, text, tint in zip(board.squares, texts, tints, strict=True)
    }
    names = [column_name(column) for column in range(1, board.width + 1)]
    width = max(map(len, (*texts, *names)))
    is_slanted = is_hexagonal(board)
    width += is_slanted and width % 2 == 0
    margin = len(str(board.height))
    lines = []
    for row in range(board.height, 0, -1):
        steps = board.height - row if leans_left(board) else row - 1
        indent = " " * (steps * (width + 1) // 2) if is_slanted else ""
        row_cells = [
            cells.get((column, row), ("", "", False)) for column in range(1, board.width + 1)
        ]
        lines.append(f"{row:>{margin}}{indent}{_row(row_cells, width)}")
    steps = board.height - 1 if is_slanted and leans_left(board) else 0
    indent = " " * (steps * (width + 1) // 2)
    lines.append(" " * margin + indent + _row([(name, "", False) for name in names], width))
    return "\n".join(line.rstrip() for line in lines)


def _row(cells: Sequence[tuple[str, str, bool]], width: int) -> str:
    """Cells beside each other, a sign before each cell: brackets around marked cells."""
    parts = []
    was_marked = False
    for text, tint, is_marked in cells:
        parts.append("[" if is_marked else "]" if was_marked else " ")
        parts.append(tinted(text, tint) + " " * (width - len(text)))
        was_marked = is_marked
    return "".join(parts) + ("]" if was_marked else "")


def _places(board: Board, texts: Sequence[str], marked: Set[str], tints: Sequence[str]) -> str:
    """Points at the places given by the file, each behind its name."""
    across = {x: n for n, x in enumerate(sorted({x for x, _ in board.places}))}
    up = {y: n for n, y in enumerate(sorted({y for _, y in board.places}, reverse=True))}
    rows = [[("", 0)] * len(across) for _ in up]
    for square, (x, y), text, tint in zip(board.squares, board.places, texts, tints, strict=True):
        before, behind = "[]" if square.name in marked else ("", "")
        shown = f"{square.name} {before}{tinted(text, tint)}{behind}"
        columns = len(f"{square.name} {before}{text}{behind}")
        rows[up[y]][across[x]] = (shown, columns)
    widths = [max(columns for _, columns in column) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            shown + " " * (width - columns)
            for (shown, columns), width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    )


def _graph(
    board: Board, texts: Sequence[str], marked: Set[str], tints: Sequence[str]
) -> str | None:
    """Points by the coordinates in their names, with the edges along rows, columns and short
    diagonals.
    """
    matches = [COORDINATES.fullmatch(square.name) for square in board.squares]
    places = [(ord(match[1]), int(match[2])) for match in matches if match is not None]
    if len(places) < len(matches) or len(set(places)) < len(places):
        return None
    columns = list(range(min(x for x, _ in places), max(x for x, _ in places) + 1))
    rows = list(range(min(y for _, y in places), max(y for _, y in places) + 1))
    if len(columns) * len(rows) > 4 * len(places):
        return None
    width = max(map(len, texts))
    step = width + GAP
    margin = len(str(rows[-1]))
    paper = [[" "] * (margin + 2 + step * len(columns)) for _ in range(2 * len(rows))]

    def put(line: int, start: int, text: str) -> None:
        paper[line][start : start + len(text)] = text

    at = {}
    for square, (x, y) in zip(board.squares, places, strict=True):
        at[square.name] = (2 * (rows[-1] - y), margin + 1 + step * (x - columns[0]))
    chains = [pair for chain in board.chains for pair in pairwise(chain)]
    for point, neighbour in (*chains, *board.joined):
        (top, left), (bottom, right) = sorted((at[point.name], at[neighbour.name]))
        if top == bottom:
            put(top, left, "-" * (right - left))
        elif left == right:
            for line in range(top + 1, bottom):
                put(line, left, "|")
        elif bottom - top == 2 and abs(right - left) == step:
            middle = (left + right) // 2
            sign = "\\" if right > left else "/"
            put(top + 1, middle, sign if paper[top + 1][middle] in {" ", sign} else "X")
    for square, text, tint in zip(board.squares, texts, tints, strict=True):
        line, start = at[square.name]
        put(line, start, text)
        paper[line][start : start + len(text)] = [tinted(sign, tint) for sign in text]
        if square.name in marked:
            put(line, start - 1, "[")
            put(line, start + len(text), "]")
    for row in rows:
        put(2 * (rows[-1] - row), 0, f"{row:>{margin}}")
    for column in columns:
        put(-1, margin + 1 + step * (column - columns[0]), chr(column))
    return "\n".join("".join(line).rstrip() for line in paper)
