"""Conversion of states between digits and words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from itertools import chain
from operator import and_, mul, or_

from gamedsl.compiler.layout import TURN, Digits, Layout, Planes, Slice
from gamedsl.model.state import Cells

Words = tuple[int, ...]
Reader = Callable[[Words], Sequence[int | None]]


def encode(layout: Layout, cells: Cells, turn: int) -> Words:
    """The words of a state, unsigned."""
    values = {TURN: turn}
    for place in layout.places:
        start = place.variable.offset
        digits = cells[start : start + place.variable.size]
        if isinstance(place, Planes):
            for digit, name in place.names:
                values[name] = sum(1 << n for n, held in enumerate(digits) if held == digit)
        else:
            _encode_digits(place, digits, values)
    words = [0] * layout.words
    for field in layout.fields:
        words[field.word] |= values[field.name] << field.shift
    return tuple(words)


def _encode_digits(place: Digits, digits: Cells, values: dict[str, int]) -> None:
    unset = place.unset or 0  # 0 before `setup`
    held = [unset if digit is None else digit for digit in digits]
    weights = _weights(place.bits, place.per_chunk)
    for chunk, name in enumerate(place.names):
        values[name] = sum(map(mul, held[chunk * place.per_chunk :], weights))


@cache
def _weights(bits: int, per_chunk: int) -> tuple[int, ...]:
    """The factors of the digits of a chunk."""
    return tuple(1 << number * bits for number in range(per_chunk))


def decoding(layout: Layout) -> Callable[[Words], Cells]:
    """A function that decodes words of a layout into digits; the places are computed once."""
    fields = {field.name: field for field in layout.fields}
    readers = [
        _plane_reader(place, fields) if isinstance(place, Planes) else _digit_reader(place, fields)
        for place in layout.places
    ]
    if len(readers) == 1:
        return lambda words: tuple(readers[0](words))
    return lambda words: tuple(chain.from_iterable([read(words) for read in readers]))


def _plane_reader(place: Planes, fields: Mapping[str, Slice]) -> Reader:
    planes = [(digit, fields[name]) for digit, name in place.names]
    lie = [(digit, field.word, field.shift, field.mask) for digit, field in planes]
    default: list[int | None] = [place.default] * place.variable.size

    def read(words: Words) -> list[int | None]:
        digits = default.copy()
        for digit, word, shift, mask in lie:
            plane = words[word] >> shift & mask
            while plane:
                low = plane & -plane
                digits[low.bit_length() - 1] = digit
                plane ^= low
        return digits

    return read


def _digit_reader(place: Digits, fields: Mapping[str, Slice]) -> Reader:
    mask, unset, per_chunk = (1 << place.bits) - 1, place.unset, place.per_chunk
    chunks = [(fields[name].word, fields[name].shift) for name in place.names]
    lie = [
        (chunks[n // per_chunk][0], chunks[n // per_chunk][1] + n % per_chunk * place.bits)
        for n in range(place.variable.size)
    ]

    def read(words: Words) -> list[int]:
        return [words[word] >> shift & mask for word, shift in lie]

    def read_unset(words: Words) -> list[int | None]:
        return [None if digit == unset else digit for digit in read(words)]

    return read if unset is None else read_unset


def digits_held(layout: Layout, states: Sequence[Words]) -> list[set[int | None]]:
    """The digits that each cell holds in the given states. All states are examined at once, field
    by field, which is much less work than decoding each state.
    """
    if not states:
        return []
    columns = list(zip(*states, strict=True))
    values = {}
    for field in layout.fields:
        shift, mask = field.shift, field.mask
        values[field.name] = [word >> shift & mask for word in columns[field.word]]
    held: list[set[int | None]] = []
    for place in layout.places:
        if isinstance(place, Planes):
            held += _held_in_planes(place, values, len(states))
        else:
            held += _held_in_digits(place, values)
    return held


def _held_in_planes(
    place: Planes, values: dict[str, list[int]], states: int
) -> list[set[int | None]]:
    """A square holds a digit if the union of the digit's planes has the square. A square holds the
    default if in some state no plane has the square.
    """
    taken = [0] * states
    for _, name in place.names:
        taken = list(map(or_, taken, values[name]))
    always = reduce(and_, taken)
    ever = [(digit, reduce(or_, values[name])) for digit, name in place.names]
    held: list[set[int | None]] = []
    for square in range(place.variable.size):
        digits: set[int | None] = {digit for digit, plane in ever if plane >> square & 1}
        held.append(digits if always >> square & 1 else digits | {place.default})
    return held


def _held_in_digits(place: Digits, values: dict[str, list[int]]) -> list[set[int | None]]:
    mask = (1 << place.bits) - 1
    held: list[set[int | None]] = []
    for chunk, name in enumerate(place.names):
        different = set(values[name])
        count = min(place.per_chunk, place.variable.size - chunk * place.per_chunk)
        for shift in range(0, count * place.bits, place.bits):
            digits = {packed >> shift & mask for packed in different}
            held.append({None if digit == place.unset else digit for digit in digits})
    return held
