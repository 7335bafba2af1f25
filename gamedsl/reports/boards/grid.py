"""A grid board as text: a short word per square, with letters and numbers at the edges."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gamedsl.model.board import Board, column_name

LEFT_OUT = "."


PLAIN = "\033[0m"


def grid_text(
    board: Board, words: Mapping[str, str], colours: Mapping[str, str] = MappingProxyType({})
) -> str:
    """The board as text, row 1 at the bottom.

    Squares without a word show `.`, places outside the board stay blank. Colours are ANSI codes.
    """
    squares = {square.name for square in board.squares}
    width = max(len(column_name(board.width)), *(len(word) for word in words.values()), 1)
    margin = len(str(board.height))
    lines = []
    for row in range(board.height, 0, -1):
        names = [f"{column_name(column)}{row}" for column in range(1, board.width + 1)]
        cells = [words.get(name, LEFT_OUT if name in squares else "") for name in names]
        painted = [
            f"{colours[name]}{cell.center(width)}{PLAIN}" if name in colours else cell
            for name, cell in zip(names, cells, strict=True)
        ]
        lines.append(_line(str(row).rjust(margin), painted, width))
    letters = [column_name(column) for column in range(1, board.width + 1)]
    lines.append(_line(" " * margin, letters, width))
    return "\n".join(lines)


def _line(margin: str, cells: list[str], width: int) -> str:
    return (margin + "  " + " ".join(cell.center(width) for cell in cells)).rstrip()
