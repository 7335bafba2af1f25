"""Rewriting of values and statements: a function is applied to every part.

Unchanged parts stay the same objects. The order of evaluation is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import invert, neg
from typing import Any

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import (
    Op,
    Value,
    _binary,
    _compare,
    _shift,
    absolute,
    all_of,
    any_of,
    count,
    highest,
    lookup,
    lowest,
    make,
    name,
    not_,
    select,
    to_int,
)

Rewrite = Callable[[Value], Value]


_ANEW: Mapping[Op, Callable[..., Value]] = {
    **{op: partial(_binary, op) for op in (
        Op.AND, Op.OR, Op.XOR, Op.ADD, Op.SUB, Op.MUL, Op.FLOORDIV, Op.MOD, Op.MIN, Op.MAX,
    )},
    **{op: partial(_compare, op) for op in (Op.EQ, Op.NE, Op.LT, Op.LE)},
    **{op: partial(_shift, op) for op in (Op.SHL, Op.SHR)},
    Op.ALL: lambda *conditions: all_of(conditions), Op.ANY: lambda *conditions: any_of(conditions),
    Op.NOT: not_, Op.SELECT: select, Op.COMPLEMENT: invert, Op.NEGATE: neg, Op.TO_INT: to_int,
    Op.LOWEST: lowest, Op.HIGHEST: highest, Op.COUNT: count, Op.ABS: absolute,
}  # fmt: skip
"""The functions that make and fold the operations."""


def remade(value: Value, args: tuple[Value, ...]) -> Value:
    """The same operation on new arguments, folded."""
    if args == value.args:
        return value
    if value.op is Op.LOOKUP:
        assert isinstance(value.arg, tuple)
        return lookup(value.arg, args[0], value.type)
    if value.op in _ANEW:
        return _ANEW[value.op](*args)
    return make(value.op, value.type, args, value.arg, value.can_fail)


_HOLDERS = {
    role: {kind for kind, roles in ir.ROLES.items() if role in roles.values()}
    for role in ("Body", "Value", "target")
}
"""The classes of statements that have a field with a role."""


class Rewriter:
    """Applies a function to every part of a value, from the innermost outwards, each part once."""

    def __init__(self, change: Rewrite) -> None:
        self._change = change
        self._done: dict[Value, Value] = {}

    def __call__(self, value: Value) -> Value:
        """The rewritten value."""
        done = self._done
        if value in done:
            return done[value]
        for part in ir.parts(value, done):
            args = tuple([done[arg] for arg in part.args])
            done[part] = self._change(remade(part, args))
        return done[value]


def map_values(body: ir.Body, change: Rewrite, target: Rewrite | None = None) -> ir.Body:
    """A body with every evaluated value replaced as a whole; `target`: the function for assigned
    names.
    """
    return tuple(
        with_blocks(
            with_values(statement, change, target), lambda block: map_values(block, change, target)
        )
        for statement in body
    )


def with_blocks(statement: ir.Statement, change: Callable[[ir.Body], ir.Body]) -> ir.Statement:
    """A statement with its blocks replaced."""
    kind = type(statement)
    if kind not in _HOLDERS["Body"]:
        return statement
    contents: list[Any] = []
    for title, role in ir.ROLES[kind].items():
        content = getattr(statement, title)
        contents.append(change(content) if role == "Body" else content)
    return kind(*contents)


def with_values(
    statement: ir.Statement, change: Rewrite, target: Rewrite | None = None
) -> ir.Statement:
    """A statement with the values replaced that it evaluates itself, in the order of evaluation;
    `target`: the function for assigned names.
    """
    kind = type(statement)
    if kind not in _HOLDERS["Value"] and (target is None or kind not in _HOLDERS["target"]):
        return statement
    contents: list[Any] = []
    for title, role in ir.ROLES[kind].items():
        content = getattr(statement, title)
        function = change if role == "Value" else target if role == "target" else None
        if function is not None:
            is_several = isinstance(content, tuple)
            content = tuple(map(function, content)) if is_several else function(content)
        contents.append(content)
    return kind(*contents)


def substitute(value: Value, values: Mapping[str, Value]) -> Value:
    """A value with names replaced by values."""
    if not values or value.names.isdisjoint(values):
        return value

    def change(part: Value) -> Value:
        return values.get(part.name, part) if part.op is Op.NAME else part

    return Rewriter(change)(value)


def rename(body: ir.Body, names: Mapping[str, str]) -> ir.Body:
    """A body with renamed locals."""

    def change(part: Value) -> Value:
        if part.op is Op.NAME and part.name in names:
            return name(names[part.name], part.type)
        if part.op in {Op.STATE, Op.BIND} and part.name in names:
            return make(part.op, part.type, part.args, names[part.name])
        return part

    rewriter = Rewriter(change)
    return map_values(body, rewriter, rewriter)
