"""Squares that variables hold: where something is that is no man on the board.

In: a variable and a state. Out: its name with the square; for a board on which nothing else
stands, a sign for each square.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.model import Model, State
from gamedsl.model.nodes import Variable
from gamedsl.model.values import NONE, Square

Ring = tuple[str, str]
"""The name of a variable, and that of the square that it holds."""
RING = "o"


def ring_of(variable: Variable, state: State) -> Ring | None:
    """What a scalar holds that is always a square or `none`; None where it holds no square."""
    if variable.indices:
        return None
    if not all(isinstance(v, Square) or v is NONE for v in variable.domain.values):
        return None
    digit = state.cells[variable.offset]
    value = None if digit is None else variable.domain.values[digit]
    return (variable.name, value.name) if isinstance(value, Square) else None


def ring_texts(model: Model, rings: Sequence[Ring], free: str) -> list[str]:
    """What stands on each square of a board that has no men: of one variable a ring, of several
    the first letters of their names where these differ."""
    letters = {name: name[0] for name, _ in rings}
    are_told_apart = len(rings) > 1 and len(set(letters.values())) == len(rings)
    signs = {square: letters[name] if are_told_apart else RING for name, square in reversed(rings)}
    squares = model.board.squares if model.board else ()
    return [signs.get(square.name, free) for square in squares]
