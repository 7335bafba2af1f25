"""A short word in every square of a grid board, with letters and numbers at the edges.

In: the board and words by square name. Out: text. Knows nothing of values or moves.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.model.board import Board, column_name

LEFT_OUT = "."


def grid_text(board: Board, words: Mapping[str, str]) -> str:
    """The board from its first side, row 1 at the bottom; squares without a word show `.`,
    places that are no squares of the board stay blank."""
    squares = {square.name for square in board.squares}
    width = max(len(column_name(board.width)), *(len(word) for word in words.values()), 1)
    margin = len(str(board.height))
    lines = []
    for row in range(board.height, 0, -1):
        names = [f"{column_name(column)}{row}" for column in range(1, board.width + 1)]
        cells = [words.get(name, LEFT_OUT if name in squares else "") for name in names]
        lines.append(_line(str(row).rjust(margin), cells, width))
    letters = [column_name(column) for column in range(1, board.width + 1)]
    lines.append(_line(" " * margin, letters, width))
    return "\n".join(lines)


def _line(margin: str, cells: list[str], width: int) -> str:
    return (margin + "  " + " ".join(cell.center(width) for cell in cells)).rstrip()
