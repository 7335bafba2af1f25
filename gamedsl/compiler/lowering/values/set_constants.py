"""Constant sets of squares: a bit for each square of the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamedsl.compiler.ir.values import Type, Value, bits, number
from gamedsl.model.values import Square
from gamedsl.model.values import Value as GameValue


class SetConstants:
    """The constant sets of one board.

    Attributes:
        type: the type of sets of squares.
        bit_of: the number of each square's bit.
        nothing, everything: the set of no squares, the set of all squares.
    """

    def __init__(self, squares: Sequence[Square]) -> None:
        self.type: Type = bits(max(1, len(squares)))
        self.bit_of: dict[GameValue, int] = {square: n for n, square in enumerate(squares)}
        self.nothing = self.constant(0)
        self.everything = self.constant((1 << len(squares)) - 1)

    def constant(self, mask: int) -> Value:
        """A set by its bits."""
        return number(mask, self.type)

    def of(self, values: Iterable[GameValue]) -> Value:
        """The squares among some values."""
        return self.constant(self.mask(values))

    def mask(self, values: Iterable[GameValue]) -> int:
        """The bits of the squares among some values."""
        return sum(1 << self.bit_of[value] for value in set(values) if value in self.bit_of)
