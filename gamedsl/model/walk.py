"""Walk typed nodes: the parts of an expression, the expressions and blocks of a statement.

The functions read the annotations of the fields, so that a new class of nodes needs no line here.
The order of the fields is the order of evaluation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from functools import cache
from operator import attrgetter, is_
from typing import Any, TypeVar

from gamedsl.model import nodes

Held = nodes.Clause | nodes.Weighted | nodes.Place
"""Classes whose expressions are parts of the node around."""

PARTS = "Expr|Clause|Weighted|Place"
"""Words of the annotations of fields with expressions."""

Node = TypeVar("Node", bound="nodes.Expr | nodes.Statement | Held")


def expressions_of(
    node: nodes.Expr | nodes.Statement | nodes.Parameter | Held,
) -> tuple[nodes.Expr, ...]:
    """The expressions directly in a node, without the expressions in its blocks; for a call the
    arguments, not the body."""
    return _reader(type(node))(node)  # type: ignore[arg-type]


parts: Callable[[nodes.Expr], tuple[nodes.Expr, ...]] = expressions_of
"""The direct sub-expressions."""


def with_parts(node: Node, change: Callable[[nodes.Expr], nodes.Expr]) -> Node:
    """The node with `change` applied to each direct sub-expression; the same object if no part
    changes.

    Slots are kept. In a call the arguments change, not the body.
    """
    names = _fields_with(type(node), PARTS)  # type: ignore[arg-type]
    old = {name: getattr(node, name) for name in names}
    new = {name: _changed(content, change) for name, content in old.items()}
    return node if all(map(is_, old.values(), new.values())) else replace(node, **new)


def _changed(content: Any, change: Callable[[nodes.Expr], nodes.Expr]) -> Any:
    if isinstance(content, nodes.Typed):
        return change(content)  # type: ignore[arg-type]
    if isinstance(content, tuple):
        made = tuple(_changed(item, change) for item in content)
        return content if all(map(is_, content, made)) else made
    return with_parts(content, change) if isinstance(content, Held) else content


@cache
def _fields_with(kind: type[object], words: str) -> dict[str, str]:
    """The fields of a class whose annotation contains one of the words, with the annotation."""
    texts = {field.name: str(field.type) for field in fields(kind)}  # type: ignore[arg-type]
    return {name: text for name, text in texts.items() if re.search(rf"\b({words})\b", text)}


@cache
def _reader(kind: type[object]) -> Callable[[Any], tuple[nodes.Expr, ...]]:
    """The function from a node of a class to its expressions."""
    names = _fields_with(kind, PARTS)  # type: ignore[arg-type]
    match tuple(names.values()):
        case ():
            return lambda _: ()
        case ("tuple[Expr, ...]",) | ("Expr", "Expr") | ("Expr", "Expr", "Expr"):
            return attrgetter(*names)
    return lambda node: tuple(_flat(getattr(node, name) for name in names))


def _flat(contents: Iterable[object]) -> Iterator[Any]:
    """The expressions in fields; statements are passed over."""
    for content in contents:
        if isinstance(content, nodes.Typed):
            yield content
        elif isinstance(content, tuple):
            yield from _flat(content)
        elif isinstance(content, Held):
            yield from expressions_of(content)


def within(node: nodes.Expr) -> Iterator[nodes.Expr]:
    """The node and all nodes below, bodies of called `def`s included (without repetition)."""
    seen: set[int] = set()
    pending: list[nodes.Expr] = [node]
    while pending:
        part = pending.pop()
        yield part
        pending.extend(parts(part))
        body = body_of(part)
        if body is not None and id(body) not in seen:
            seen.add(id(body))
            pending.append(body)


def body_of(node: nodes.Expr) -> nodes.Expr | None:
    """The body behind a call of a `def`; None for other nodes, and during the elaboration of the
    body."""
    match node:
        case nodes.Apply():
            return node.definition.body
        case nodes.ApplyRecursive():
            return node.definition.body
    return None


def sides_of(node: nodes.Expr) -> Iterator[nodes.Expr]:
    """The operands of a union, from the left, with nested unions flattened; of any other
    expression the expression."""
    if node.called != "|":
        yield node
        return
    for side in parts(node):
        yield from sides_of(side)


def conjuncts(
    node: nodes.Expr, opened: Callable[[nodes.Apply], nodes.Expr] | None = None
) -> list[nodes.Expr]:
    """The parts of nested `and`s, in order; also of calls, if `opened` expands calls."""
    if opened is not None and isinstance(node, nodes.Apply):
        node = opened(node)
    if isinstance(node, nodes.Logic) and node.operator == "and":
        return [part for operand in node.operands for part in conjuncts(operand, opened)]
    return [node]


def with_blocks(
    statement: nodes.Statement, change: Callable[[nodes.Block], nodes.Block]
) -> nodes.Statement:
    """The statement with `change` applied to each block directly below."""
    names = _fields_with(type(statement), "Block")  # type: ignore[arg-type]
    changed: dict[str, Any] = {}
    for name, annotation in names.items():
        content = getattr(statement, name)
        is_block = annotation == "Block"
        changed[name] = change(content) if is_block else tuple((a, change(b)) for a, b in content)
    return replace(statement, **changed) if changed else statement


def blocks_of(statement: nodes.Statement) -> tuple[nodes.Block, ...]:
    """The blocks directly below a statement."""
    blocks: list[nodes.Block] = []
    names = _fields_with(type(statement), "Block")  # type: ignore[arg-type]
    for name, annotation in names.items():
        content = getattr(statement, name)
        blocks += [content] if annotation == "Block" else [block for _, block in content]
    return tuple(blocks)


def statements(block: nodes.Block) -> Iterator[nodes.Statement]:
    """Every statement of a block, nested ones included, in order."""
    pending = list(reversed(block))
    while pending:
        statement = pending.pop()
        yield statement
        for inner in reversed(blocks_of(statement)):
            pending.extend(reversed(inner))


def expressions_of_move(move: nodes.Move) -> Iterator[nodes.Expr]:
    """Every expression of a move: of the parameters and of the body, bodies of called `def`s
    included."""
    for parameter in move.parameters:
        for expression in expressions_of(parameter):
            yield from within(expression)
    yield from all_expressions(move.body)


def all_expressions(block: nodes.Block) -> Iterator[nodes.Expr]:
    """Every expression in a block, bodies of called `def`s included."""
    for statement in statements(block):
        for expression in expressions_of(statement):
            yield from within(expression)
