"""The drawable content of a state: pieces on squares, marks, highlights, and lines of text.

The result is a `Position` of plain data, without coordinates; see `as_svg`. Several arrays over the
squares are combined into pieces: the owner determines the colour, the kind the word.
"""

from __future__ import annotations

from gamedsl.game import LoadedGame
from gamedsl.game.contract import Action, JointAction
from gamedsl.game.drawing import as_seen, standing
from gamedsl.game.pictures.last_move import squares_of_move, values_named
from gamedsl.game.pictures.looks import FIGURINES, View, is_nothing, line_ends, view_of
from gamedsl.game.pictures.rings import ring_of
from gamedsl.game.pictures.text_lines import cell_names, variable_lines
from gamedsl.model import Model, State
from gamedsl.model.board import Board
from gamedsl.model.nodes import Variable
from gamedsl.model.nodes.looks import COLOURS, BoardLook, VariableLook
from gamedsl.model.values import Atom, Value, Vector, text_of
from gamedsl.reports.boards.figures import Figure, values_of
from gamedsl.source.records import dataclass

UNSEEN = "?"


@dataclass(frozen=True, slots=True)
class Piece:
    """The content of a square.

    Attributes:
        owner: index of the player whose colour the piece has; None for a piece without owner.
        word: the word on the piece; empty for the owner's sign alone.
        marks: the names of the marks that hold on the square.
        is_filled: whether the square holds the only possible thing.
        glyph, colour: the file's glyph and colour for the piece, if declared.
    """

    owner: int | None = None
    word: str = ""
    marks: tuple[str, ...] = ()
    is_filled: bool = False
    glyph: str = ""
    colour: str | None = None

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to draw."""
        return self == Piece()


@dataclass(frozen=True, slots=True)
class Position:
    """A state, ready to be drawn.

    Attributes:
        board: None in games without a board.
        pieces: the content of each square of the board.
        rings: scalar variables with a square as value: name and square.
        last: squares named by the last action.
        arrow: start and end of the last action, if the action names two squares.
        lines: everything else, as text; the last line names the player to move.
    """

    title: str
    players: tuple[str, ...]
    board: Board | None
    pieces: tuple[Piece, ...]
    rings: tuple[tuple[str, str], ...]
    last: tuple[str, ...]
    arrow: tuple[str, str] | None
    lines: tuple[str, ...]
    small_boards: tuple[OtherBoard, ...] = ()
    """Boards for variables with further indices beside the square."""
    shape: Board | None = None
    """The board of `small_boards`."""
    look: BoardLook = BoardLook.PLAIN
    edges: tuple[tuple[Vector, int], ...] = ()
    """Edges of the board that belong to players."""
    figures: tuple[Figure, ...] = ()
    """Figures drawn outside the board."""


@dataclass(frozen=True, slots=True)
class OtherBoard:
    """A titled board, such as `cross[left]`: pieces by square, and the last action's squares."""

    title: str
    pieces: tuple[Piece, ...]
    last: tuple[str, ...]


def position_of(
    game: LoadedGame,
    state: State,
    viewer: int | None = None,
    last: tuple[State, Action | JointAction] | None = None,
) -> Position:
    """The state as seen by the player `viewer` (None: everything is visible).

    `last`: the previous state and the last action, to be shown on the board.
    """
    model = game.model
    seen = state if viewer is None else as_seen(model, state, viewer)
    view = view_of(model)
    board = model.board
    layers = (*view.men, *view.marks)
    action = "" if last is None else game.action_name(*last)
    touched = () if last is None else squares_of_move(model, last[0], state, action)
    named = values_named(action)
    ends = [standing(game.engine, state)]
    if model.tree is not None:
        ends = game.show(state, viewer).splitlines()
    pictured = {v.name for v in (*layers, *(variable for variable, _ in view.boards))}
    rings = [v for v in model.variables if v.name not in pictured and ring_of(v, seen) is not None]
    written = [line for variable in view.lines for line in variable_lines(variable, seen)]
    return Position(
        title=game.name,
        players=tuple(player.name for player in game.players),
        board=board if layers or (rings and not view.boards) else None,
        pieces=() if board is None else _pieces(model, view, seen),
        rings=tuple(ring for v in rings if (ring := ring_of(v, seen)) is not None),
        last=touched,
        arrow=(touched[0], touched[1]) if len(touched) == 2 and touched[0] in named else None,
        lines=(*_legend(view), *written, *ends),
        small_boards=tuple(
            OtherBoard(
                small_board.title,
                tuple(_piece(model, ((v, cell),), seen) for cell in small_board.cells),
                touched if set(small_board.indices) <= set(named) else (),
            )
            for v, boards in view.boards
            for small_board in boards
        ),
        shape=board,
        look=view.board,
        edges=tuple((way, model.players.index(player)) for way, player in model.looks.edges),
        figures=_figures(view, seen, None if last is None or viewer is not None else last[0]),
    )  # fmt: skip


def _pieces(model: Model, view: View, state: State) -> tuple[Piece, ...]:
    layers = (*view.men, *view.marks)
    count = len(model.board.squares) if model.board else 0
    return tuple(
        _piece(model, tuple((variable, place) for variable in layers), state, view.marks)
        for place in range(count)
    )


def _piece(
    model: Model,
    cells: tuple[tuple[Variable, int], ...],
    state: State,
    marked_by: tuple[Variable, ...] = (),
) -> Piece:
    """The content of a square, combined from several cells."""
    owner: int | None = None
    words: list[str] = []
    marks: list[str] = []
    is_filled = False
    there: list[Value] = []
    for variable, cell in cells:
        digit = state.cells[variable.offset + cell]
        if digit is None:
            words.append(UNSEEN)
            continue
        value = variable.domain.values[digit]
        if is_nothing(value, variable.domain):
            continue
        there.append(value)
        if value is True:
            is_filled = is_filled or len(cells) == 1
            marks += [variable.name] if variable in marked_by and len(cells) > 1 else []
        elif value in model.players and owner is None:
            owner = model.players.index(value)
        elif len(cells) == 1 and _is_the_only_thing(variable):
            is_filled = True
        else:
            words.append(text_of(value))
    return Piece(owner, " ".join(words), tuple(marks), is_filled, *_said(model, there))


def _said(model: Model, values: list[Value]) -> tuple[str, str | None]:
    """The file's glyph and colour for the values on a square."""
    glyphs, colours = dict(model.looks.glyphs), dict(model.looks.colours)
    atoms = [value for value in values if isinstance(value, Atom)]
    glyph = next((glyphs[atom] for atom in reversed(atoms) if atom in glyphs), "")
    colour = next((colours[atom] for atom in atoms if atom in colours), None)
    return glyph, None if colour is None else COLOURS[colour]


def _is_the_only_thing(variable: Variable) -> bool:
    """Whether a square can hold a single named value or nothing; letters are drawn as letters."""
    things = [v for v in variable.domain.values if not is_nothing(v, variable.domain)]
    return len(things) == 1 and len(text_of(things[0])) > 1


def _figures(view: View, state: State, before: State | None) -> tuple[Figure, ...]:
    """All figures; horizontal and vertical lines between dots form one figure."""
    figures: list[Figure] = []
    for variable, look in view.figures:
        cells = range(variable.size)
        changed = frozenset(
            n for n in cells
            if before is not None
            and before.cells[variable.offset + n] != state.cells[variable.offset + n]
        )  # fmt: skip
        names = tuple(cell_names(variable))
        figure = Figure(variable, look, values_of(variable, state), names, changed)
        first = figures[-1] if figures else None
        if (
            look is VariableLook.LINES
            and first is not None
            and first.look is look
            and first.crossing is None
            and line_ends(first.variable) == line_ends(variable)
        ):
            figures[-1] = Figure(
                first.variable, look, first.values, first.names, first.changed, figure
            )
        else:
            figures.append(figure)
    return tuple(figures)


def _legend(view: View) -> tuple[str, ...]:
    """The meaning of the small letters."""
    flags = [v for v in view.marks if v.name not in FIGURINES] if view.men else []
    return (", ".join(f"{v.name[0]}: {v.name}" for v in flags),) if flags else ()
