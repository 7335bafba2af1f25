"""What the functions of the definition are called: the names of an edition of the textbook.

S. Russell and P. Norvig, "Artificial Intelligence: A Modern Approach": section 5.1 of the third
edition has PLAYER(s) and TERMINAL-TEST(s), that of the fourth TO-MOVE(s) and IS-TERMINAL(s).
"""

from __future__ import annotations

from enum import StrEnum

from gamedsl.source.records import dataclass


class Edition(StrEnum):
    """An edition of the textbook."""

    THIRD = "3"
    FOURTH = "4"


@dataclass(frozen=True, slots=True)
class Names:
    """The words of one explanation.

    Attributes:
        player: the function that says who moves.
        terminal: the one that says whether the game is over.
        s: a state: `s`, or `state` where the file calls something else `s`.
    """

    player: str
    terminal: str
    s: str


def names_of(edition: Edition, taken: frozenset[str]) -> Names:
    """The words, none of them `taken` by a name of the file."""
    s = next(word for word in ("s", "state", "σ", "the state") if word not in taken)
    if edition is Edition.FOURTH:
        return Names("TO-MOVE", "IS-TERMINAL", s)
    return Names("PLAYER", "TERMINAL-TEST", s)
