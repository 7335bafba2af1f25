"""Elaborate `board` and `directions` into a `Board`."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.model import nodes
from gamedsl.model.board import FIRST_ORDER, Board, all_directions, grid_squares
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.limits import MOST_SQUARES
from gamedsl.model.symbols.foreign_words import COMPASS_WORDS
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import type_of
from gamedsl.model.values import COMPASS, Square, Vector, text_of
from gamedsl.source import Label, nearest
from gamedsl.syntax import ast


def elaborate_board(elaborator: Elaborator) -> Board | None:
    """The board that the file declares; None without a board or after an error."""
    grid = elaborator.symbols.only(ast.BoardGrid, "board")
    graph = elaborator.symbols.only(ast.BoardGraph, "board")
    if grid and graph:
        elaborator.reporter.report("E1002", graph.span, "a second board", hint="keep one")
    board = _grid(elaborator, grid) if grid else _graph(elaborator, graph) if graph else None
    chosen = elaborator.symbols.only(ast.DirectionsDecl, "line `directions`")
    if chosen and grid is None and (board is None or not board.is_grid):
        elaborator.reporter.report(
            "E1106",
            chosen.span,
            "`directions` belong to a board of squares",
            hint="declare the board: `board 8 wide 8 high`",
        )
    if board:
        for square in board.squares:
            _name_square(elaborator, square, grid or graph)
    return board


def _graph(elaborator: Elaborator, declared: ast.BoardGraph) -> Board:
    from gamedsl.model.elaborate.declarations.declared_graph import elaborate_graph

    return elaborate_graph(elaborator, declared)


def _grid(elaborator: Elaborator, declared: ast.BoardGrid) -> Board | None:
    width = _dimension(elaborator, declared.width, "wide")
    height = _dimension(elaborator, declared.height, "high")
    if width is None or height is None:
        return None
    if width * height > MOST_SQUARES:
        elaborator.reporter.report(
            "E1203",
            declared.span,
            f"a board of {width * height:,} squares; at most {MOST_SQUARES:,} are possible",
        )
        return None
    squares = grid_squares(width, height, FIRST_ORDER)
    if declared.condition is not None:
        present = _on_board(elaborator, squares, declared.condition)
        if present is None:
            return None
        if not present:
            message = "no square satisfies this; a board has at least one"
            elaborator.reporter.report("E1203", declared.condition.span, message)
            return None
        squares = present
    return Board(
        squares,
        _directions(elaborator),
        width=width,
        height=height,
        wraps_across="wide" in declared.wraps,
        wraps_up="high" in declared.wraps,
    )


def _on_board(
    elaborator: Elaborator, squares: Sequence[Square], condition: ast.Expression
) -> tuple[Square, ...] | None:
    """The squares that satisfy the condition; None after a reported error in the condition."""
    there: list[Square] = []
    for square in squares:
        is_there = _is_on_board(elaborator, square, condition)
        if is_there is None:
            return None
        if is_there:
            there.append(square)
    return tuple(there)


def _is_on_board(elaborator: Elaborator, square: Square, condition: ast.Expression) -> bool | None:
    """Whether the board has the square; None after a reported error in the condition."""
    assert square.column is not None
    assert square.row is not None
    scope = Scope(RuleContext.CONSTANT)
    for name, number in (("column", square.column), ("row", square.row)):
        scope = scope.having(name, nodes.Const(condition.span, type_of(number), number))
    return elaborator.constant_truth(condition, scope)


def _dimension(elaborator: Elaborator, written: ast.Expression, word: str) -> int | None:
    constant = elaborator.constant(written, Scope(RuleContext.CONSTANT))
    if constant is None:
        return None
    if (
        isinstance(constant.value, bool)
        or not isinstance(constant.value, int)
        or constant.value < 1
    ):
        elaborator.reporter.report(
            "E1203",
            written.span,
            f"a board is a whole number of squares {word}, at least 1;"
            f" this is {text_of(constant.value)}",
        )
        return None
    return constant.value


def _directions(elaborator: Elaborator) -> tuple[Vector, ...]:
    chosen = next(elaborator.symbols.all(ast.DirectionsDecl), None)
    if chosen is None:
        return all_directions()
    for name in chosen.names:
        if name.text not in COMPASS:
            elaborator.reporter.report(
                "E1001",
                name.span,
                f"unknown direction `{name.text}`; the directions are {', '.join(COMPASS)}",
                hint=_about_direction(name.text),
            )
    return tuple(dict.fromkeys(COMPASS[name.text] for name in chosen.names if name.text in COMPASS))


def _about_direction(name: str) -> str | None:
    """A suggestion for an unknown word in `directions`."""
    from gamedsl.model.symbols.suggestions import sum_of_directions

    direction = sum_of_directions(name)
    if direction is not None and direction not in COMPASS:
        return f"`directions` are single steps; write the leap where it is made, `s + {direction}`"
    near = COMPASS_WORDS.get(name.lower()) or direction or nearest(name, COMPASS)
    return f"did you mean `{near}`?" if near else None


def _name_square(elaborator: Elaborator, square: Square, board: ast.Node | None) -> None:
    namesake = elaborator.symbols.declared.get(square.name)
    if namesake is not None:
        elaborator.reporter.report(
            "E1002",
            namesake.span,
            f"`{square.name}` is a square of the board",
            secondary=() if board is None else (Label(board.span, "this board"),),
            hint="choose another name",
        )
