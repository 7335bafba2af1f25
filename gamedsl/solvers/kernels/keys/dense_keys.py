"""Keys that encode a state as one number in mixed radix, with a base per variable.

In: a layout, and bits for the numbers that a state saves at a chance event. Out: `DenseKey`. Planes
need whole bits where mixed radix does not: two planes of 25 squares take 50 bits, but 40 bits as
digits to base 3. Tables convert planes, several squares at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, reduce
from typing import Any

from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.values import ZERO, Value, lookup, number
from gamedsl.compiler.layout import TURN, WORD, Digits, Layout, Planes
from gamedsl.solvers.kernels.keys.number_keys import (
    MOST_CELLS,
    MOST_VALUES,
    NUMBER,
    NumberKey,
    contents,
    split,
    spread,
)
from gamedsl.source.records import dataclass

Bits = tuple[int, int]
"""The beginning of a group of bits: the word, and the first bit."""


@dataclass(frozen=True, slots=True)
class Group:
    """A digit of the number: some squares of an array in planes, or one cell of an array in digits.

    Attributes:
        base: number of values of a square, including the value without a plane; 0 for an array in
            digits.
        cells: number of squares, or bits.
        at: the place of the bits in each plane.
        values: number of values of the digit.
    """

    base: int
    cells: int
    at: tuple[Bits, ...]
    values: int


@dataclass(frozen=True)
class DenseKey(NumberKey):
    """A number whose digits are the contents of squares and cells; `saved`: bits for each number
    saved at a chance event, the number of the event first."""

    saved: tuple[int, ...] = ()

    @property
    def behind(self) -> int:
        """Like `NumberKey.behind`."""
        return len(self.saved)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The digits, most significant first."""
        return tuple(self._groups())

    @cached_property
    def bits(self) -> int:
        """Number of bits of the largest key."""
        count = 1
        for group in self.groups:
            count *= group.values
        return (count - 1).bit_length()

    def _groups(self) -> Iterator[Group]:
        for place in self.layout.places:
            if isinstance(place, Planes):
                yield from self._groups_of_planes(place)
            else:
                yield from self._cells(place)
        if self.has_turn:
            turn = self.layout.field(TURN)
            yield Group(0, turn.bits, ((turn.word, turn.shift),), 1 << turn.bits)
        for word, bits in enumerate(self.saved, self.layout.words):
            yield Group(0, bits, ((word, 0),), 1 << bits)

    def _groups_of_planes(self, place: Planes) -> Iterator[Group]:
        base, size = len(place.names) + 1, place.variable.size
        most = max(n for n in range(1, MOST_CELLS + 1) if n == 1 or base**n <= MOST_VALUES)
        fields = [self.layout.field(name) for _, name in place.names]
        begin = 0
        for left in range(-(-size // most), 0, -1):
            cells = -(-(size - begin) // left)
            at = tuple((field.word, field.shift + begin) for field in fields)
            yield Group(base, cells, at, base**cells)
            begin += cells

    def _cells(self, place: Digits) -> Iterator[Group]:
        values = len(place.variable.domain) + (place.unset is not None)
        for cell in range(place.variable.size):
            field = self.layout.field(place.names[cell // place.per_chunk])
            at = field.word, field.shift + place.bits * (cell % place.per_chunk)
            yield Group(0, place.bits, (at,), values)

    # --- values -------------------------------------------------------------------------------

    def encode(self, f: FunctionBuilder, words: tuple[Value, ...]) -> tuple[Value, Value]:
        """Like `NumberKey.encode`: every state has a number whose saved numbers fit."""
        key: Value = number(0, NUMBER)
        for group in self.groups:
            parts = [(words[w] >> shift) & (1 << group.cells) - 1 for w, shift in group.at]
            digits = [
                lookup(spread(group.base, group.cells), part) * digit if group.base else part
                for digit, part in enumerate(parts, 1)
            ]
            key = f.local("key", key * group.values + reduce(Value.__add__, digits))
        fits = (words[n] >> bits for n, bits in enumerate(self.saved, self.layout.words))
        return key, reduce(Value.__or__, fits, ZERO)

    def decode(self, f: FunctionBuilder, key: Value) -> list[Value]:
        """Like `NumberKey.decode`."""
        words: list[Value] = [number(0, NUMBER)] * self.layout.words + [ZERO] * self.behind
        for group in reversed(self.groups):
            key, content = split(f, key, group.values)
            if group.base:
                planes = tuple(1 << n for n in range(group.base - 1))
                table = contents(planes, group.cells, len(planes))
                content = f.local("content", lookup(table, content))
            for plane, (word, shift) in enumerate(group.at):
                part = content >> plane * group.cells & (1 << group.cells) - 1
                words[word] = f.local("word", words[word] | part << shift)
        return words

    @property
    def facts(self) -> dict[str, Any]:
        """Like `NumberKey.facts`."""
        return {"turn": self.has_turn, **({"saved": list(self.saved)} if self.saved else {})}


def dense_key(layout: Layout, *, has_turn: bool, saved: tuple[int, ...] = ()) -> DenseKey | None:
    """The numbers of states; None if words are wider than a number, or planes have too many
    values."""
    most = max((len(p.names) for p in layout.places if isinstance(p, Planes)), default=0)
    return (
        None if layout.is_wide or most * MOST_CELLS >= WORD else DenseKey(layout, has_turn, saved)
    )
