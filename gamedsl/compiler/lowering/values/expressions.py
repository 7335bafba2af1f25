"""Calls of `def`s, names, and items of lists."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.ir.values import all_of, any_of, guard, integer, load, name, select
from gamedsl.compiler.lowering.values import conditions, numbers, order, tables
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import (
    Bound,
    Code,
    Held,
    Known,
    Later,
    Low,
    Meaning,
    Scope,
)
from gamedsl.model import nodes, operations
from gamedsl.model.types import (
    OptionalType,
    Scalar,
    number,
    scalar_of,
)
from gamedsl.model.values import NONE, Value
from gamedsl.model.walk import parts, within

LARGEST_IN_PLACE = 12

"""Largest body of a definition, in nodes, that is inlined."""


def bound(lowering: Lowering, node: nodes.Apply, scope: Scope) -> Scope | None:
    """The scope of a call's body, with arguments evaluated where they are used; None where late
    evaluation might change the failures.
    """
    inner = scope.inside_definition()
    for slot, argument in zip(node.definition.slots, node.arguments, strict=True):
        meaning = meaning_of(lowering, argument, scope)
        if meaning is None:
            return None
        inner = inner.having(slot, meaning)
    return inner


def opened(lowering: Lowering, node: nodes.Expr, scope: Scope) -> tuple[nodes.Expr, Scope]:
    """The expression behind locals and calls, with its scope."""
    while (inside := behind(lowering, node, scope)) is not None:
        node, scope = inside
    return node, scope


def behind(lowering: Lowering, node: nodes.Expr, scope: Scope) -> tuple[nodes.Expr, Scope] | None:
    """The expression that a local or a call stands for, with its scope; None where the node stands
    for itself.
    """
    match node:
        case nodes.Local():
            meaning = scope.of(node.slot)
            return (meaning.node, meaning.scope) if isinstance(meaning, Bound) else None
        case nodes.Apply():
            inner = bound(lowering, node, scope)
            return None if inner is None else (node.definition.body, inner)
    return None


def meaning_of(lowering: Lowering, argument: nodes.Expr, scope: Scope) -> Meaning | None:
    """A known value, a name, or an expression that cannot fail and so can wait; else None."""
    known = lowering.evaluator.known(argument, scope)
    if known is not None:
        return Known(known)
    if argument.local is not None:
        meaning = scope.of(argument.local)
        return Later(meaning.node, meaning.scope) if isinstance(meaning, Bound) else meaning
    return None if lowering.can_fail(argument) else Later(argument, scope)


def apply(lowering: Lowering, node: nodes.Apply, scope: Scope) -> Low:
    """Inline small bodies; larger bodies become functions, one for each kind of arguments."""
    body, inner = node.definition.body, scope.inside_definition()
    for slot, argument in zip(node.definition.slots, node.arguments, strict=True):
        inner = inner.having(slot, _argument(lowering, argument, scope))
    meanings = inner.slots.values()
    is_small = len(list(within(body))) <= LARGEST_IN_PLACE
    is_plain = all(meaning.is_name for meaning in meanings if isinstance(meaning, Code))
    if is_plain and (is_small or any(isinstance(meaning, Later) for meaning in meanings)):
        return lowering.lower(body, inner)
    return _call(lowering, node.definition, inner, is_small)


def _argument(lowering: Lowering, argument: nodes.Expr, scope: Scope) -> Meaning:
    if isinstance(argument.type, Scalar):
        return lowering.lower(argument, scope)
    meaning = meaning_of(lowering, argument, scope)
    if meaning is None:
        raise CannotCompileError("a collection as an argument that may fail", argument.span)
    return meaning


def _call(lowering: Lowering, definition: nodes.Definition, inner: Scope, is_small: bool) -> Low:
    """The body with names as parameters; inlined if the body is small and no argument may fail."""
    arguments: dict[Expr, Expr] = {}
    for slot, meaning in inner.slots.items():
        if isinstance(meaning, Code):
            local = name(f"{definition.name}_{slot}", meaning.expr.type)
            arguments[local] = meaning.expr
            inner = inner.having(slot, replace(meaning, expr=local))
    risky = [local for local, value in arguments.items() if value.can_fail]
    result: list[Low] = []

    def write() -> None:
        for local in risky:
            lowering.builder.evaluate(local)  # argument becomes a parameter, evaluated first
        result.append(lowering.lower(definition.body, inner))
        if isinstance(result[0], Code) or risky:
            _give(lowering, result[0], is_small)

    value = lowering.program.call(definition.name, write, arguments)
    low = result[0]
    if isinstance(low, Code):
        return replace(low, expr=value)
    return Code(value, scalar_of((low.value,))) if risky else low


def _give(lowering: Lowering, low: Low, is_small: bool) -> None:
    """Return the value of a body; if the body is large, a second statement prevents inlining."""
    expression = low.expr if isinstance(low, Code) else lowering.value(low)
    lowering.builder.give(expression if is_small else lowering.program.hold(expression, "found"))


def list_item(lowering: Lowering, node: nodes.Builtin, scope: Scope) -> Low:
    """A table over the positions at all levels of a nested list; of a list that is written out with
    values of the state, `[x, y, z][i]`, a choice by the position.
    """
    written = _written_item(lowering, node, scope)
    if written is not None:
        return written
    items, positions = listed(lowering, node, scope)
    rest = _within_lists(items, len(positions))
    if not rest or not isinstance(node.type, Scalar):
        raise CannotCompileError("an item of this list", node.span)

    def item(*places: Value) -> Value:
        entry = _item(items, places)
        return rest[0] if entry is None else entry

    may_fail = order.may_fail(positions)
    low = tables.table_of(lowering, positions, item, node.type, may_fail=may_fail)
    if low is None:
        raise CannotCompileError("a list of this many positions", node.span)
    return low


def _written_item(lowering: Lowering, node: nodes.Builtin, scope: Scope) -> Low | None:
    """An item of a list written out or held; None of other lists, and where an item could fail."""
    source, index = parts(node)
    written, inside = opened(lowering, source, scope)
    meaning = meaning_of(lowering, source, scope)
    is_written = isinstance(written, nodes.Collection) and not isinstance(meaning, Known)
    if not (is_written or isinstance(meaning, Held)) or not isinstance(node.type, Scalar):
        return None
    position = lowering.lower(index, scope)
    if isinstance(meaning, Held):
        place = _guarded(lowering, node, position, meaning.count)
        return numbers.coded(load(meaning.array, place - 1), meaning.type)
    assert isinstance(written, nodes.Collection)
    if any(map(lowering.can_fail, written.items)):
        return None
    place = _guarded(lowering, node, position, integer(len(written.items)))
    chosen = lowering.lower(written.items[-1], inside)
    for number_of, item in reversed(list(enumerate(written.items[:-1], 1))):
        is_here, low = place.eq(number_of), lowering.lower(item, inside)
        chosen = conditions.either(lowering, is_here, low, chosen, node.type, node.span)
    return chosen


def _guarded(lowering: Lowering, node: nodes.Expr, position: Low, count: Expr) -> Expr:
    """A position in a list of so many items; a position outside the list is an error in play."""
    code = (
        position if isinstance(position, Code) else numbers.number_code(position.value, node.span)
    )
    if code.per != 1 or not code.type.is_number or code.type.can_be_none:
        raise CannotCompileError("a position that may lie outside its list", node.span)
    least, most = code.type.interval
    if count.is_const and least >= 1 and most <= count.const:
        return code.expr
    site = lowering.origin.site("E3007", node.span, _outside, ("outside",))
    is_inside = all_of([code.expr.ge(1), code.expr.le(count)])
    return guard(is_inside, code.expr, site, code.expr, count)


def listed(lowering: Lowering, node: nodes.Expr, scope: Scope) -> tuple[Value, list[Low]]:
    """A known list, and the guarded positions in it and its nested lists that lead to an item."""
    if node.called == "[]":
        items, before = listed(lowering, parts(node)[0], scope)
        return items, [*before, _position(lowering, node, items, before, scope)]
    meaning = meaning_of(lowering, node, scope)
    if isinstance(meaning, Known) and isinstance(meaning.value, tuple):
        return meaning.value, []
    inside = behind(lowering, node, scope)
    if inside is not None:
        return listed(lowering, *inside)
    raise CannotCompileError("a list that is not known", node.span)


def _position(
    lowering: Lowering, node: nodes.Expr, items: Value, before: list[Low], scope: Scope
) -> Low:
    """A position, guarded where the position may lie outside the list at the positions `before`.
    Where `before` leads only to `none`, the position is irrelevant; a number becomes 1.
    """
    sizes = [len(row) for row in _within_lists(items, len(before)) if isinstance(row, tuple)]
    of, index = parts(node)
    low = lowering.lower(index, scope)
    if isinstance(low, Known) and low.value is NONE:
        return low
    code = low if isinstance(low, Code) else numbers.number_code(low.value, node.span)
    least, most = code.type.interval
    if code.type.has_numbers and least >= 1 and most <= min(sizes, default=0):
        return low

    def size(*places: Value) -> Value:
        entry = _item(items, places)
        return len(entry) if isinstance(entry, tuple) else 0

    length = tables.table_of(lowering, before, size, number(0, max(sizes, default=0)))
    if length is None or code.per != 1 or not code.type.is_number:
        raise CannotCompileError("a position that may lie outside its list", node.span)
    site = lowering.origin.site("E3007", node.span, _outside, ("outside",))
    count, none = lowering.value(length), lowering.codes.none
    is_inside = all_of([code.expr.ge(1), code.expr.le(count)])
    if code.type.can_be_none:
        is_inside = any_of([code.expr.eq(none), is_inside])
    kind = replace(code.type, low=1, high=max(sizes, default=1))
    if not isinstance(of.type, OptionalType):
        return Code(guard(is_inside, code.expr, site, code.expr, count), kind)
    is_nowhere = any_of(lowering.value(numbers.is_none(lowering, position)) for position in before)
    place = select(is_inside, code.expr, integer(1))
    return Code(guard(any_of([is_inside, is_nowhere]), place, site, code.expr, count), kind)


def _outside(position: int, size: int) -> tuple[str, str | None]:
    return f"position {position} is outside the list, whose positions are 1..{size}", None


def _item(items: Value, places: tuple[Value, ...]) -> Value | None:
    """The item at a path of positions in a nested list; None where a position is outside."""
    try:
        return reduce(operations.list_item, places, items)
    except operations.OperationError:
        return None


def _within_lists(items: Value, depth: int) -> list[Value]:
    """All items at a given depth of a nested list."""
    level = [items]
    for _ in range(depth):
        level = [item for row in level if isinstance(row, tuple) for item in row]
    return level
