"""The drawable content of a state: pieces on squares, marks, highlights, and lines of text.

The result is a `Position` of plain data, without coordinates; see `as_svg`. Several arrays over the
squares are combined into pieces: the owner determines the colour, the kind the word.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile

from gamedsl.game import LoadedGame
from gamedsl.game.drawing import as_seen, standing
from gamedsl.game.pictures.last_move import squares_named, squares_of_move, values_named
from gamedsl.game.pictures.looks import (
    FIGURINES,
    View,
    boards_of,
    is_bookkeeping,
    is_nothing,
    is_owner,
    line_ends,
    view_of,
)
from gamedsl.game.pictures.rings import Ring, holds_squares, rings_of
from gamedsl.game.pictures.text_lines import cell_names, variable_lines
from gamedsl.game.pictures.winning_line import squares_in_line
from gamedsl.game.reading import Step
from gamedsl.model import CHANCE, TERMINAL, Model, State
from gamedsl.model.board import Board
from gamedsl.model.nodes import Variable
from gamedsl.model.nodes.looks import COLOURS, BoardLook, VariableLook
from gamedsl.model.values import NONE, Atom, Value, Vector, text_of
from gamedsl.reports.boards.data import Figure, Piece, values_of
from gamedsl.reports.boards.panel import has_row
from gamedsl.source.records import dataclass

UNSEEN = "?"
MOST_THROWN = 6
"""Dice shown at most."""
LARGE = 12
"""Least side of a board of which a part is drawn, in squares."""
ROWS = frozenset({VariableLook.DOORS, VariableLook.NET})
"""Looks of rows of the panel."""


@dataclass(frozen=True, slots=True)
class Position:
    """A state, ready to be drawn.

    Attributes:
        board: None in games without a board.
        pieces: the content of each square of the board.
        men: men that are held as squares: name of the square, and piece.
        rings: squares with a man that variables single out: name and square.
        last: squares named by the last action.
        arrow: start and end of the last action, if the action names two squares.
        lines: everything else, as text; the last line names the player to move.
    """

    title: str
    players: tuple[str, ...]
    board: Board | None
    pieces: tuple[Piece, ...]
    rings: tuple[Ring, ...]
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
    men: tuple[tuple[str, Piece], ...] = ()
    colour: str | None = None
    """The colour of the board's squares, if declared."""
    panel: tuple[Figure, ...] = ()
    """Variables without a look of their own, drawn as rows below the board."""
    thrown: tuple[tuple[str, bool], ...] = ()
    """The outcomes of the last chance events in a row that no variable keeps; whether of six."""
    is_turned: bool = False
    """Whether the board is seen from the other side."""
    in_line: tuple[str, ...] = ()
    """At the end of play, the squares of complete lines."""
    window: tuple[str, ...] = ()
    """The squares that the picture has to hold of a large board without edges; empty: all."""


@dataclass(frozen=True, slots=True)
class OtherBoard:
    """A titled board, such as `cross[left]`: pieces by square, and the last action's squares.

    Attributes:
        indices: the values in the title's brackets, but for the square.
    """

    title: str
    indices: tuple[str, ...]
    pieces: tuple[Piece, ...]
    last: tuple[str, ...]


def position_of(
    game: LoadedGame,
    state: State,
    viewer: int | None = None,
    last: Step | None = None,
    earlier: Sequence[Step] = (),
) -> Position:
    """The state as seen by the player `viewer` (None: everything is visible).

    `last`: the previous state and the last action, to be shown on the board. `earlier`: the steps
    before; the dice that were thrown together are shown together.
    """
    model = game.model
    seen = state if viewer is None else as_seen(model, state, viewer)
    view = view_of(model)
    board = model.board
    layers = (*view.men, *view.marks)
    action = "" if last is None else game.action_name(*last)
    touched = () if last is None else squares_of_move(model, last[0], state, action)
    named = values_named(action)
    ends = [standing(model, game.engine, state)]
    if model.tree is not None:
        ends = game.show(state, viewer).splitlines()
    men, rings = _held_squares(model, view, seen)
    holds_men = any(map(holds_squares, view.lines))
    pictured = bool(layers) or (holds_men and not view.boards)
    rows, written = _beside(model, view, is_beside_men=pictured)
    is_over = game.current_player(state) == TERMINAL
    pieces = () if board is None else _pieces(model, view, seen)
    return Position(
        title=game.name,
        players=tuple(player.name for player in game.players),
        board=board if pictured else None,
        pieces=pieces,
        rings=rings,
        last=touched,
        arrow=(touched[0], touched[1]) if len(touched) == 2 and touched[0] in named else None,
        lines=(
            *_legend(view),
            *(line for variable in written for line in variable_lines(variable, seen)),
            *ends,
        ),
        small_boards=tuple(
            OtherBoard(
                small_board.title,
                small_board.indices,
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
        men=men if pictured else (),
        colour=model.looks.board_colour and COLOURS[model.looks.board_colour],
        panel=_panel(model, rows, seen, is_beside_men=pictured),
        thrown=()
        if last is None or viewer is not None or view.figures
        else _all_thrown(game, (*earlier, last)),
        in_line=squares_in_line(model, state) if is_over and layers else (),
        window=_window(game, state, viewer, pieces, (*touched, *(name for name, _ in men)))
        if pictured
        else (),
    )


def _window(
    game: LoadedGame,
    state: State,
    viewer: int | None,
    pieces: tuple[Piece, ...],
    marked: tuple[str, ...],
) -> tuple[str, ...]:
    """The squares of men, of the last move, and of the viewer's moves, on a large board that wraps
    on both sides: such a board has no edges to be seen, and may be a table."""
    board, mover = game.model.board, game.current_player(state)
    assert board is not None
    if not (board.wraps_across and board.wraps_up and min(board.width, board.height) >= LARGE):
        return ()
    names = game.action_names(state) if mover >= 0 and viewer in {None, mover} else ()
    moves = (square for name in names for square in squares_named(game.model, name))
    taken = zip(board.squares, pieces, strict=True)
    return tuple(
        dict.fromkeys(
            (*(square.name for square, piece in taken if not piece.is_blank), *marked, *moves)
        )
    )


def _held_squares(
    model: Model, view: View, state: State
) -> tuple[tuple[tuple[str, Piece], ...], tuple[Ring, ...]]:
    """Men that variables hold as squares, and rings round men on the board.

    A scalar that may be `none` on a board with owned men is a mark, not a man.
    """
    men: list[tuple[str, Piece]] = []
    rings: list[Ring] = []
    players = {player.name.lower(): number for number, player in enumerate(model.players)}
    has_owners = any(is_owner(model, variable) for variable in view.men)
    holders = [variable for variable in view.lines if holds_squares(variable)]
    taken = _squares_taken(model, view, state)
    for variable in holders:
        held = rings_of(variable, state)
        if not variable.indices and has_owners and NONE in variable.domain.digit:
            rings += [ring for ring in held if ring[1] in taken]
            continue
        for name, square in held:
            owner = players.get(name.lower())
            is_only = owner is not None or (len(holders) == 1 and not variable.indices)
            men.append((square, Piece(owner, "" if is_only else name, is_filled=is_only)))
    return tuple(men), tuple(rings)


def _squares_taken(model: Model, view: View, state: State) -> set[str]:
    squares = model.board.squares if model.board else ()
    pieces = _pieces(model, view, state)
    return {
        square.name
        for square, piece in zip(squares, pieces, strict=False)
        if piece.owner is not None
    }


def _beside(
    model: Model, view: View, *, is_beside_men: bool
) -> tuple[list[Variable], list[Variable]]:
    """The variables that are rows of the panel, and the variables written as lines."""
    said = dict(model.looks.variables)
    players = tuple(map(text_of, model.players))
    rows = [variable for variable, look in view.figures if look in ROWS]
    written: list[Variable] = []
    for variable in view.lines:
        if is_beside_men and (holds_squares(variable) or is_bookkeeping(model, variable)):
            if variable.name in said:
                written.append(variable)
        elif variable.name in said or not has_row(variable, players):
            written.append(variable)
        else:
            rows.append(variable)
    return rows, written


def _panel(
    model: Model, rows: list[Variable], state: State, *, is_beside_men: bool
) -> tuple[Figure, ...]:
    """The rows of the panel; of men held in hand, the men."""
    said = dict(model.looks.variables)
    return tuple(
        Figure(
            variable,
            said[variable.name] if variable.name in said
            else VariableLook.MEN if is_beside_men and _is_of_players(model, variable)
            else VariableLook.TEXT,
            values_of(variable, state),
            tuple(cell_names(variable)),
        )
        for variable in rows
    )  # fmt: skip


def _is_of_players(model: Model, variable: Variable) -> bool:
    """Whether the first index of a variable is the players."""
    return bool(variable.indices) and variable.indices[0].values == model.players


def _all_thrown(game: LoadedGame, steps: Sequence[Step]) -> tuple[tuple[str, bool], ...]:
    """The outcomes of the chance events at the end of a play, at most `MOST_THROWN`."""
    events = takewhile(lambda step: game.current_player(step[0]) == CHANCE, reversed(steps))
    thrown = [_thrown(game, step) for step in islice(events, MOST_THROWN)]
    return tuple(outcome for outcome in reversed(thrown) if outcome is not None)


def _thrown(game: LoadedGame, last: Step) -> tuple[str, bool] | None:
    """The value of a chance event that is neither a square nor kept in a variable; whether it is a
    die, which may have to differ from another."""
    before, action = last
    if game.current_player(before) != CHANCE:
        return None
    name, _, value = game.action_name(before, action).partition("=")
    kept = {"turn", *(variable.name for variable in game.model.variables)}
    is_kept = name.partition("[")[0] in kept
    squares = {square.name for square in game.model.board.squares} if game.model.board else set()
    if not value or is_kept or value in squares:
        return None
    sides = "123456"
    is_die = value in sides and len(game.chance_outcomes(before)) in {len(sides), len(sides) - 1}
    return value, is_die


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
            words += [UNSEEN] if UNSEEN not in words else []
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
    is_wedge = owner is not None and bool(words) and _has_pockets(model)
    return Piece(owner, " ".join(words), tuple(marks), is_filled, *_said(model, there), is_wedge)


def _has_pockets(model: Model) -> bool:
    """Whether players hold men by kind, `hand[players, Kind]`, and so men that change sides."""
    return len(model.players) == 2 and any(
        len(variable.indices) == 2 and variable.indices[0].values == model.players
        and any(set(variable.indices[1].values) <= set(men.domain.values) for men in model.variables
                if boards_of(model, men))
        for variable in model.variables
    )  # fmt: skip


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
        if look in ROWS:
            continue
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
