"""Images of positions, as permutations of bits: the text of `least_image`.

In: a compiled engine. Out: the symmetries that are proved of the rules
(`model.rewriting.symmetries`) as functions of a packed state. An image is the words of a state with
their bits in other places; bits that go the same way go together. Where players are swapped it is
the other's turn, too. A symmetry that is no such permutation of bits is not used.
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
"""Words in which more bits are used are not compared: the last one is a sign in machine code."""

_FOUND: WeakKeyDictionary[CompiledEngine, tuple[Permutation, ...]] = WeakKeyDictionary()

Words = tuple[int, ...]
Bit = tuple[int, int]
"""A bit of a state: its word, and its place there."""
Parts = dict[tuple[int, int, int], int]
"""Which bits of a word go to a word by a distance: masks by (to, from, distance)."""


@dataclass(frozen=True, slots=True)
class Permutation:
    """Where the bits of a state's words go; others stay.

    Attributes:
        name: in words.
        bits: where bits go.
        turns: the bit that is turned over then, which says whose turn it is, where players are
            swapped: a state pays one what its image pays the other. None: it pays all the same.
    """

    name: str
    bits: dict[Bit, Bit]
    turns: Bit | None = None

    def to(self, bit: Bit) -> Bit:
        """Where a bit goes."""
        return self.bits.get(bit, bit)

    def image(self, words: Words) -> Words:
        """The image of a state."""
        found = [0] * len(words)
        for word, content in enumerate(words):
            while content:
                lowest = content & -content
                content ^= lowest
                there, place = self.to((word, lowest.bit_length() - 1))
                found[there] |= 1 << place
        if self.turns is not None:
            found[self.turns[0]] ^= 1 << self.turns[1]
        return tuple(found)


def turn_bit(engine: CompiledEngine) -> Bit:
    """The bit that says whose turn it is, with two players."""
    field = engine.generated.layout.field(TURN)
    return field.word, field.shift


def permutations(engine: CompiledEngine) -> tuple[Permutation, ...]:
    """Those symmetries that keep every player who they are. They need not be a group: what is
    missed is taken for something else."""
    return tuple(one for one in all_permutations(engine) if one.turns is None)


def all_permutations(engine: CompiledEngine) -> tuple[Permutation, ...]:
    """The symmetries that kernels can use, two players swapped or not; they are looked for once."""
    if engine not in _FOUND:
        _FOUND[engine] = tuple(_permutations(engine))
    return _FOUND[engine]


def _permutations(engine: CompiledEngine) -> Iterator[Permutation]:
    layout = engine.generated.layout
    if engine.generated.saved or any(f.shift + f.bits > MOST_BITS for f in layout.fields):
        return
    found = symmetries(engine.model)
    if isinstance(found, Unknown):
        return
    seen = {_effect([], None)}
    for one in found:
        bits = _permutation(layout, one)
        if bits is not None and (one.keeps_players or len(engine.players) == 2):
            turns = None if one.keeps_players else turn_bit(engine)
            effect = _effect(bits, turns)
            if effect not in seen:  # squares that no variable is over may be mirrored as well
                seen.add(effect)
                yield Permutation(one.name, dict(bits), turns)


def _effect(bits: list[tuple[Bit, Bit]], turns: Bit | None) -> tuple[frozenset[Any], Bit | None]:
    """What a permutation does to states."""
    return frozenset((here, there) for here, there in bits if here != there), turns


def _permutation(layout: Layout, one: Symmetry) -> list[tuple[Bit, Bit]] | None:
    """Where each bit goes; None if an image is no permutation of bits."""
    found: list[tuple[Bit, Bit]] = []
    for place in layout.places:
        variable = place.variable
        domain = variable.domain
        images = [domain.digit[_image(one, value)] for value in domain.values]
        cells = [(n, one.cells[variable.offset + n] - variable.offset) for n in variable.cells]
        if isinstance(place, Planes):
            if images[place.default] != place.default:
                return None
            names = dict(place.names)
            for digit, name in place.names:
                here, there = layout.field(name), layout.field(names[images[digit]])
                found += [
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
            found += [
                ((fields[0].word, starts[0] + bit), (fields[1].word, starts[1] + bit))
                for bit in range(place.bits)
            ]
    return found


def _image(one: Symmetry, value: Value) -> Value:
    return one.renaming.get(value, value) if isinstance(value, Atom) else value


def images_text(engine: CompiledEngine, used: tuple[Permutation, ...]) -> str:
    """`least_image(*state)`: the image whose words are the least, the first words first."""
    count, size = engine.generated.words, engine.generated.words + engine.generated.saved
    lines = ["@inlined", f"def least_image({', '.join(f'w{n}' for n in range(size))}):"]
    lines += [f"    least{n} = w{n}" for n in range(size)]
    for _, own, made in image_lines(engine, used):
        lines += [*made, f"    if {is_less(own, [f'least{n}' for n in range(count)])}:"]
        lines += [f"        least{n} = {own[n]}" for n in range(count)]
    lines.append(f"    return ({', '.join(f'least{n}' for n in range(size))},)")
    return "\n".join(lines) + "\n"


def image_lines(
    engine: CompiledEngine, used: tuple[Permutation, ...]
) -> Iterator[tuple[int, list[str], list[str]]]:
    """The place of each permutation, the names of its image's words, and the lines that make it of
    the state or of another image that is made before, whichever takes the fewest parts (a least
    spanning tree, by Prim)."""
    layout, count = engine.generated.layout, engine.generated.words
    every = (Permutation("", {}), *used)
    bits = bits_of(layout)
    nearest: dict[int, tuple[int, Parts]] = {}
    done, waiting = 0, set(range(1, len(every)))
    while waiting:
        for one in waiting:
            parts = parts_of([(every[done].to(bit), every[one].to(bit)) for bit in bits])
            if one not in nearest or len(parts) < len(nearest[one][1]):
                nearest[one] = done, parts
        done = min(waiting, key=lambda one: (len(nearest[one][1]), one))
        waiting.remove(done)
        source, parts = nearest[done]
        own = [f"image{done}_{word}" for word in range(count)]
        of = f"image{source}_" if source else "w"
        made = moved_lines([f"{of}{word}" for word in range(count)], own, parts)
        yield done - 1, own, [f"    {line}" for line in made]


def bits_of(layout: Layout) -> list[Bit]:
    """The bits of a state that are in use."""
    return [(field.word, field.shift + n) for field in layout.fields for n in range(field.bits)]


def moved_lines(words: list[str], own: list[str], parts: Parts) -> Iterator[str]:
    """The lines that make an image, its words under their own names, of some words."""
    for there, name in enumerate(own):
        yield f"{name} = {' | '.join(moved_terms(words, parts, there)) or '0'}"


def moved_terms(words: list[str], parts: Parts, there: int) -> list[str]:
    """What comes to a word."""
    return [
        _moved(words[word], mask, distance)
        for (to, word, distance), mask in parts.items()
        if to == there
    ]


def parts_of(moves: list[tuple[Bit, Bit]]) -> Parts:
    """Which bits come to a word from a word by the same distance, as masks."""
    found: Parts = {}
    for (word, place), (there, to) in moves:
        key = there, word, to - place
        found[key] = found.get(key, 0) | 1 << place
    return found


def _moved(word: str, mask: int, distance: int) -> str:
    way = f" << {distance}" if distance > 0 else f" >> {-distance}" if distance else ""
    return f"({word} & {mask:#x}){way}"


def is_less(own: list[str], least: list[str]) -> str:
    """Whether some words are less than others, the first words first."""
    test = f"{own[-1]} < {least[-1]}"
    for one, other in zip(reversed(own[:-1]), reversed(least[:-1]), strict=True):
        test = f"{one} < {other} or ({one} == {other} and ({test}))"
    return test
