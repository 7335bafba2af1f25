"""Where a person clicks on the picture of a position, and on which squares for which move.

In: a position. Out: the places that can be clicked, and for each legal action the places to click
in order, from the squares that the action names or changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from itertools import chain

from gamedsl.game import LoadedGame
from gamedsl.game.contract import Action
from gamedsl.game.pictures.last_move import (
    arrival,
    squares_changed,
    squares_named,
    values_named,
)
from gamedsl.game.pictures.pits import pits_of
from gamedsl.model import State
from gamedsl.model.action_names import parts_of, short_name
from gamedsl.model.nodes.looks import VariableLook
from gamedsl.reports.boards.as_svg import (
    SMALL,
    UNIT,
    cell_centres,
    small_board_centres,
    square_centres,
)
from gamedsl.reports.boards.contents import Position
from gamedsl.reports.boards.geometry import Point

MOST_TRIED = 40
"""Limit on actions for the search for changed squares beyond the squares in action names."""


def clickable_places(drawn: Position) -> dict[str, Point]:
    """The clickable places: squares of the board, or without a main board of titled boards, and
    pits by the names of cells."""
    pits = {_pit(*cell): place for cell, place in cell_centres(drawn).items()}
    small = {_on(*square): place for square, place in small_board_centres(drawn).items()}
    return {**square_centres(drawn), **small, **pits}


def place_size(drawn: Position) -> float:
    """Width and height of a clickable place, in pixels."""
    return SMALL if small_board_centres(drawn) else UNIT


def taken_places(drawn: Position) -> list[str]:
    """The places with a drawing in the middle."""
    squares = () if drawn.board is None else drawn.board.squares
    men = [
        square.name
        for square, piece in zip(squares, drawn.pieces, strict=False)
        if not piece.is_blank
    ]
    men += [square for square, _ in drawn.men]
    if drawn.board is None and drawn.shape is not None:
        men += [
            _on(board.title, square.name)
            for board in drawn.small_boards
            for square, piece in zip(drawn.shape.squares, board.pieces, strict=True)
            if not piece.is_blank
        ]
    return [*men, *(_pit(*cell) for cell in cell_centres(drawn))]


def _on(title: str, square: str) -> str:
    return f"{title} {square}"


def _pit(variable: str, cell: int) -> str:
    return f"{variable} {cell}"


def actions_by_clicks(
    game: LoadedGame, state: State, player: int, drawn: Position | None
) -> list[dict[str, object]]:
    """A player's actions with the places to click; `drawn` is None for simultaneous moves."""
    names = game.action_names(state, None if drawn is not None else player)
    squares = [squares_named(game.model, name) for name in names]
    if drawn is not None and not any(squares):
        actions = game.legal_actions(state)
        squares = _emptied(game, state, actions, drawn) or _changed_by_one(game, state, actions)
    elif drawn is not None and len(names) <= MOST_TRIED:
        squares = [
            _with_arrival(game, state, action, square_names)
            for action, square_names in zip(game.legal_actions(state), squares, strict=True)
        ]
    if drawn is not None and drawn.board is None and drawn.small_boards:
        squares = [
            _on_titled_board(drawn, name, game.players[player].name, square_names)
            for name, square_names in zip(names, squares, strict=True)
        ]
    labels = move_labels(game, state, None if drawn is not None else player)
    return [
        {"name": name, "short": labels[name], "squares": list(square_names)}
        for name, square_names in zip(names, squares, strict=True)
    ]


def move_labels(game: LoadedGame, state: State, player: int | None = None) -> dict[str, str]:
    """The legal actions' names as a button and a record show them; `player` for simultaneous moves.

    Squares and words stand without their verb, as in `e2-e4`, `a7-a8 queen`, `rock`; the number of
    a column is replaced by the square that changes. Numbers keep their verb, and so do words
    beside other verbs, and labels that two actions would share.
    """
    names = game.action_names(state, player)
    board = game.model.board
    places = set() if board is None else {square.name for square in board.squares}
    has_columns = player is None and all(short_name(name).isdigit() for name in names)
    changed = _changed_by_one(game, state, game.legal_actions(state)) if has_columns else []
    columns = {name: squares[0] for name, squares in zip(names, changed, strict=False) if squares}
    has_one_verb = len({parts_of(name)[0] for name in names}) == 1
    labels = [columns.get(name) or action_label(name, places, has_one_verb) for name in names]
    times = Counter(labels)
    return {
        name: label if times[label] == 1 else name
        for name, label in zip(names, labels, strict=True)
    }


def action_label(name: str, places: Container[str], has_one_verb: bool) -> str:
    """An action's squares and words without the verb, or the name unchanged."""
    arguments = parts_of(name)[2]
    if "=" in name or not all(word in places or word.isidentifier() for word in arguments):
        return name
    squares = dict.fromkeys(word for word in arguments if word in places)
    if squares:
        return " ".join(["-".join(squares), *(word for word in arguments if word not in places)])
    return arguments[0] if has_one_verb and len(arguments) == 1 else name


def _on_titled_board(
    drawn: Position, name: str, mover: str, named: tuple[str, ...]
) -> tuple[str, ...]:
    """The only square in an action's name, on the only titled board whose indices the action names
    or are its player; else nothing."""
    told = {*values_named(name), mover}
    boards = [board.title for board in drawn.small_boards if told.issuperset(board.indices)]
    return (_on(boards[0], named[0]),) if len(boards) == len(named) == 1 else ()


def _with_arrival(
    game: LoadedGame, state: State, action: Action, named: tuple[str, ...]
) -> tuple[str, ...]:
    """The squares in an action's name, plus the arrival square of a piece moved in a direction."""
    if len(named) != 1:
        return named
    arrived = arrival(game.model, state, game.result(state, action), named[0])
    return named if arrived is None else (*named, arrived)


def _changed_by_one(
    game: LoadedGame, state: State, actions: tuple[Action, ...]
) -> list[tuple[str, ...]]:
    """For an action, the square that no other action changes, if unique.

    Examples: the square of a dropped disc, a slid tile.
    """
    if game.model.board is None or len(actions) > MOST_TRIED:
        return [()] * len(actions)
    changed = [squares_changed(game.model, state, game.result(state, action)) for action in actions]
    times = Counter(chain.from_iterable(changed))
    unique = [tuple(square for square in squares if times[square] == 1) for squares in changed]
    return [squares if len(squares) == 1 else () for squares in unique]


def _emptied(
    game: LoadedGame, state: State, actions: tuple[Action, ...], drawn: Position
) -> list[tuple[str, ...]]:
    """For an action, the pit that the action empties, if the actions have distinct pits in one row.

    Otherwise an empty list.
    """
    pits = [figure.variable for figure in drawn.figures if figure.look is VariableLook.PITS]
    if not pits or len(actions) > MOST_TRIED:
        return []
    after = [game.result(state, action) for action in actions]
    for variable in pits:
        for row in pits_of(variable).rows:
            taken = [
                [n for n in row if _is_less(variable.offset + n, state, later)] for later in after
            ]
            emptied = [cells[0] for cells in taken if len(cells) == 1]
            if len(set(emptied)) == len(actions):
                return [(_pit(variable.name, cell),) for cell in emptied]
    return []


def _is_less(cell: int, before: State, after: State) -> bool:
    was, became = before.cells[cell], after.cells[cell]
    return was is not None and became is not None and became < was
