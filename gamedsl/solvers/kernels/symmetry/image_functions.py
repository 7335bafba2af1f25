"""Functions of `abi` about the images of a state under a group of symmetries."""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import INT, Value, all_of, count, name, words_of
from gamedsl.solvers.kernels.functions.standard import game_words
from gamedsl.solvers.kernels.symmetry.groups import Group, Marks
from gamedsl.solvers.kernels.symmetry.permutations import (
    Permutation,
    bits_of,
    images,
    least_of,
    moved,
    parts_of,
    turn_bit,
)

MARKS, NUMBER, FIXED = name("marks", INT), name("number", INT), name("fixed", INT)


class ImageFunctions:
    """The functions for a game and a group."""

    def __init__(self, engine: CompiledEngine, group: Group) -> None:
        self._engine, self._group = engine, group
        self._words = game_words(engine)

    @property
    def all(self) -> tuple[Function, ...]:
        """All functions."""
        return self._least_image(), self._marks_after(), self._all_marks(), self._images_of()

    def _least_image(self) -> Function:
        """`least_image(*state)`: the entry of a state."""
        f = FunctionBuilder("least_image", *self._words)
        self._orient(f, lambda _: None)
        f.give(words_of(self._least(f, lambda _: None)))
        return f.function

    def _orient(self, f: FunctionBuilder, then: Callable[[Permutation], None]) -> None:
        """Make the first player the player to move; `then` writes further statements for a state in
        which the second player is to move, given the swap of players."""
        swap = self._group.swap
        if swap is None:
            return
        turn = turn_bit(self._engine)
        moves = [(bit, swap.to(bit)) for bit in bits_of(self._engine.generated.layout)]
        parts = parts_of([(bit, to) for bit, to in moves if bit != turn])
        with f.when((self._words[turn[0]] >> turn[1] & 1).ne(0)):
            image = [
                f.local("other", moved(self._words, parts, n)) for n in range(len(self._words))
            ]
            for word, other in zip(self._words, image, strict=True):
                f.assign(word, other)
            then(swap)

    def _least(self, f: FunctionBuilder, then: Callable[[int], None]) -> tuple[Value, ...]:
        """The least image under the symmetries that do not swap players; `then` writes further
        statements for an image, given by the index of its symmetry, that is less than the
        earlier."""
        return least_of(f, self._engine, self._group.keeping_players, then)

    def _marks_after(self) -> Function:
        """`marks_after(*state, marks)`: the marks of a state's entry, given the marks of the
        state."""
        f, group = FunctionBuilder("marks_after", *self._words, MARKS), self._group
        self._orient(f, lambda swap: f.assign(MARKS, _renumbered(group.marks_after(swap))))
        same = tuple(range(len(group.cosets)))
        after = [group.marks_after(element) for element in group.keeping_players]
        distinct = [same, *dict.fromkeys(marks for marks in after if marks != same)]
        if len(distinct) > 1:
            f.assign(NUMBER, 0)
            self._least(f, lambda place: f.assign(NUMBER, distinct.index(after[place])))
            for number, marks in enumerate(distinct[1:], 1):
                with f.when(NUMBER.eq(number)):
                    f.assign(MARKS, _renumbered(marks))
        f.give(MARKS)
        return f.function

    def _fixing(self, f: FunctionBuilder, then: Callable[[Permutation], None]) -> None:
        """Write statements for each symmetry that fixes the entry."""
        keeping = self._group.keeping_players
        for place, image in images(f, self._engine, keeping):
            with f.when(all_of(a.eq(b) for a, b in zip(image, self._words, strict=True))):
                then(keeping[place])

    def _all_marks(self) -> Function:
        """`all_marks(*entry, marks)`: the marks of an entry, and all equivalent marks."""
        f, group = FunctionBuilder("all_marks", *self._words, MARKS), self._group
        if not group.marks:
            f.give(1)
            return f.function
        every = f.local("every", MARKS)

        def add(element: Permutation) -> None:
            f.assign(every, every | _renumbered(group.marks_after(element)))

        self._fixing(f, add)
        f.give(every)
        return f.function

    def _images_of(self) -> Function:
        """`images_of(*entry, marks)`: number of states represented by an entry with some of its
        marks."""
        f = FunctionBuilder("images_of", *self._words, MARKS)
        f.assign(FIXED, 1)
        self._fixing(f, lambda _: f.assign(FIXED, FIXED + 1))
        each = len(self._group.elements) // len(self._group.cosets)
        f.give(count(MARKS) * each // FIXED)
        return f.function


def _renumbered(marks: Marks) -> Value:
    """The marks after their renumbering."""
    return moved([MARKS], parts_of([((0, n), (0, to)) for n, to in enumerate(marks)]), 0)
