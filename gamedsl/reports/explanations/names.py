"""Names of the functions in a definition, by edition of the textbook.

S. Russell and P. Norvig, "Artificial Intelligence: A Modern Approach": section 5.1 of the third
edition has PLAYER(s) and TERMINAL-TEST(s), section 5.1 of the fourth TO-MOVE(s) and IS-TERMINAL(s).
"""

from __future__ import annotations

from enum import StrEnum

from gamedsl.reports.formulas.tree import Word
from gamedsl.source.records import dataclass


class Edition(StrEnum):
    """An edition of the textbook."""

    THIRD = "3"
    FOURTH = "4"


@dataclass(frozen=True, slots=True)
class Names:
    """The names in an explanation.

    Attributes:
        player: the function for the player to move.
        terminal: the function for the end of the game.
        s: symbol of a state: `s`, or `state` if the file uses `s` as a name.
        goal: the function for the goal of a single player.
        cost: the function for the cost of a step of a single player.
    """

    player: str
    terminal: str
    s: str
    goal: str
    cost: str

    @property
    def symbol(self) -> Word:
        """The symbol of a state in formulas."""
        return Word(self.s)


def names_of(edition: Edition, taken: frozenset[str]) -> Names:
    """The names, chosen to differ from the names `taken` by the file."""
    s = next(word for word in ("s", "state", "σ", "the state") if word not in taken)
    if edition is Edition.FOURTH:
        return Names("TO-MOVE", "IS-TERMINAL", s, "IS-GOAL", "ACTION-COST")
    return Names("PLAYER", "TERMINAL-TEST", s, "GOAL-TEST", "c")
