"""Guess invariants of all states of a game from samples, so that keys can omit implied quantities.

In: a layout, and the words of states. Out: `Invariants`: the possible contents of squares (the sets
of planes over the squares that are set together on a square), and linear relations between numbers
and counts of occupied squares. Invariants are guesses. The user of a guess must reject a state that
violates the guess, and guess again with the state among the samples.

The sums are found in the way of affine relations (M. Karr, "Affine relationships among variables of
a program", 1976): every quantity starts as constant. The first relation violated by a state then
serves to eliminate the difference from all further violated relations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import gcd
from typing import Any

from gamedsl.compiler.layout import TURN, WORD, Layout, Planes, Slice
from gamedsl.game.stored_facts import is_count, many, refuse_odd
from gamedsl.source.records import dataclass

Words = tuple[int, ...]
Bundle = tuple[tuple[Slice, ...], ...]
"""The planes of arrays over the same squares, array after array."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The places of the compared quantities.

    Attributes:
        bundles: the planes, in the order of the layout, grouped by the number of squares.
        cells: the numbers: cells of arrays in digits, and the turn if keys contain the turn.
        values: the number of values of each cell.
    """

    bundles: tuple[Bundle, ...]
    cells: tuple[Slice, ...]
    values: tuple[int, ...]

    @property
    def planes(self) -> tuple[Slice, ...]:
        """All planes, bundle after bundle."""
        return tuple(one for bundle in self.bundles for planes in bundle for one in planes)


@dataclass(frozen=True, slots=True)
class Sum:
    """A cell determined by other quantities: constant + the sum of factors times quantities. The
    quantities are the numbers of squares set in each plane, then the cells."""

    cell: int
    constant: int
    terms: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Invariants:
    """Guessed invariants.

    Attributes:
        contents: for each bundle, the possible contents of a square besides empty, as bits of
            planes.
        sums: cells omitted from keys. No sum refers to a cell of another sum.
    """

    contents: tuple[tuple[int, ...], ...]
    sums: tuple[Sum, ...]

    def facts(self) -> dict[str, Any]:
        """The invariants as JSON."""
        sums = [
            [one.cell, one.constant, *(number for term in one.terms for number in term)]
            for one in self.sums
        ]
        return {"contents": [list(one) for one in self.contents], "sums": sums}


def shape_of(layout: Layout, *, has_turn: bool) -> Shape:
    """The quantities of a game's states."""
    bundles: dict[int, list[tuple[Slice, ...]]] = {}
    cells, values = [], []
    for place in layout.places:
        if isinstance(place, Planes):
            planes = tuple(layout.field(name) for _, name in place.names)
            bundles.setdefault(place.variable.size, []).append(planes)
            continue
        for cell in range(place.variable.size):
            field = layout.field(place.names[cell // place.per_chunk])
            at = field.shift + place.bits * (cell % place.per_chunk)
            cells.append(Slice(f"{field.name}{cell}", place.bits, field.word, at))
            values.append(len(place.variable.domain) + (place.unset is not None))
    if has_turn:
        cells.append(layout.field(TURN))
        values.append(1 << cells[-1].bits)
    return Shape(tuple(map(tuple, bundles.values())), tuple(cells), tuple(values))


class Samples:
    """The invariants of a growing set of states."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._contents: list[set[int]] = [set() for _ in shape.bundles]
        self._first: tuple[int, ...] | None = None
        self._relations: list[list[int]] = []

    def add(self, states: Iterable[Words]) -> None:
        """Add states, and drop the invariants that the states violate."""
        for words in states:
            self._add_contents(words)
            self._add_quantities(self._quantities(words))

    def _add_contents(self, words: Words) -> None:
        for found, bundle in zip(self._contents, self._shape.bundles, strict=True):
            planes = [_content(one, words) for planes in bundle for one in planes]
            for square in range(bundle[0][0].bits):
                found.add(sum((one >> square & 1) << n for n, one in enumerate(planes)))

    def _quantities(self, words: Words) -> tuple[int, ...]:
        planes = (_content(one, words).bit_count() for one in self._shape.planes)
        return (*planes, *(_content(one, words) for one in self._shape.cells))

    def _add_quantities(self, found: tuple[int, ...]) -> None:
        if self._first is None:
            self._first = found
            self._relations = [[int(n == m) for n in range(len(found))] for m in range(len(found))]
        changes = [now - first for now, first in zip(found, self._first, strict=True)]
        differing: tuple[int, list[int]] | None = None
        kept = []
        for relation in self._relations:
            change = sum(factor * one for factor, one in zip(relation, changes, strict=True))
            if change == 0:
                kept.append(relation)
            elif differing is None:
                differing = change, relation
            else:
                kept.append(_combined(differing[0], relation, -change, differing[1]))
        self._relations = kept

    def invariants(self) -> Invariants:
        """The invariants of all samples."""
        contents = tuple(tuple(sorted(found - {0})) for found in self._contents)
        return Invariants(contents, tuple(self._sums()))

    def _sums(self) -> Iterator[Sum]:
        """The cells determined by other quantities. The last cells are eliminated first, so the
        first cells remain in keys."""
        planes, first = len(self._shape.planes), self._first
        assert first is not None, "there is a sample"
        open_ones, solved = list(self._relations), dict[int, list[int]]()
        for place in range(len(first) - 1, planes - 1, -1):
            one = next((r for r in open_ones if abs(r[place]) == 1), None)
            if one is None:
                continue
            open_ones = [_without(place, r, one) for r in open_ones if r is not one]
            solved = {cell: _without(place, r, one) for cell, r in solved.items()}
            solved[place] = one
        for place, relation in sorted(solved.items()):
            sign = relation[place]
            whole = sum(factor * number for factor, number in zip(relation, first, strict=True))
            terms = [(n, -sign * f) for n, f in enumerate(relation) if f and n != place]
            yield Sum(place - planes, sign * whole, tuple(terms))


def _combined(factor: int, one: list[int], other_factor: int, other: list[int]) -> list[int]:
    """A linear combination of two relations, divided by the greatest common divisor."""
    found = [factor * a + other_factor * b for a, b in zip(one, other, strict=True)]
    divisor = gcd(*found) or 1
    return [number // divisor for number in found]


def _without(place: int, relation: list[int], other: list[int]) -> list[int]:
    """Eliminate a quantity from a relation, by a relation in which its factor is 1 or -1."""
    factor = relation[place] * other[place]
    return [a - factor * b for a, b in zip(relation, other, strict=True)]


def _content(field: Slice, words: Sequence[int]) -> int:
    return words[field.word] >> field.shift & field.mask


def _is_number(value: Any) -> bool:
    """Whether a value is a small integer."""
    return type(value) is int and abs(value) < 1 << WORD // 2


FIRST_TERM = 2
"""Index of the first term of a stored sum: after the cell and the constant."""
FACTS = {"contents": many(many(is_count)), "sums": many(many(_is_number))}
"""The stored form of invariants."""


def invariants_from(facts: Any, shape: Shape) -> Invariants:
    """Invariants from their stored form. Raises SolutionFileError if they do not fit the layout."""
    refuse_odd(facts, FACTS, "its dense keys")
    refuse_odd(
        facts,
        {
            "contents": lambda contents: _are_contents(contents, shape),
            "sums": lambda sums: _are_sums(sums, shape),
        },
        "its dense keys",
    )
    sums = (
        Sum(cell, constant, tuple(zip(terms[::2], terms[1::2], strict=True)))
        for cell, constant, *terms in facts["sums"]
    )
    return Invariants(tuple(map(tuple, facts["contents"])), tuple(sums))


def _are_contents(contents: list[list[int]], shape: Shape) -> bool:
    return len(contents) == len(shape.bundles) and all(
        found == sorted({*found}) and all(0 < one < 1 << sum(map(len, bundle)) for one in found)
        for found, bundle in zip(contents, shape.bundles, strict=True)
    )


def _are_sums(sums: list[list[int]], shape: Shape) -> bool:
    """Whether each sum determines a different cell, from planes and cells without a sum."""
    if any(len(one) < FIRST_TERM or len(one) % 2 for one in sums):
        return False
    planes, cells, told = len(shape.planes), len(shape.cells), {one[0] for one in sums}
    known = {*range(planes), *(planes + cell for cell in range(cells) if cell not in told)}
    return len(told) == len(sums) and all(
        one[0] in range(cells) and known.issuperset(one[FIRST_TERM::2]) for one in sums
    )
