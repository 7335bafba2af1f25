"""Groups of symmetries, and the cosets of the subgroup that fixes the first position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gamedsl.compiler.layout import Layout
from gamedsl.solvers.kernels.symmetry.permutations import Permutation, bits_of

Marks = tuple[int, ...]
"""For each mark, the number of its image."""
IDENTITY = Permutation("", {})


@dataclass(frozen=True)
class Group:
    """A set of permutations of the bits of states.

    Attributes:
        used: the set without the identity.
        stabilizer: the names of the elements that fix the first position.
    """

    layout: Layout
    used: tuple[Permutation, ...] = ()
    stabilizer: tuple[str, ...] = ()

    @cached_property
    def elements(self) -> tuple[Permutation, ...]:
        """The identity, and the other elements."""
        return (IDENTITY, *self.used)

    @cached_property
    def _number(self) -> dict[Any, int]:
        return {self.form(element): number for number, element in enumerate(self.elements)}

    def form(self, *parts: Permutation) -> Any:
        """The composition of permutations, in order of application."""
        bits = bits_of(self.layout)
        for part in parts:
            bits = [part.to(bit) for bit in bits]
        return tuple(bits), sum(part.turns is not None for part in parts) % 2

    @property
    def is_closed(self) -> bool:
        """Whether the set is closed under products, and so a group."""
        return all(
            self.form(first, second) in self._number for first in self.used for second in self.used
        )

    @cached_property
    def swap(self) -> Permutation | None:
        """The element that makes the first player the player to move; None if no element swaps
        players."""
        return next((element for element in self.used if element.turns is not None), None)

    @property
    def swaps(self) -> bool:
        """Whether the group swaps players."""
        return self.swap is not None

    @cached_property
    def keeping_players(self) -> tuple[Permutation, ...]:
        """The elements that do not swap players, without the identity."""
        return tuple(element for element in self.used if element.turns is None)

    # --- marks --------------------------------------------------------------------------------

    @cached_property
    def cosets(self) -> tuple[tuple[int, ...], ...]:
        """The cosets K g, as numbers of elements; K is the first."""
        keeping = [
            element
            for element in self.elements
            if element is IDENTITY or element.name in self.stabilizer
        ]
        cosets: dict[tuple[int, ...], None] = {}
        for element in self.elements:
            members = sorted(self._number[self.form(element, first)] for first in keeping)
            cosets[tuple(members)] = None
        return tuple(cosets)

    @property
    def marks(self) -> int:
        """Number of marks of an entry; 0 instead of 1, because a single mark would always be
        set."""
        return len(self.cosets) if len(self.cosets) > 1 else 0

    @property
    def mirrored(self) -> int:
        """The marks of images with swapped players, as bits."""
        return sum(1 << n for n, coset in enumerate(self.cosets) if self.elements[coset[0]].turns)

    def marks_after(self, element: Permutation) -> Marks:
        """The new number of each mark when the entry is the image of the state under an element."""
        marks = []
        for coset in self.cosets:
            for number, factor in enumerate(self.elements):
                product = self._number[self.form(element, factor)]
                if product == coset[0]:
                    marks.append(
                        next(n for n, members in enumerate(self.cosets) if number in members)
                    )
        return tuple(marks)
