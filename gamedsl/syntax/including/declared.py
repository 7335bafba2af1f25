"""The declarations of a file: their keys, and the lines of each.

In: a `Program` of a single text. Out: a key for each declaration that can be replaced, and a chunk
for each declaration: its lines, with the comments above.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import NamedTuple

from gamedsl.source import SourceFile, Span
from gamedsl.syntax import ast
from gamedsl.syntax.including.weaving import line_end, line_start

Key = tuple[str, str]
"""The key of a declaration; a declaration replaces the included declaration with the same key.
Moves have names of their own; every other name has a single meaning in a file; a game has at most
one of each unnamed section."""

UNKEYED = (ast.GameTitle, ast.IncludeDecl, ast.WithoutDecl, ast.StateDecl, ast.ExpectDecl)
"""Declarations that replace nothing: of a section of variables each one does by itself."""

Replaceable = ast.Declaration | ast.VariableDecl

SINGLE = {
    ast.PlayersDecl: "players", ast.BoardGrid: "board", ast.BoardGraph: "board",
    ast.DirectionsDecl: "directions", ast.SetupDecl: "setup", ast.EndDecl: "end",
    ast.EndlessDecl: "endless", ast.RepeatDecl: "repeat", ast.EvaluateDecl: "evaluate",
    ast.DiscountDecl: "discount", ast.ShowDecl: "show", ast.TreeDecl: "tree",
    ast.Otherwise: "otherwise",
}  # fmt: skip
"""Declarations without a name -> their first word."""

NAMED = {
    ast.ParamDecl: "param", ast.TypeDecl: "type", ast.VariableDecl: "state", ast.DefDecl: "def",
    ast.EffectDecl: "effect", ast.MoveDecl: "move",
}  # fmt: skip
"""Declarations with a name -> their word in `without`."""


class Chunk(NamedTuple):
    """A declaration with its lines."""

    declared: Replaceable
    span: Span


def key_of(declared: Replaceable) -> Key | None:
    """The key of a declaration; None if the declaration neither replaces nor can be replaced."""
    if type(declared) in NAMED:
        kind = "move" if isinstance(declared, ast.MoveDecl) else "name"
        return kind, name_of(declared).text
    is_unkeyed = isinstance(declared, (*UNKEYED, ast.Otherwise))
    return None if is_unkeyed else (SINGLE[type(declared)], "")


def name_of(declared: Replaceable) -> ast.Name:
    """The name of a declaration that has a name."""
    name: ast.Name = declared.name  # type: ignore[union-attr]
    return name


def parameters_of(declared: Replaceable) -> tuple[str, ...]:
    """The names of the parameters of a declaration."""
    match declared:
        case ast.MoveDecl(parameters=parameters):
            return tuple(parameter.name.text for parameter in parameters)
        case ast.DefDecl(parameters=names) | ast.EffectDecl(parameters=names):
            return tuple(name.text for name in names)
    return ()


def replaceable(program: ast.Program) -> Iterator[Replaceable]:
    """All declarations of a program, with state variables in place of their sections."""
    for declared in program.declarations:
        if isinstance(declared, ast.StateDecl):
            yield from declared.variables
        else:
            yield declared


def chunks(source: SourceFile, program: ast.Program) -> tuple[Chunk, ...]:
    """All declarations with their lines; the comment that opens the file belongs to no
    declaration."""
    first = program.declarations[0].span.start
    return lined(source, program.declarations, line_start(source.text, first))


def lined(source: SourceFile, declared: tuple[Replaceable, ...], start: int) -> tuple[Chunk, ...]:
    """Consecutive declarations, each with the lines from the end of the previous declaration."""
    found = []
    for one in declared:
        end = min(line_end(source.text, one.span.end) + 1, len(source.text))
        found.append(Chunk(one, Span(start, end)))
        start = end
    return tuple(found)


def nodes_in(root: object) -> Iterator[ast.Node]:
    """A node and all nodes below it, in order of place."""
    if isinstance(root, ast.Node):
        yield root
        for field in fields(root):
            yield from nodes_in(getattr(root, field.name))
    elif isinstance(root, tuple) and not isinstance(root, Span):
        for part in root:
            yield from nodes_in(part)
