"""Values as integers: the codes of values in generated code.

A number is its own code, `false` and `true` are 0 and 1. The code of a square is its place on the
board, of a direction its place among all offsets of the game, of a player the place in turn order,
of any other atom its place among the atoms, behind the players. Where one expression or comparison
mixes families (`0..5 | pass`, `empty | bool`, `players | 0..3`), one family is shifted to be
disjoint from the other; `none` lies below all codes. Equality of values is therefore equality of
codes. The state keeps the player to move as the place in turn order, whatever the codes of players.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.types import (
    UNKNOWN,
    ListType,
    OptionalType,
    Scalar,
    SetType,
    TupleType,
    Type,
    element_of,
    join,
    scalar_of,
)
from gamedsl.model.values import EMPTY, NONE, Atom, Domain, Square, Value, Vector
from gamedsl.model.walk import all_expressions, expressions_of, statements, within

WIDEST = 1 << 40
"""Larger numbers are left to the interpreter: sums of a few codes stay within 64 bits."""


class Codes:
    """The codes of one game's values."""

    def __init__(self, model: Model) -> None:
        types = list(_scalars(model))
        vectors = {v for t in types for v in t.vectors}
        atoms = {a for t in types for a in t.atoms if not isinstance(a, Square)}
        atoms |= {a for a in model.atoms.values() if not isinstance(a, Square)}
        atoms |= {EMPTY}
        atoms -= {NONE, *model.players}
        ordered = tuple(sorted(atoms, key=lambda a: (a.order, a.kind, a.name)))
        self.vectors = tuple(sorted(vectors, key=lambda v: (v.up, v.across)))
        self.squares = model.board.squares if model.board else ()
        self.lowest = _lowest(types)
        counts = {"player": len(model.players), "square": len(self.squares), "atom": len(ordered)}
        bases = _bases(types, counts)
        self._code: dict[Value, int] = {}
        families: tuple[tuple[str, tuple[Value, ...]], ...] = (
            ("player", model.players),
            ("square", self.squares),
            ("atom", ordered),
            ("direction", self.vectors),
        )
        for family, members in families:
            for number, member in enumerate(members):
                self._code[member] = bases[family] + number
        self.none = min(-1, self.lowest - 1)
        self._code[NONE] = self.none
        self._value = {(_family(v), c): v for v, c in self._code.items()}
        self.first_player = bases["player"]
        self._latest: tuple[Domain, tuple[int, ...]] | None = None

    def code(self, value: Value) -> int:
        """The code of a scalar."""
        if isinstance(value, int):
            return int(value)
        if isinstance(value, tuple) or type(value) is Fraction:
            raise CannotCompileError(f"the value {value} as a number")
        return self._code[value]

    def value(self, code: int, kind: Scalar) -> Value:
        """The value of a code in an expression of the given type."""
        if code == self.none and kind.can_be_none:
            return NONE
        if kind.is_boolean or kind.without_none().is_boolean:
            return bool(code)
        for family in ("player", "square", "atom", "direction"):
            value = self._value.get((family, code))
            if value is not None and (value in kind.atoms or value in kind.vectors):
                return value
        return bool(code) if kind.boolean and code in (0, 1) else code

    def of_domain(self, domain: Domain) -> tuple[int, ...]:
        """The codes of a domain, digit by digit."""
        if self._latest is not None and self._latest[0] is domain:
            return self._latest[1]
        codes = tuple(self.code(value) for value in domain.values)
        self._latest = domain, codes
        return codes


def domain_type(domain: Domain) -> Scalar:
    """The type of the values of a domain."""
    return scalar_of(domain.values)


def _family(value: Value) -> str:
    if isinstance(value, Square):
        return "square"
    if isinstance(value, Atom) and value.kind == "player":
        return "player"
    return "direction" if isinstance(value, Vector) else "atom"


def _lowest(types: list[Scalar]) -> int:
    lows = [0]
    for kind in types:
        if kind.has_numbers:
            low, high = kind.interval
            if low < -WIDEST or high > WIDEST:
                raise CannotCompileError(f"numbers as large as {high}")
            lows.append(int(low) - 1)
    return min(lows)


def _bases(types: list[Scalar], counts: dict[str, int]) -> dict[str, int]:
    """The first code of each family: 0 unless some expression mixes the family with an earlier
    one.
    """
    shared = [kind for kind in types if kind.has_numbers and kind.kinds - {"number", "none"}]
    highest = max((int(kind.interval[1]) + 1 for kind in shared), default=1)
    mixed: set[frozenset[str]] = set()
    for kind in types:
        families = _families(kind)
        mixed |= {frozenset({a, b}) for a in families for b in families if a != b}
    if frozenset({"bool", "number"}) in mixed:
        raise CannotCompileError("truth values mixed with numbers")
    first_player = 0
    if frozenset({"number", "player"}) in mixed:
        first_player = highest + 1
    elif frozenset({"bool", "player"}) in mixed:
        first_player = 2
    players = first_player + counts["player"]
    bases = {"number": 0, "player": first_player, "square": 0, "atom": players, "direction": 0}
    if frozenset({"number", "square"}) in mixed:
        bases["square"] = max(highest + 1, players)
    elif frozenset({"player", "square"}) in mixed:
        bases["square"] = players
    after_squares = bases["square"] + counts["square"]
    if frozenset({"number", "atom"}) in mixed or frozenset({"square", "atom"}) in mixed:
        bases["atom"] = max(highest + 1, after_squares, players)
    if any("direction" in pair for pair in mixed):
        bases["direction"] = max(highest + 1, after_squares, bases["atom"] + counts["atom"])
    if any("bool" in pair for pair in mixed):
        bases |= {family: bases[family] + 2 for family in ("square", "atom", "direction")}
    return bases


def _families(kind: Scalar) -> set[str]:
    families = set()
    if kind.has_numbers:
        families.add("number")
    if kind.boolean:
        families.add("bool")
    if kind.vectors:
        families.add("direction")
    for atom in kind.atoms:
        if atom is not NONE:
            families.add(_family(atom))
    return families


def _scalars(model: Model) -> Iterator[Scalar]:
    """The type of every expression and variable of the game."""
    blocks = [model.setup, model.end, *(move.body for move in model.moves)]
    expressions = [e for block in blocks for e in all_expressions(block)]
    for statement in (s for block in blocks for s in statements(block)):
        facts = facts_of(statement)
        if facts.writes is not None and facts.value is not None:
            yield from _compared(domain_type(facts.writes.domain), facts.value.type)
    for move in model.moves:
        for parameter in move.parameters:
            yield scalar_of(parameter.values.values)
            for part in expressions_of(parameter):
                expressions.extend(within(part))
    for repeat in model.repeats:
        if repeat.outcome is not None:
            expressions.extend(all_expressions((repeat.outcome,)))
    if model.evaluation is not None:
        expressions.extend(within(model.evaluation.value))
        if model.evaluation.quiescent is not None:
            expressions.extend(within(model.evaluation.quiescent))
    for variable in model.variables:
        yield scalar_of(variable.domain.values)
        for index in variable.indices:
            yield scalar_of(index.values)
    constants: dict[int, Value] = {}  # a list of sets with several names is one constant
    for expression in expressions:
        yield from _parts(expression.type)
        match expression:
            case nodes.Const(value=value):
                constants[id(value)] = value
            case nodes.Compare(operator="==" | "!=", left=left, right=right):
                yield from _compared(left.type, right.type)
            case nodes.Member(element=element, collection=collection):
                yield from _compared(element.type, element_of(collection.type))
    singles = (single for constant in constants.values() for single in _singles(constant))
    for _, value in {(type(single), single) for single in singles}:
        yield scalar_of((value,))


def _compared(left: Type, right: Type) -> Iterator[Scalar]:
    """The values of both sides: of different families, the sides can be equal as `none` alone."""
    joined = join(left, right)
    if joined != UNKNOWN:
        yield from _parts(joined)


def _parts(kind: Type) -> Iterator[Scalar]:
    match kind:
        case Scalar():
            if kind.unknown:
                raise CannotCompileError("an expression of unknown type")
            yield kind
        case SetType() | ListType():
            yield from _parts(kind.element)
        case TupleType():
            for item in kind.items:
                yield from _parts(item)
        case OptionalType():
            yield from _parts(kind.of)


def _singles(value: Value) -> Iterator[Value]:
    """All scalars in a nested collection."""
    if isinstance(value, tuple):
        for item in value:
            yield from _singles(item)
    else:
        yield value
