"""Keys that encode a state as one number: functions for kernels, and the same in Python.

A subclass of `NumberKey` writes the number of a state, and the state of a number, as values.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from gamedsl.compiler.definitions import Definitions, state_values
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import INT, ROW, Value, bits, load, name, words_of
from gamedsl.compiler.layout import WORD, Layout
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.printers.python import print_module
from gamedsl.compiler.python_code import run_source

MOST_VALUES = 1 << 11
"""Maximal size of a table for writing planes."""
MOST_CELLS = 8
"""Number of squares read at a time: a table has an entry for each subset of these squares."""
ROW_, AT, NUMBER = name("row", ROW), name("at", INT), bits(WORD)


@dataclass(frozen=True)
class NumberKey(ABC):
    """The number of a state; `has_turn`: states of all players to move occur."""

    layout: Layout
    has_turn: bool

    @property
    @abstractmethod
    def bits(self) -> int:
        """Number of bits of the largest key."""

    @property
    def behind(self) -> int:
        """Count of the numbers saved behind the words of a state."""
        return 0

    @abstractmethod
    def encode(self, f: FunctionBuilder, words: tuple[Value, ...]) -> tuple[Value, Value]:
        """The number of a state, and a number that is 0 if the state has a number."""

    @abstractmethod
    def decode(self, f: FunctionBuilder, key: Value) -> list[Value]:
        """The words of the state with a number."""

    @property
    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """The stored form of the key."""

    @cached_property
    def functions(self) -> tuple[Function, Function]:
        """`pack_key` and `unpack_key` of `abi`; `pack_key` returns 0 if the state has a number."""
        words = state_values(self.layout, self.behind)
        pack = FunctionBuilder("pack_key", *words, ROW_, AT)
        key, odd = self.encode(pack, words)
        pack.store(ROW_, AT, key)
        pack.give(odd)
        unpack = FunctionBuilder("unpack_key", ROW_, AT)
        key = unpack.local("key", load(ROW_, AT), NUMBER)
        unpack.give(words_of(self.decode(unpack, key)))
        return pack.function, unpack.function

    @cached_property
    def _in_python(self) -> dict[str, Callable[..., Any]]:
        module = Definitions(functions=self.functions).module
        return run_source(f"{PYTHON}\n\n{print_module(module)}")

    def holds(self, words: tuple[int, ...]) -> bool:
        """Whether a state has a number."""
        return bool(self._in_python["pack_key"](*words, [0], 0) == 0)

    def number(self, words: tuple[int, ...]) -> int:
        """The number of a state."""
        row = [0]
        self._in_python["pack_key"](*words, row, 0)
        return row[0]

    def words(self, number: int) -> tuple[int, ...]:
        """The words of the state with a number."""
        words: tuple[int, ...] = self._in_python["unpack_key"]([number], 0)
        return words


def split(f: FunctionBuilder, key: Value, base: int) -> tuple[Value, Value]:
    """The number without its last digit to a base, and the digit."""
    rest = f.local("rest", key // base)
    return rest, f.local("digit", key - rest * base, INT)


@cache
def spread(base: int, cells: int) -> tuple[int, ...]:
    """For every set of squares, the number with the digit 1 at the squares of the set."""
    return tuple(
        sum(base**cell for cell in range(cells) if squares >> cell & 1)
        for squares in range(1 << cells)
    )


@cache
def contents(square_contents: tuple[int, ...], cells: int, planes: int) -> tuple[int, ...]:
    """For each number of a group of squares, the squares set in each plane, plane after plane; a
    content of a square is a set of planes."""
    base, sets = len(square_contents) + 1, (0, *square_contents)
    numbers = []
    for value in range(base**cells):
        content = 0
        for cell in range(cells):
            held = sets[value // base**cell % base]
            content |= sum(1 << cell + cells * n for n in range(planes) if held >> n & 1)
        numbers.append(content)
    return tuple(numbers)
