"""The squares of the last move: the squares in its name and the destination, else changed squares.

The inputs are a model, the states before and after, and the name of the action; the outputs are
names of squares.
"""

from __future__ import annotations

import re

from gamedsl.game.pictures.looks import boards_of, is_owner
from gamedsl.model import Model, State


def values_named(action: str) -> tuple[str, ...]:
    """The values in the name of an action, `go(e2, e4)`."""
    return tuple(re.findall(r"\w+", action.partition("(")[2]))


def squares_named(model: Model, action: str) -> tuple[str, ...]:
    """The squares in the name of an action, in order, without repetition."""
    known = {square.name for square in model.board.squares} if model.board else set()
    return tuple(dict.fromkeys(word for word in values_named(action) if word in known))


def squares_changed(model: Model, before: State, after: State) -> tuple[str, ...]:
    """The squares with a public change."""
    changed: dict[str, None] = {}
    for variable in model.variables:
        for board in boards_of(model, variable):
            for place, cell in enumerate(board.cells):
                number = variable.offset + cell
                is_public = variable.viewers is None
                if is_public and before.cells[number] != after.cells[number]:
                    assert model.board is not None
                    changed[model.board.squares[place].name] = None
    return tuple(changed)


def squares_of_move(model: Model, before: State, after: State, action: str) -> tuple[str, ...]:
    """The squares to be marked as the last move."""
    named = squares_named(model, action)
    if len(named) == 1 and (arrived := arrival(model, before, after, named[0])) is not None:
        return (*named, arrived)
    return named or squares_changed(model, before, after)


def arrival(model: Model, before: State, after: State, left: str) -> str | None:
    """The destination of a man that has left a square: the only square newly held by its owner."""
    assert model.board is not None, "a square is named"
    place = next(n for n, square in enumerate(model.board.squares) if square.name == left)
    for variable in model.variables:
        if variable.viewers is not None or not is_owner(model, variable):
            continue
        for board in boards_of(model, variable):
            cells = [variable.offset + cell for cell in board.cells]
            was, now = ([state.cells[cell] for cell in cells] for state in (before, after))
            is_man = was[place] in {variable.domain.digit.get(player) for player in model.players}
            if not is_man or now[place] == was[place]:
                continue
            gained = [n for n, digit in enumerate(now) if digit == was[place] != was[n]]
            if len(gained) == 1:
                return model.board.squares[gained[0]].name
    return None
