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
        kept: the names of the elements that fix the first position.
    """

    engine: CompiledEngine
    used: tuple[Permutation, ...] = ()
    kept: tuple[str, ...] = ()

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
        return {self.form(one): number for number, one in enumerate(self._elements)}

    def form(self, *parts: Permutation) -> Any:
        """The composition of permutations, in order of application."""
        bits = bits_of(self.engine.generated.layout)
        for one in parts:
            bits = [one.to(bit) for bit in bits]
        return tuple(bits), sum(one.turns is not None for one in parts) % 2

    @property
    def is_group(self) -> bool:
        """Whether the set is closed under products."""
        return all(
            self.form(one, other) in self._number for one in self.used for other in self.used
        )

    @cached_property
    def _cosets(self) -> tuple[tuple[int, ...], ...]:
        """The cosets K g, as numbers of elements; K is the first."""
        keeping = [one for one in self._elements if one is IDENTITY or one.name in self.kept]
        found: dict[tuple[int, ...], None] = {}
        for one in self._elements:
            found[tuple(sorted(self._number[self.form(one, first)] for first in keeping))] = None
        return tuple(found)

    def _marks_after(self, element: Permutation) -> Marks:
        """The new number of each mark when the entry is the image of the state under an element."""
        found = []
        for coset in self._cosets:
            for number, one in enumerate(self._elements):
                product = self._number[self.form(element, one)]
                if product == coset[0]:
                    found.append(next(n for n, other in enumerate(self._cosets) if number in other))
        return tuple(found)

    @cached_property
    def _swap(self) -> Permutation | None:
        """The element that makes the first player the player to move."""
        return next((one for one in self.used if one.turns is not None), None)

    @cached_property
    def _keeping_players(self) -> tuple[Permutation, ...]:
        return tuple(one for one in self.used if one.turns is None)

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
        for place, own, lines in image_lines(self.engine, self._keeping_players):
            yield from lines
            yield f"    if {is_less(own, [f'least{n}' for n in range(len(words))])}:"
            yield from (f"        least{n} = {own[n]}" for n in range(len(words)))
            if numbers:
                yield f"        number = {numbers[place]}"

    def _moved_marks(self) -> Iterator[str]:
        yield f"def marks_after({', '.join(self._words)}, marks):"
        swap = self._swap
        yield from self._oriented(f"marks = {_moved(self._marks_after(swap))}" if swap else "")
        same = tuple(range(len(self._cosets)))
        after = [self._marks_after(one) for one in self._keeping_players]
        ways = [same, *dict.fromkeys(one for one in after if one != same)]
        if len(ways) > 1:
            yield "    number = 0"
            yield from self._search({place: ways.index(one) for place, one in enumerate(after)})
            for number, way in enumerate(ways[1:], 1):
                yield f"    if number == {number}:"
                yield f"        marks = {_moved(way)}"
        yield "    return marks"

    def _fixed(self, then: Callable[[Permutation], str]) -> Iterator[str]:
        """Lines of `then` for each permutation that fixes the entry."""
        for place, own, lines in image_lines(self.engine, self._keeping_players):
            same = (f"{a} == {b}" for a, b in zip(own, self._words, strict=True))
            yield from lines
            yield f"    if {' and '.join(same)}:"
            yield f"        {then(self._keeping_players[place])}"

    def _all_marks(self) -> Iterator[str]:
        yield f"def all_marks({', '.join(self._words)}, marks):"
        if self.marks:
            yield "    found = marks"
            yield from self._fixed(lambda one: f"found |= {_moved(self._marks_after(one))}")
            yield "    return found"
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
        found: Words = self._functions["least_image"](*words)
        return found

    def mark_of(self, words: Words) -> int:
        """The mark of a state's entry which says that the state is reachable."""
        found: int = self._functions["marks_after"](*words, 1)
        return found

    def all_marks(self, words: Words, marks: int) -> int:
        """The marks of an entry, and all equivalent marks."""
        found: int = self._functions["all_marks"](*words, marks)
        return found

    def is_mirrored(self, words: Words) -> bool:
        """Whether players are swapped between a state and its entry."""
        word, place = turn_bit(self.engine)
        return self.swaps and words[word] >> place & 1 != 0

    def reached(self, words: Words, marks: int) -> Iterator[Words]:
        """The reachable states of an entry with these marks, without repetition."""
        marks = self.all_marks(words, marks)
        found: dict[Words, None] = {}
        for number, coset in enumerate(self._cosets):
            if marks >> number & 1:
                found.update((self._elements[one].image(words), None) for one in coset)
        yield from found


def orbits_of(engine: CompiledEngine, root: State) -> Orbits:
    """The first usable group of: all symmetries; the symmetries that fix the first position, with a
    swap of players; the symmetries without a swap of players; the symmetries that fix the first
    position. A group is usable if an entry has room for its marks."""
    words = engine.words_of(root)
    found = all_permutations(engine)
    kept = [one for one in found if one.image(words) == words]
    players = [one for one in found if one.turns is None]
    swap = next((one for one in found if one.turns is not None), None)
    names = tuple(one.name for one in kept)
    if not Orbits(engine, tuple(kept)).is_group:
        return Orbits(engine)
    chosen = [list(found), [*kept, *_swapped(engine, kept, swap, found)], players, kept]
    for group in chosen:
        orbits = Orbits(engine, tuple(group), names)
        if orbits.is_group and orbits.marks <= MOST_MARKS:
            return orbits
    return Orbits(engine)


def orbits_keeping(engine: CompiledEngine, root: State) -> Orbits:
    """The symmetries that fix the first position: they map reachable states to reachable states, so
    entries need no marks."""
    words = engine.words_of(root)
    kept = tuple(one for one in all_permutations(engine) if one.image(words) == words)
    orbits = Orbits(engine, kept, tuple(one.name for one in kept))
    return orbits if orbits.is_group and not orbits.swaps else Orbits(engine)


def _swapped(
    engine: CompiledEngine,
    kept: list[Permutation],
    swap: Permutation | None,
    found: tuple[Permutation, ...],
) -> list[Permutation]:
    """A swap of players, and its products with the symmetries that fix the first position."""
    if swap is None:
        return []
    form = Orbits(engine).form
    forms = {form(swap), *(form(swap, one) for one in kept)}
    return [one for one in found if form(one) in forms]


def named(engine: CompiledEngine, names: list[str], kept: list[str]) -> Orbits:
    """The group of the symmetries `names`, of which the symmetries `kept` fix the first position.
    Raises ValueError if a symmetry is not found, or if the symmetries are no group."""
    found = {one.name: one for one in all_permutations(engine)} if names else {}
    if any(name not in found for name in names):
        raise ValueError("its positions are put together by symmetries that are not found now")
    orbits = Orbits(engine, tuple(found[name] for name in names), tuple(kept))
    if not orbits.is_group:
        raise ValueError("the symmetries by which its positions are put together are no group")
    return orbits


def _moved(way: Marks) -> str:
    """The source term for marks after their renumbering."""
    parts = parts_of([((0, n), (0, to)) for n, to in enumerate(way)])
    return " | ".join(moved_terms(["marks"], parts, 0))
