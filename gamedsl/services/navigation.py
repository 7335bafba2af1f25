"""Where the names of a text are declared and used, and how they are renamed.

In: an `Analysis` and an offset. Out: places. A rename is only answered if afterwards every name
refers to what it referred to, and the text has the same findings as before.
"""

from __future__ import annotations

from gamedsl.services.analysis import Analysis, analyse
from gamedsl.services.changes import Edit, applied
from gamedsl.services.symbols import Occurrence, Symbol, SymbolKind
from gamedsl.source import SourceFile, Span
from gamedsl.source.records import dataclass
from gamedsl.source.text import source_from_text
from gamedsl.syntax import ast, parse
from gamedsl.syntax.including.expand import Loader
from gamedsl.syntax.scan import Kind, lexemes_of

_NAMED = (
    ast.ParamDecl, ast.TypeDecl, ast.VariableDecl, ast.MoveDecl, ast.DefDecl, ast.EffectDecl,
)  # fmt: skip
"""What a `without` names."""


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a file."""

    file: SourceFile
    span: Span


class RenameRefusedError(ValueError):
    """Why a name cannot be changed, in a sentence for people."""


def definition(analysis: Analysis, offset: int) -> Place | None:
    """Where the name at a place is declared; of what is included, where the file begins."""
    found = analysis.occurrence_at(offset)
    if found is None:
        return _left_out(analysis, offset) or _included_file(analysis, offset)
    return declared_at(analysis, found.symbol)


def declared_at(analysis: Analysis, symbol: Symbol) -> Place | None:
    """The name of a symbol in its declaration; None for what nothing declares."""
    if symbol.declared is None:
        return None
    return Place(*analysis.whole.source.local(symbol.declared))


def references(analysis: Analysis, offset: int, with_declaration: bool = True) -> list[Place]:
    """All places of the name at a place, in this file and in those that it includes."""
    return [
        Place(one.file, one.place)
        for one in _same(analysis, offset)
        if with_declaration or not one.is_declaration
    ]


def highlights(analysis: Analysis, offset: int) -> list[Occurrence]:
    """The places in this file of the name at a place."""
    return [one for one in _same(analysis, offset) if analysis.is_own(one.file)]


def _same(analysis: Analysis, offset: int) -> list[Occurrence]:
    found = analysis.occurrence_at(offset)
    if found is None:
        return []
    key = _key(found.symbol)
    included = (one for one in analysis.occurrences if not analysis.is_own(one.file))
    return [one for one in (*analysis.own, *included) if _key(one.symbol) == key]


def _key(symbol: Symbol) -> tuple[str, str, Span | None]:
    return symbol.kind, symbol.name, symbol.declared


def _left_out(analysis: Analysis, offset: int) -> Place | None:
    """Where the name that a `without` leaves out is declared, in the nearest included file."""
    for one in analysis.program.declarations:
        names = one.names if isinstance(one, ast.WithoutDecl) else ()
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


def _included_file(analysis: Analysis, offset: int) -> Place | None:
    declared = (one for one in analysis.program.declarations if isinstance(one, ast.IncludeDecl))
    for one in declared:
        if one.span.start <= offset <= one.span.end and analysis.whole.source.files:
            return Place(analysis.whole.source.files[1], Span(0, 0))
    return None


# --- renaming ----------------------------------------------------------------------------------


def renameable(analysis: Analysis, offset: int) -> Span:
    """The name at a place. Raises `RenameRefusedError` where there is none that can be changed."""
    return _to_rename(analysis, offset).place


def rename(
    analysis: Analysis, offset: int, new_name: str, load: Loader | None = None
) -> tuple[Edit, ...]:
    """The changes that give what is named at a place another name.

    Raises `RenameRefusedError` if there is nothing to rename, if the name is none, or if something
    would mean another thing afterwards.
    """
    found = _to_rename(analysis, offset)
    lexemes = lexemes_of(new_name, 0, len(new_name))
    if len(lexemes) != 1 or lexemes[0].kind is not Kind.NAME or lexemes[0].text != new_name:
        raise RenameRefusedError(f"`{new_name}` is no name: a letter, then letters, digits and `_`")
    places = highlights(analysis, offset)
    edits = tuple(Edit(one.place, new_name) for one in places)
    if new_name == found.symbol.name:
        return ()
    old = analysis.source
    text = applied(old.text, edits)
    source = source_from_text(text, old.name, old.path)
    after = analyse(source) if load is None else analyse(source, load)
    problem = _difference(analysis, after, found, places, new_name)
    if problem is not None:
        raise RenameRefusedError(problem)
    return edits


def _to_rename(analysis: Analysis, offset: int) -> Occurrence:
    found = analysis.occurrence_at(offset)
    if found is None:
        raise RenameRefusedError("there is no name here")
    symbol = found.symbol
    if symbol.declared is None:
        raise RenameRefusedError(f"`{symbol.name}` is a {_kind(symbol)}; nothing here declares it")
    place = declared_at(analysis, symbol)
    assert place is not None
    others = [one.file for one in _same(analysis, offset) if not analysis.is_own(one.file)]
    if not analysis.is_own(place.file) or others:
        name = (place.file if not analysis.is_own(place.file) else others[0]).name
        raise RenameRefusedError(f"`{symbol.name}` also stands in {name}, which is included here")
    if symbol.name in analysis.program.broken:
        raise RenameRefusedError(f"`{symbol.name}` also stands in a line that cannot be read")
    return found


def _kind(symbol: Symbol) -> str:
    return "square of the board" if symbol.kind is SymbolKind.SQUARE else symbol.kind.value


def _difference(
    before: Analysis,
    after: Analysis,
    found: Occurrence,
    places: list[Occurrence],
    new_name: str,
) -> str | None:
    """What would mean something else after a rename, or None."""
    old_name = found.symbol.name
    longer = len(new_name) - len(old_name)
    starts = sorted(one.place.start for one in places)

    def moved(span: Span) -> Span:
        start = span.start + longer * sum(one < span.start for one in starts)
        end = span.end + longer * sum(one < span.end for one in starts)
        return Span(start, end)

    known = {(one.code, one.message) for one in before.diagnostics}
    for one in after.diagnostics:
        was = (one.code, one.message.replace(f"`{new_name}`", f"`{old_name}`"))
        if one.is_error and was not in known and (one.code, one.message) not in known:
            return f"with the name `{new_name}` there would be a mistake: {one.message}"
    meant = {
        moved(one.place): (one.symbol.kind, _moved_declaration(before, one, moved))
        for one in before.own
    }
    means = {
        one.place: (one.symbol.kind, _moved_declaration(after, one, lambda span: span))
        for one in after.own
    }
    for place in sorted(meant.keys() | means.keys()):
        if meant.get(place) != means.get(place):
            line, _ = after.source.position(place.start)
            return f"`{new_name}` would change what a name in line {line} stands for"
    return None


def _moved_declaration(analysis: Analysis, one: Occurrence, moved: object) -> object:
    """Where the declaration of a name is, told apart from those in other files."""
    place = declared_at(analysis, one.symbol)
    if place is None:
        return one.symbol.name
    if not analysis.is_own(place.file):
        return place.file.name, place.span
    assert callable(moved)
    return moved(place.span)
