"""What all states of a game have in common, so that its keys need not say it: guessed from samples.

In: a layout, and the words of states. Out: `Invariants`: what squares hold (of the planes over the
squares, which are set on one square together), and sums of numbers and of squares that hold
something which are the same in all these states. They are guesses. Whoever uses them has to refuse
a state that they do not hold for, and to guess again with it among the samples.

The sums are found as affine relations are (M. Karr, "Affine relationships among variables of a
program", 1976): each quantity is the same until a state shows that it is not; then it takes the
place of what differs in others.
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
"""The planes of some arrays over the same squares, one array behind the other."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Where the quantities lie that are compared.

    Attributes:
        bundles: the planes, in the order of the layout, together where squares are as many.
        cells: the numbers: cells of arrays in digits, and the turn where it is in keys.
        values: how many values each cell has.
    """

    bundles: tuple[Bundle, ...]
    cells: tuple[Slice, ...]
    values: tuple[int, ...]

    @property
    def planes(self) -> tuple[Slice, ...]:
        """All planes, one bundle behind the other."""
        return tuple(one for bundle in self.bundles for planes in bundle for one in planes)


@dataclass(frozen=True, slots=True)
class Sum:
    """A cell that others tell: constant + the sum of factors times quantities, which are the number
    of squares of each plane, then the cells."""

    cell: int
    constant: int
    terms: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Invariants:
    """What is guessed.

    Attributes:
        contents: for each bundle what a square may hold besides nothing: a bit for each plane.
        sums: cells that need not be kept. None is told by another one of them.
    """

    contents: tuple[tuple[int, ...], ...]
    sums: tuple[Sum, ...]

    def facts(self) -> dict[str, Any]:
        """As JSON has it."""
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
    """States that have been seen, as far as they tell invariants."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._contents: list[set[int]] = [set() for _ in shape.bundles]
        self._first: tuple[int, ...] | None = None
        self._relations: list[list[int]] = []

    def add(self, states: Iterable[Words]) -> None:
        """States as well: what they show to differ is no longer guessed."""
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
        """What holds for all of them."""
        contents = tuple(tuple(sorted(found - {0})) for found in self._contents)
        return Invariants(contents, tuple(self._sums()))

    def _sums(self) -> Iterator[Sum]:
        """Each cell that the others tell, the last ones first: those that stay are not told."""
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
    """A sum of two relations, as small as it can be."""
    found = [factor * a + other_factor * b for a, b in zip(one, other, strict=True)]
    divisor = gcd(*found) or 1
    return [number // divisor for number in found]


def _without(place: int, relation: list[int], other: list[int]) -> list[int]:
    """A relation in which a quantity does not occur, made by another in which its factor is 1 or
    -1."""
    factor = relation[place] * other[place]
    return [a - factor * b for a, b in zip(relation, other, strict=True)]


def _content(field: Slice, words: Sequence[int]) -> int:
    return words[field.word] >> field.shift & field.mask


def _is_number(value: Any) -> bool:
    """Whether it is a small number."""
    return type(value) is int and abs(value) < 1 << WORD // 2


FIRST_TERM = 2
"""Where the terms of a sum begin that is stored: behind the cell and the constant."""
FACTS = {"contents": many(many(is_count)), "sums": many(many(_is_number))}
"""What is stored of them."""


def invariants_from(facts: Any, shape: Shape) -> Invariants:
    """What was stored. Raises SolutionFileError where it is of no such layout."""
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
    """Whether each is about a cell, told by planes and cells that none is about."""
    if any(len(one) < FIRST_TERM or len(one) % 2 for one in sums):
        return False
    planes, cells, told = len(shape.planes), len(shape.cells), {one[0] for one in sums}
    known = {*range(planes), *(planes + cell for cell in range(cells) if cell not in told)}
    return len(told) == len(sums) and all(
        one[0] in range(cells) and known.issuperset(one[FIRST_TERM::2]) for one in sums
    )
