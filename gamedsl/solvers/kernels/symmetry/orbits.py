"""Store positions that are symmetric images of each other as one table entry.

In: a compiled engine and the first position. Out: `Orbits`: a group of symmetries, the source text
of functions for kernels, and the same functions in Python. If the group swaps players, the first
player is to move in every entry; the entry is the least image under the rest of the group.

A symmetry that fixes the first position maps reachable states to reachable states. For the
remaining images the table records reachability. Let G be the group and K the subgroup that fixes
the first position. An entry has one **mark** per coset K g. The mark says that the image of the
entry under g is reachable; then the image under every element of K g is reachable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.python_code import run_source
from gamedsl.model import State
from gamedsl.solvers.kernels.symmetry.permutations import (
    Permutation,
    Words,
    all_permutations,
    bits_of,
    image_lines,
    is_less,
    moved_lines,
    moved_terms,
    parts_of,
    turn_bit,
)
from gamedsl.source.records import dataclass

MOST_MARKS = 8
"""The maximal number of marks; groups with more cosets are not used as a whole."""

Marks = tuple[int, ...]
"""For each mark, the number of its image."""
IDENTITY = Permutation("", {})


@dataclass(frozen=True)
class Orbits:
    """The images of states under a group of permutations.

    Attributes:
        used: the group without the identity.
        stabilizer: the names of the elements that fix the first position.
    """

    engine: CompiledEngine
    used: tuple[Permutation, ...] = ()
    stabilizer: tuple[str, ...] = ()

    @property
    def swaps(self) -> bool:
        """Whether the group swaps players."""
        return self._swap is not None

    @property
    def marks(self) -> int:
        """Number of marks of an entry; 0 instead of 1, because a single mark would always be
        set."""
        return len(self._cosets) if len(self._cosets) > 1 else 0

    @property
    def mirrored(self) -> int:
        """The marks of images with swapped players, as bits."""
        return sum(1 << n for n, coset in enumerate(self._cosets) if self._elements[coset[0]].turns)

    # --- the group ----------------------------------------------------------------------------

    @cached_property
    def _elements(self) -> tuple[Permutation, ...]:
        return (IDENTITY, *self.used)

    @cached_property
    def _number(self) -> dict[Any, int]:
        return {self.form(element): number for number, element in enumerate(self._elements)}

    def form(self, *parts: Permutation) -> Any:
        """The composition of permutations, in order of application."""
        bits = bits_of(self.engine.generated.layout)
        for part in parts:
            bits = [part.to(bit) for bit in bits]
        return tuple(bits), sum(part.turns is not None for part in parts) % 2

    @property
    def is_group(self) -> bool:
        """Whether the set is closed under products."""
        return all(
            self.form(first, second) in self._number for first in self.used for second in self.used
        )

    @cached_property
    def _cosets(self) -> tuple[tuple[int, ...], ...]:
        """The cosets K g, as numbers of elements; K is the first."""
        keeping = [
            element
            for element in self._elements
            if element is IDENTITY or element.name in self.stabilizer
        ]
        cosets: dict[tuple[int, ...], None] = {}
        for element in self._elements:
            cosets[tuple(sorted(self._number[self.form(element, first)] for first in keeping))] = (
                None
            )
        return tuple(cosets)

    def _marks_after(self, element: Permutation) -> Marks:
        """The new number of each mark when the entry is the image of the state under an element."""
        marks = []
        for coset in self._cosets:
            for number, factor in enumerate(self._elements):
                product = self._number[self.form(element, factor)]
                if product == coset[0]:
                    marks.append(
                        next(n for n, members in enumerate(self._cosets) if number in members)
                    )
        return tuple(marks)

    @cached_property
    def _swap(self) -> Permutation | None:
        """The element that makes the first player the player to move."""
        return next((element for element in self.used if element.turns is not None), None)

    @cached_property
    def _keeping_players(self) -> tuple[Permutation, ...]:
        return tuple(element for element in self.used if element.turns is None)

    # --- the text -----------------------------------------------------------------------------

    @cached_property
    def text(self) -> str:
        """The source text for kernels: `SWAPS`: whether players are swapped; `MIRRORED`: see
        `mirrored`;

        `least_image(*state)`: the entry of a state;
        `marks_after(*state, marks)`: the marks of a state's entry, given the marks of the state;
        `all_marks(*entry, marks)`: the marks of an entry, and all equivalent marks;
        `images_of(*entry, marks)`: number of states represented by an entry with some of its marks.
        """
        parts = [
            f"SWAPS = {self.swaps}\nMIRRORED = {self.mirrored}\n",
            *(
                "\n".join(["@inlined", *lines]) + "\n"
                for lines in (
                    self._least(),
                    self._moved_marks(),
                    self._all_marks(),
                    self._count(),
                )
            ),
        ]
        return "\n".join(parts)

    @property
    def _words(self) -> list[str]:
        generated = self.engine.generated
        return [f"w{n}" for n in range(generated.words + generated.saved)]

    def _oriented(self, *besides: str) -> Iterator[str]:
        """Lines that make the first player the player to move."""
        if self._swap is None:
            return
        words = self._words
        word, place = turn_bit(self.engine)
        bits = [bit for bit in bits_of(self.engine.generated.layout) if bit != (word, place)]
        made = moved_lines(
            words,
            [f"other{n}" for n in range(len(words))],
            parts_of([(bit, self._swap.to(bit)) for bit in bits]),
        )
        yield f"    if w{word} >> {place} & 1 != 0:"
        yield from (f"        {line}" for line in made)
        yield from (f"        w{n} = other{n}" for n in range(len(words)))
        yield from (f"        {line}" for line in besides)

    def _least(self) -> Iterator[str]:
        words = self._words
        yield f"def least_image({', '.join(words)}):"
        yield from self._oriented()
        yield from self._search({})
        yield f"    return ({', '.join(f'least{n}' for n in range(len(words)))},)"

    def _search(self, numbers: dict[int, int]) -> Iterator[str]:
        """Lines for the least image, and for `numbers` of the permutation that gives the least
        image."""
        words = self._words
        yield from (f"    least{n} = w{n}" for n in range(len(words)))
        for place, image, lines in image_lines(self.engine, self._keeping_players):
            yield from lines
            yield f"    if {is_less(image, [f'least{n}' for n in range(len(words))])}:"
            yield from (f"        least{n} = {image[n]}" for n in range(len(words)))
            if numbers:
                yield f"        number = {numbers[place]}"

    def _moved_marks(self) -> Iterator[str]:
        yield f"def marks_after({', '.join(self._words)}, marks):"
        swap = self._swap
        yield from self._oriented(f"marks = {_moved(self._marks_after(swap))}" if swap else "")
        same = tuple(range(len(self._cosets)))
        after = [self._marks_after(element) for element in self._keeping_players]
        distinct = [same, *dict.fromkeys(marks for marks in after if marks != same)]
        if len(distinct) > 1:
            yield "    number = 0"
            yield from self._search(
                {place: distinct.index(marks) for place, marks in enumerate(after)}
            )
            for number, marks in enumerate(distinct[1:], 1):
                yield f"    if number == {number}:"
                yield f"        marks = {_moved(marks)}"
        yield "    return marks"

    def _fixed(self, then: Callable[[Permutation], str]) -> Iterator[str]:
        """Lines of `then` for each permutation that fixes the entry."""
        for place, image, lines in image_lines(self.engine, self._keeping_players):
            same = (f"{a} == {b}" for a, b in zip(image, self._words, strict=True))
            yield from lines
            yield f"    if {' and '.join(same)}:"
            yield f"        {then(self._keeping_players[place])}"

    def _all_marks(self) -> Iterator[str]:
        yield f"def all_marks({', '.join(self._words)}, marks):"
        if self.marks:
            yield "    image = marks"
            yield from self._fixed(lambda element: f"image |= {_moved(self._marks_after(element))}")
            yield "    return image"
        else:
            yield "    return 1"

    def _count(self) -> Iterator[str]:
        yield f"def images_of({', '.join(self._words)}, marks):"
        yield "    fixed = 1"
        yield from self._fixed(lambda _: "fixed += 1")
        each = len(self._elements) // len(self._cosets)
        yield f"    return count_bits(marks) * {each} // fixed"

    # --- the same in Python -------------------------------------------------------------------

    @cached_property
    def _functions(self) -> dict[str, Callable[..., Any]]:
        return run_source(f"{PYTHON}\n\ncount_bits = int.bit_count\n\n\n{self.text}")

    def least(self, words: Words) -> Words:
        """The entry of a state."""
        entry: Words = self._functions["least_image"](*words)
        return entry

    def mark_of(self, words: Words) -> int:
        """The mark of a state's entry which says that the state is reachable."""
        mark: int = self._functions["marks_after"](*words, 1)
        return mark

    def all_marks(self, words: Words, marks: int) -> int:
        """The marks of an entry, and all equivalent marks."""
        equivalent: int = self._functions["all_marks"](*words, marks)
        return equivalent

    def is_mirrored(self, words: Words) -> bool:
        """Whether players are swapped between a state and its entry."""
        word, place = turn_bit(self.engine)
        return self.swaps and words[word] >> place & 1 != 0

    def reached(self, words: Words, marks: int) -> Iterator[Words]:
        """The reachable states of an entry with these marks, without repetition."""
        marks = self.all_marks(words, marks)
        states: dict[Words, None] = {}
        for number, coset in enumerate(self._cosets):
            if marks >> number & 1:
                states.update((self._elements[member].image(words), None) for member in coset)
        yield from states


def orbits_of(engine: CompiledEngine, root: State) -> Orbits:
    """The first usable group of: all symmetries; the symmetries that fix the first position, with a
    swap of players; the symmetries without a swap of players; the symmetries that fix the first
    position. A group is usable if an entry has room for its marks."""
    words = engine.words_of(root)
    symmetries = all_permutations(engine)
    stabilizer = [symmetry for symmetry in symmetries if symmetry.image(words) == words]
    players = [symmetry for symmetry in symmetries if symmetry.turns is None]
    swap = next((symmetry for symmetry in symmetries if symmetry.turns is not None), None)
    names = tuple(symmetry.name for symmetry in stabilizer)
    if not Orbits(engine, tuple(stabilizer)).is_group:
        return Orbits(engine)
    chosen = [
        list(symmetries),
        [*stabilizer, *_swapped(engine, stabilizer, swap, symmetries)],
        players,
        stabilizer,
    ]
    for group in chosen:
        orbits = Orbits(engine, tuple(group), names)
        if orbits.is_group and orbits.marks <= MOST_MARKS:
            return orbits
    return Orbits(engine)


def orbits_keeping(engine: CompiledEngine, root: State) -> Orbits:
    """The symmetries that fix the first position: they map reachable states to reachable states, so
    entries need no marks."""
    words = engine.words_of(root)
    stabilizer = tuple(
        symmetry for symmetry in all_permutations(engine) if symmetry.image(words) == words
    )
    orbits = Orbits(engine, stabilizer, tuple(symmetry.name for symmetry in stabilizer))
    return orbits if orbits.is_group and not orbits.swaps else Orbits(engine)


def _swapped(
    engine: CompiledEngine,
    stabilizer: list[Permutation],
    swap: Permutation | None,
    symmetries: tuple[Permutation, ...],
) -> list[Permutation]:
    """A swap of players, and its products with the symmetries that fix the first position."""
    if swap is None:
        return []
    form = Orbits(engine).form
    forms = {form(swap), *(form(swap, symmetry) for symmetry in stabilizer)}
    return [symmetry for symmetry in symmetries if form(symmetry) in forms]


def named(engine: CompiledEngine, names: list[str], stabilizer: list[str]) -> Orbits:
    """The group of the symmetries `names`; the symmetries `stabilizer` fix the first position.
    Raises ValueError if a symmetry is not found, or if the symmetries are no group."""
    symmetries = {symmetry.name: symmetry for symmetry in all_permutations(engine)} if names else {}
    if any(name not in symmetries for name in names):
        raise ValueError("its positions are put together by symmetries that are not found now")
    orbits = Orbits(engine, tuple(symmetries[name] for name in names), tuple(stabilizer))
    if not orbits.is_group:
        raise ValueError("the symmetries by which its positions are put together are no group")
    return orbits


def _moved(way: Marks) -> str:
    """The source term for marks after their renumbering."""
    parts = parts_of([((0, n), (0, to)) for n, to in enumerate(way)])
    return " | ".join(moved_terms(["marks"], parts, 0))
