"""Pieces of generated text: an expression with its sort, and parentheses where it needs them.

In: smaller pieces. Out: larger ones. A `Sort` says which values an expression may have, so that
whatever is generated lies in the domain it is stored in. Nothing is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

CONDITIONAL, OR, AND, NOT, COMPARISON, UNION, RANGE, SUM, TERM, FACTOR, PRIMARY = range(11)
"""How tightly the outermost operator of an expression binds, as in the grammar."""


@dataclass(frozen=True, slots=True)
class Sort:
    """Which single values are possible.

    Attributes:
        family: number, bool, player, square, offset (any sum of directions), compass (one of
            this game's directions), or the name of a type of atoms.
        low, high: bounds of a number.
        none, empty: whether these are possible besides.
        tokens: all values, where they are no interval.
    """

    family: str
    low: int = 0
    high: int = 0
    none: bool = False
    empty: bool = False
    tokens: tuple[str, ...] = ()

    def holds(self, other: Sort) -> bool:
        """Whether every value of the other sort is one of this."""
        return (
            self.family == other.family
            and self.tokens in ((), other.tokens)
            and (self.family != "number" or (self.low <= other.low and other.high <= self.high))
            and (self.none or not other.none)
            and (self.empty or not other.empty)
        )

    @property
    def is_sure(self) -> bool:
        """Whether neither `none` nor `empty` is possible."""
        return not (self.none or self.empty)

    def or_none(self) -> Sort:
        """This, or `none`."""
        return replace(self, none=True)


BOOL = Sort("bool")
PLAYER = Sort("player")
SQUARE = Sort("square")
OFFSET = Sort("offset")
COMPASS = Sort("compass")
SUBSET = Sort("subset")
"""Some of the squares, handed to a `def`."""


def numbers(low: int, high: int) -> Sort:
    """The numbers `low..high`."""
    return Sort("number", low, high)


@dataclass(frozen=True, slots=True)
class Code:
    """An expression: its text, how tightly it binds, and its sort.

    Attributes:
        sort: of a set or list, the sort of its elements.
        size: of a set or list, how many elements it surely has at least; -1 of a single value.
        is_fixed: whether neither the state nor a local name occurs in it.
    """

    text: str
    level: int
    sort: Sort
    size: int = -1
    is_fixed: bool = False

    def at(self, level: int) -> str:
        """The text where an expression of at least this level is needed."""
        return self.text if self.level >= level else f"({self.text})"

    def of(self, sort: Sort) -> Code:
        """The same text, known to be of another sort."""
        return replace(self, sort=sort)


def primary(text: str, sort: Sort, *parts: Code, size: int = -1) -> Code:
    """A name, a call, a literal: fixed if all its parts are."""
    fixed = all(part.is_fixed for part in parts)
    return Code(text, PRIMARY, sort, size, fixed)


def literal(text: str, sort: Sort) -> Code:
    """A constant."""
    level = FACTOR if text.startswith("-") else PRIMARY
    return Code(text, level, sort, -1, True)


def number_literal(value: int) -> Code:
    """A number, negative ones included."""
    return literal(str(value), numbers(value, value))


def binary(left: Code, operator: str, right: Code, level: int, sort: Sort) -> Code:
    """`left operator right`, which groups to the left."""
    text = f"{left.at(level)} {operator} {right.at(level + 1)}"
    return Code(text, level, sort, -1, left.is_fixed and right.is_fixed)


def call(name: str, sort: Sort, *arguments: Code, size: int = -1) -> Code:
    """`name(a, b)`."""
    text = f"{name}({', '.join(argument.text for argument in arguments)})"
    return primary(text, sort, *arguments, size=size)


def choice(then: Code, condition: Code, otherwise: Code, sort: Sort) -> Code:
    """`then if condition else otherwise`."""
    text = f"{then.at(OR)} if {condition.at(OR)} else {otherwise.at(CONDITIONAL)}"
    fixed = then.is_fixed and condition.is_fixed and otherwise.is_fixed
    return Code(text, CONDITIONAL, sort, min(then.size, otherwise.size), fixed)
