"""How large a game may be: what no sensible game reaches, and what keeps any text from exhausting
the machine.

The counts of values, squares, cells and actions bound what has to be stored. `Effort` bounds the
work of elaboration itself, and how deep its nodes nest, since both the elaborator and the
interpreter descend into them.
"""

from __future__ import annotations

import sys
from fractions import Fraction

from gamedsl.source.records import dataclass

MOST_SQUARES = 4096
MOST_VALUES = 100_000
"""No variable, index, parameter or set may range over more values than this."""
MOST_CELLS = 100_000
"""No state may have more cells than this."""
MOST_ACTIONS = 10_000_000
MOST_SUBSETS = 8192
"""A parameter that is a set has no more subsets to choose from."""
MOST_CHOSEN_FROM = 1_000
"""The set of which it is a subset has no more elements."""

MOST_DEPTH = 100
"""Levels of expressions and blocks inside one another, called definitions included."""
MOST_SIDE_BY_SIDE = 30
"""Parameters of one move, `for` clauses of one quantifier."""
MOST_STEPS = 200_000
"""Expressions and statements that may be elaborated, each copy of a called body anew."""
MOST_BITS = 1_000
"""Bits of a numerator or denominator: numbers of up to 300 digits."""
MOST_ROUNDS = 10_000_000
"""Rounds that the loops and quantifiers of one body may go, unless the user allows more."""
INSTANCES_AS_ROUNDS = 100
"""All instances of a move together may go so many times as many."""
CALL_AS_ROUNDS = 10
"""A call of a `def` by itself takes as long as so many rounds."""
MOST_CALLS = MOST_ROUNDS // CALL_AS_ROUNDS
"""Calls of `def`s by themselves that one call of them may take."""
MOST_LEVELS = 500
"""Calls of one definition by itself that may be under way at once."""
FRAMES = 20
"""Calls of Python that one level of them takes, with some to spare."""


def make_room(levels: int) -> None:
    """Let Python call as deeply as a definition that calls itself needs; never less than before."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 1_000 + FRAMES * levels))


@dataclass
class Effort:
    """The work done so far on one file.

    Attributes:
        depth: levels that are open now.
        deepest: the greatest depth since somebody last set it.
        steps: expressions and statements elaborated.
    """

    depth: int = 0
    deepest: int = 0
    steps: int = 0

    def enter(self, levels: int = 1) -> None:
        """Go down; to be followed by `leave`."""
        self.depth += levels
        self.deepest = max(self.deepest, self.depth)
        self.steps += 1

    def leave(self, levels: int = 1) -> None:
        """Go up again."""
        self.depth -= levels

    @property
    def excess(self) -> str | None:
        """What is too much, in words, or None."""
        if self.deepest > MOST_DEPTH:
            return f"this is nested too deeply: at most {MOST_DEPTH} levels are possible"
        if self.steps > MOST_STEPS:
            return "these rules are too long, once every call of a definition is written out"
        return None


def is_too_large(number: int | Fraction | None) -> bool:
    """Whether a number has more digits than any game needs."""
    if number is None:
        return False
    return max(number.numerator.bit_length(), number.denominator.bit_length()) > MOST_BITS
