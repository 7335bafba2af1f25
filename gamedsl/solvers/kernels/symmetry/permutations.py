"""Symmetric images of positions as permutations of bits: the text of `least_image`.

In: a compiled engine. Out: the symmetries proved for the rules (`model.rewriting.symmetries`) as
functions of a packed state. An image has the bits of a state's words in different places; bits that
move by an equal distance move together. If a symmetry swaps players, the player to move is swapped
as well. A symmetry that is no permutation of bits is not used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.layout import TURN, WORD, Layout, Planes
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.symmetries import Symmetry, symmetries
from gamedsl.model.values import Atom, Value
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


def _permutations(engine: CompiledEngine) -> Iterator[Permutation]:
    layout = engine.generated.layout
    if engine.generated.saved or any(f.shift + f.bits > MOST_BITS for f in layout.fields):
        return
    automorphisms = symmetries(engine.model)
    if isinstance(automorphisms, Unknown):
        return
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


def images_text(engine: CompiledEngine, used: tuple[Permutation, ...]) -> str:
    """`least_image(*state)`: the image with the lexicographically least words."""
    count, size = engine.generated.words, engine.generated.words + engine.generated.saved
    lines = ["@inlined", f"def least_image({', '.join(f'w{n}' for n in range(size))}):"]
    lines += [f"    least{n} = w{n}" for n in range(size)]
    for _, image, made in image_lines(engine, used):
        lines += [*made, f"    if {is_less(image, [f'least{n}' for n in range(count)])}:"]
        lines += [f"        least{n} = {image[n]}" for n in range(count)]
    lines.append(f"    return ({', '.join(f'least{n}' for n in range(size))},)")
    return "\n".join(lines) + "\n"


def image_lines(
    engine: CompiledEngine, used: tuple[Permutation, ...]
) -> Iterator[tuple[int, list[str], list[str]]]:
    """The index of each permutation, the names of its image's words, and the lines for the image.
    An image is computed from the state or from an earlier image, with the fewest parts (a minimal
    spanning tree, by Prim)."""
    layout, count = engine.generated.layout, engine.generated.words
    every = (Permutation("", {}), *used)
    bits = bits_of(layout)
    nearest: dict[int, tuple[int, Parts]] = {}
    done, waiting = 0, set(range(1, len(every)))
    while waiting:
        for number in waiting:
            parts = parts_of([(every[done].to(bit), every[number].to(bit)) for bit in bits])
            if number not in nearest or len(parts) < len(nearest[number][1]):
                nearest[number] = done, parts
        done = min(waiting, key=lambda number: (len(nearest[number][1]), number))
        waiting.remove(done)
        source, parts = nearest[done]
        image = [f"image{done}_{word}" for word in range(count)]
        of = f"image{source}_" if source else "w"
        made = moved_lines([f"{of}{word}" for word in range(count)], image, parts)
        yield done - 1, image, [f"    {line}" for line in made]


def bits_of(layout: Layout) -> list[Bit]:
    """The bits of a state that are in use."""
    return [(field.word, field.shift + n) for field in layout.fields for n in range(field.bits)]


def moved_lines(words: list[str], image: list[str], parts: Parts) -> Iterator[str]:
    """The lines for the words `image` of the image of `words`."""
    for there, name in enumerate(image):
        yield f"{name} = {' | '.join(moved_terms(words, parts, there)) or '0'}"


def moved_terms(words: list[str], parts: Parts, there: int) -> list[str]:
    """The terms of one word of an image."""
    return [
        _moved(words[word], mask, distance)
        for (to, word, distance), mask in parts.items()
        if to == there
    ]


def parts_of(moves: list[tuple[Bit, Bit]]) -> Parts:
    """The bits that move between two words by an equal distance, as masks."""
    parts: Parts = {}
    for (word, place), (there, to) in moves:
        key = there, word, to - place
        parts[key] = parts.get(key, 0) | 1 << place
    return parts


def _moved(word: str, mask: int, distance: int) -> str:
    way = f" << {distance}" if distance > 0 else f" >> {-distance}" if distance else ""
    return f"({word} & {mask:#x}){way}"


def is_less(image: list[str], least: list[str]) -> str:
    """The source term for: the words `image` are lexicographically less than `least`."""
    test = f"{image[-1]} < {least[-1]}"
    for word, bound in zip(reversed(image[:-1]), reversed(least[:-1]), strict=True):
        test = f"{word} < {bound} or ({word} == {bound} and ({test}))"
    return test
