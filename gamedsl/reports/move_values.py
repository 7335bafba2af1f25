"""What each move is worth: a list by value, and, where it can be drawn, a picture of the board.

In: moves with their values, best ones marked. Out: text. The order is that of the player to
move, the best values first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from textwrap import fill

from gamedsl.model.board import Board
from gamedsl.reports.grid import grid_text
from gamedsl.reports.words import count, symbol, worth
from gamedsl.solvers.solution import MoveValue

WIDTH = 88
"""Columns of a wrapped list."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is needed to put the value of a move into words.

    Attributes:
        players: names in turn order.
        mover: index of the player to move.
        by_chance: whether chance events can follow, so that values are expectations.
        error_bound: of every value.
        board: of the game, if it has one.
    """

    players: tuple[str, ...]
    mover: int
    by_chance: bool
    error_bound: Fraction
    board: Board | None


def move_values_text(moves: Sequence[MoveValue], setting: Setting) -> str:
    """The board with the worth of every square, if each move is one square; and the list."""
    groups = _groups(moves, setting)
    names = _short_names(moves)
    drawing = _drawing(moves, names, setting)
    if drawing is not None and len(groups) > 1:
        return drawing
    width = max((len(words) for words in groups), default=0)
    lines = [
        fill(
            "  ".join(names[move.name] for move in group),
            WIDTH,
            initial_indent=f"{words:<{width}}  ",
            subsequent_indent=" " * (width + 2),
            break_on_hyphens=False,
            break_long_words=False,
        )
        for words, group in groups.items()
    ]
    return "\n".join(lines)


def _groups(moves: Sequence[MoveValue], setting: Setting) -> dict[str, list[MoveValue]]:
    """Moves by what they are worth in words, in the order of the mover's interest."""
    groups: dict[str, list[MoveValue]] = {}
    for move in sorted(moves, key=lambda move: _interest(move, setting.mover)):
        groups.setdefault(_words(move, setting), []).append(move)
    return groups


def _interest(move: MoveValue, mover: int) -> tuple[bool, Fraction, int]:
    """Best first, then by the mover's payoff; a win sooner, a loss later."""
    payoff = move.value[mover]
    plies = move.plies or 0
    return not move.is_best, -payoff, plies if payoff > 0 else -plies


def _words(move: MoveValue, setting: Setting) -> str:
    words = worth(move.value, setting.players, setting.error_bound, setting.by_chance)
    if setting.by_chance:
        return words
    if move.plies is None:
        return "endless draw" if words == "draw" else f"endless play, {words}"
    return f"{words} in {count(move.plies, 'ply')}"


def _short_names(moves: Sequence[MoveValue]) -> dict[str, str]:
    """The names of moves; arguments alone where all are of one family."""
    families = {move.name.partition("(")[0] for move in moves}
    if len(families) > 1 or any(not move.name.endswith(")") for move in moves):
        return {move.name: move.name for move in moves}
    return {move.name: move.name.partition("(")[2][:-1] for move in moves}


def _drawing(moves: Sequence[MoveValue], names: dict[str, str], setting: Setting) -> str | None:
    """The board with a symbol in the square of each move and a legend; None if moves are not
    single squares of a grid."""
    board = setting.board
    if board is None or not board.is_grid:
        return None
    squares = {square.name for square in board.squares}
    if not moves or not {names[move.name] for move in moves} <= squares:
        return None
    symbols = {names[move.name]: _symbol(move, setting) for move in moves}
    ordered = sorted(moves, key=lambda move: _interest(move, setting.mover))
    legend = {_symbol(move, setting): _words(move, setting) for move in ordered}
    lines = [f"{sign:<{max(map(len, legend))}}  {words}" for sign, words in legend.items()]
    return grid_text(board, symbols) + "\n\n" + "\n".join(lines)


def _symbol(move: MoveValue, setting: Setting) -> str:
    sign = symbol(move.value, setting.players, setting.error_bound, setting.by_chance)
    if setting.by_chance:
        return sign
    if move.plies is None:
        return "~" if sign == "=" else sign + "~"
    return f"{sign}{move.plies}"
