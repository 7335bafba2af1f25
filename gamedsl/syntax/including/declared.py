"""The declarations of a file, with keys and lines.

In: a `Program` of a single text. Out: a key for each replaceable declaration, and a chunk for every
declaration: the lines, with the comments above.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gamedsl.source import SourceFile, Span
from gamedsl.syntax import ast
from gamedsl.syntax.including.weaving import line_end, line_start

Key = tuple[str, str]
"""The key of a declaration; a declaration replaces the included declaration with an equal key.
Moves have a namespace of their own; all further names share one namespace; a game has at most one
section of each unnamed kind."""

UNKEYED = (ast.GameTitle, ast.IncludeDecl, ast.WithoutDecl, ast.StateDecl, ast.ExpectDecl)
"""Declarations without a key, besides `otherwise`. The variables of a `state:` section have keys,
the section has no key."""

Replaceable = ast.Declaration | ast.VariableDecl

SINGLE = {
    ast.PlayersDecl: "players", ast.BoardGrid: "board", ast.BoardGraph: "board",
    ast.DirectionsDecl: "directions", ast.SetupDecl: "setup", ast.EndDecl: "end",
    ast.EndlessDecl: "endless", ast.RepeatDecl: "repeat", ast.EvaluateDecl: "evaluate",
    ast.DiscountDecl: "discount", ast.ShowDecl: "show", ast.TreeDecl: "tree",
    ast.Otherwise: "otherwise",
}  # fmt: skip
"""Unnamed declarations -> the first word."""

NAMED = {
    ast.ParamDecl: "param", ast.TypeDecl: "type", ast.VariableDecl: "state", ast.DefDecl: "def",
    ast.EffectDecl: "effect", ast.MoveDecl: "move",
}  # fmt: skip
"""Named declarations -> the word for `without`."""


class Chunk(NamedTuple):
    """A declaration and the span of its lines."""

    declared: Replaceable
    span: Span


def key_of(declared: Replaceable) -> Key | None:
    """The key of a declaration; None for declarations without a key."""
    if type(declared) in NAMED:
        kind = "move" if isinstance(declared, ast.MoveDecl) else "name"
        return kind, name_of(declared).text
    is_unkeyed = isinstance(declared, (*UNKEYED, ast.Otherwise))
    return None if is_unkeyed else (SINGLE[type(declared)], "")


def name_of(declared: Replaceable) -> ast.Name:
    """The name of a named declaration."""
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
    """All declarations of a program, with state variables in place of `state:` sections."""
    for declared in program.declarations:
        if isinstance(declared, ast.StateDecl):
            yield from declared.variables
        else:
            yield declared


def chunks(source: SourceFile, program: ast.Program) -> tuple[Chunk, ...]:
    """All declarations with their lines; the comment at the top of the file belongs to no
    declaration."""
    first = program.declarations[0].span.start
    return lined(source, program.declarations, line_start(source.text, first))


def lined(source: SourceFile, declared: tuple[Replaceable, ...], start: int) -> tuple[Chunk, ...]:
    """Consecutive declarations with their lines, from the end of the previous declaration on."""
    pieces = []
    for declaration in declared:
        end = min(line_end(source.text, declaration.span.end) + 1, len(source.text))
        pieces.append(Chunk(declaration, Span(start, end)))
        start = end
    return tuple(pieces)
