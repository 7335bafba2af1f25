"""What an expression of the subset stands for: a value, a row with its length, a tuple of such.

Tuples exist here alone: functions of the intermediate representation take and give their parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from gamedsl.compiler.ir.values import BOOL, INT, ROW, Type, Value, name, to_int
from gamedsl.source.records import dataclass

Kind: TypeAlias = "Type | tuple[Kind, ...]"
"""The type of a value, `ROW`, or those of the parts of a tuple."""


@dataclass(frozen=True, slots=True)
class Row:
    """An array, and how many numbers it has."""

    row: Value
    length: Value


Item: TypeAlias = "Value | Row | tuple[Item, ...]"


def kind_of(item: Item) -> Kind:
    """What has to be known of an argument to make a function for it; truth values are numbers."""
    if isinstance(item, tuple):
        return tuple(map(kind_of, item))
    if isinstance(item, Row):
        return ROW
    return INT if item.type is BOOL else item.type


def flat(item: Item, *, with_lengths: bool = True) -> Iterator[Value]:
    """The values in an item; those of a row are the row and its length."""
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
    return tuple(one for part in kind for one in flat_kinds(part))


def named(stem: str, kind: Kind) -> Item:
    """An item of names: those of the parts of a tuple are numbered."""
    if isinstance(kind, tuple):
        return tuple(named(f"{stem}.{n}", part) for n, part in enumerate(kind))
    if kind is ROW:
        return Row(name(stem, ROW), name(f"{stem}.length", INT))
    return name(stem, kind)


def rebuilt(kind: Kind, values: Iterator[Value]) -> Item:
    """An item of this kind from the values in it."""
    if isinstance(kind, tuple):
        return tuple(rebuilt(part, values) for part in kind)
    return next(values)


def joined(one: Type, other: Type) -> Type:
    """The type of what may be of either type: a set before a number before a truth value."""
    if one is other:
        return one
    return max((one, other), key=lambda kind: (kind.kind == "bits", kind.kind == "int", kind.width))


def joined_kind(one: Kind, other: Kind) -> Kind | None:
    """The same for kinds; None if there is none."""
    if isinstance(one, Type) and isinstance(other, Type):
        return joined(one, other) if (one is ROW) == (other is ROW) else None
    if isinstance(one, Type) or isinstance(other, Type) or len(one) != len(other):
        return None
    parts = [joined_kind(a, b) for a, b in zip(one, other, strict=True)]
    return None if None in parts else tuple(part for part in parts if part is not None)


def fitted(value: Value, kind: Type) -> Value:
    """A value as one of another type; only truth values and numbers differ here."""
    if value.type is kind or ROW in {value.type, kind}:
        return value
    if kind is BOOL:
        return value.ne(0)
    return to_int(value) if value.type is BOOL else value
