"""What each move is worth: a list by value, and, where it can be drawn, a picture of the board.

In: moves with their values, best ones marked. Out: text. The order is that of the player to
move, the best values first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from gamedsl.game import LoadedGame
from gamedsl.game.drawing import men_on
from gamedsl.game.pictures.tints import LOST, WON, tinted
from gamedsl.model import State
from gamedsl.model.action_names import parts_of, short_name
from gamedsl.model.board import Board
from gamedsl.reports.boards.grid import grid_text
from gamedsl.reports.paragraphs import fill, labelled, line_width, listed
from gamedsl.reports.phrases import Payoffs, symbol, worth
from gamedsl.solvers.solution import MoveValue
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

WIDEST_WORDS = 44
"""Columns of what moves lead to, where these stand beside it; else they stand below."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where values of moves are drawn: the board, and what stands on it, by names of squares."""

    board: Board
    men: Mapping[str, str]


def ground_of(game: LoadedGame, state: State) -> Ground | None:
    """The board of a game as it is in a state; None if there is no grid."""
    board = game.model.board
    if board is None or not board.is_grid:
        return None
    return Ground(board, men_on(game.model, state))


@dataclass(frozen=True, slots=True)
class Setting:
    """What is needed to put the value of a move into words.

    Attributes:
        players: names in turn order.
        mover: index of the player to move.
        by_chance: whether chance events can follow, so that values are expectations.
        error_bound: of every value.
        ground: the board, if the game has one that can be drawn.
        is_opposed: whether in all that is listed one player wins what the other loses, at the end.
        has_colours: whether what is won or lost has a colour, as where a person reads it.
    """

    players: tuple[str, ...]
    mover: int
    by_chance: bool
    error_bound: Fraction
    ground: Ground | None
    is_opposed: bool = True
    has_colours: bool = False

    def tint(self, value: Payoffs) -> str:
        """The colour of what is won or lost by the player to move; none of what is neither."""
        is_told = self.has_colours and self.is_opposed and not self.by_chance
        if not is_told or self.mover < 0 or not value[self.mover]:
            return ""
        return WON if value[self.mover] > 0 else LOST


def move_values_text(moves: Sequence[MoveValue], setting: Setting) -> str:
    """The board with the worth of every square, if each move is one square; and the list."""
    groups = _groups(moves, setting)
    names = short_names(moves)
    drawing = _drawing(moves, names, setting)
    if drawing is not None and len(groups) > 1:
        return drawing
    width = max((len(words) for words in groups), default=0)
    lines = []
    for words, group in groups.items():
        own, columns = listed(names[move.name] for move in group), line_width() - 2
        if width > WIDEST_WORDS:
            lines += [fill(words, width=columns), labelled("", own, 4, columns)]
        else:
            line = labelled(words, own, width + 2, columns)
            lines.append(line.replace(words, tinted(words, setting.tint(group[0].value)), 1))
    return "\n".join(lines)


def signs_and_words(moves: Sequence[MoveValue], setting: Setting) -> dict[str, tuple[str, str]]:
    """For each move the sign that is drawn in its square, and what it leads to in words; by name,
    in the order of the mover's interest."""
    ordered = sorted(moves, key=lambda move: _interest(move, setting.mover))
    symbols = _symbols(ordered, setting)
    return {move.name: (symbols[move.name], _words(move, setting)) for move in ordered}


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


def short_names(moves: Sequence[MoveValue]) -> dict[str, str]:
    """The names of moves; the argument alone where all are of one family with one parameter, and
    one player's."""
    parts = [parts_of(move.name) for move in moves]
    is_one_family = len({head for head, _, _ in parts}) == 1
    if not is_one_family or any(len(arguments) != 1 for _, _, arguments in parts):
        return {move.name: move.name for move in moves}
    return {move.name: short_name(move.name) for move in moves}


def _drawing(moves: Sequence[MoveValue], names: dict[str, str], setting: Setting) -> str | None:
    """The board with its men, a sign in the square of each move, and a legend; None if moves are
    not single squares."""
    ground = setting.ground
    if ground is None:
        return None
    squares = {square.name for square in ground.board.squares}
    if not moves or not {names[move.name] for move in moves} <= squares:
        return None
    ordered = sorted(moves, key=lambda move: _interest(move, setting.mover))
    symbols = _symbols(ordered, setting)
    legend = {symbols[move.name]: _words(move, setting) for move in ordered}
    width = max(map(len, legend)) + 2
    lines = [f"{sign:<{width}}{words}" for sign, words in legend.items()]
    written = dict(ground.men)
    colours: dict[str, str] = {}
    for move in moves:
        square = names[move.name]
        written[square] = ground.men.get(square, "") + symbols[move.name]
        if tint := setting.tint(move.value):
            colours[square] = tint
    return grid_text(ground.board, written, colours) + "\n\n" + "\n".join(lines)


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
    sign = symbol(move.value, setting.mover, setting.error_bound, setting.by_chance)
    is_endless = move.plies is None and not setting.by_chance
    return sign.replace("=", "~") if is_endless else sign
