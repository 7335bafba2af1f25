"""Static types: the possible values of an expression. Whole numbers have an interval.

A `Scalar` is a set of kinds of values, so `empty | players` and `0..5 | none` are ordinary types.
Types are computed, never written; domains are values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, TypeGuard

from gamedsl.model.limits import MOST_VALUES
from gamedsl.model.values import NONE, Atom, Value, Vector, describe_values
from gamedsl.source.records import dataclass

Bound = int | Fraction


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value: a number in `low..high`, a truth value, an atom in `atoms`, or an offset.

    `low` is None if no number is possible; `rational` allows fractions; `unknown` marks the type of
    an expression in error, which fits everywhere.

    `is_number`, `is_vector`, `is_square` and `is_player` admit `none`: most operations give `none`
    for `none`. `is_boolean` does not: a condition is true or false.
    """

    low: Bound | None = None
    high: Bound | None = None
    rational: bool = False
    boolean: bool = False
    atoms: frozenset[Atom] = frozenset()
    vectors: frozenset[Vector] = frozenset()
    unknown: bool = False

    @property
    def has_numbers(self) -> bool:
        """Whether a number is possible."""
        return self.low is not None

    @property
    def interval(self) -> tuple[Bound, Bound]:
        """Least and greatest number; (0, 0) if no number is possible."""
        return (self.low, self.high) if self.low is not None and self.high is not None else (0, 0)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of possible values."""
        kinds = _kinds_of(self.atoms)
        if self.has_numbers:
            kinds |= {"number"}
        if self.boolean:
            kinds |= {"bool"}
        if self.vectors:
            kinds |= {"direction"}
        return kinds

    @property
    def can_be_none(self) -> bool:
        """Whether `none` is possible."""
        return any(atom.kind == "none" for atom in self.atoms)

    @property
    def is_something(self) -> bool:
        """Whether `none` is impossible."""
        return not self.can_be_none

    def without_none(self) -> Scalar:
        """The type of the values other than `none`."""
        atoms = frozenset(atom for atom in self.atoms if atom.kind != "none")
        return Scalar(
            self.low, self.high, self.rational, self.boolean, atoms, self.vectors, self.unknown
        )

    @property
    def is_vacuous(self) -> bool:
        """Whether every question about the values is true: the type is empty or unknown.

        An element of a set that a game parameter leaves empty has an empty type.
        """
        has_others = self.has_numbers or self.boolean
        return self.unknown or not (has_others or self.atoms or self.vectors)

    @property
    def is_number(self) -> bool:
        """Whether every value but `none` is a number."""
        return self.is_vacuous or (self.kinds - {"none"} == {"number"})

    @property
    def is_boolean(self) -> bool:
        """Whether every value is a truth value."""
        return self.is_vacuous or self.kinds == {"bool"}

    @property
    def is_vector(self) -> bool:
        """Whether every value is an offset or `none`."""
        return self.is_vacuous or self.kinds - {"none"} == {"direction"}

    @property
    def is_square(self) -> bool:
        """Whether every value is a square or `none`."""
        return self.is_vacuous or self.kinds <= {"square", "none"}

    @property
    def is_player(self) -> bool:
        """Whether all values other than `none` and `empty` are players."""
        return self.is_vacuous or (
            "player" in self.kinds and self.kinds <= {"player", "none", "empty"}
        )

    @property
    def is_number_or_else(self) -> bool:
        """Whether the value may be a number, and may be of another kind."""
        return not self.unknown and self.has_numbers and self.kinds != {"number"}

    def admits(self, value: Value) -> bool:
        """Whether the value is possible."""
        match value:
            case bool():
                return self.boolean
            case int() | Fraction():
                low, high = self.interval
                is_fit = self.rational or isinstance(value, int)
                return self.has_numbers and is_fit and low <= value <= high
            case Vector():
                return value in self.vectors
            case Atom():
                return value in self.atoms
            case _:
                return False

    def settled(self, value: Value) -> Value:
        """The value if possible; else the first possible value."""
        return value if self.admits(value) else self.first

    @property
    def first(self) -> Value:
        """The first possible value; the type must not be empty."""
        if self.has_numbers:
            return self.interval[0]
        values = self.enumerate()
        assert values, "a type without values, or unknown"
        return values[0]

    def without(self, value: Value) -> Scalar:
        """The type without a value, as closely as a type can express the rest."""
        match value:
            case Atom():
                return replace(self, atoms=self.atoms - {value})
            case Vector():
                return replace(self, vectors=self.vectors - {value})
            case int() if not isinstance(value, bool) and not self.rational:
                low, high = self.interval
                return self.between(low + (value == low), high - (value == high))
            case _:
                return self

    def between(self, low: Bound, high: Bound) -> Scalar:
        """The type with its numbers restricted to `low..high`."""
        if not self.has_numbers:
            return self
        least, most = max(low, self.interval[0]), min(high, self.interval[1])
        if least > most:
            return replace(self, low=None, high=None, rational=False)
        return replace(self, low=least, high=most)

    def enumerate(self) -> tuple[Value, ...] | None:
        """All possible values in order; None if the type has fractions or far too many values."""
        if self.unknown or self.rational or self.size > MOST_VALUES:
            return None
        low, high = self.interval
        numbers = range(int(low), int(high) + 1) if self.has_numbers else ()
        truths: tuple[Value, ...] = (False, True) if self.boolean else ()
        atoms = sorted(self.atoms, key=lambda atom: atom.order)
        vectors = sorted(self.vectors, key=lambda vector: (vector.up, vector.across))
        return (*numbers, *truths, *atoms, *vectors)

    @property
    def size(self) -> int:
        """An upper bound on the number of values."""
        low, high = self.interval
        numbers = int(high) - int(low) + 1 if self.has_numbers else 0
        return numbers + 2 * self.boolean + len(self.atoms) + len(self.vectors)

    def __str__(self) -> str:
        if self.unknown:
            return "unknown"
        parts = []
        if self.has_numbers:
            low, high = self.interval
            parts.append(f"{low}" if low == high else f"{low}..{high}")
        if self.boolean:
            parts.append("bool")
        if self.vectors:
            parts.append("direction")
        players = [a for a in self.atoms if a.kind == "player"]
        listed = sorted(self.atoms, key=lambda atom: atom.order)
        if len(players) > 4:
            listed = [a for a in listed if a.kind != "player"]
            parts.append("players")
        if listed:
            parts.append(describe_values(tuple(listed)))
        return " | ".join(parts) or "nothing"


class Compound:
    """Any type whose values are no single values: the questions about a `Scalar` are answered with
    no."""

    __slots__ = ()
    kinds: ClassVar[frozenset[str]] = frozenset()
    interval: ClassVar[tuple[Bound, Bound]] = (0, 0)
    has_numbers = is_number = is_boolean = is_vector = is_square = is_player = False
    can_be_none = is_something = is_vacuous = unknown = False


@dataclass(frozen=True, slots=True)
class SetType(Compound):
    """A set (or range, or set-like list) of at most `size` elements; `repeats`: elements may occur
    more than once, since the value may be a list."""

    element: Type
    size: int
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class ListType(Compound):
    """A list of at most `size` elements, indexed from 1."""

    element: Type
    size: int


@dataclass(frozen=True, slots=True)
class TupleType(Compound):
    """A tuple such as `(rock, paper)`."""

    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class ArrayType(Compound):
    """A whole state variable as an argument of `line`, `full`, `group`, `sight` or a `def`; or the
    cells with given first indices, of the types `fixed`."""

    name: str
    fixed: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class OptionalType(Compound):
    """A set, list or tuple, or `none`: an item of a list of collections at a position that may be
    `none`.

    The value can be indexed and compared; operations on elements require the value to be present.
    """

    of: SetType | ListType | TupleType


Type = Scalar | SetType | ListType | TupleType | OptionalType | ArrayType

UNKNOWN = Scalar(unknown=True)
BOOLEAN = Scalar(boolean=True)
NOTHING = Scalar()


def number(low: Bound, high: Bound, rational: bool = False) -> Scalar:
    """The numbers `low..high`."""
    return Scalar(low, high, rational)


def offsets(members: Iterable[Vector]) -> Scalar:
    """An offset among `members`."""
    return Scalar(vectors=frozenset(members))


def atoms(*members: Atom) -> Scalar:
    """An atom among `members`."""
    return Scalar(atoms=frozenset(members))


def type_of(value: Value) -> Type:
    """The type of a single value. The type of a tuple is a list."""
    match value:
        case bool():
            return BOOLEAN
        case int():
            return number(value, value)
        case Fraction():
            return number(value, value, rational=True)
        case Vector():
            return offsets({value})
        case tuple():
            return ListType(join_all(tuple(type_of(item) for item in value)), len(value))
        case _:
            return atoms(value)


def set_of(values: tuple[Value, ...]) -> SetType:
    """The type of a set with exactly these values."""
    if any(isinstance(value, tuple) for value in values):
        element = join_all(tuple(type_of(value) for value in values))
    else:
        element = scalar_of(values)
    return SetType(element, len(values), len({*values}) < len(values))


def scalar_of(values: tuple[Value, ...]) -> Scalar:
    """The type of a scalar among `values`."""
    kinds = set(map(type, values))  # `isinstance` of each value is slow

    def of(*classes: type) -> Sequence[Any]:
        chosen = {kind for kind in kinds - {bool} if issubclass(kind, classes)}
        if chosen == kinds or not chosen:
            return values if chosen else ()
        return [value for value in values if type(value) in chosen]

    numbers: Sequence[Bound] = of(int, Fraction)
    return Scalar(
        min(numbers, default=None),
        max(numbers, default=None),
        Fraction in kinds,
        bool in kinds,
        frozenset(of(Atom)),
        frozenset(of(Vector)),
    )


def join_all(types: tuple[Type, ...]) -> Type:
    """The least type that contains all types; `nothing` for no types; unknown if the types
    clash."""
    scalars = [t for t in types if isinstance(t, Scalar)]
    if len(scalars) == len(types):
        return _join_scalars(scalars)
    joined = types[0]
    for kind in types[1:]:
        joined = join(joined, kind)
    return joined


def join(left: Type, right: Type) -> Type:
    """The least type that contains both; unknown for types of different shapes."""
    match left, right:
        case Scalar(), Scalar():
            return _join_scalars([left, right])
        case (OptionalType(), _) | (_, OptionalType()):
            return or_none(join(without_none(left), without_none(right)))
        case ((SetType() | ListType()), (SetType() | ListType())):
            element = join(left.element, right.element)
            size = max(left.size, right.size)
            both_lists = isinstance(left, ListType) and isinstance(right, ListType)
            if both_lists:
                return ListType(element, size)
            return SetType(element, size, may_repeat(left) or may_repeat(right))
        case TupleType(), TupleType() if len(left.items) == len(right.items):
            pairs = zip(left.items, right.items, strict=True)
            return TupleType(tuple(join(a, b) for a, b in pairs))
        case _ if left == right or right == NOTHING:
            return left
        case _ if left == NOTHING:
            return right
        case _:
            return UNKNOWN


def or_none(kind: Type) -> Type:
    """The type with `none` added."""
    if isinstance(kind, SetType | ListType | TupleType):
        return OptionalType(kind)
    return kind if kind == UNKNOWN else join(kind, atoms(NONE))


def without_none(kind: Type) -> Type:
    """The type with `none` removed."""
    match kind:
        case OptionalType():
            return kind.of
        case Scalar():
            return kind.without_none()
        case _:
            return kind


def _join_scalars(scalars: list[Scalar]) -> Scalar:
    lows = [s.low for s in scalars if s.low is not None]
    highs = [s.high for s in scalars if s.high is not None]
    return Scalar(
        min(lows) if lows else None,
        max(highs) if highs else None,
        any(s.rational for s in scalars),
        any(s.boolean for s in scalars),
        frozenset().union(*(s.atoms for s in scalars)) if scalars else frozenset(),
        frozenset().union(*(s.vectors for s in scalars)),
        any(s.unknown for s in scalars),
    )


@lru_cache(maxsize=1_000)
def _kinds_of(atoms: frozenset[Atom]) -> frozenset[str]:
    return frozenset(atom.kind for atom in atoms)


def meet(left: Scalar, right: Scalar) -> Scalar:
    """The type of the values in both types; an unknown type is no restriction."""
    if left.unknown or right.unknown:
        return right if left.unknown else left
    low: Bound | None = None
    high: Bound | None = None
    if left.has_numbers and right.has_numbers:
        (least, most), (fewest, greatest) = left.interval, right.interval
        if max(least, fewest) <= min(most, greatest):
            low, high = max(least, fewest), min(most, greatest)
    return Scalar(
        low,
        high,
        low is not None and left.rational and right.rational,
        left.boolean and right.boolean,
        left.atoms & right.atoms,
        left.vectors & right.vectors,
    )


def can_be_equal(left: Type, right: Type) -> bool:
    """Whether values of the two types can be of the same kind, so that `==` makes sense."""
    match left, right:
        case Scalar(), Scalar():
            return left.is_vacuous or right.is_vacuous or bool(left.kinds & right.kinds)
        case (OptionalType(), Scalar() as scalar) | (Scalar() as scalar, OptionalType()):
            return scalar.unknown or scalar.can_be_none
        case (OptionalType(), _) | (_, OptionalType()):
            return can_be_equal(without_none(left), without_none(right))
        case ((SetType() | ListType()), (SetType() | ListType())):
            return True
        case TupleType(), TupleType():
            return len(left.items) == len(right.items) and all(
                can_be_equal(a, b) for a, b in zip(left.items, right.items, strict=True)
            )
        case _:
            return left == UNKNOWN or right == UNKNOWN


def clashes(joined: Type) -> bool:
    """Whether a join is no common type: truth values with numbers, sets with atoms."""
    return joined == UNKNOWN or (
        isinstance(joined, Scalar) and joined.boolean and joined.has_numbers
    )


def are_confused(left: Type, right: Type) -> bool:
    """Whether one value may be a truth value and the other a number: equal in Python."""
    if not (isinstance(left, Scalar) and isinstance(right, Scalar)):
        return False
    return (left.boolean and right.has_numbers) or (left.has_numbers and right.boolean)


def is_number(kind: Type) -> TypeGuard[Scalar]:
    """Whether every value but `none` is a number."""
    return isinstance(kind, Scalar) and kind.is_number


def is_always_number(kind: Type) -> bool:
    """Whether every value is a number; unlike in `is_number`, `none` is excluded."""
    return isinstance(kind, Scalar) and not kind.unknown and kind.kinds == {"number"}


def element_of(collection: Type) -> Type:
    """The type of the elements of a set or list (unknown for other types)."""
    return collection.element if isinstance(collection, SetType | ListType) else UNKNOWN


def may_repeat(collection: Type) -> bool:
    """Whether elements of a set or list may occur more than once."""
    return (isinstance(collection, ListType) and collection.size > 1) or (
        isinstance(collection, SetType) and collection.repeats
    )


def size_of(collection: Type) -> int:
    """An upper bound on the number of elements."""
    return collection.size if isinstance(collection, SetType | ListType) else 0


def describe(kind: Type) -> str:
    """The type in words, for messages."""
    match kind:
        case Scalar():
            if kind.kinds == {"bool"}:
                return "true or false"
            if kind.kinds == {"direction"}:
                return "a direction"
            if kind.kinds == {"square"}:
                return "a square"
            if kind.kinds == {"number"}:
                low, high = kind.interval
                return f"the number {low}" if low == high else f"a number {low}..{high}"
            return str(kind)
        case SetType():
            return "a set"
        case ListType():
            return "a list"
        case TupleType():
            return f"a tuple of {len(kind.items)}"
        case OptionalType():
            return f"{describe(kind.of)} or `none`"
        case ArrayType(fixed=()):
            return f"the whole variable `{kind.name}`"
        case ArrayType():
            return f"many cells of the variable `{kind.name}`"
