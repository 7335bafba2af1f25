"""Notes and warnings about calls of `line`, `neighbours` and `group` with doubtful directions.

Two cases are often unintended: `line` without diagonals, and eight neighbours in a game without
`directions`. A line longer than the board is never true.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.builtins import BUILTINS
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.values import COMPASS, Vector
from gamedsl.source import Severity
from gamedsl.syntax import ast

DIAGONALS = tuple(way for way in COMPASS.values() if way.across and way.up)


def note_directions(
    elaborator: Elaborator, written: ast.Call, arguments: tuple[nodes.Expr, ...]
) -> None:
    """Note the directions of a call if the directions are easily overlooked."""
    board, name = elaborator.symbols.board, written.function.text
    row = BUILTINS[name]
    if board is not None and name == "line" and len(arguments) == len(row.parameters):
        _note_length(elaborator, board, arguments[2])
    if board is None or not board.is_grid or len(arguments) > len(row.parameters):
        return
    is_declared = next(elaborator.symbols.all(ast.DirectionsDecl), None) is not None
    if name == "line" and is_declared and _misses_diagonals(board, arguments[2]):
        directions = ", ".join(_name_of(way) for way in board.directions)
        _note(
            elaborator,
            written,
            f"`line` goes along {directions}, the `directions` of this game: it sees no diagonals",
            "with diagonals: `line(..., {N, NE, E, SE})`; without them: `line(..., directions)`",
        )
    elif name in {"neighbours", "group"} and not is_declared and _has_diagonals(board):
        _note(
            elaborator,
            written,
            f"`{name}` goes in all eight directions, diagonals too: this game declares none",
            f"for four: `directions N, E, S, W`, or `{name}(..., {{N, E, S, W}})`; "
            f"for all eight: `directions {', '.join(COMPASS)}`",
        )


def _note_length(elaborator: Elaborator, board: Board, length: nodes.Expr) -> None:
    """Warn of a line longer than any line of the board."""
    number = length.known
    if not isinstance(number, int) or board.lines(number) or elaborator.reporter.has_errors:
        return
    if number <= 0:
        message, hint = f"a `line` has 1 square or more, not {number}", None
    else:
        message = f"no {number} squares of this board are in a straight line: this is never true"
        most = min(number, len(board.squares) + 1)
        longest = max((n for n in range(1, most) if board.lines(n)), default=0)
        hint = f"the longest lines have {longest}"
    elaborator.reporter.report("W1122", length.span, message, hint=hint, severity=Severity.WARNING)


def _misses_diagonals(board: Board, length: nodes.Expr) -> bool:
    if not board.directions or any(way in DIAGONALS for way in board.directions):
        return False
    size = length.known if length.known is not None else 2
    return isinstance(size, int) and size > 1 and bool(board.lines(size, DIAGONALS))


def _has_diagonals(board: Board) -> bool:
    return any(board.neighbours(square, DIAGONALS) for square in board.squares)


def _name_of(way: Vector) -> str:
    return next((name for name, vector in COMPASS.items() if vector == way), str(way))


def _note(elaborator: Elaborator, written: ast.Call, message: str, hint: str) -> None:
    """Report a note once in a game, at the first call."""
    if all(diagnostic.message != message for diagnostic in elaborator.reporter.findings.values()):
        elaborator.reporter.report(
            "W1121", written.span, message, hint=hint, severity=Severity.NOTE
        )
