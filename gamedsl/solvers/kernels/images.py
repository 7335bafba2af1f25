"""Positions that are images of one another, as one: the text of `least_image`.

In: a compiled engine. Out: a function of a state that gives the least of its images under the
symmetries that are proved of the rules (`model.rewriting.symmetries`) and keep every player who
they are: all of them have the same value. An image is the words of a state with their bits in
other places; bits that go the same way go together. A symmetry that is no such permutation of bits
is not used. `images` of a state need not be a group: what is missed is taken for something else.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.layout import WORD, Layout, Planes
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.symmetries import Symmetry, symmetries
from gamedsl.model.values import Atom, Value
from gamedsl.source.records import dataclass

MOST_BITS = WORD - 1
"""Words in which more bits are used are not compared: the last one is a sign in machine code."""


@dataclass(frozen=True, slots=True)
class Permutation:
    """Where the bits of a state's words go: (word, bit) to (word, bit); others stay."""

    bits: dict[tuple[int, int], tuple[int, int]]


def permutations(engine: CompiledEngine) -> tuple[Permutation, ...]:
    """The symmetries that kernels can use."""
    layout = engine.generated.layout
    if engine.generated.saved or any(f.shift + f.bits > MOST_BITS for f in layout.fields):
        return ()
    found = symmetries(engine.model)
    if isinstance(found, Unknown):
        return ()
    used = (_permutation(layout, one) for one in found if one.keeps_players)
    return tuple(Permutation(dict(bits)) for bits in used if bits is not None)


def _permutation(
    layout: Layout, one: Symmetry
) -> list[tuple[tuple[int, int], tuple[int, int]]] | None:
    """Where each bit goes; None if an image is no permutation of bits."""
    found: list[tuple[tuple[int, int], tuple[int, int]]] = []
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
    size = engine.generated.words + engine.generated.saved
    words = [f"w{n}" for n in range(size)]
    lines = ["@inlined", f"def least_image({', '.join(words)}):"]
    lines += [f"    least{n} = w{n}" for n in range(size)]
    for one in used:
        for n in range(engine.generated.words):
            lines.append(f"    own{n} = {' | '.join(_parts(engine.generated.layout, one, n))}")
        lines.append(f"    if {_is_less(engine.generated.words)}:")
        lines += [f"        least{n} = own{n}" for n in range(engine.generated.words)]
    lines.append(f"    return ({', '.join(f'least{n}' for n in range(size))},)")
    return "\n".join(lines) + "\n"


def _parts(layout: Layout, one: Permutation, word: int) -> Iterator[str]:
    """What comes to a word of the image: the bits of each word by how far they go."""
    moved: dict[tuple[int, int], int] = {}
    for field in layout.fields:
        for n in range(field.bits):
            source = field.word, field.shift + n
            target = one.bits.get(source, source)
            if target[0] == word:
                key = source[0], target[1] - source[1]
                moved[key] = moved.get(key, 0) | 1 << source[1]
    for (source_word, distance), mask in moved.items():
        way = f" << {distance}" if distance > 0 else f" >> {-distance}" if distance else ""
        yield f"(w{source_word} & {mask:#x}){way}"
    if not moved:
        yield "0"


def _is_less(count: int) -> str:
    """Whether the words of `own` are less than those of `least`, the first words first."""
    test = f"own{count - 1} < least{count - 1}"
    for n in reversed(range(count - 1)):
        test = f"own{n} < least{n} or (own{n} == least{n} and ({test}))"
    return test
