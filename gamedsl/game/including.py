"""Reading of a program from a source and its included files.

An included file is searched beside the including file, then in the library of shipped games; no
other files are read.
"""

from __future__ import annotations

import os
from pathlib import Path

from gamedsl.game.library import shipped_game, shipped_games
from gamedsl.source import Diagnostic, SourceFile, nearest, read_source
from gamedsl.syntax import ast
from gamedsl.syntax.including.expand import Loader, expand
from gamedsl.syntax.parsed import parsed


def read_program(
    source: SourceFile, in_place: SourceFile | None = None, load: Loader | None = None
) -> tuple[ast.Program, tuple[Diagnostic, ...]]:
    """The program of a source with its included files, and diagnostics of their texts. `in_place`:
    a text used instead of the included file. `load`: finds files, instead of `find_included`.
    """
    program, diagnostics = parsed(source)
    if any(diagnostic.is_error for diagnostic in diagnostics):
        return _without_includes(program), diagnostics
    if in_place is not None and not _includes_any(program):
        return ast.Program(program.source, ()), (*diagnostics, _nothing_to_replace(source))

    def locate(name: str, asking: SourceFile) -> SourceFile | Diagnostic:
        is_first = in_place is not None and asking is program.source
        return (
            in_place if is_first and in_place is not None else (load or find_included)(name, asking)
        )

    program, more = expand(program, locate)
    return program, (*diagnostics, *more)


def _nothing_to_replace(source: SourceFile) -> Diagnostic:
    return Diagnostic(
        "E0009",
        f"`{source.name}` includes no game whose place another one could take",
        source=source,
        hint='a file of claims begins with `include "NAME.game"`',
    )


def _includes_any(program: ast.Program) -> bool:
    return any(isinstance(declaration, ast.IncludeDecl) for declaration in program.declarations)


def _without_includes(program: ast.Program) -> ast.Program:
    """The usable part of a program with errors in its text: empty for a variant."""
    return ast.Program(program.source, ()) if _includes_any(program) else program


def find_included(name: str, source: SourceFile) -> SourceFile | Diagnostic:
    """The file that `include "name"` means in a source, or a diagnostic."""
    looked = []
    if source.path is not None:
        path = Path(os.path.normpath(source.path.absolute().parent / name))
        shown = os.path.normpath(Path(source.name).parent / name)
        if os.path.isfile(path):  # isfile is false for a path that is too long
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
    neighbours = [] if source.path is None else source.path.absolute().parent.glob("*.game")
    near = nearest(name, [path.name for path in (*neighbours, *shipped_games())])
    hint = f"did you mean `{near}`?" if near else None
    message = f"there is no file `{name}` to include"
    return Diagnostic("E0001", message, notes=looked, hint=hint)
