"""Limits on the size of a game, beyond all sensible games, so that no text exhausts the machine.

The counts of values, squares, cells and actions bound the storage. `Effort` bounds the work of
elaboration, and the nesting of nodes, since the elaborator and the interpreter descend into nodes.
"""

from __future__ import annotations

import sys
from fractions import Fraction

from gamedsl.source.records import dataclass

MOST_SQUARES = 4096
MOST_VALUES = 100_000
"""Greatest number of values of a variable, index, parameter or set."""
MOST_CELLS = 100_000
"""Greatest number of cells of a state."""
MOST_ACTIONS = 10_000_000
MOST_SUBSETS = 8192
"""Greatest number of subsets that a set-valued parameter chooses from."""
MOST_SETS = 10**15
"""Greatest number of sets of which chance draws one: weights stay exact in machine words and in
floating-point numbers."""
MOST_CHOSEN_FROM = 1_000
"""Greatest number of elements of the set whose subsets are chosen."""

MOST_DEPTH = 100
"""Levels of nested expressions and blocks, called definitions included."""
MOST_SIDE_BY_SIDE = 30
"""Parameters of a move, `for` clauses of a quantifier."""
MOST_STEPS = 450_000
"""Expressions and statements that may be elaborated, each copy of a called body counted."""
MOST_BITS = 1_000
"""Bits of a numerator or denominator: numbers of up to 300 digits."""
MOST_ROUNDS = 10_000_000
"""Rounds that the loops and quantifiers of a body may go, unless the user allows more."""
INSTANCES_AS_ROUNDS = 100
"""Factor by which the rounds of all instances of a move together may exceed the limit of a body."""
CALL_AS_ROUNDS = 10
"""Rounds that a recursive call of a `def` is counted as."""
MOST_CALLS = MOST_ROUNDS // CALL_AS_ROUNDS
"""Recursive calls that a call of a `def` may take."""
MOST_LEVELS = 500
"""Nested recursive calls of a definition that may be under way."""
FRAMES = 20
"""Python calls per nested recursive call, with a reserve."""


def make_room(levels: int) -> None:
    """Raise Python's recursion limit for nested calls of a recursive definition or search; the
    limit is never lowered."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 1_000 + FRAMES * levels))


@dataclass
class Effort:
    """The work done so far on a file.

    Attributes:
        depth: open levels.
        deepest: the greatest depth since the last reset.
        steps: expressions and statements elaborated.
    """

    depth: int = 0
    deepest: int = 0
    steps: int = 0

    def enter(self, levels: int = 1) -> None:
        """Enter levels; to be followed by `leave`."""
        self.depth += levels
        self.deepest = max(self.deepest, self.depth)
        self.steps += 1

    def leave(self, levels: int = 1) -> None:
        """Leave levels."""
        self.depth -= levels

    @property
    def excess(self) -> str | None:
        """The exceeded limit in words, or None."""
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
