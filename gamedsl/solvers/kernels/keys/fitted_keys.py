"""Keys that encode a state as one number and omit all quantities implied by invariants.

In: a layout, and the invariants of its states (`invariants`). Out: `FittedKey`. The planes over the
same squares form one digit per square, whose base is the number of possible contents; a cell
determined by a sum has no digit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from math import prod
from typing import Any

from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.values import INT, Value, count, integer, lookup, number, united
from gamedsl.compiler.layout import WORD, Slice
from gamedsl.solvers.kernels.keys.invariants import Bundle, Invariants, Shape, Sum, shape_of
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


@dataclass(frozen=True)
class FittedKey(NumberKey):
    """A number without the quantities implied by invariants."""

    invariants: Invariants

    @cached_property
    def _shape(self) -> Shape:
        return shape_of(self.layout, has_turn=self.has_turn)

    @property
    def _digit_cells(self) -> list[tuple[int, int]]:
        """The cells with a digit, by number, and their numbers of values."""
        determined = {cell_sum.cell for cell_sum in self.invariants.sums}
        return [(n, v) for n, v in enumerate(self._shape.values) if n not in determined]

    @property
    def _bundles(self) -> Iterator[tuple[int, Bundle, tuple[int, ...]]]:
        """Bundles that are not always empty: their numbers, planes, and possible contents of a
        square."""
        contents = zip(self._shape.bundles, self.invariants.contents, strict=True)
        return (
            (n, bundle, square_contents)
            for n, (bundle, square_contents) in enumerate(contents)
            if square_contents
        )

    @cached_property
    def bits(self) -> int:
        """Number of bits of the largest key."""
        bases = [
            len(square_contents) + 1
            for _, bundle, square_contents in self._bundles
            for _ in _squares_of(bundle)
        ]
        return (prod((*bases, *(values for *_, values in self._digit_cells))) - 1).bit_length()

    # --- values -------------------------------------------------------------------------------

    def encode(self, f: FunctionBuilder, words: tuple[Value, ...]) -> tuple[Value, Value]:
        """Like `NumberKey.encode`; a state that does not satisfy the invariants has no number."""
        planes = self._read_planes(f, words)
        cells = [f.local("cell", _part(words, cell), INT) for cell in self._shape.cells]
        odd = [cells[each.cell] ^ _total(each, planes, cells) for each in self.invariants.sums]
        key: Value = number(0, NUMBER)
        for n, bundle, square_contents in self._bundles:
            masks = list(_masks(f, bundle, planes[n], square_contents))
            odd.append(united(planes[n]) ^ united(masks))
            base, begin = len(masks) + 1, bundle[0][0].bits
            table = spread(base, min(MOST_CELLS, begin))
            while begin > 0:
                size = min(begin, MOST_CELLS)
                begin -= size
                digits = (
                    lookup(table, mask >> begin & (1 << size) - 1) * digit
                    for digit, mask in enumerate(masks, 1)
                )
                key = f.local("key", key * base**size + reduce(Value.__add__, digits))
        odd += [united(planes[n]) for n, held in enumerate(self.invariants.contents) if not held]
        for n, values in self._digit_cells:
            key = f.local("key", key * values + cells[n])
        return key, united(odd)

    def decode(self, f: FunctionBuilder, key: Value) -> list[Value]:
        """Like `NumberKey.decode`."""
        words: list[Value] = [number(0, NUMBER)] * self.layout.words
        cells = [integer(0)] * len(self._shape.cells)

        def put(part: Value, word: int, shift: int) -> None:
            words[word] = f.local("word", words[word] | part << shift)

        for n, values in reversed(self._digit_cells):
            key, cells[n] = split(f, key, values)
            put(cells[n], self._shape.cells[n].word, self._shape.cells[n].shift)
        for _, bundle, square_contents in reversed([*self._bundles]):
            base, size = len(square_contents) + 1, bundle[0][0].bits
            planes = [plane for planes in bundle for plane in planes]
            most = _read_at_once(base, len(planes))
            table = contents(square_contents, min(most, size), len(planes))
            for begin in range(0, size, most):
                squares = min(most, size - begin)
                key, digit = split(f, key, base**squares)
                content = f.local("content", lookup(table, digit))
                for place, plane in enumerate(planes):
                    part = content >> place * min(most, size) & (1 << squares) - 1
                    put(part, plane.word, plane.shift + begin)
        if self.invariants.sums:
            sets = self._read_planes(f, words)
            for each in self.invariants.sums:
                cell = self._shape.cells[each.cell]
                put(_total(each, sets, cells) & cell.mask, cell.word, cell.shift)
        return words

    def _read_planes(self, f: FunctionBuilder, words: Sequence[Value]) -> list[list[Value]]:
        """The planes of each bundle."""
        return [
            [f.local("plane", _part(words, plane)) for planes in bundle for plane in planes]
            for bundle in self._shape.bundles
        ]

    @property
    def facts(self) -> dict[str, Any]:
        """Like `NumberKey.facts`."""
        return {"turn": self.has_turn, **self.invariants.facts()}


def _part(words: Sequence[Value], field: Slice) -> Value:
    return (words[field.word] >> field.shift) & field.mask


def _masks(
    f: FunctionBuilder, bundle: Bundle, planes: list[Value], square_contents: tuple[int, ...]
) -> Iterator[Value]:
    """The mask of the squares with a content, for every possible content."""
    for content in square_contents:
        parts = [plane for place, plane in enumerate(planes) if content >> place & 1]
        first = 0
        for group in bundle:
            if content >> first & (1 << len(group)) - 1 == 0:
                none = united(planes[first : first + len(group)])
                parts.append(none ^ bundle[0][0].mask)
            first += len(group)
        yield f.local("mask", reduce(Value.__and__, parts))


def _total(cell_sum: Sum, planes: list[list[Value]], cells: list[Value]) -> Value:
    """The content of a cell, computed from the other quantities."""
    quantities = [*(count(plane) for each in planes for plane in each), *cells]
    terms = (quantities[n] * factor for n, factor in cell_sum.terms)
    return reduce(Value.__add__, terms, integer(cell_sum.constant))


def _squares_of(bundle: Bundle) -> range:
    return range(bundle[0][0].bits)


def _read_at_once(base: int, planes: int) -> int:
    """Number of squares read at a time."""
    most = min(MOST_CELLS, max(1, (WORD - 1) // planes))
    return max(n for n in range(1, most + 1) if n == 1 or base**n <= MOST_VALUES)
