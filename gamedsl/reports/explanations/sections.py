"""The formal definition of a game as sections with formulas and values, ready for the views."""

from __future__ import annotations

from gamedsl.game.notebook import drawn
from gamedsl.model import State
from gamedsl.reports.formulas.as_text import line_text
from gamedsl.reports.formulas.tree import Line
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Picture:
    """A state to be drawn: the formula that names the state, the state, and the state as text."""

    formula: str
    state: State
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the definition.

    Attributes:
        name: name of the function, as in the textbook: `ACTIONS(s)`.
        meaning: the function's meaning, in words.
        formulas: the function for the game at hand, as mathematics.
        code: the lines of the file behind the formulas; empty without such lines.
        spelled: the same lines as mathematics, for views that are typeset.
        values: the function's values at the chosen state.
        pictures: states to be drawn.
    """

    name: str
    meaning: str
    formulas: tuple[Line, ...] = ()
    code: str = ""
    values: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    spelled: tuple[Line, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The formulas as text."""
        return tuple(map(line_text, self.formulas))


@dataclass(frozen=True, slots=True)
class StateCounts:
    """Counts from a visit to every state; `is_complete` unless the limit was reached."""

    positions: int
    terminals: int
    chance_nodes: int
    is_complete: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """The definition; `symbol` names the chosen state: `S0`, or `s` for a later state."""

    title: str
    parameters: tuple[tuple[str, str], ...]
    about: str
    symbol: str
    sections: tuple[Section, ...]

    def __str__(self) -> str:
        return drawn("explain_text", self)

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        return drawn("explain_markdown", self)
