"""The fingerprint of a state from its words: generated Python that decodes no digits.

The function of the words equals `model.state.fingerprint` of the digits and the turn. Sets of
squares, and arrays of one-bit digits, are each multiplied by a number; other digits are looked up,
several at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cached_property

from gamedsl.compiler.layout import TURN, Digits, Layout, Planes, Slice
from gamedsl.compiler.python_code import run_source
from gamedsl.model.state import MODULUS, factor_of
from gamedsl.source.records import dataclass

WIDEST_TABLE = 12
"""Largest number of bits of digits that are looked up together."""

TERMS_A_LINE = 100
"""Terms per line; Python cannot compile an expression of many thousands of terms."""


def fingerprinting(layout: Layout) -> Callable[[tuple[int, ...]], int]:
    """The function of the words, without the words of a body waiting for a chance event."""
    made = _Sum({layout_field.name: layout_field for layout_field in layout.fields})
    offset = 0
    for place in layout.places:
        if isinstance(place, Planes):
            made.add_planes(place, offset)
        else:
            made.add_digits(place, offset)
        offset += place.variable.size
    made.add_group(TURN, 0, _Shape(layout.field(TURN).bits, 1, None), offset)
    names = run_source(made.source(layout.words))
    names.update({name: _table(shape) for shape, name in made.tables.items()})
    fingerprint: Callable[[tuple[int, ...]], int] = names["fingerprint"]
    return fingerprint


@dataclass(frozen=True, slots=True)
class _Shape:
    """Some neighbouring digits: `count` digits of `bits` bits each."""

    bits: int
    count: int
    unset: int | None

    def factor(self, digit: int) -> int:
        """The factor of a place with the given digit, or not yet set."""
        return factor_of(None if digit == self.unset else digit)


@dataclass
class _Sum:
    """The terms of a sum over the fields of a layout, as text."""

    fields: dict[str, Slice]
    terms: list[str] = field(default_factory=list)
    tables: dict[_Shape, str] = field(default_factory=dict)
    constant: int = 0

    @cached_property
    def _ends(self) -> dict[int, int]:
        """The end of the used bits of each word."""
        fields = sorted(self.fields.values(), key=lambda part: part.shift)
        return {part.word: part.shift + part.bits for part in fields}

    def source(self, words: int) -> str:
        """The text of the function."""
        names = "".join(f"w{n}, " for n in range(words))
        lines = [f"    {names}= words[:{words}]", f"    total = {self.constant % MODULUS}"]
        for start in range(0, len(self.terms), TERMS_A_LINE):
            lines.append(f"    total += {' + '.join(self.terms[start : start + TERMS_A_LINE])}")
        return "\n".join(["def fingerprint(words):", *lines, f"    return total % {MODULUS}\n"])

    def add_planes(self, place: Planes, offset: int) -> None:
        """A variable kept as one set of squares per digit."""
        rest = factor_of(place.default)
        self.constant += rest * ((1 << place.variable.size) - 1) * _power(offset)
        for digit, name in place.names:
            bits = self._bits(name, 0, place.variable.size)
            self._times(bits, (factor_of(digit) - rest) * _power(offset))

    def add_digits(self, place: Digits, first: int) -> None:
        """A variable kept as digits."""
        for name, start, shape, number in _groups(place):
            offset = first + number
            if place.bits == 1:
                rest = shape.factor(0)
                self.constant += rest * ((1 << shape.count) - 1) * _power(offset)
                bits = self._bits(name, start, shape.count)
                self._times(bits, (shape.factor(1) - rest) * _power(offset))
            else:
                self.add_group(name, start, shape, offset)

    def add_group(self, name: str, start: int, shape: _Shape, offset: int) -> None:
        """Digits from bit `start` of a field on; a digit too wide for a table is computed."""
        bits = self._bits(name, start, shape.bits * shape.count)
        if shape.bits > WIDEST_TABLE:
            digit = "d" if shape.unset is None else f"None if d == {shape.unset} else d"
            self._times(f"[hash(({digit},)) for d in [{bits}]][0]", _power(offset))
        else:
            table = self.tables.setdefault(shape, f"T{len(self.tables)}")
            self._times(f"{table}[{bits}]", _power(offset))

    def _bits(self, name: str, start: int, count: int) -> str:
        layout_field = self.fields[name]
        shift = layout_field.shift + start
        moved = f"w{layout_field.word} >> {shift}" if shift else f"w{layout_field.word}"
        if shift + count == self._ends[layout_field.word]:
            return f"({moved})"
        return f"({moved} & {(1 << count) - 1})"

    def _times(self, bits: str, factor: int) -> None:
        self.terms.append(f"{bits} * {factor % MODULUS}")


def _power(offset: int) -> int:
    """The multiplier of the places from `offset` on."""
    return pow(2, offset, MODULUS)


def _groups(place: Digits) -> Iterator[tuple[str, int, _Shape, int]]:
    """The digits of a variable in groups: field, first bit, shape, and number of the first cell."""
    size = place.per_chunk if place.bits == 1 else max(1, WIDEST_TABLE // place.bits)
    for chunk, name in enumerate(place.names):
        first = chunk * place.per_chunk
        held = min(place.per_chunk, place.variable.size - first)
        for start in range(0, held, size):
            count = min(size, held - start)
            shape = _Shape(place.bits, count, place.unset)
            yield name, start * place.bits, shape, first + start


def _table(shape: _Shape) -> list[int]:
    """The sum for each value of the bits of digits of a shape, the first digit at place 0."""
    sums = [0]
    for number in range(shape.count):
        factors = [shape.factor(digit) << number for digit in range(1 << shape.bits)]
        sums = [(factor + below) % MODULUS for factor in factors for below in sums]
    return sums
