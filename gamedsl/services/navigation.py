"""The declarations and the uses of the names of a text."""

from __future__ import annotations

from gamedsl.services.analysis import Analysis
from gamedsl.services.symbols import Occurrence, Symbol
from gamedsl.source import SourceFile, Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast
from gamedsl.syntax.parse import parse

_NAMED = (
    ast.ParamDecl, ast.TypeDecl, ast.VariableDecl, ast.MoveDecl, ast.DefDecl, ast.EffectDecl,
)  # fmt: skip
"""Declarations that `without` can name."""


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a file."""

    file: SourceFile
    span: Span


def definition(analysis: Analysis, offset: int) -> Place | None:
    """The declaration of the name at a place; for the name of an included file, the start of the
    file."""
    occurrence = analysis.occurrence_at(offset)
    if occurrence is None:
        return _left_out(analysis, offset) or _included_file(analysis, offset)
    return declared_at(analysis, occurrence.symbol)


def declared_at(analysis: Analysis, symbol: Symbol) -> Place | None:
    """The name of a symbol in its declaration; None for symbols without a declaration."""
    if symbol.declared is None:
        return None
    return Place(*analysis.whole.source.local(symbol.declared))


def references(analysis: Analysis, offset: int, with_declaration: bool = True) -> list[Place]:
    """All places of the name at a place, in the text's own file and in the included files."""
    return [
        Place(occurrence.file, occurrence.place)
        for occurrence in _same(analysis, offset)
        if with_declaration or not occurrence.is_declaration
    ]


def highlights(analysis: Analysis, offset: int) -> list[Occurrence]:
    """The places in the text's own file of the name at a place."""
    return [
        occurrence for occurrence in _same(analysis, offset) if analysis.is_own(occurrence.file)
    ]


def _same(analysis: Analysis, offset: int) -> list[Occurrence]:
    asked = analysis.occurrence_at(offset)
    if asked is None:
        return []
    key = _key(asked.symbol)
    included = (
        occurrence for occurrence in analysis.occurrences if not analysis.is_own(occurrence.file)
    )
    return [
        occurrence
        for occurrence in (*analysis.own_occurrences, *included)
        if _key(occurrence.symbol) == key
    ]


def _key(symbol: Symbol) -> tuple[str, str, Span | None]:
    return symbol.kind, symbol.name, symbol.declared


def _left_out(analysis: Analysis, offset: int) -> Place | None:
    """The declaration, in the nearest included file, of the name in a `without` line."""
    for declaration in analysis.program.declarations:
        names = declaration.names if isinstance(declaration, ast.WithoutDecl) else ()
        for name in names:
            if name.span.start <= offset <= name.span.end:
                return _declared_in(analysis.whole.source.files[1:], name.text)
    return None


def _declared_in(files: tuple[SourceFile, ...], name: str) -> Place | None:
    for file in files:
        for declared in parse(file)[0].declarations:
            parts = declared.variables if isinstance(declared, ast.StateDecl) else (declared,)
            for part in parts:
                if isinstance(part, _NAMED) and part.name.text == name:
                    return Place(file, part.name.span)
    return None


def links(analysis: Analysis) -> list[tuple[Span, SourceFile]]:
    """The names of included files in the text, with the files; a name that leads nowhere is left
    out."""
    files = iter(analysis.whole.source.files[1:])
    linked = []
    for declared in analysis.program.declarations:
        if isinstance(declared, ast.IncludeDecl):
            file = next(files, None)
            start = analysis.source.text.find('"', declared.span.start, declared.span.end)
            if file is not None and start >= 0:
                linked.append((Span(start + 1, start + 1 + len(declared.file)), file))
    return linked


def _included_file(analysis: Analysis, offset: int) -> Place | None:
    declared = (
        declaration
        for declaration in analysis.program.declarations
        if isinstance(declaration, ast.IncludeDecl)
    )
    for include in declared:
        if include.span.start <= offset <= include.span.end and analysis.whole.source.files:
            return Place(analysis.whole.source.files[1], Span(0, 0))
    return None
