"""Keys that encode a state as one number and omit all quantities implied by invariants.

In: a layout, and the invariants of its states (`invariants`). Out: `FittedKey`, with the interface
of `DenseKey`: the number of a state, the state of a number, and source text of both for kernels; in
addition, whether a state satisfies the invariants. The planes over the same squares form one digit
per square, whose base is the number of possible contents; a cell determined by a sum has no digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from math import prod
from typing import Any

from gamedsl.compiler.layout import WORD, Layout, Slice
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.python_code import run_source
from gamedsl.solvers.kernels.keys.invariants import Bundle, Invariants, Shape, Sum, shape_of
from gamedsl.source.records import dataclass

MOST_VALUES = 1 << 11
"""Maximal size of a table for writing planes."""
MOST_CELLS = 8
"""Number of squares read at a time: a table has an entry for each subset of these squares."""


@dataclass(frozen=True)
class FittedKey:
    """The number of a state; `has_turn`: states of all players to move occur."""

    layout: Layout
    has_turn: bool
    invariants: Invariants

    @cached_property
    def _shape(self) -> Shape:
        return shape_of(self.layout, has_turn=self.has_turn)

    @cached_property
    def _sums(self) -> dict[int, Sum]:
        return {cell_sum.cell: cell_sum for cell_sum in self.invariants.sums}

    @property
    def _digit_cells(self) -> list[tuple[str, Slice, int]]:
        """The cells with a digit: names in the text, places, numbers of values."""
        cells = zip(self._shape.cells, self._shape.values, strict=True)
        return [(f"cell_{n}", *cell) for n, cell in enumerate(cells) if n not in self._sums]

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

    # --- the text -----------------------------------------------------------------------------

    def tables(self) -> Iterator[str]:
        """The lookup tables of `packing` and `unpacking`."""
        for n, bundle, square_contents in self._bundles:
            base, size = len(square_contents) + 1, bundle[0][0].bits
            wide, narrow = min(size, MOST_CELLS), _read_at_once(base, bundle)
            yield f"SPREAD_{n} = table({_spread(base, wide)})"
            yield (
                f"CONTENTS_{n} = "
                f"table({_contents(square_contents, min(size, narrow), _planes(bundle))})"
            )

    def packing(self) -> Iterator[str]:
        """Lines that compute from the words the number `key`, and `odd`: 0 if the invariants
        hold."""
        yield from self._read_planes()
        for n, cell in enumerate(self._shape.cells):
            yield f"cell_{n} = w{cell.word} >> {cell.shift} & {cell.mask}"
        yield "odd = 0"
        for cell_sum in self.invariants.sums:
            yield f"odd |= cell_{cell_sum.cell} ^ ({self._sum_term(cell_sum)})"
        yield "key = 0"
        for n, bundle, square_contents in self._bundles:
            yield from self._masks(n, bundle, square_contents)
            base, size = len(square_contents) + 1, bundle[0][0].bits
            begin = size
            while begin > 0:
                cells = min(begin, MOST_CELLS)
                begin -= cells
                parts = (
                    f"{digit} * SPREAD_{n}[mask_{n}_{digit} >> {begin} & {(1 << cells) - 1}]"
                    for digit in range(1, base)
                )
                yield f"key = key * {base**cells} + {' + '.join(parts)}"
        for n, bundle in enumerate(self._shape.bundles):
            if not self.invariants.contents[n]:
                yield f"odd |= {' | '.join(_names(n, bundle))}"
        for name, _, values in self._digit_cells:
            yield f"key = key * {values} + {name}"

    def unpacking(self) -> Iterator[str]:
        """Lines that compute the words `w0`, ... from `key`."""
        yield from (f"w{word} = 0" for word in range(self.layout.words))
        for name, cell, values in reversed(self._digit_cells):
            yield f"rest = key // {values}"
            yield f"{name} = key - rest * {values}"
            yield "key = rest"
            yield f"w{cell.word} |= {name} << {cell.shift}"
        for n, bundle, square_contents in reversed([*self._bundles]):
            yield from self._squares(n, bundle, len(square_contents) + 1)
        if self.invariants.sums:
            yield from self._read_planes()
        for cell_sum in self.invariants.sums:
            cell = self._shape.cells[cell_sum.cell]
            yield f"w{cell.word} |= ({self._sum_term(cell_sum)} & {cell.mask}) << {cell.shift}"

    def _read_planes(self) -> Iterator[str]:
        for n, bundle in enumerate(self._shape.bundles):
            planes = (plane for planes in bundle for plane in planes)
            for name, plane in zip(_names(n, bundle), planes, strict=True):
                yield f"{name} = w{plane.word} >> {plane.shift} & {plane.mask}"

    def _masks(self, n: int, bundle: Bundle, square_contents: tuple[int, ...]) -> Iterator[str]:
        """The mask of the squares with a content, for every possible content."""
        names = _names(n, bundle)
        for digit, content in enumerate(square_contents, 1):
            parts = [name for place, name in enumerate(names) if content >> place & 1]
            first = 0
            for planes in bundle:
                if content >> first & (1 << len(planes)) - 1 == 0:
                    none = " | ".join(names[first : first + len(planes)])
                    parts.append(f"({bundle[0][0].mask} ^ ({none}))")
                first += len(planes)
            yield f"mask_{n}_{digit} = {' & '.join(parts)}"
        held = " | ".join(f"mask_{n}_{digit}" for digit in range(1, len(square_contents) + 1))
        yield f"odd |= ({' | '.join(names)}) ^ ({held})"

    def _squares(self, n: int, bundle: Bundle, base: int) -> Iterator[str]:
        """Lines that restore the planes from `key`, several squares at a time."""
        size, most = bundle[0][0].bits, _read_at_once(base, bundle)
        for begin in range(0, size, most):
            cells = min(most, size - begin)
            yield f"rest = key // {base**cells}"
            yield f"content = CONTENTS_{n}[key - rest * {base**cells}]"
            yield "key = rest"
            planes = (plane for planes in bundle for plane in planes)
            for place, plane in enumerate(planes):
                part = f"content >> {place * min(most, size)} & {(1 << cells) - 1}"
                yield f"w{plane.word} |= ({part}) << {plane.shift + begin}"

    def _sum_term(self, cell_sum: Sum) -> str:
        """The source term of a cell, computed from the other quantities."""
        names = [name for n, bundle in enumerate(self._shape.bundles) for name in _names(n, bundle)]
        quantities = [f"count_bits({name})" for name in names]
        quantities += [f"cell_{n}" for n in range(len(self._shape.cells))]
        return " + ".join(
            [str(cell_sum.constant), *(f"{f} * {quantities[n]}" for n, f in cell_sum.terms)]
        )

    # --- in Python ----------------------------------------------------------------------------

    @cached_property
    def _functions(self) -> dict[str, Callable[..., Any]]:
        names = ", ".join(f"w{word}" for word in range(self.layout.words))
        lines = [
            *self.tables(),
            f"def number({names}):",
            *(f"    {line}" for line in (*self.packing(), "return key, odd")),
            "def words(key):",
            *(f"    {line}" for line in (*self.unpacking(), f"return ({names},)")),
        ]
        return run_source("\n".join([PYTHON, *lines]))

    @property
    def facts(self) -> dict[str, Any]:
        """The stored form of the key."""
        return {"turn": self.has_turn, **self.invariants.facts()}

    def holds(self, words: tuple[int, ...]) -> bool:
        """Whether a state satisfies the invariants and so has a number."""
        return bool(self._functions["number"](*words)[1] == 0)

    def number(self, words: tuple[int, ...]) -> int:
        """The number of a state."""
        number: int = self._functions["number"](*words)[0]
        return number

    def words(self, number: int) -> tuple[int, ...]:
        """The words of the state with a number."""
        words: tuple[int, ...] = self._functions["words"](number)
        return words


def _squares_of(bundle: Bundle) -> range:
    return range(bundle[0][0].bits)


def _planes(bundle: Bundle) -> int:
    return sum(map(len, bundle))


def _names(n: int, bundle: Bundle) -> list[str]:
    return [f"plane_{n}_{place}" for place in range(_planes(bundle))]


def _read_at_once(base: int, bundle: Bundle) -> int:
    """Number of squares read at a time."""
    most = min(MOST_CELLS, max(1, (WORD - 1) // _planes(bundle)))
    return max(n for n in range(1, most + 1) if n == 1 or base**n <= MOST_VALUES)


def _spread(base: int, cells: int) -> tuple[int, ...]:
    """For every set of squares, the number with the digit 1 at the squares of the set."""
    return tuple(
        sum(base**cell for cell in range(cells) if squares >> cell & 1)
        for squares in range(1 << cells)
    )


def _contents(square_contents: tuple[int, ...], cells: int, planes: int) -> tuple[int, ...]:
    """For each number of a group of squares, the squares set in each plane, plane after plane."""
    base, contents = len(square_contents) + 1, (0, *square_contents)
    numbers = []
    for value in range(base**cells):
        content = 0
        for cell in range(cells):
            held = contents[value // base**cell % base]
            content |= sum(1 << cell + cells * n for n in range(planes) if held >> n & 1)
        numbers.append(content)
    return tuple(numbers)
