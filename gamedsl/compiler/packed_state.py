"""States held as words; the digits are computed on demand.

A `PackedState` is made of words and the `Packing` of an engine. The module does not depend on the
rules.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import cached_property

from gamedsl.compiler.fingerprints import fingerprinting
from gamedsl.compiler.layout import TURN, Layout
from gamedsl.compiler.state_words import Words, decoding
from gamedsl.model.nodes import Variable
from gamedsl.model.state import Cells, State


class Packing:
    """The arrangement of an engine's states in words, shared by its `PackedState`s.

    `saved` is the number of additional words that hold a body waiting for a chance event.
    """

    def __init__(self, layout: Layout, saved: int) -> None:
        self.layout = layout
        self._at_rest = (0,) * saved
        self.size = sum(place.variable.size for place in layout.places)
        turn = layout.field(TURN)
        self._parts: dict[tuple[tuple[str, ...], bool], tuple[Packing, Words]] = {}
        self._turn_word, self._turn_shift, self._turn_mask = turn.word, turn.shift, turn.mask

    def settled(self, words: Words) -> Words:
        """The words of the state without a body waiting for a chance event."""
        return words[: self.layout.words] + self._at_rest if self._at_rest else words

    def turn_of(self, words: Words) -> int:
        """The index of the player to move."""
        return words[self._turn_word] >> self._turn_shift & self._turn_mask

    def position(self, words: Words) -> PackedState:
        """The state without a body waiting for a chance event, and without history."""
        return PackedState(self, self.settled(words), self.turn_of(words))

    @cached_property
    def cells_of(self) -> Callable[[Words], Cells]:
        """The digits of words."""
        return decoding(self.layout)

    def part(self, variables: tuple[Variable, ...], with_turn: bool) -> tuple[Packing, Words]:
        """The packing of some variables in words of their own, and the masks of these words."""
        key = (tuple([variable.name for variable in variables]), with_turn)
        if key not in self._parts:
            places = tuple(map(self.layout.place_of, variables))
            masks = self.layout.masks_of(variables, with_turn)
            self._parts[key] = Packing(replace(self.layout, places=places), 0), masks
        return self._parts[key]

    @cached_property
    def fingerprint(self) -> Callable[[Words], int]:
        """`model.state.fingerprint` of the digits and the turn, from the words."""
        return fingerprinting(self.layout)


class PackedState(State):
    """A state held as words; its digits are computed on demand.

    States of one engine are compared by words, states of different engines by digits. `words` holds
    the words of the layout, unsigned, then the words of a body waiting for a chance event: all 0
    unless `pending`, which equals these words.
    """

    __slots__ = ("packing", "words")

    def __init__(
        self,
        packing: Packing,
        words: Words,
        turn: int,
        pending: Hashable = None,
        history: Hashable = None,
    ) -> None:
        self.packing = packing
        self.words = words
        self._cells = None
        self._hash = None
        self.turn = turn
        self.pending = pending
        self.history = history

    @property
    def cells(self) -> Cells:
        """As `State.cells`."""
        if self._cells is None:
            self._cells = self.packing.cells_of(self.words)
        return self._cells

    @property
    def size(self) -> int:
        """As `State.size`."""
        return self.packing.size

    def position(self) -> State:
        """As `State.position`."""
        if self.pending is None and self.history is None:
            return self
        return PackedState(self.packing, self.packing.settled(self.words), self.turn)

    def part(self, variables: tuple[Variable, ...], with_turn: bool) -> State:
        """As `State.part`."""
        packing, masks = self.packing.part(variables, with_turn)
        words = tuple([word & mask for word, mask in zip(self.words, masks, strict=False)])
        return PackedState(packing, words, self.turn if with_turn else 0)

    def _fingerprint(self) -> int:
        return self.packing.fingerprint(self.words)

    __hash__ = State.__hash__

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, PackedState) and other.packing is self.packing:
            return self.words == other.words and self.history == other.history
        return super().__eq__(other)
