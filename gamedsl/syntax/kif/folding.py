"""Folding of moves that differ in constants alone to a move with parameters.

In: moves without parameters, with the constants of the moves' terms. Out: the common move. Bodies
are compared node by node; constants that differ must be the values of a parameter in all moves, or
numbers at a fixed distance from the values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from gamedsl.source.records import dataclass
from gamedsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Instance:
    """A move and the constants of the move's term, as expressions."""

    move: ast.MoveDecl
    constants: tuple[ast.Expression, ...]


class _DifferentError(Exception):
    """Two bodies do not fit."""


def folded(
    instances: Sequence[Instance],
    names: Sequence[str],
    domains: Sequence[ast.Expression],
    name: str,
) -> ast.MoveDecl | None:
    """The move with a parameter for each constant, named `names`, in `domains`; None if the bodies
    do not fit."""
    move = instances[0].move
    span = move.span
    parameters = tuple(
        ast.Parameter(span, ast.Name(span, text), domain, None)
        for text, domain in zip(names, domains, strict=True)
    )
    columns = tuple(zip(*(instance.constants for instance in instances), strict=True))
    bodies = [_renamed(instance.move.body, instances[0].move.body) for instance in instances]
    try:
        body: ast.Block = _Folding(columns, [part.name for part in parameters]).common(bodies)
    except _DifferentError:
        return None
    return replace(move, name=ast.Name(span, name), parameters=parameters, body=body)


def folded_values(
    values: Sequence[ast.Expression],
    columns: Sequence[tuple[ast.Expression, ...]],
    names: Sequence[ast.Name],
) -> ast.Expression | None:
    """The expression of parameters that has the given values; None if the values do not fit.

    Args:
        columns: for each of `names`, the constants that stand in the values.
    """
    try:
        value: ast.Expression = _Folding(columns, names).common(values)
    except _DifferentError:
        return None
    return value


def folded_by_turn(
    blocks: Sequence[ast.Block], movers: Sequence[ast.Name], players: Sequence[str]
) -> ast.Block | None:
    """The block for all movers, with `turn` for the mover and `opponent` for the other of two
    players; None if the blocks do not fit.

    Args:
        blocks: the block of each of `movers`.
        players: all players.
    """
    assigned = (
        part.target
        for block in blocks
        for part in _statements(block)
        if isinstance(part, ast.Assign)
    )
    if any(isinstance(target, ast.Name) and target.text == "turn" for target in assigned):
        return None
    span = movers[0].span
    columns, names = [tuple(movers)], [ast.Name(span, "turn")]
    if len(players) == 2:
        others = (next(name for name in players if name != mover.text) for mover in movers)
        columns.append(tuple(ast.Name(span, other) for other in others))
        names.append(ast.Name(span, "opponent"))
    renamed = [_renamed(block, blocks[0]) for block in blocks]
    try:
        body: ast.Block = _Folding(columns, names).common(renamed)
    except _DifferentError:
        return None
    return body


def _lets(body: ast.Block) -> list[str]:
    return [part.name.text for part in _statements(body) if isinstance(part, ast.Let)]


def _statements(block: ast.Block) -> Iterator[ast.Statement]:
    """The statements of a block and of the blocks inside."""
    for statement in block:
        yield statement
        if isinstance(statement, ast.If):
            for _, inside in statement.branches:
                yield from _statements(inside)
            yield from _statements(statement.otherwise or ())


def _renamed(body: ast.Block, model: ast.Block) -> ast.Block:
    """A body whose `let`s have the names of the `let`s of `model`."""
    mine, theirs = _lets(body), _lets(model)
    names = dict(zip(mine, theirs, strict=False))
    if mine == theirs or len(mine) != len(theirs):
        return body

    def rename(value: object) -> object:
        if isinstance(value, ast.Name):
            return replace(value, text=names.get(value.text, value.text))
        return ast.rebuilt(value, rename)

    renamed: ast.Block = rename(body)  # type: ignore[assignment]
    return renamed


class _Folding:
    def __init__(
        self, columns: Sequence[tuple[ast.Expression, ...]], names: Sequence[ast.Name]
    ) -> None:
        self.columns = columns
        self.names = names

    def common(self, parts: Sequence[object]) -> Any:
        """The part for all values. Raises _DifferentError."""
        return self._common(tuple(parts))

    def _common(self, values: tuple[object, ...]) -> object:
        first = values[0]
        if all(value == first for value in values):
            return first
        if isinstance(first, ast.Name | ast.Number):
            return self._parameter(values)
        if any(type(value) is not type(first) for value in values):
            raise _DifferentError
        if isinstance(first, tuple):
            if any(len(value) != len(first) for value in values):  # type: ignore[arg-type]
                raise _DifferentError
            return tuple(self._common(parts) for parts in zip(*values, strict=True))
        if not isinstance(first, ast.Node):
            raise _DifferentError
        columns = zip(*map(ast.contents, values), strict=True)  # type: ignore[arg-type]
        return type(first)(first.span, *map(self._common, columns))

    def _parameter(self, values: tuple[object, ...]) -> ast.Expression:
        """The parameter, or the sum of a parameter and a number, with the given values."""
        for column, name in zip(self.columns, self.names, strict=True):
            if all(_is_same(*pair) for pair in zip(column, values, strict=True)):
                return name
        for column, name in zip(self.columns, self.names, strict=True):
            distances = {
                value.value - constant.value
                if isinstance(value, ast.Number) and isinstance(constant, ast.Number)
                else None
                for value, constant in zip(values, column, strict=True)
            }
            distance = distances.pop()
            if not distances and distance is not None:
                sign = "+" if distance > 0 else "-"
                return ast.Binary(name.span, sign, name, ast.Number(name.span, abs(distance)))
        raise _DifferentError


def _is_same(left: object, right: object) -> bool:
    if isinstance(left, ast.Number) and isinstance(right, ast.Number):
        return left.value == right.value
    return isinstance(left, ast.Name) and isinstance(right, ast.Name) and left.text == right.text
