"""Positions that are images of one another, as one: the text of `least_image`.

In: a compiled engine. Out: functions of a state that give the least of its images under the
symmetries that are proved of the rules (`model.rewriting.symmetries`) and keep every player who
they are: all of them have the same value. An image is the words of a state with their bits in
other places; bits that go the same way go together. A symmetry that is no such permutation of bits
is not used. `images` of a state need not be a group: what is missed is taken for something else.
Those that `group_of` gives are one, so that images can be counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from weakref import WeakKeyDictionary

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.layout import WORD, Layout, Planes
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.python_code import run_source
from gamedsl.model import State
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


@dataclass(frozen=True, slots=True)
class Permutation:
    """Where the bits of a state's words go; others stay."""

    name: str
    bits: dict[Bit, Bit]

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
        return tuple(found)


@dataclass(frozen=True)
class Images:
    """The images of states under a group of permutations, its identity left out."""

    engine: CompiledEngine
    used: tuple[Permutation, ...]

    @property
    def order(self) -> int:
        """How many images a state has at most."""
        return len(self.used) + 1

    @cached_property
    def text(self) -> str:
        """`least_image`, `fixed_images` and `IMAGES`, for kernels."""
        return f"IMAGES = {self.order}\n\n" + images_text(self.engine, self.used)

    @cached_property
    def least(self) -> Callable[..., Words]:
        """The least image of a state's words."""
        found: Callable[..., Words] = run_source(f"{PYTHON}\n\n{self.text}")["least_image"]
        return found

    def all_of(self, words: Words) -> tuple[Words, ...]:
        """The images of a state's words, each once."""
        return tuple(dict.fromkeys([words, *(one.image(words) for one in self.used)]))


def group_of(engine: CompiledEngine, root: State) -> Images:
    """The images under which the first state is its own, so that with any state its images can be
    reached as well. Where those that are found are no group, none is used."""
    words = engine.words_of(root)
    used = [one for one in permutations(engine) if one.image(words) == words]
    return Images(engine, tuple(used) if _is_group(used) else ())


def named(engine: CompiledEngine, names: list[str]) -> Images:
    """The images under symmetries with these names. Raises ValueError where one is not found."""
    found = {one.name: one for one in permutations(engine)} if names else {}
    if any(name not in found for name in names):
        raise ValueError("its positions are put together by symmetries that are not found now")
    return Images(engine, tuple(found[name] for name in names))


def _is_group(used: list[Permutation]) -> bool:
    bits = {bit for one in used for bit in one.bits}
    known = {tuple(one.to(bit) for bit in bits) for one in used} | {tuple(bits)}
    return all(
        tuple(one.to(other.to(bit)) for bit in bits) in known for one in used for other in used
    )


def permutations(engine: CompiledEngine) -> tuple[Permutation, ...]:
    """The symmetries that kernels can use; they are looked for once."""
    if engine not in _FOUND:
        _FOUND[engine] = _permutations(engine)
    return _FOUND[engine]


def _permutations(engine: CompiledEngine) -> tuple[Permutation, ...]:
    layout = engine.generated.layout
    if engine.generated.saved or any(f.shift + f.bits > MOST_BITS for f in layout.fields):
        return ()
    found = symmetries(engine.model)
    if isinstance(found, Unknown):
        return ()
    used = ((one.name, _permutation(layout, one)) for one in found if one.keeps_players)
    return tuple(Permutation(name, dict(bits)) for name, bits in used if bits is not None)


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
    """`least_image(*state)`: the image whose words are the least, the first words first; and
    `fixed_images(*state)`: how many of the images, the state among them, are the state itself."""
    count, size = engine.generated.words, engine.generated.words + engine.generated.saved
    words = [f"w{n}" for n in range(size)]
    shown = ", ".join(words)
    least = [
        "@inlined",
        f"def least_image({shown}):",
        *(f"    least{n} = w{n}" for n in range(size)),
    ]
    fixed = ["@inlined", f"def fixed_images({shown}):", "    count = 1"]
    for to, lines in _image_lines(engine, used):
        own = [f"image{to}_{n}" for n in range(count)]
        least += [*lines, f"    if {_is_less(own, [f'least{n}' for n in range(count)])}:"]
        least += [f"        least{n} = {own[n]}" for n in range(count)]
        same = " and ".join(f"{own[n]} == w{n}" for n in range(count))
        fixed += [*lines, f"    if {same}:", "        count += 1"]
    least.append(f"    return ({', '.join(f'least{n}' for n in range(size))},)")
    fixed.append("    return count")
    return "\n".join([*least, "", "", *fixed]) + "\n"


def _image_lines(
    engine: CompiledEngine, used: tuple[Permutation, ...]
) -> Iterator[tuple[int, list[str]]]:
    """The number of each image, and the lines that make it of the state or of another image that
    is made before, whichever takes the fewest parts (a least spanning tree, by Prim)."""
    layout, count = engine.generated.layout, engine.generated.words
    every = (Permutation("", {}), *used)
    bits = [(f.word, f.shift + n) for f in layout.fields for n in range(f.bits)]
    nearest: dict[int, tuple[int, dict[tuple[int, int, int], int]]] = {}
    done, waiting = 0, set(range(1, len(every)))
    while waiting:
        for one in waiting:
            parts = _parts([(every[done].to(bit), every[one].to(bit)) for bit in bits])
            if one not in nearest or len(parts) < len(nearest[one][1]):
                nearest[one] = done, parts
        done = min(waiting, key=lambda one: (len(nearest[one][1]), one))
        waiting.remove(done)
        source, parts = nearest[done]
        lines = []
        for word in range(count):
            terms = [
                _moved(f"image{source}_{begin}" if source else f"w{begin}", mask, distance)
                for (end, begin, distance), mask in parts.items()
                if end == word
            ]
            lines.append(f"    image{done}_{word} = {' | '.join(terms) or '0'}")
        yield done, lines


def _parts(moves: list[tuple[Bit, Bit]]) -> dict[tuple[int, int, int], int]:
    """Which bits come to a word from a word by the same distance, as masks."""
    found: dict[tuple[int, int, int], int] = {}
    for (word, place), (there, to) in moves:
        key = there, word, to - place
        found[key] = found.get(key, 0) | 1 << place
    return found


def _moved(word: str, mask: int, distance: int) -> str:
    way = f" << {distance}" if distance > 0 else f" >> {-distance}" if distance else ""
    return f"({word} & {mask:#x}){way}"


def _is_less(own: list[str], least: list[str]) -> str:
    """Whether some words are less than others, the first words first."""
    test = f"{own[-1]} < {least[-1]}"
    for one, other in zip(reversed(own[:-1]), reversed(least[:-1]), strict=True):
        test = f"{one} < {other} or ({one} == {other} and ({test}))"
    return test
