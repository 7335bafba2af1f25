"""Keys that encode a state as one number in mixed radix, with a base per variable.

In: a layout, and bits for the numbers that a state saves at a chance event. Out: `DenseKey`: the
number of a state, the state of a number, and source text of both for kernels. Planes need whole
bits where mixed radix does not: two planes of 25 squares take 50 bits, but 40 bits as digits to
base 3. Tables convert planes, several squares at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from gamedsl.compiler.layout import TURN, WORD, Digits, Layout, Planes
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.python_code import run_source
from gamedsl.source.records import dataclass

MOST_VALUES = 1 << 11
"""Maximal size of a table for writing planes."""
MOST_CELLS = 8
"""Number of squares read at a time: a table has an entry for each subset of these squares."""

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

    @property
    def tables(self) -> str:
        """The suffix of the names of the group's tables."""
        return f"{self.base}_{self.cells}"


@dataclass(frozen=True)
class DenseKey:
    """The number of a state; `has_turn`: states of all players to move occur; `saved`: bits for
    each number saved at a chance event, the number of the event first."""

    layout: Layout
    has_turn: bool
    saved: tuple[int, ...] = ()

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
        for number, bits in enumerate(self.saved):
            yield Group(0, bits, ((self.layout.words + number, 0),), 1 << bits)

    @property
    def _words(self) -> range:
        """The numbers of a state: its words, and the saved numbers behind them."""
        return range(self.layout.words + len(self.saved))

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

    # --- the text -----------------------------------------------------------------------------

    def tables(self) -> Iterator[str]:
        """The lookup tables of `packing` and `unpacking`."""
        for group in {group.tables: group for group in self.groups if group.base}.values():
            yield f"SPREAD_{group.tables} = table({_spread(group)})"
            yield f"CONTENTS_{group.tables} = table({_contents(group)})"

    def packing(self) -> Iterator[str]:
        """Lines that compute from the words the number `key`, and `odd`: 0 if the state has a
        number, as every state has whose saved numbers fit."""
        fits = (f"w{self.layout.words + n} >> {bits}" for n, bits in enumerate(self.saved))
        yield f"odd = {' | '.join(fits) or '0'}"
        yield "key = 0"
        for group in self.groups:
            parts = [f"w{w} >> {shift} & {(1 << group.cells) - 1}" for w, shift in group.at]
            looked_up = (
                f"{digit} * SPREAD_{group.tables}[{part}]" for digit, part in enumerate(parts, 1)
            )
            value = " + ".join(looked_up) if group.base else f"({parts[0]})"
            yield f"key = key * {group.values} + {value}"

    def unpacking(self) -> Iterator[str]:
        """Lines that compute the words `w0`, ... from `key`."""
        yield from (f"w{word} = 0" for word in self._words)
        for number, group in enumerate(reversed(self.groups)):
            yield f"rest_{number} = key // {group.values}"
            yield f"found_{number} = key - rest_{number} * {group.values}"
            yield f"key = rest_{number}"
            if group.base:
                yield f"found_{number} = CONTENTS_{group.tables}[found_{number}]"
            for plane, (word, shift) in enumerate(group.at):
                part = f"found_{number} >> {plane * group.cells} & {(1 << group.cells) - 1}"
                yield f"w{word} |= ({part}) << {shift}"

    # --- in Python ----------------------------------------------------------------------------

    @cached_property
    def _functions(self) -> dict[str, Callable[..., Any]]:
        names = ", ".join(f"w{word}" for word in self._words)
        lines = [
            *self.tables(),
            f"def number({names}):",
            *(f"    {line}" for line in (*self.packing(), "return key")),
            "def words(key):",
            *(f"    {line}" for line in (*self.unpacking(), f"return ({names},)")),
        ]
        return run_source("\n".join([PYTHON, *lines]))

    @property
    def facts(self) -> dict[str, Any]:
        """The stored form of the key."""
        return {"turn": self.has_turn, **({"saved": list(self.saved)} if self.saved else {})}

    def holds(self, words: tuple[int, ...]) -> bool:
        """Whether a state has a number."""
        behind = self.layout.words
        return not any(word >> bits for word, bits in zip(words[behind:], self.saved, strict=True))

    def number(self, words: tuple[int, ...]) -> int:
        """The number of a state."""
        number: int = self._functions["number"](*words)
        return number

    def words(self, number: int) -> tuple[int, ...]:
        """The words of the state with a number."""
        words: tuple[int, ...] = self._functions["words"](number)
        return words


def dense_key(layout: Layout, *, has_turn: bool, saved: tuple[int, ...] = ()) -> DenseKey | None:
    """The numbers of states; None if words are wider than a number, or planes have too many
    values."""
    is_wide = any(limbs > 1 for limbs in layout.limbs)
    most = max((len(p.names) for p in layout.places if isinstance(p, Planes)), default=0)
    return None if is_wide or most * MOST_CELLS >= WORD else DenseKey(layout, has_turn, saved)


def _spread(group: Group) -> tuple[int, ...]:
    """For every set of squares, the number with the digit 1 at the squares of the set."""
    return tuple(
        sum(group.base**cell for cell in range(group.cells) if squares >> cell & 1)
        for squares in range(1 << group.cells)
    )


def _contents(group: Group) -> tuple[int, ...]:
    """For each value of the digit, the squares set in each plane, plane after plane."""
    masks = []
    for value in range(group.values):
        content = 0
        for cell in range(group.cells):
            digit = value // group.base**cell % group.base
            if digit:
                content |= 1 << cell + group.cells * (digit - 1)
        masks.append(content)
    return tuple(masks)
