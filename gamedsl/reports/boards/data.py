"""Data of pictures: what stands on a square, and a variable drawn outside the board."""

from __future__ import annotations

from gamedsl.model import State, nodes
from gamedsl.model.nodes.looks import VariableLook
from gamedsl.model.values import Value
from gamedsl.source.records import dataclass


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
    is_wedge: bool = False
    """Whether the piece points at its owner's opponents: men that change sides look alike."""
    is_upside_down: bool = False
    """Whether the board below is seen from the other side."""

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to draw."""
        return self == Piece()


@dataclass(frozen=True, slots=True)
class Figure:
    """A variable to be drawn.

    Attributes:
        variable: the variable; for lines, the horizontal and vertical lines together.
        look: the kind of figure.
        values: the values of the cells; None: hidden.
        names: the names of the cells.
        changed: the cells changed by the last move.
    """

    variable: nodes.Variable
    look: VariableLook
    values: tuple[Value | None, ...]
    names: tuple[str, ...]
    changed: frozenset[int] = frozenset()
    crossing: Figure | None = None


def values_of(variable: nodes.Variable, state: State) -> tuple[Value | None, ...]:
    """The values of a variable's cells; None for hidden values."""
    digits = (state.cells[variable.offset + number] for number in range(variable.size))
    return tuple(None if digit is None else variable.domain.values[digit] for digit in digits)
