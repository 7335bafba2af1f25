"""Elaborate functions given by their rows: parts of products, products of parts, places in types.

`Suit(c)` and `Card(r, s)` are calls; places in a type order values of which some are numbers and
some are names, as in `2..10 | J | Q | K | A`.
"""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.model import nodes
from gamedsl.model.builtins import arguments_in_words
from gamedsl.model.elaborate.elaborator import Elaborator, in_error
from gamedsl.model.elaborate.narrowing import narrowed
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import (
    UNKNOWN,
    ListType,
    Scalar,
    Type,
    atoms,
    can_be_equal,
    describe,
    element_of,
    join,
    or_none,
    scalar_of,
    set_of,
    size_of,
)
from gamedsl.model.values import NONE, Atom, Table, Value
from gamedsl.source import Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast


def call(elaborator: Elaborator, written: ast.Call, table: Table, scope: Scope) -> nodes.Expr:
    """`Suit(c)`, a part of a value; or `Card(r, s)`, the value of two parts."""
    arguments = tuple(
        narrowed(elaborator.expression(argument, scope), scope) for argument in written.arguments
    )
    if any(argument.type == UNKNOWN for argument in arguments):
        return in_error(written.span)
    keys = [keys for keys in table.rows if len(keys) == len(arguments)]
    if not keys:
        return _no_such_row(elaborator, written, table)
    for place, argument in enumerate(arguments):
        expected = scalar_of(tuple({key[place]: None for key in keys}))
        if not _may_be(argument.type, expected):
            return elaborator.wrong(
                "E1101",
                argument.span,
                f"`{elaborator.text(written)}` needs a value of `{describe(expected)}`;"
                f" found {describe(argument.type)}",
            )
    return looked_up(elaborator, written.span, table, arguments)


def _no_such_row(elaborator: Elaborator, written: ast.Call, table: Table) -> nodes.Expr:
    """Reports a wrong number of arguments, unless a product in error has no rows."""
    numbers = sorted({len(keys) for keys in table.rows})
    if not numbers or elaborator.symbols.has_failed_product():
        return in_error(written.span)
    count = " or ".join(arguments_in_words(number) for number in numbers)
    told = f"`{table.name}` takes {count}, found {len(written.arguments)}"
    declared = elaborator.symbols.types[table.name]
    parts = ", ".join(elaborator.text(part) for part in (declared.value, declared.owner) if part)
    hint = f"as in `{table.name}({parts if 2 in numbers else 'v'})`"
    return elaborator.wrong("E1003", written.span, told, hint)


def _may_be(kind: Type, expected: Scalar) -> bool:
    """Whether a type has an expected value, or nothing but `none`."""
    if not isinstance(kind, Scalar):
        return False
    return kind.without_none().is_vacuous or can_be_equal(kind.without_none(), expected)


def looked_up(
    elaborator: Elaborator, span: Span, table: Table, arguments: tuple[nodes.Expr, ...]
) -> nodes.Expr:
    """The value of a table, `none` where the arguments have no row."""
    rows = {keys: value for keys, value in table.rows.items() if len(keys) == len(arguments)}
    possible = tuple(value for keys, value in rows.items() if all(map(_admits, arguments, keys)))
    kind: Type = scalar_of(possible)
    columns = [set(column) for column in zip(*rows, strict=True)]
    if not all(map(_is_covered, arguments, columns)):
        kind = or_none(kind)
    of = nodes.Const(span, atoms(table), table)
    return elaborator.folded(nodes.Builtin(span, kind, "table", (of, *arguments)))


def _admits(argument: nodes.Expr, value: Value) -> bool:
    return isinstance(argument.type, Scalar) and argument.type.admits(value)


def _is_covered(argument: nodes.Expr, keys: set[Value]) -> bool:
    """Whether all possible values are among the keys."""
    kind = argument.type
    values = kind.enumerate() if isinstance(kind, Scalar) else None
    return values is not None and keys.issuperset(values)


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a declared type: the place of each value, and the value at each place."""

    places: Table
    values: Table

    def place_of(self, elaborator: Elaborator, node: nodes.Expr) -> nodes.Expr:
        """The place of a value."""
        return looked_up(elaborator, node.span, self.places, (node,))

    def sure_place_of(self, elaborator: Elaborator, node: nodes.Expr) -> nodes.Expr:
        """The place of a value; a value between the numbers of the type is an error in play."""
        place = self.place_of(elaborator, node)
        if not (isinstance(place.type, Scalar) and place.type.can_be_none):
            return place
        listed = nodes.Collection(node.span, ListType(place.type, 1), (place,))
        kind = place.type.without_none()
        return elaborator.folded(nodes.Builtin(node.span, kind, "max", (listed,)))

    def extreme(self, elaborator: Elaborator, name: str, items: nodes.Expr) -> nodes.Expr:
        """The greatest, or the least, of a collection of values."""
        element, size = element_of(items.type), size_of(items.type)
        item = nodes.Local(items.span, element, "item", elaborator.new_slot("item"))
        place = self.place_of(elaborator, item)
        if isinstance(items, nodes.Const) and isinstance(items.value, tuple):
            places = tuple(self.places.rows.get((value,), NONE) for value in items.value)
            items = nodes.Const(items.span, ListType(place.type, size), places)
        else:
            clause = nodes.Clause(item.slot, item.name, items, None)
            kind = ListType(place.type, size)
            items = nodes.Comprehension(items.span, kind, "list", (clause,), place)
        assert isinstance(place.type, Scalar)
        result = place.type.without_none()
        best = elaborator.folded(nodes.Builtin(items.span, result, name, (items,)))
        return self.value_at(elaborator, best)

    def value_at(self, elaborator: Elaborator, place: nodes.Expr) -> nodes.Expr:
        """The value at a place."""
        return looked_up(elaborator, place.span, self.values, (place,))


def order_of(elaborator: Elaborator, *kinds: Type) -> Order | None:
    """The order of the declared type of some scalars, or of the types with all their values other
    than `none`, where numbers ascend; None without such a type, or if several order the values
    differently."""
    types = [named for named in _types_with(elaborator, *kinds) if _is_ascending(named[1])]
    scalars = [kind for kind in kinds if isinstance(kind, Scalar)]
    orders = [[v for v in vs if any(kind.admits(v) for kind in scalars)] for _, vs in types]
    whole = [n for n, (_, values) in enumerate(types) if len(values) == len(orders[n])]
    several = whole or range(len(types))
    if not types or any(orders[n] != orders[several[0]] for n in several):
        return None
    name, values = types[several[0]]
    if name not in elaborator.symbols.orders:
        places, back = Table(name), Table(name)
        places.rows.update({(value,): place for place, value in enumerate(values)})
        back.rows.update({(place,): value for place, value in enumerate(values)})
        elaborator.symbols.orders[name] = places, back
    return Order(*elaborator.symbols.orders[name])


def why_not_ordered(elaborator: Elaborator, *kinds: Type) -> str | None:
    """A hint for values of a type that has no order."""
    types = list(_types_with(elaborator, *kinds))
    names = [name for name, values in types if _is_ascending(values)]
    if len(names) > 1:
        return f"`{names[0]}` and `{names[1]}` order these values differently"
    if not types:
        return None
    return f"`{types[0][0]}` has an order if its numbers ascend: `2..10 | J | Q | K | A`"


def _types_with(elaborator: Elaborator, *kinds: Type) -> Iterator[tuple[str, tuple[Value, ...]]]:
    """The declared types with all values of some scalars other than `none`, but for types that are
    being defined."""
    for name in elaborator.symbols.types:
        if elaborator.symbols.is_begun(name):
            continue
        constant = elaborator.symbols.find(name)
        if isinstance(constant, nodes.Const) and isinstance(constant.value, tuple):
            whole = set_of(constant.value).element
            if all(_lies_in(kind, whole) for kind in kinds):
                yield name, constant.value


def _lies_in(kind: Type, whole: Type) -> bool:
    if not (isinstance(kind, Scalar) and isinstance(whole, Scalar)):
        return False
    something = kind.without_none()
    return not something.is_vacuous and join(something, whole) == whole


def _is_ascending(values: tuple[Value, ...]) -> bool:
    """Whether the numbers of a type ascend, and the other values are names."""
    numbers = [value for value in values if type(value) is int]
    names = [value for value in values if isinstance(value, Atom)]
    return numbers == sorted(numbers) and len(numbers) + len(names) == len(values)
