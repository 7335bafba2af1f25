"""Items: the values of expressions of the Python subset, including rows and tuples.

Tuples exist in the front end only: functions of the intermediate representation take and return the
parts of a tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from gamedsl.compiler.ir.values import BOOL, INT, ROW, Type, Value, name, to_int
from gamedsl.source.records import dataclass

Kind: TypeAlias = "Type | tuple[Kind, ...]"
"""The type of a value, `ROW`, or the kinds of the parts of a tuple."""


@dataclass(frozen=True, slots=True)
class Row:
    """An array, and the number of its elements."""

    row: Value
    length: Value


Item: TypeAlias = "Value | Row | tuple[Item, ...]"


def kind_of(item: Item) -> Kind:
    """The kind of an argument, for which a function is specialised; truth values count as
    numbers.
    """
    if isinstance(item, tuple):
        return tuple(map(kind_of, item))
    if isinstance(item, Row):
        return ROW
    return INT if item.type is BOOL else item.type


def flat(item: Item, *, with_lengths: bool = True) -> Iterator[Value]:
    """The values in an item; a row gives the row and its length."""
    if isinstance(item, tuple):
        for part in item:
            yield from flat(part, with_lengths=with_lengths)
    elif isinstance(item, Row):
        yield item.row
        if with_lengths:
            yield item.length
    else:
        yield to_int(item) if item.type is BOOL else item


def flat_kinds(kind: Kind) -> tuple[Type, ...]:
    """The types of the values in a result."""
    if isinstance(kind, Type):
        return (kind,)
    return tuple(leaf for part in kind for leaf in flat_kinds(part))


def named(stem: str, kind: Kind) -> Item:
    """An item made of names; the parts of a tuple are numbered."""
    if isinstance(kind, tuple):
        return tuple(named(f"{stem}.{n}", part) for n, part in enumerate(kind))
    if kind is ROW:
        return Row(name(stem, ROW), name(f"{stem}.length", INT))
    return name(stem, kind)


def rebuilt(kind: Kind, values: Iterator[Value]) -> Item:
    """An item of the given kind from the values in it."""
    if isinstance(kind, tuple):
        return tuple(rebuilt(part, values) for part in kind)
    return next(values)


def joined(first: Type, second: Type) -> Type:
    """The common type of two types: a set before a number before a truth value."""
    if first is second:
        return first
    return max(
        (first, second), key=lambda kind: (kind.kind == "bits", kind.kind == "int", kind.width)
    )


def joined_kind(first: Kind, second: Kind) -> Kind | None:
    """The common kind of two kinds; None if there is no common kind."""
    if isinstance(first, Type) and isinstance(second, Type):
        return joined(first, second) if (first is ROW) == (second is ROW) else None
    if isinstance(first, Type) or isinstance(second, Type) or len(first) != len(second):
        return None
    parts = [joined_kind(a, b) for a, b in zip(first, second, strict=True)]
    return None if None in parts else tuple(part for part in parts if part is not None)


def fitted(value: Value, kind: Type) -> Value:
    """A value converted to another type; only truth values and numbers differ here."""
    if value.type is kind or ROW in {value.type, kind}:
        return value
    if kind is BOOL:
        return value.ne(0)
    return to_int(value) if value.type is BOOL else value
