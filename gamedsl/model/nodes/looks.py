"""Drawing hints of a `show:` section. Rules and engines do not depend on the hints.

Defaults for missing hints are chosen by `gamedsl.game.pictures.looks`.
"""

from __future__ import annotations

from enum import StrEnum

from gamedsl.model.nodes import Variable
from gamedsl.model.nodes.corners import holds_corners
from gamedsl.model.values import Atom, Domain, Square, Value, Vector
from gamedsl.source.records import dataclass


class BoardLook(StrEnum):
    """The look of a board's squares: in two colours, all alike, as points where lines meet, as
    windows of an upright frame, or as holes for pegs."""

    CHEQUERED = "chequered"
    PLAIN = "plain"
    POINTS = "points"
    FRAME = "frame"
    HOLES = "holes"


class VariableLook(StrEnum):
    """The role of a state variable in a picture.

    `MEN` stand on the squares; all variables of men share a picture. `MARKS` are small signs beside
    men. `PITS` hold seeds, `HEAPS` are rows of things, `TOWERS` discs on pegs, `LINES` lines drawn
    between dots. `CARDS`, `DICE` and `FACES` lie beside the board; a cell of `FACES` counts the
    dice that show the cell's index. `DOORS` are the values of a variable, the held
    value marked. `NET` is a cube: the corner at each place, and its turn. `TEXT` is a line of text.
    """

    MEN = "men"
    MARKS = "marks"
    PITS = "pits"
    HEAPS = "heaps"
    TOWERS = "towers"
    LINES = "lines"
    CARDS = "cards"
    DICE = "dice"
    FACES = "faces"
    DOORS = "doors"
    NET = "net"
    TEXT = "text"
    HIDDEN = "hidden"


COLOURS = {
    "white": "#ffffff", "black": "#22262b", "red": "#d23f3f", "yellow": "#f2c230",
    "blue": "#2f6fb3", "green": "#3f8f4f", "orange": "#e07b22", "purple": "#8757a8",
    "brown": "#8a5a33", "grey": "#8b949e", "gray": "#8b949e", "pink": "#e58fb1",
}  # fmt: skip
"""Named colours."""

MOST_DOORS = 12
"""Greatest number of values drawn as doors."""
LONGEST_GLYPH = 2
"""Greatest number of characters of a sign for a value."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The contents of a `show:` section; empty for an empty section.

    Attributes:
        board_colour: the name of the colour of the board's squares.
        variables: names of state variables, with looks.
        glyphs: values, with signs.
        colours: values, with names of colours.
        edges: directions, with the player who owns the edge of the board.
    """

    board: BoardLook | None = None
    board_colour: str | None = None
    variables: tuple[tuple[str, VariableLook], ...] = ()
    glyphs: tuple[tuple[Atom, str], ...] = ()
    colours: tuple[tuple[Atom, str], ...] = ()
    edges: tuple[tuple[Vector, Atom], ...] = ()


def lacks(look: VariableLook, variable: Variable, squares: tuple[Square, ...]) -> str | None:
    """The reason why a variable cannot have a look, as a sentence without full stop; None if it
    can."""
    match look:
        case VariableLook.MEN | VariableLook.MARKS:
            is_on_board = bool(squares) and any(
                index.values == squares for index in variable.indices
            )
            return None if is_on_board else "men and marks stand on squares, as in `man[square]`"
        case VariableLook.PITS:
            fits = 0 < len(variable.indices) <= 2 and _are_counts(variable.domain)
            return None if fits else "a pit is a cell that counts, as in `pit[1..6]: 0..72`"
        case VariableLook.HEAPS:
            fits = len(variable.indices) <= 1 and (
                _are_counts(variable.domain) or is_truth(variable.domain)
            )
            return None if fits else "a heap is a number, as in `left[1..3]: 0..5`, or a `bool`"
        case VariableLook.TOWERS:
            fits = len(variable.indices) == 1 and is_range(variable.indices[0])
            return None if fits else "it says where each disc is, as in `peg[1..4]: 1..3`"
        case VariableLook.LINES:
            fits = len(variable.indices) == 2 and all(map(is_range, variable.indices))
            fits = fits and is_truth(variable.domain)
            return None if fits else "lines are `bool`, as in `across[1..w, 0..h]: bool`"
        case VariableLook.DICE:
            fits = any(is_count(value) for value in variable.domain.values)
            return None if fits else "dice show numbers, as in `die: 1..6`"
        case VariableLook.FACES:
            fits = bool(variable.indices) and _are_counts(variable.domain)
            return None if fits else "a cell says how many dice show it, as in `shown[1..6]: 0..5`"
        case VariableLook.CARDS:
            fits = bool(variable.indices) or not is_truth(variable.domain)
            return None if fits else "a card has a value, as in `card: Rank`, or is one of several"
        case VariableLook.DOORS:
            fits = not variable.indices and len(variable.domain) <= MOST_DOORS
            return None if fits else f"it is one of at most {MOST_DOORS} values, as in `at: Door`"
        case VariableLook.NET:
            fits = holds_corners(variable)
            return None if fits else "a net is of corners by their faces, as in `corner[ufl]`"
        case _:
            return None


def is_count(value: Value) -> bool:
    """Whether a value is a whole number from 0 on."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_truth(domain: Domain) -> bool:
    """Whether a domain is `bool`."""
    return all(isinstance(value, bool) for value in domain.values)


def is_range(domain: Domain) -> bool:
    """Whether a domain consists of consecutive whole numbers."""
    numbers = [value for value in domain.values if isinstance(value, int) and is_count(value)]
    return len(numbers) == len(domain) > 0 and numbers == list(
        range(numbers[0], numbers[0] + len(numbers))
    )


def _are_counts(domain: Domain) -> bool:
    return all(map(is_count, domain.values))
