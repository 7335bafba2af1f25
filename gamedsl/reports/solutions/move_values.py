"""The values of moves: a list by value, and, if possible, a picture of the board.

Moves are listed in the order of the player to move, the best values first.
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
from gamedsl.reports.phrases import Payoffs, symbol, value_words
from gamedsl.solvers.solution import MoveValue
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

WIDEST_WORDS = 44
"""Limit on the columns of a result's phrase beside the moves; longer phrases stand below."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The board for a picture of move values, and the pieces by names of squares."""

    board: Board
    men: Mapping[str, str]


def ground_of(game: LoadedGame, state: State) -> Ground | None:
    """The board of a game with the pieces of a state; None without a grid, or without rules."""
    board = game.model.board if isinstance(game, LoadedGame) else None
    if board is None or not board.is_grid:
        return None
    return Ground(board, men_on(game.model, state))


@dataclass(frozen=True, slots=True)
class Setting:
    """The context for the wording of a move's value.

    Attributes:
        players: names in turn order.
        mover: index of the player to move.
        by_chance: whether chance events can follow, so that values are expectations.
        error_bound: error bound of every value.
        ground: the board, if the game has a drawable board.
        is_opposed: whether all listed final payoffs are opposed: a win of one player is the loss
            of the other player.
        has_colours: whether wins and losses are coloured, for a human reader.
    """

    players: tuple[str, ...]
    mover: int
    by_chance: bool
    error_bound: Fraction
    ground: Ground | None
    is_opposed: bool = True
    has_colours: bool = False

    def tint(self, value: Payoffs) -> str:
        """The colour of a win or loss of the player to move; "" for remaining values."""
        is_told = self.has_colours and self.is_opposed and not self.by_chance
        if not is_told or self.mover < 0 or not value[self.mover]:
            return ""
        return WON if value[self.mover] > 0 else LOST


def move_values_text(moves: Sequence[MoveValue], setting: Setting) -> str:
    """The board with the value of every square, if each move is one square; and the list."""
    groups = _groups(moves, setting)
    names = short_names(moves)
    drawing = _drawing(moves, names, setting)
    if drawing is not None and len(groups) > 1:
        return drawing
    width = max((len(words) for words in groups), default=0)
    lines = []
    for words, group in groups.items():
        listing, columns = listed(names[move.name] for move in group), line_width() - 2
        if width > WIDEST_WORDS:
            lines += [fill(words, width=columns), labelled("", listing, 4, columns)]
        else:
            line = labelled(words, listing, width + 2, columns)
            lines.append(line.replace(words, tinted(words, setting.tint(group[0].value)), 1))
    return "\n".join(lines)


def signs_and_words(moves: Sequence[MoveValue], setting: Setting) -> dict[str, tuple[str, str]]:
    """The sign in a move's square and the result in words, by name.

    The order is by the mover's preference.
    """
    ordered = sorted(moves, key=lambda move: _interest(move, setting.mover))
    symbols = _symbols(ordered, setting)
    return {move.name: (symbols[move.name], _words(move, setting)) for move in ordered}


def progress_line(moves: Sequence[MoveValue]) -> tuple[str, str] | None:
    """The best moves that make progress, with a label; None if all best moves do.

    Progress means the shortest play, or, for a losing player, the longest; without lengths of play,
    the moves known to make progress.
    """
    best = [move for move in moves if move.is_best]
    progressing = [move for move in best if move.makes_progress]
    if not progressing or len(progressing) == len(best):
        return None
    lengths = [move.plies for move in best if move.plies is not None]
    if not lengths:
        label = "progress"
    else:
        label = "shortest" if progressing[0].plies == min(lengths) else "longest"
    return label, listed(move.name for move in progressing)


def _groups(moves: Sequence[MoveValue], setting: Setting) -> dict[str, list[MoveValue]]:
    """Moves grouped by value in words, in the order of the mover's preference."""
    groups: dict[str, list[MoveValue]] = {}
    for move in sorted(moves, key=lambda move: _interest(move, setting.mover)):
        groups.setdefault(_words(move, setting), []).append(move)
    return groups


def _interest(move: MoveValue, mover: int) -> tuple[bool, Fraction, int]:
    """Sort key: best first, then by the mover's payoff, for a single mover.

    Early wins precede late wins, and late losses early losses.
    """
    if mover < 0:
        return not move.is_best, Fraction(0), 0
    payoff = move.value[mover]
    plies = move.plies or 0
    return not move.is_best, -payoff, plies if payoff > 0 else -plies


def _words(move: MoveValue, setting: Setting) -> str:
    words = value_words(
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
    """The names of moves; only the argument if all moves have one family and one parameter.

    Joint actions keep their full names.
    """
    parts = [parts_of(move.name) for move in moves]
    is_one_family = len({head for head, _, _ in parts}) == 1
    if not is_one_family or any(len(arguments) != 1 for _, _, arguments in parts):
        return {move.name: move.name for move in moves}
    return {move.name: short_name(move.name) for move in moves}


def _drawing(moves: Sequence[MoveValue], names: dict[str, str], setting: Setting) -> str | None:
    """The board with pieces, a sign in the square of each move, and a legend.

    None if moves are not single squares.
    """
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
    """A sign for the result of each move, with the plies if plies make a difference.

    The sign is short enough for a square: of three players or more, the mover's payoff alone, if
    no two results differ in other payoffs only.
    """
    signs = {move.name: _sign(move, setting) for move in moves}
    if len(setting.players) > 2 and setting.mover >= 0 and not setting.by_chance:
        payoffs = {move.name: str(move.value[setting.mover]) for move in moves}
        if len(set(payoffs.values())) == len({move.value for move in moves}):
            signs = {name: payoffs[name] if "," in sign else sign for name, sign in signs.items()}
    meanings: dict[str, set[str]] = {}
    for move in moves:
        meanings.setdefault(signs[move.name], set()).add(_words(move, setting))
    several = {sign for sign, words in meanings.items() if len(words) > 1}
    return {
        name: _with_plies(sign, move.plies) if sign in several else sign
        for move, (name, sign) in zip(moves, signs.items(), strict=True)
    }


def _with_plies(sign: str, plies: int | None) -> str:
    """`+5`, but `3,1(5)` behind a number."""
    if plies is None:
        return sign
    return f"{sign}({plies})" if sign[-1].isdigit() else f"{sign}{plies}"


def _sign(move: MoveValue, setting: Setting) -> str:
    sign = symbol(move.value, setting.mover, setting.error_bound, setting.by_chance)
    is_endless = move.plies is None and not setting.by_chance
    return sign.replace("=", "~") if is_endless else sign
