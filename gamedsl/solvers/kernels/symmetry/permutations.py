"""Symmetric images of positions as permutations of bits, and the least image.

In: a compiled engine. Out: the symmetries proved for the rules (`model.rewriting.symmetries`) as
functions of a packed state. An image has the bits of a state's words in different places; bits that
move by an equal distance move together. If a symmetry swaps players, the player to move is swapped
as well. A symmetry that is no permutation of bits is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import Value as Term
from gamedsl.compiler.ir.values import all_of, any_of, united, words_of
from gamedsl.compiler.layout import TURN, WORD, Layout, Planes
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.symmetries import Symmetry, possible, symmetries
from gamedsl.model.values import Atom, Value
from gamedsl.solvers.kernels.functions.standard import game_words
from gamedsl.source.records import dataclass

MOST_BITS = WORD - 1
"""Maximal number of used bits in a word for comparisons: the last bit is the sign in machine
code."""

_FOUND: WeakKeyDictionary[CompiledEngine, tuple[Permutation, ...]] = WeakKeyDictionary()

Words = tuple[int, ...]
Bit = tuple[int, int]
"""A bit of a state: the word, and the place in the word."""
Parts = dict[tuple[int, int, int], int]
"""The bits that move from word to word by a distance: masks by (to, from, distance)."""


@dataclass(frozen=True, slots=True)
class Permutation:
    """New places of the bits of a state's words; missing bits stay.

    Attributes:
        name: in words.
        bits: the new place of each bit.
        turns: the bit of the player to move, which is inverted if players are swapped: a player's
            payoff in a state is the opponent's payoff in the image. None: payoffs stay.
    """

    name: str
    bits: dict[Bit, Bit]
    turns: Bit | None = None

    def to(self, bit: Bit) -> Bit:
        """The new place of a bit."""
        return self.bits.get(bit, bit)

    def image(self, words: Words) -> Words:
        """The image of a state."""
        image = [0] * len(words)
        for word, content in enumerate(words):
            while content:
                lowest = content & -content
                content ^= lowest
                there, place = self.to((word, lowest.bit_length() - 1))
                image[there] |= 1 << place
        if self.turns is not None:
            image[self.turns[0]] ^= 1 << self.turns[1]
        return tuple(image)


def turn_bit(engine: CompiledEngine) -> Bit:
    """The bit of the player to move, for two players."""
    field = engine.generated.layout.field(TURN)
    return field.word, field.shift


def permutations(engine: CompiledEngine) -> tuple[Permutation, ...]:
    """The symmetries that do not swap players. They need not form a group: if a product is missing,
    some equivalent states get different entries."""
    return tuple(
        permutation for permutation in all_permutations(engine) if permutation.turns is None
    )


def all_permutations(engine: CompiledEngine) -> tuple[Permutation, ...]:
    """The symmetries usable by kernels, with or without a swap of two players; computed once."""
    if engine not in _FOUND:
        _FOUND[engine] = tuple(_permutations(engine))
    return _FOUND[engine]


def may_keep(engine: CompiledEngine, words: tuple[int, ...]) -> bool:
    """Whether a symmetry that keeps a state is possible; no symmetry is proved."""
    if engine in _FOUND:
        return any(symmetry.image(words) == words for symmetry in _FOUND[engine])
    renamings = _usable(engine, possible(engine.model))
    return any(permutation.image(words) == words for permutation in renamings)


def _permutations(engine: CompiledEngine) -> Iterator[Permutation]:
    automorphisms = symmetries(engine.model) if _has_room(engine) else ()
    if not isinstance(automorphisms, Unknown):
        yield from _usable(engine, automorphisms)


def _has_room(engine: CompiledEngine) -> bool:
    fields = engine.generated.layout.fields
    return not engine.generated.saved and all(f.shift + f.bits <= MOST_BITS for f in fields)


def _usable(engine: CompiledEngine, automorphisms: Iterable[Symmetry]) -> Iterator[Permutation]:
    if not _has_room(engine):
        return
    layout = engine.generated.layout
    seen = {_effect([], None)}
    for symmetry in automorphisms:
        bits = _permutation(layout, symmetry)
        if bits is not None and (symmetry.keeps_players or len(engine.players) == 2):
            turns = None if symmetry.keeps_players else turn_bit(engine)
            effect = _effect(bits, turns)
            if effect not in seen:  # unused squares may be mirrored
                seen.add(effect)
                yield Permutation(symmetry.name, dict(bits), turns)


def _effect(bits: list[tuple[Bit, Bit]], turns: Bit | None) -> tuple[frozenset[Any], Bit | None]:
    """The effect of a permutation on states."""
    return frozenset((here, there) for here, there in bits if here != there), turns


def _permutation(layout: Layout, symmetry: Symmetry) -> list[tuple[Bit, Bit]] | None:
    """The new place of each bit; None if the symmetry is no permutation of bits."""
    moves: list[tuple[Bit, Bit]] = []
    for place in layout.places:
        variable = place.variable
        domain = variable.domain
        images = [domain.digit[_image(symmetry, value)] for value in domain.values]
        cells = [(n, symmetry.cells[variable.offset + n] - variable.offset) for n in variable.cells]
        if isinstance(place, Planes):
            if images[place.default] != place.default:
                return None
            names = dict(place.names)
            for digit, name in place.names:
                here, there = layout.field(name), layout.field(names[images[digit]])
                moves += [
                    ((here.word, here.shift + n), (there.word, there.shift + to)) for n, to in cells
                ]
            continue
        if images != [*range(len(images))]:
            return None
        for n, to in cells:
            fields = [layout.field(place.names[m // place.per_chunk]) for m in (n, to)]
            starts = [
                field.shift + place.bits * (m % place.per_chunk)
                for field, m in zip(fields, (n, to), strict=True)
            ]
            moves += [
                ((fields[0].word, starts[0] + bit), (fields[1].word, starts[1] + bit))
                for bit in range(place.bits)
            ]
    return moves


def _image(symmetry: Symmetry, value: Value) -> Value:
    return symmetry.renaming.get(value, value) if isinstance(value, Atom) else value


def least_image(engine: CompiledEngine, used: tuple[Permutation, ...]) -> Function:
    """`least_image(*state)`: the image with the lexicographically least words."""
    f = FunctionBuilder("least_image", *game_words(engine))
    f.give(words_of(least_of(f, engine, used)))
    return f.function


def least_of(
    f: FunctionBuilder,
    engine: CompiledEngine,
    used: tuple[Permutation, ...],
    then: Callable[[int], None] | None = None,
) -> tuple[Term, ...]:
    """Write the computation of the least image, and return its words; `then` writes further
    statements where the image under a permutation, given by its index, is less than all before."""
    least = game_words(engine, "least")
    for word, bound in zip(game_words(engine), least, strict=True):
        f.assign(bound, word)
    for place, image in images(f, engine, used):
        with f.when(_is_less(image, least)):
            for word, bound in zip(image, least, strict=True):
                f.assign(bound, word)
            if then is not None:
                then(place)
    return least


def images(
    f: FunctionBuilder, engine: CompiledEngine, used: tuple[Permutation, ...]
) -> Iterator[tuple[int, tuple[Term, ...]]]:
    """Write the computation of images; the index of each permutation, and the words of its image.
    An image is computed from the state or from an earlier image, with the fewest parts (a minimal
    spanning tree, by Prim)."""
    every = (Permutation("", {}), *used)
    bits = bits_of(engine.generated.layout)
    nearest: dict[int, tuple[int, Parts]] = {}
    known = {0: game_words(engine)}
    done, waiting = 0, set(range(1, len(every)))
    while waiting:
        for number in waiting:
            parts = parts_of([(every[done].to(bit), every[number].to(bit)) for bit in bits])
            if number not in nearest or len(parts) < len(nearest[number][1]):
                nearest[number] = done, parts
        done = min(waiting, key=lambda number: (len(nearest[number][1]), number))
        waiting.remove(done)
        source, parts = nearest[done]
        known[done] = tuple(
            f.local("image", moved(known[source], parts, word)) for word in range(len(known[0]))
        )
        yield done - 1, known[done]


def bits_of(layout: Layout) -> list[Bit]:
    """The bits of a state that are in use."""
    return [(field.word, field.shift + n) for field in layout.fields for n in range(field.bits)]


def moved(words: Sequence[Term], parts: Parts, there: int) -> Term:
    """One word of the image of `words`."""
    terms = (
        (words[word] & mask) << distance if distance > 0 else (words[word] & mask) >> -distance
        for (to, word, distance), mask in parts.items()
        if to == there
    )
    return united(terms)


def parts_of(moves: list[tuple[Bit, Bit]]) -> Parts:
    """The bits that move between two words by an equal distance, as masks."""
    parts: Parts = {}
    for (word, place), (there, to) in moves:
        key = there, word, to - place
        parts[key] = parts.get(key, 0) | 1 << place
    return parts


def _is_less(image: Sequence[Term], least: Sequence[Term]) -> Term:
    """Whether the words `image` are lexicographically less than `least`."""
    test = image[-1].lt(least[-1])
    for word, bound in zip(reversed(image[:-1]), reversed(least[:-1]), strict=True):
        test = any_of((word.lt(bound), all_of((word.eq(bound), test))))
    return test
