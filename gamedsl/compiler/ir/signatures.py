"""Signatures of packed functions: the types of their parameters and of all their results.

A call of a function with several results that stands among returned values stands for all its
results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import BOOL, INT, MANY, Op, Type, Value, bits
from gamedsl.source.records import dataclass

INTRINSICS = frozenset(
    ("mixed", "nth_bit", "deposit", "numbers", "tail", "limb", "prefetch", "exchange")
)
"""Functions that printers know by name.

`mixed(stream, position)`: 31 random bits. `nth_bit(set, n)`: the number of the set bit with n set
bits below. `deposit(number, mask)`: the lowest bits of a number, in order, at the set bits of a
constant mask. `numbers(n)`: a row of n zeros, freed when the function returns. `tail(row, n)`: the
row without its first n numbers, in the same memory. `limb(set, n)`: bits 64 n to 64 n + 63 of a set
as a number. `prefetch(row, place)`: 0; the memory of the number is fetched without waiting.
`exchange(row, place, old, new)`: compare and exchange: returns the number at the place, and
replaces it by `new` if equal to `old`; atomic among threads.
"""

Find = Callable[[str], ir.Function]


@dataclass(frozen=True, slots=True)
class Signature:
    """The types of the parameters and of the results of a function."""

    parameters: tuple[Type, ...]
    results: tuple[Type, ...]


def signature_of(name: str, find: Find, known: dict[str, Signature]) -> Signature:
    """The signature of a function; `known`: a cache of signatures, extended by the call."""
    if name not in known:
        function = find(name)
        parameters = tuple(parameter.type for parameter in function.parameters)
        known[name] = Signature(parameters, ())  # a recursive call only passes on its results
        known[name] = Signature(parameters, _results(function, find, known))
    return known[name]


def _results(function: ir.Function, find: Find, known: dict[str, Signature]) -> tuple[Type, ...]:
    results: tuple[Type, ...] = ()
    for statement in ir.walk(function.body):
        if isinstance(statement, ir.Return):
            types = tuple(_types(statement.values, find, known))
            results = (
                types if not results else tuple(map(_wider, results, types)) if types else results
            )
    return results


def _types(values: tuple[Value, ...], find: Find, known: dict[str, Signature]) -> Iterator[Type]:
    for value in values:
        if value.op is Op.TUPLE:
            yield from (part.type for part in value.args)
        elif value.type is MANY:
            yield from signature_of(value.name, find, known).results
        else:
            yield value.type


def _wider(first: Type, second: Type) -> Type:
    if first is second:
        return first
    if BOOL in {first, second}:
        return INT if {first, second} == {BOOL, INT} else max(first, second, key=lambda t: t.width)
    return bits(max(first.width, second.width)) if {first.kind, second.kind} != {"int"} else INT


def callees(function: ir.Function) -> Iterator[Value]:
    """The calls in a function, without intrinsics, each value once."""
    seen: set[Value] = set()
    for statement in ir.walk(function.body):
        for value in ir.values_of(statement):
            for part in ir.parts(value):
                if part.op is Op.CALL and part not in seen and part.name not in INTRINSICS:
                    seen.add(part)
                    yield part
