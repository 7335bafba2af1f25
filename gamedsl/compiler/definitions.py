"""Functions and constants of a game for kernels, beside the functions of its generated module.

A function of a state takes the words of the state; `state_values` names the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import reduce

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import INT, WORD, Value, bits, call, integer, name, number
from gamedsl.compiler.layout import Layout
from gamedsl.source.records import dataclass

Constant = int | bool | Sequence[int]
LIMB = number((1 << WORD) - 1, bits(WORD))


@dataclass(frozen=True, slots=True)
class Later:
    """Functions whose Python is at hand, and which are made where machine code is compiled."""

    source: str
    make: Callable[[], ir.Module]


@dataclass(frozen=True, slots=True)
class Definitions:
    """Constants and functions.

    Attributes:
        constants: numbers, truth values and tables of numbers, by name.
        aliases: further names of functions.
        later: further functions.
    """

    constants: Mapping[str, Constant] = field(default_factory=dict)
    functions: tuple[ir.Function, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    later: tuple[Later, ...] = ()

    def __or__(self, other: Definitions) -> Definitions:
        """All definitions of both; no name is defined twice with different values."""
        return Definitions(
            {**self.constants, **other.constants},
            (*self.functions, *other.functions),
            {**self.aliases, **other.aliases},
            (*self.later, *other.later),
        )

    @property
    def module(self) -> ir.Module:
        """The functions, without `later`."""
        functions = {function.name: function for function in self.functions}
        return ir.Module(functions, WORD, dict(self.aliases))

    def whole(self) -> ir.Module:
        """All functions; makes those of `later`."""
        made = (of_module(later.make()) for later in self.later)
        return reduce(Definitions.__or__, made, self).module

    @property
    def text(self) -> str:
        """The constants, for the front end and for Python."""
        return "".join(
            f"{name} = {value if isinstance(value, int) else f'table({tuple(value)})'}\n"
            for name, value in self.constants.items()
        )


def of_module(module: ir.Module) -> Definitions:
    """The functions of a module as definitions."""
    return Definitions({}, tuple(module.functions.values()), module.aliases)


def state_values(layout: Layout, saved: int = 0, stem: str = "w") -> tuple[Value, ...]:
    """The words of a state and its `saved` further numbers, as parameters and locals."""
    kinds = [bits(WORD * limbs) for limbs in layout.limbs] + [INT] * saved
    return tuple(name(f"{stem}{n}", kind) for n, kind in enumerate(kinds))


def numbers_of(words: Iterable[Value]) -> Iterator[Value]:
    """The numbers of 64 bits in the words of a state."""
    for word in words:
        if not word.type.is_wide:
            yield word
            continue
        for place in range(word.type.width // WORD):
            yield call("limb", (word, integer(place)), bits(WORD), can_fail=False)


def words_from(numbers: Iterable[Value], words: Sequence[Value]) -> Iterator[Value]:
    """The values of words, from the numbers that `numbers_of` gives."""
    rest = iter(numbers)
    for word in words:
        value = next(rest)
        if word.type.is_wide:
            value = value & number(LIMB.const, word.type)
            for place in range(1, word.type.width // WORD):
                value = value | (next(rest) & number(LIMB.const, word.type)) << WORD * place
        yield value
