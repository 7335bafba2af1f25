"""What each move is worth: a list by value, and, where it can be drawn, a picture of the board.

In: moves with their values, best ones marked. Out: text. The order is that of the player to
move, the best values first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gamedsl.model.board import Board
from gamedsl.reports.boards.grid import grid_text
from gamedsl.reports.paragraphs import labelled, listed
from gamedsl.reports.phrases import count, symbol, worth
from gamedsl.solvers.solution import MoveValue


@dataclass(frozen=True, slots=True)
class Setting:
    """What is needed to put the value of a move into words.

    Attributes:
        players: names in turn order.
        mover: index of the player to move.
        by_chance: whether chance events can follow, so that values are expectations.
        error_bound: of every value.
        board: of the game, if it has one.
        is_opposed: whether in all that is listed one player wins what the other loses, at the end.
    """

    players: tuple[str, ...]
    mover: int
    by_chance: bool
    error_bound: Fraction
    board: Board | None
    is_opposed: bool = True


def move_values_text(moves: Sequence[MoveValue], setting: Setting) -> str:
    """The board with the worth of every square, if each move is one square; and the list."""
    groups = _groups(moves, setting)
    names = _short_names(moves)
    drawing = _drawing(moves, names, setting)
    if drawing is not None and len(groups) > 1:
        return drawing
    width = max((len(words) for words in groups), default=0)
    return "\n".join(
        labelled(words, listed(names[move.name] for move in group), width + 2)
        for words, group in groups.items()
    )


def progress_line(moves: Sequence[MoveValue]) -> tuple[str, str] | None:
    """Of the best moves those that make progress, labelled by what they are: the shortest, or, of
    a player who is behind, the longest; where play has no length, those that are known to get on.
    None if that tells no moves apart."""
    best = [move for move in moves if move.is_best]
    kept = [move for move in best if move.makes_progress]
    if not kept or len(kept) == len(best):
        return None
    lengths = [move.plies for move in best if move.plies is not None]
    if not lengths:
        label = "progress"
    else:
        label = "shortest" if kept[0].plies == min(lengths) else "longest"
    return label, listed(move.name for move in kept)


def _groups(moves: Sequence[MoveValue], setting: Setting) -> dict[str, list[MoveValue]]:
    """Moves by what they are worth in words, in the order of the mover's interest."""
    groups: dict[str, list[MoveValue]] = {}
    for move in sorted(moves, key=lambda move: _interest(move, setting.mover)):
        groups.setdefault(_words(move, setting), []).append(move)
    return groups


def _interest(move: MoveValue, mover: int) -> tuple[bool, Fraction, int]:
    """Best first, then by the mover's payoff, if there is one mover; a win sooner, a loss later."""
    if mover < 0:
        return not move.is_best, Fraction(0), 0
    payoff = move.value[mover]
    plies = move.plies or 0
    return not move.is_best, -payoff, plies if payoff > 0 else -plies


def _words(move: MoveValue, setting: Setting) -> str:
    words = worth(
        move.value,
        setting.players,
        setting.error_bound,
        setting.by_chance,
        is_opposed=setting.is_opposed,
    )
    if setting.by_chance:
        return words
    if move.plies is None:
        return "endless draw" if words == "draw" else f"endless play, {words}"
    return f"{words} in {count(move.plies, 'ply')}"


def _short_names(moves: Sequence[MoveValue]) -> dict[str, str]:
    """The names of moves; the argument alone where all are of one family with one parameter, and
    one player's."""
    if any(isinstance(move.action, tuple) for move in moves):
        return {move.name: move.name for move in moves}
    families = {move.name.partition("(")[0] for move in moves}
    if len(families) > 1 or any("," in move.name or "(" not in move.name for move in moves):
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
    ordered = sorted(moves, key=lambda move: _interest(move, setting.mover))
    symbols = _symbols(ordered, setting)
    legend = {symbols[move.name]: _words(move, setting) for move in ordered}
    width = max(map(len, legend)) + 2
    lines = [f"{sign:<{width}}{words}" for sign, words in legend.items()]
    drawing = grid_text(board, {names[move.name]: symbols[move.name] for move in moves})
    return drawing + "\n\n" + "\n".join(lines)


def _symbols(moves: Sequence[MoveValue], setting: Setting) -> dict[str, str]:
    """A sign for what each move leads to, with the plies where they make a difference."""
    signs = {move.name: _sign(move, setting) for move in moves}
    meanings: dict[str, set[str]] = {}
    for move in moves:
        meanings.setdefault(signs[move.name], set()).add(_words(move, setting))
    several = {sign for sign, words in meanings.items() if len(words) > 1}
    return {
        name: f"{sign}{move.plies}" if sign in several else sign
        for move, (name, sign) in zip(moves, signs.items(), strict=True)
    }


def _sign(move: MoveValue, setting: Setting) -> str:
    sign = symbol(move.value, setting.players, setting.error_bound, setting.by_chance)
    is_endless = move.plies is None and not setting.by_chance
    return sign.replace("=", "~") if is_endless else sign
