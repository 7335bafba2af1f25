"""What is to be drawn of a state: pieces on squares, marks, highlights, and lines of text.

In: a game, a state, who looks, and the last action. Out: a `Position` of plain data. Several
arrays over the squares are combined: who owns a piece gives its colour, what it is its word.
Knows no coordinates of any picture; see `as_svg`.
"""

from __future__ import annotations

import re

from gamedsl.game import LoadedGame
from gamedsl.game.contract import Action, JointAction
from gamedsl.game.drawing import as_seen, boards_of, standing, variable_line
from gamedsl.model import State
from gamedsl.model.board import Board
from gamedsl.model.nodes import Variable
from gamedsl.model.values import EMPTY, NONE, Atom, Square, Value, text_of
from gamedsl.source.records import dataclass

NOTHING_NAMES = frozenset({"empty", "none", "nothing"})
UNSEEN = "?"


@dataclass(frozen=True, slots=True)
class Piece:
    """What lies on a square.

    Attributes:
        owner: index of a player, whose colour it takes; None for neither.
        word: what to write on it; empty for the owner's sign alone.
        marks: small letters beside it, one a Boolean variable that holds there.
        is_filled: a Boolean variable, the only one of the board, holds there.
    """

    owner: int | None = None
    word: str = ""
    marks: tuple[str, ...] = ()
    is_filled: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to draw."""
        return self == Piece()


@dataclass(frozen=True, slots=True)
class Position:
    """A state, ready to be drawn.

    Attributes:
        board: None where the game has none.
        pieces: per square of the board what lies there.
        rings: names of scalar variables that stand for a square, with that square.
        last: squares named by the last action.
        arrow: from where to where the last action went, if it names two squares.
        lines: everything else, as text; the last line says who is to move.
    """

    title: str
    players: tuple[str, ...]
    board: Board | None
    pieces: tuple[Piece, ...]
    rings: tuple[tuple[str, str], ...]
    last: tuple[str, ...]
    arrow: tuple[str, str] | None
    lines: tuple[str, ...]
    others: tuple[OtherBoard, ...] = ()
    """Boards that are part of a variable with more indices than the squares."""
    shape: Board | None = None
    """The board that each of them is."""


@dataclass(frozen=True, slots=True)
class OtherBoard:
    """A board of its own: `cross[left]`, its pieces by square and the squares of the last action
    there."""

    title: str
    pieces: tuple[Piece, ...]
    last: tuple[str, ...]


def position_of(
    game: LoadedGame,
    state: State,
    viewer: int | None = None,
    last: tuple[State, Action | JointAction] | None = None,
) -> Position:
    """The state as the player `viewer` sees it (None: everything).

    `last` is the state before with the action that led here, to be shown on the board.
    """
    model = game.model
    seen = state if viewer is None else as_seen(model, state, viewer)
    board = None if model.board is None or not model.variables else model.board
    arrays = [] if board is None else [v for v in model.variables if _covers(v, board)]
    parted = [] if board is None else [v for v in model.variables if _is_parted(game, v)]
    rest = [variable for variable in model.variables if variable not in (*arrays, *parted)]
    words = () if last is None else _words_of(game, *last)
    touched = () if board is None else _squares_of(board, words)
    is_tree = model.tree is not None
    ends = game.show(state, viewer).splitlines() if is_tree else [standing(game.engine, state)]
    names = tuple(player.name for player in game.players)
    return Position(
        title=game.name,
        players=names,
        board=board if arrays else None,
        pieces=() if board is None else _pieces(arrays, board, seen, names),
        rings=tuple(ring for v in rest if (ring := _ring(v, seen)) is not None),
        last=touched,
        arrow=(touched[0], touched[1]) if len(touched) == 2 else None,
        lines=(*_legend(arrays), *(variable_line(v, seen) for v in rest), *ends),
        others=tuple(
            OtherBoard(
                one.title,
                tuple(_piece([v], one.first + n, seen, names) for n in range(len(board.squares))),
                touched if set(one.indices) <= set(words) else (),
            )
            for v in parted
            for one in boards_of(model, v)
            if board is not None
        ),
        shape=board,
    )


def _is_parted(game: LoadedGame, variable: Variable) -> bool:
    return len(variable.indices) > 1 and bool(boards_of(game.model, variable))


def _covers(variable: Variable, board: Board) -> bool:
    return len(variable.indices) == 1 and variable.indices[0].values == board.squares


def _pieces(
    arrays: list[Variable], board: Board, state: State, players: tuple[str, ...]
) -> tuple[Piece, ...]:
    return tuple(_piece(arrays, place, state, players) for place in range(len(board.squares)))


def _piece(arrays: list[Variable], place: int, state: State, players: tuple[str, ...]) -> Piece:
    owner: int | None = None
    words: list[str] = []
    marks: list[str] = []
    is_filled = False
    for variable in arrays:
        digit = state.cells[variable.offset + place]
        value = UNSEEN if digit is None else variable.domain.values[digit]
        if value is True:
            is_filled = is_filled or len(arrays) == 1
            marks += [] if len(arrays) == 1 else [variable.name[0]]
        elif isinstance(value, str):
            words.append(value)
        elif isinstance(value, Atom) and value.name in players and owner is None:
            owner = players.index(value.name)
        elif not _is_nothing(value, variable):
            words.append(text_of(value))
    return Piece(owner, " ".join(words), tuple(marks), is_filled)


def _is_nothing(value: Value, variable: Variable) -> bool:
    """Whether the value says that nothing is there; 0 does where it is the least number."""
    if value is EMPTY or value is NONE or value is False:
        return True
    if isinstance(value, Atom):
        return value.name in NOTHING_NAMES
    return value == 0 and variable.domain.values[0] == 0


def _legend(arrays: list[Variable]) -> tuple[str, ...]:
    """What the small letters mean."""
    if len(arrays) == 1:
        return ()
    flags = [v for v in arrays if all(isinstance(value, bool) for value in v.domain.values)]
    return (", ".join(f"{v.name[0]}: {v.name}" for v in flags),) if flags else ()


def _ring(variable: Variable, state: State) -> tuple[str, str] | None:
    """A scalar that is always a square or `none`: its name, and where it is."""
    if variable.indices:
        return None
    if not all(isinstance(v, Square) or v is NONE for v in variable.domain.values):
        return None
    digit = state.cells[variable.offset]
    value = None if digit is None else variable.domain.values[digit]
    return (variable.name, value.name) if isinstance(value, Square) else None


def _words_of(game: LoadedGame, before: State, action: Action | JointAction) -> tuple[str, ...]:
    """The values in the name of an action."""
    return tuple(re.findall(r"\w+", game.action_name(before, action).partition("(")[2]))


def _squares_of(board: Board, words: tuple[str, ...]) -> tuple[str, ...]:
    """The squares that an action names, in its order, each once."""
    known = {square.name for square in board.squares}
    return tuple(dict.fromkeys(word for word in words if word in known))
