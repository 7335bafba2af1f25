"""From a source to its program, the files that it includes among it.

In: a source. Out: a `Program` and diagnostics. An included file is looked for beside the file that
includes it, then in the library of shipped games; nothing else is read.
"""

from __future__ import annotations

import os
from pathlib import Path

from gamedsl.game.library import shipped_game, shipped_games
from gamedsl.source import Diagnostic, SourceFile, nearest, read_source
from gamedsl.syntax import ast, parse
from gamedsl.syntax.including.expand import expand


def read_program(source: SourceFile) -> tuple[ast.Program, tuple[Diagnostic, ...]]:
    """The program of a source and what it includes, and what is wrong with their texts."""
    program, diagnostics = parse(source)
    if any(found.is_error for found in diagnostics):
        return _without_includes(program), diagnostics
    program, more = expand(program, find_included)
    return program, (*diagnostics, *more)


def _without_includes(program: ast.Program) -> ast.Program:
    """What can be said about a program with errors in its text: nothing, if it is a variant."""
    is_variant = any(isinstance(one, ast.IncludeDecl) for one in program.declarations)
    return ast.Program(program.source, ()) if is_variant else program


def find_included(name: str, source: SourceFile) -> SourceFile | Diagnostic:
    """The file that `include "name"` means in a source, or why there is none."""
    looked = []
    if source.path is not None:
        path = Path(os.path.normpath(source.path.absolute().parent / name))
        shown = os.path.normpath(Path(source.name).parent / name)
        if os.path.isfile(path):  # a path too long is none
            return read_source(path, shown)
        looked.append(f"looked for `{shown}`")
    shipped = shipped_game(name.removesuffix(".game")) if "/" not in name else None
    if shipped is not None:
        return read_source(shipped)
    if "/" not in name:
        looked.append("looked among the shipped games, which `gamedsl games` lists")
    if source.path is None:
        looked.append("this text lies in no file, so that only shipped games can be included")
    return _missing(name, source, tuple(looked))


def _missing(name: str, source: SourceFile, looked: tuple[str, ...]) -> Diagnostic:
    beside = [] if source.path is None else source.path.absolute().parent.glob("*.game")
    near = nearest(name, [path.name for path in (*beside, *shipped_games())])
    hint = f"did you mean `{near}`?" if near else None
    message = f"there is no file `{name}` to include"
    return Diagnostic("E0001", message, notes=looked, hint=hint)
