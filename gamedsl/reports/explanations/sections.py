"""The formal definition of a game, ready to be written down: sections with formulas and values.

In: nothing; `definition.explain` makes it. Out: values for the views `as_text`, `as_markdown`,
`as_latex` and `as_html`.
"""

from __future__ import annotations

from gamedsl.game.notebook import drawn
from gamedsl.model import State
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Picture:
    """A state to be drawn: the formula that names it, the state, and it as text."""

    formula: str
    state: State
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the definition.

    Attributes:
        name: of the function, as in the textbook: `ACTIONS(s)`.
        meaning: what it is, in words.
        formulas: what it is for this game, as mathematics.
        code: the lines of the file that say so; empty if none do.
        values: what it is at the chosen state.
        pictures: states to be drawn.
    """

    name: str
    meaning: str
    formulas: tuple[str, ...] = ()
    code: str = ""
    values: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class StateCounts:
    """What was measured by visiting every state; `is_complete` unless the limit came first."""

    positions: int
    terminals: int
    chance_nodes: int
    is_complete: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """The definition; `symbol` names the chosen state: `S0`, or `s` for a later one."""

    title: str
    parameters: tuple[tuple[str, str], ...]
    about: str
    symbol: str
    sections: tuple[Section, ...]

    def __str__(self) -> str:
        return drawn("explanation_text", self)

    __repr__ = __str__

    def _repr_markdown_(self) -> str:
        return drawn("explanation_markdown", self)
