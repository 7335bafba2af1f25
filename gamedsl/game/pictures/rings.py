"""Squares held by scalar variables, drawn as rings around squares of the board.

A ring is the name of a variable with the square that the variable holds. For a board without men,
`ring_texts` gives a sign for each square.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.model import Model, State
from gamedsl.model.nodes import Variable
from gamedsl.model.values import NONE, Square

Ring = tuple[str, str]
"""The name of a variable, and the name of the square that the variable holds."""
RING = "o"


def ring_of(variable: Variable, state: State) -> Ring | None:
    """The ring of a scalar whose values are squares or `none`; None where no square is held."""
    if variable.indices:
        return None
    if not all(isinstance(v, Square) or v is NONE for v in variable.domain.values):
        return None
    digit = state.cells[variable.offset]
    value = None if digit is None else variable.domain.values[digit]
    return (variable.name, value.name) if isinstance(value, Square) else None


def ring_texts(model: Model, rings: Sequence[Ring], free: str) -> list[str]:
    """The signs on the squares of a board without men: a ring for a single variable; for several
    variables, the first letters of their names if the letters differ.
    """
    letters = {name: name[0] for name, _ in rings}
    are_told_apart = len(rings) > 1 and len(set(letters.values())) == len(rings)
    signs = {square: letters[name] if are_told_apart else RING for name, square in reversed(rings)}
    squares = model.board.squares if model.board else ()
    return [signs.get(square.name, free) for square in squares]
