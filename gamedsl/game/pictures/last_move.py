"""Where the last move was: the squares that it names, else those that it changed.

In: a model, the state before and after, and the name of the action. Out: names of squares.
"""

from __future__ import annotations

import re

from gamedsl.game.pictures.looks import boards_of
from gamedsl.model import Model, State


def values_named(action: str) -> tuple[str, ...]:
    """The values in the name of an action, `go(e2, e4)`."""
    return tuple(re.findall(r"\w+", action.partition("(")[2]))


def squares_named(model: Model, action: str) -> tuple[str, ...]:
    """The squares in the name of an action, in its order, each once."""
    known = {square.name for square in model.board.squares} if model.board else set()
    return tuple(dict.fromkeys(word for word in values_named(action) if word in known))


def squares_changed(model: Model, before: State, after: State) -> tuple[str, ...]:
    """The squares on which something public is other than it was."""
    changed: dict[str, None] = {}
    for variable in model.variables:
        for board in boards_of(model, variable):
            for place, cell in enumerate(board.cells):
                number = variable.offset + cell
                is_public = variable.owners is None
                if is_public and before.cells[number] != after.cells[number]:
                    assert model.board is not None
                    changed[model.board.squares[place].name] = None
    return tuple(changed)


def squares_of_move(model: Model, before: State, after: State, action: str) -> tuple[str, ...]:
    """The squares to be marked as the last move."""
    return squares_named(model, action) or squares_changed(model, before, after)
