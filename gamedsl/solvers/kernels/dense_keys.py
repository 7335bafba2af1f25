"""A state as one number whose digits have the bases that its variables need.

In: a layout. Out: `DenseKey`: the number of a state, the state of a number, and the same as text
for kernels. Planes take whole bits for what is one of few: two planes of 25 squares are 50 bits,
and 40 as digits to base 3. Planes are read some squares at a time by tables.
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
"""Entries of a table by which planes are written."""
MOST_CELLS = 8
"""Squares that are read at a time: a table has an entry for each set of them."""

Bits = tuple[int, int]
"""Where some bits begin: their word, and the first bit there."""


@dataclass(frozen=True, slots=True)
class Group:
    """A digit of the number: some squares of an array in planes, or one cell of another.

    Attributes:
        base: how many values a square has, the one without a plane among them; of another array 0.
        cells: how many squares, or bits.
        at: where these are in each plane.
        values: how many values the digit has.
    """

    base: int
    cells: int
    at: tuple[Bits, ...]
    values: int

    @property
    def tables(self) -> str:
        """The end of the names of its tables."""
        return f"{self.base}_{self.cells}"


@dataclass(frozen=True)
class DenseKey:
    """The number of a state; `has_turn`: it may be any player's turn."""

    layout: Layout
    has_turn: bool

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The digits, the one that counts most first."""
        return tuple(self._groups())

    @cached_property
    def bits(self) -> int:
        """How many bits a number has at most."""
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
        """The tables that `packing` and `unpacking` look into."""
        for group in {one.tables: one for one in self.groups if one.base}.values():
            yield f"SPREAD_{group.tables} = table({_spread(group)})"
            yield f"CONTENTS_{group.tables} = table({_contents(group)})"

    def packing(self) -> Iterator[str]:
        """Lines that make the number `key` of the words, and `odd`: 0, as every state has one."""
        yield "odd = 0"
        yield "key = 0"
        for group in self.groups:
            parts = [f"w{w} >> {shift} & {(1 << group.cells) - 1}" for w, shift in group.at]
            looked_up = (
                f"{digit} * SPREAD_{group.tables}[{part}]" for digit, part in enumerate(parts, 1)
            )
            value = " + ".join(looked_up) if group.base else f"({parts[0]})"
            yield f"key = key * {group.values} + {value}"

    def unpacking(self) -> Iterator[str]:
        """Lines that make the words `w0`, ... of `key`."""
        yield from (f"w{word} = 0" for word in range(self.layout.words))
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
        names = ", ".join(f"w{word}" for word in range(self.layout.words))
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
        """What is stored of it."""
        return {"turn": self.has_turn}

    def holds(self, words: tuple[int, ...]) -> bool:
        """Whether a state has a number: any has."""
        return True

    def number(self, words: tuple[int, ...]) -> int:
        """The number of a state."""
        found: int = self._functions["number"](*words)
        return found

    def words(self, number: int) -> tuple[int, ...]:
        """The words of the state with a number."""
        found: tuple[int, ...] = self._functions["words"](number)
        return found


def dense_key(layout: Layout, *, has_turn: bool) -> DenseKey | None:
    """The numbers of states; None where words are wider than a number, or planes have too many
    values."""
    is_wide = any(limbs > 1 for limbs in layout.limbs)
    most = max((len(p.names) for p in layout.places if isinstance(p, Planes)), default=0)
    return None if is_wide or most * MOST_CELLS >= WORD else DenseKey(layout, has_turn)


def _spread(group: Group) -> tuple[int, ...]:
    """For each set of squares the number that has the digit 1 there."""
    return tuple(
        sum(group.base**cell for cell in range(group.cells) if squares >> cell & 1)
        for squares in range(1 << group.cells)
    )


def _contents(group: Group) -> tuple[int, ...]:
    """For each value of the digit the squares of each plane, one behind the other."""
    found = []
    for value in range(group.values):
        content = 0
        for cell in range(group.cells):
            digit = value // group.base**cell % group.base
            if digit:
                content |= 1 << cell + group.cells * (digit - 1)
        found.append(content)
    return tuple(found)
