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
        return tuple(plane for bundle in self.bundles for planes in bundle for plane in planes)


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
            [
                cell_sum.cell,
                cell_sum.constant,
                *(number for term in cell_sum.terms for number in term),
            ]
            for cell_sum in self.sums
        ]
        return {
            "contents": [list(square_contents) for square_contents in self.contents],
            "sums": sums,
        }


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
        for contents, bundle in zip(self._contents, self._shape.bundles, strict=True):
            planes = [_content(plane, words) for planes in bundle for plane in planes]
            for square in range(bundle[0][0].bits):
                contents.add(sum((squares >> square & 1) << n for n, squares in enumerate(planes)))

    def _quantities(self, words: Words) -> tuple[int, ...]:
        planes = (_content(plane, words).bit_count() for plane in self._shape.planes)
        return (*planes, *(_content(cell, words) for cell in self._shape.cells))

    def _add_quantities(self, quantities: tuple[int, ...]) -> None:
        if self._first is None:
            self._first = quantities
            self._relations = [
                [int(n == m) for n in range(len(quantities))] for m in range(len(quantities))
            ]
        pairs = enumerate(zip(quantities, self._first, strict=True))
        changes = [(number, now - first) for number, (now, first) in pairs if now != first]
        differing: tuple[int, list[int]] | None = None
        relations = []
        for relation in self._relations:
            change = sum(relation[number] * difference for number, difference in changes)
            if change == 0:
                relations.append(relation)
            elif differing is None:
                differing = change, relation
            else:
                relations.append(_combined(differing[0], relation, -change, differing[1]))
        self._relations = relations

    def invariants(self) -> Invariants:
        """The invariants of all samples."""
        contents = tuple(tuple(sorted(square_contents - {0})) for square_contents in self._contents)
        return Invariants(contents, tuple(self._sums()))

    def _sums(self) -> Iterator[Sum]:
        """The cells determined by other quantities. The last cells are eliminated first, so the
        first cells remain in keys."""
        planes, first = len(self._shape.planes), self._first
        assert first is not None, "there is a sample"
        open_relations, solved = list(self._relations), dict[int, list[int]]()
        for place in range(len(first) - 1, planes - 1, -1):
            pivot = next((r for r in open_relations if abs(r[place]) == 1), None)
            if pivot is None:
                continue
            open_relations = [_without(place, r, pivot) for r in open_relations if r is not pivot]
            solved = {cell: _without(place, r, pivot) for cell, r in solved.items()}
            solved[place] = pivot
        for place, relation in sorted(solved.items()):
            sign = relation[place]
            whole = sum(factor * number for factor, number in zip(relation, first, strict=True))
            terms = [(n, -sign * f) for n, f in enumerate(relation) if f and n != place]
            yield Sum(place - planes, sign * whole, tuple(terms))


def _combined(factor: int, first: list[int], second_factor: int, second: list[int]) -> list[int]:
    """A linear combination of two relations, divided by the greatest common divisor."""
    combined = [factor * a + second_factor * b for a, b in zip(first, second, strict=True)]
    divisor = gcd(*combined) or 1
    return [number // divisor for number in combined]


def _without(place: int, relation: list[int], pivot: list[int]) -> list[int]:
    """Eliminate a quantity from a relation, by a relation in which its factor is 1 or -1."""
    factor = relation[place] * pivot[place]
    if not factor:
        return relation
    return [a - factor * b for a, b in zip(relation, pivot, strict=True)]


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
        square_contents == sorted({*square_contents})
        and all(0 < content < 1 << sum(map(len, bundle)) for content in square_contents)
        for square_contents, bundle in zip(contents, shape.bundles, strict=True)
    )


def _are_sums(sums: list[list[int]], shape: Shape) -> bool:
    """Whether each sum determines a different cell, from planes and cells without a sum."""
    if any(len(terms) < FIRST_TERM or len(terms) % 2 for terms in sums):
        return False
    planes, cells, told = len(shape.planes), len(shape.cells), {terms[0] for terms in sums}
    known = {*range(planes), *(planes + cell for cell in range(cells) if cell not in told)}
    return len(told) == len(sums) and all(
        terms[0] in range(cells) and known.issuperset(terms[FIRST_TERM::2]) for terms in sums
    )
