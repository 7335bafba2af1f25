"""Bits as bytes: the words of an array of bytes that are 0 or 1, eight bytes a word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gamedsl.compiler.ir.values import WORD, Value, bits, call, deposit, integer, united

BYTES = 8
"""Bytes of a word, and bits of a byte."""


class Spread:
    """Words being put together.

    Attributes:
        count: the number of words.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._parts: list[list[Value]] = [[] for _ in range(count)]

    def add(self, held: Value, places: Mapping[int, int]) -> None:
        """Bits of a number or set become bytes; `places`: the byte of each bit, by its place."""
        for first, word, mask in _runs(places):
            number = held
            if held.type.is_wide:
                number = call("limb", (held, integer(first // WORD)), bits(WORD), can_fail=False)
                first %= WORD
            low = number >> first
            if mask & mask - 1:
                part = deposit(low, mask)
            else:
                part = (low & 1) << mask.bit_length() - 1
            self._parts[word].append(part)

    def words(self) -> Iterator[Value]:
        """The words in order."""
        yield from map(united, self._parts)


def _runs(places: Mapping[int, int]) -> Iterator[tuple[int, int, int]]:
    """Neighbouring bits that go to ascending bytes of one word: the first bit, the word, and the
    bits of the word."""
    first, last, word, mask = -1, -1, -1, 0
    for bit, byte in sorted(places.items()):
        at = 1 << byte % BYTES * BYTES
        is_next = bit == last + 1 and byte // BYTES == word and at > mask and bit % WORD
        if not is_next:
            if mask:
                yield first, word, mask
            first, word, mask = bit, byte // BYTES, 0
        last, mask = bit, mask | at
    if mask:
        yield first, word, mask
