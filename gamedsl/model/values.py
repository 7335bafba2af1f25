"""Values of the language: numbers, truth values, atoms, squares, offsets, and collections.

Sets, lists and tuples are Python tuples; the static type distinguishes the three. A set keeps the
order of writing or building, without repeats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import field
from fractions import Fraction
from typing import Union

from gamedsl.source.records import dataclass


class Atom:
    """A named value, compared by identity: `X`, `empty`, `pawn`, the square `a1`.

    `kind` is the family of the value ("player", "square", "none", "empty", or a type's name);
    `order` sorts atoms of a game in order of declaration.
    """

    __slots__ = ("kind", "name", "order")

    def __init__(self, name: str, kind: str, order: int) -> None:
        self.name = name
        self.kind = kind
        self.order = order

    def __repr__(self) -> str:
        return self.name


class Square(Atom):
    """A square of the board; column and row count from 1 (None on a graph board)."""

    __slots__ = ("column", "row")

    def __init__(self, name: str, order: int, column: int | None, row: int | None) -> None:
        super().__init__(name, "square", order)
        self.column = column
        self.row = row


class Pair(Atom):
    """A value of a product type, `type Card = Rank of Suit`: a value of each of the two types."""

    __slots__ = ("owner", "part")

    def __init__(self, name: str, kind: str, order: int, part: Value, owner: Value) -> None:
        super().__init__(name, kind, order)
        self.part = part
        self.owner = owner


class Table(Atom):
    """A function on values given by its rows, as a value: `Suit`, the suits of cards; `Card`, the
    cards of ranks and suits; the places of ranks in their type."""

    __slots__ = ("rows",)

    def __init__(self, name: str) -> None:
        super().__init__(name, "table", LAST)
        self.rows: dict[tuple[Value, ...], Value] = {}


LAST = 1 << 60
"""The order of values that no rule names: behind all others."""
NONE = Atom("none", "none", 0)
"""Off the board, or no value."""
EMPTY = Atom("empty", "empty", 1)
"""The value of an unoccupied square, by convention."""


@dataclass(frozen=True, slots=True)
class Vector:
    """An offset on a grid: columns to the right, rows up."""

    across: int
    up: int

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.across + other.across, self.up + other.up)

    def __neg__(self) -> Vector:
        return Vector(-self.across, -self.up)

    def scaled(self, factor: int) -> Vector:
        """The offset multiplied by `factor`."""
        return Vector(factor * self.across, factor * self.up)


COMPASS: dict[str, Vector] = {
    "N": Vector(0, 1),
    "NE": Vector(1, 1),
    "E": Vector(1, 0),
    "SE": Vector(1, -1),
    "S": Vector(0, -1),
    "SW": Vector(-1, -1),
    "W": Vector(-1, 0),
    "NW": Vector(-1, 1),
}

Value = Union[int, Fraction, Atom, Vector, "tuple[Value, ...]"]


def text_of(value: Value) -> str:
    """A value in the language's own notation; sets and lists appear in brackets `[...]`."""
    match value:
        case bool():
            return "true" if value else "false"
        case Vector():
            return _text_of_vector(value)
        case tuple():
            return "[" + ", ".join(text_of(item) for item in value) + "]"
        case Atom():
            return value.name
        case _:
            return str(value)


def _text_of_vector(vector: Vector) -> str:
    for name, unit in COMPASS.items():
        if vector == unit:
            return name
    parts = []
    for amount, positive, negative in ((vector.up, "N", "S"), (vector.across, "E", "W")):
        if amount:
            name = positive if amount > 0 else negative
            parts.append(name if abs(amount) == 1 else f"{abs(amount)}*{name}")
    return "+".join(parts) or "0*N"


@dataclass(frozen=True, slots=True)
class Domain:
    """A finite ordered set of scalar values that a variable, index or parameter ranges over."""

    values: tuple[Value, ...]
    digit: dict[Value, int] = field(init=False, compare=False, repr=False)
    """The position of each value."""

    def __post_init__(self) -> None:
        digits = {value: number for number, value in enumerate(self.values)}
        object.__setattr__(self, "digit", digits)

    def __len__(self) -> int:
        return len(self.values)

    def position(self, value: Value) -> int | None:
        """The digit of a value, None if outside the domain; unlike in Python, `true` is not 1."""
        digit = self.digit.get(value)
        if digit is None or isinstance(value, bool) != isinstance(self.values[digit], bool):
            return None
        return digit

    def subset(self, values: Iterable[Value]) -> tuple[Value, ...]:
        """The values without duplicates, in the order of the domain."""
        return tuple(
            self.values[place] for place in sorted({self.digit[value] for value in values})
        )

    def __str__(self) -> str:
        return describe_values(self.values)


def number_among(domains: Iterable[Domain], values: Iterable[Value | None]) -> int | None:
    """The number of a combination of values, one of each domain, the last fastest; None if a value
    is not known (None), or outside its domain."""
    number = 0
    for value, domain in zip(values, domains, strict=True):
        digit = None if value is None else domain.position(value)
        if digit is None:
            return None
        number = number * len(domain) + digit
    return number


def describe_values(values: tuple[Value, ...]) -> str:
    """A set of scalars as a reader would write it: `0..5`, `empty | X | O`, `square | none`; more
    than four squares, or values of a product type, by the name of the type."""
    numbers = [v for v in values if isinstance(v, int) and not isinstance(v, bool)]
    parts: list[str] = []
    if numbers and numbers == list(range(numbers[0], numbers[-1] + 1)) and len(numbers) > 1:
        parts.append(f"{numbers[0]}..{numbers[-1]}")
    else:
        parts.extend(str(number) for number in numbers)
    if any(isinstance(v, bool) for v in values):
        parts.append("bool")
    many = Counter(value.kind for value in values if isinstance(value, Square | Pair))
    for value in values:
        if isinstance(value, Square | Pair) and many[value.kind] > 4:
            parts.append(value.kind)
        elif isinstance(value, Atom | Vector | Fraction):
            parts.append(text_of(value))
    return " | ".join(dict.fromkeys(parts))


def unique(values: Iterable[Value]) -> tuple[Value, ...]:
    """The values in order, without duplicates."""
    return tuple(dict.fromkeys(values))
