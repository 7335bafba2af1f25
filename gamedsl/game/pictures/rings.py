"""Squares held by variables: a scalar that is a square, or an array of squares, one for each man.

A `Ring` is the name of a man with the square where it is: the variable's name, or the index of the
cell. For a board without men, `ring_texts` gives a sign for each square.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.game.pictures.text_lines import value_at
from gamedsl.model import Model, State
from gamedsl.model.nodes import Variable
from gamedsl.model.values import NONE, Square, text_of

Ring = tuple[str, str]
"""The name of a variable or index, and the name of the square that the cell holds."""
RING = "o"


def holds_squares(variable: Variable) -> bool:
    """Whether each cell of a scalar, or of an array with one index, is a square or `none`."""
    values = variable.domain.values
    return len(variable.indices) < 2 and all(isinstance(v, Square) or v is NONE for v in values)


def rings_of(variable: Variable, state: State) -> tuple[Ring, ...]:
    """The rings of a variable that holds squares; none for cells without a square, or unseen."""
    if not holds_squares(variable):
        return ()
    names = [text_of(v) for v in variable.indices[0].values] if variable.indices else []
    held = ((number, value_at(variable, state, number)) for number in variable.cells)
    return tuple(
        (names[number] if names else variable.name, value.name)
        for number, value in held
        if isinstance(value, Square)
    )


def ring_texts(model: Model, rings: Sequence[Ring], free: str) -> list[str]:
    """The signs on the squares of a board without men: a ring for a single variable; for several
    variables, the first letters of their names if the letters differ.
    """
    letters = {name: name[0] for name, _ in rings}
    are_told_apart = len(rings) > 1 and len(set(letters.values())) == len(rings)
    signs = {square: letters[name] if are_told_apart else RING for name, square in reversed(rings)}
    squares = model.board.squares if model.board else ()
    return [signs.get(square.name, free) for square in squares]
