"""Store positions that are symmetric images of each other as one table entry.

In: a compiled engine and the first position. Out: `Orbits`: a group of symmetries, the functions
for kernels, and the same functions in Python. If the group swaps players, the first
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

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.printers.python import print_module
from gamedsl.compiler.python_code import run_source
from gamedsl.model import State
from gamedsl.solvers.kernels.symmetry.groups import Group
from gamedsl.solvers.kernels.symmetry.image_functions import ImageFunctions
from gamedsl.solvers.kernels.symmetry.permutations import (
    Permutation,
    Words,
    all_permutations,
    may_keep,
    turn_bit,
)
from gamedsl.source.records import dataclass

MOST_MARKS = 8
"""The maximal number of marks; groups with more cosets are not used as a whole."""


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

    @cached_property
    def group(self) -> Group:
        """The group."""
        return Group(self.engine.generated.layout, self.used, self.stabilizer)

    @cached_property
    def definitions(self) -> Definitions:
        """`SWAPS`: whether players are swapped; `MIRRORED`: see `Group.mirrored`; and the
        functions of `image_functions`."""
        constants = {"SWAPS": self.group.swaps, "MIRRORED": self.group.mirrored}
        return Definitions(constants, ImageFunctions(self.engine, self.group).all)

    # --- the functions in Python --------------------------------------------------------------

    @cached_property
    def _functions(self) -> dict[str, Callable[..., Any]]:
        return run_source(f"{PYTHON}\n\n{print_module(self.definitions.module)}")

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
        return self.group.swaps and words[word] >> place & 1 != 0

    def reached(self, words: Words, marks: int) -> Iterator[Words]:
        """The reachable states of an entry with these marks, without repetition."""
        marks = self.all_marks(words, marks)
        states: dict[Words, None] = {}
        for number, coset in enumerate(self.group.cosets):
            if marks >> number & 1:
                states.update((self.group.elements[member].image(words), None) for member in coset)
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
    if not Orbits(engine, tuple(stabilizer)).group.is_closed:
        return Orbits(engine)
    chosen = [
        list(symmetries),
        [*stabilizer, *_swapped(engine, stabilizer, swap, symmetries)],
        players,
        stabilizer,
    ]
    for group in chosen:
        orbits = Orbits(engine, tuple(group), names)
        if orbits.group.is_closed and orbits.group.marks <= MOST_MARKS:
            return orbits
    return Orbits(engine)


def orbits_keeping(engine: CompiledEngine, root: State) -> Orbits:
    """The symmetries that fix the first position: they map reachable states to reachable states, so
    entries need no marks."""
    words = engine.words_of(root)
    if not may_keep(engine, words):
        return Orbits(engine)
    stabilizer = tuple(
        symmetry for symmetry in all_permutations(engine) if symmetry.image(words) == words
    )
    orbits = Orbits(engine, stabilizer, tuple(symmetry.name for symmetry in stabilizer))
    return orbits if orbits.group.is_closed and not orbits.group.swaps else Orbits(engine)


def _swapped(
    engine: CompiledEngine,
    stabilizer: list[Permutation],
    swap: Permutation | None,
    symmetries: tuple[Permutation, ...],
) -> list[Permutation]:
    """A swap of players, and its products with the symmetries that fix the first position."""
    if swap is None:
        return []
    form = Group(engine.generated.layout).form
    forms = {form(swap), *(form(swap, symmetry) for symmetry in stabilizer)}
    return [symmetry for symmetry in symmetries if form(symmetry) in forms]


def named(engine: CompiledEngine, names: list[str], stabilizer: list[str]) -> Orbits:
    """The group of the symmetries `names`; the symmetries `stabilizer` fix the first position.
    Raises ValueError if a symmetry is not found, or if the symmetries are no group."""
    symmetries = {symmetry.name: symmetry for symmetry in all_permutations(engine)} if names else {}
    if any(name not in symmetries for name in names):
        raise ValueError("its positions are put together by symmetries that are not found now")
    orbits = Orbits(engine, tuple(symmetries[name] for name in names), tuple(stabilizer))
    if not orbits.group.is_closed:
        raise ValueError("the symmetries by which its positions are put together are no group")
    return orbits
