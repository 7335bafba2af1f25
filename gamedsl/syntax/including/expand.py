"""Expansion of includes: a program and a loader in, a single program out.

In: the program of a file, and a loader for the included files. Out: the program of the combined
text, in which every span has its file, line and column; and diagnostics. If an include cannot be
followed, the result is diagnostics and a program without declarations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from gamedsl.source import Diagnostic, Label, SourceFile
from gamedsl.source.files import LARGEST_FILE
from gamedsl.syntax import ast

Loader = Callable[[str, SourceFile], SourceFile | Diagnostic]
"""Loader of included files: takes the name in quotes and the including source, returns the file or
a diagnostic."""

MOST_FILES = 8
"""Files in a chain of includes, counting the first."""

Expanded = tuple[ast.Program, tuple[Diagnostic, ...]]


def expand(program: ast.Program, load: Loader) -> Expanded:
    """The program with all included files; the program itself if no file is included."""
    return _expanded(program, load, (program.source,))


def _expanded(program: ast.Program, load: Loader, chain: tuple[SourceFile, ...]) -> Expanded:
    includes = [
        declaration
        for declaration in program.declarations
        if isinstance(declaration, ast.IncludeDecl)
    ]
    if not includes:
        return program, _nothing_included(program)
    include = includes[0]
    problem = _misplaced(program, includes) or _refused_name(program.source, include)
    if problem is not None:
        return _failed(program, problem)
    source = load(include.file, program.source)
    if isinstance(source, Diagnostic):
        problem = replace(source, primary=Label(include.span), source=program.source)
        return _failed(program, problem)
    problem = _too_much(program.source, include, (*chain, source))
    if problem is not None:
        return _failed(program, problem)
    included, errors = _read(source, load, chain)
    if errors:
        return _failed(program, *errors)
    from gamedsl.syntax.including.difference import Difference

    text, left_out, diagnostics = Difference(program, included).run()
    if any(diagnostic.is_error for diagnostic in diagnostics):
        return _failed(program, *diagnostics)
    from gamedsl.syntax.parse import parse

    whole, more = parse(text)
    return replace(whole, left_out=left_out | included.left_out), (*diagnostics, *more)


def _read(
    source: SourceFile, load: Loader, chain: tuple[SourceFile, ...]
) -> tuple[ast.Program, tuple[Diagnostic, ...]]:
    """An included file, expanded too, and the errors in it."""
    program, errors = _parsed(source)
    if not errors:
        program, diagnostics = _expanded(program, load, (*chain, source))
        errors = tuple(diagnostic for diagnostic in diagnostics if diagnostic.is_error)
    return program, errors


@lru_cache(maxsize=MOST_FILES)
def _parsed(source: SourceFile) -> tuple[ast.Program, tuple[Diagnostic, ...]]:
    """The program of an included text, cached while an editor changes the including text."""
    from gamedsl.syntax.parse import parse

    return parse(source)


def _failed(program: ast.Program, *diagnostics: Diagnostic) -> Expanded:
    return ast.Program(program.source, ()), diagnostics


def _nothing_included(program: ast.Program) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(
            "E0007",
            "this file includes nothing that could be left out",
            Label(declaration.span),
            program.source,
            hint='a variant of another file begins with `include "chess.game"`',
        )
        for declaration in program.declarations
        if isinstance(declaration, ast.WithoutDecl)
    )


def _misplaced(program: ast.Program, includes: list[ast.IncludeDecl]) -> Diagnostic | None:
    first, *more = includes
    if more:
        return Diagnostic(
            "E0006",
            "a second `include`: a file is the difference from one other",
            Label(more[0].span),
            program.source,
            (Label(first.span, "the first one"),),
            hint="let the included file include the other one",
        )
    above = next(
        declaration
        for declaration in program.declarations
        if not isinstance(declaration, ast.GameTitle)
    )
    if above is first:
        return None
    message = "`include` stands above all that replaces what it includes"
    hint = "put it at the top of the file"
    return Diagnostic("E0006", message, Label(first.span), program.source, hint=hint)


def _refused_name(source: SourceFile, include: ast.IncludeDecl) -> Diagnostic | None:
    """A diagnostic for an invalid file name, before any file is searched."""
    name = include.file
    hint = None
    if "\\" in name or name.startswith(("/", "~")) or ":" in name:
        message = f"`{name}` is no relative path"
        hint = 'name the file as seen from this one, as in `include "variants/chess.game"`'
    elif not name.endswith(".game"):
        message = "only files of rules can be included, whose names end in `.game`"
        hint = f'write `include "{name}.game"`' if name and "." not in name else None
    else:
        return None
    return Diagnostic("E0004", message, Label(include.span), source, hint=hint)


def _too_much(
    source: SourceFile, include: ast.IncludeDecl, chain: tuple[SourceFile, ...]
) -> Diagnostic | None:
    *above, last = chain
    code = "E0005"
    if any(_is_same(last, file) for file in above):
        way = " -> ".join(file.name for file in chain)
        message = f"`{last.name}` includes itself: {way}"
    elif len(chain) > MOST_FILES:
        message = f"files include each other more than {MOST_FILES} deep"
    elif sum(len(file.text) for file in chain) > LARGEST_FILE:
        code, message = "E0003", f"the included files are larger than {LARGEST_FILE:,} characters"
    else:
        return None
    return Diagnostic(code, message, Label(include.span), source)


def _is_same(left: SourceFile, right: SourceFile) -> bool:
    if left.path is None or right.path is None:
        return left.name == right.name
    return left.path == right.path
