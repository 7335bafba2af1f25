"""Renaming of a name in all files in which the name occurs.

In: an `Analysis`, an offset, and the texts that may include the text. Out: changes, file by file.
Changes are returned only if every name of every text keeps its meaning and each text keeps its
findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from gamedsl.game.including import find_included
from gamedsl.game.library import games_folder
from gamedsl.services.analysis import Analysis, analyse
from gamedsl.services.changes import Edit, applied
from gamedsl.services.navigation import declared_at
from gamedsl.services.symbols import Occurrence, Symbol, SymbolKind
from gamedsl.source import Diagnostic, SourceFile, Span
from gamedsl.source.records import dataclass
from gamedsl.source.text import source_from_text
from gamedsl.syntax import ast
from gamedsl.syntax.including.expand import Loader
from gamedsl.syntax.scan import Kind, lexemes_of


class RenameRefusedError(ValueError):
    """Why a name cannot be changed, in a sentence for people."""


@dataclass(frozen=True, slots=True)
class FileEdits:
    """The changes of a file."""

    file: SourceFile
    edits: tuple[Edit, ...]


def renameable(analysis: Analysis, offset: int) -> Span:
    """The name at a place. Raises `RenameRefusedError` if no name stands at the place, or the name
    cannot be changed."""
    return _to_rename(analysis, offset).place


def rename(
    analysis: Analysis,
    offset: int,
    new_name: str,
    load: Loader = find_included,
    others: Iterable[Analysis] = (),
) -> tuple[FileEdits, ...]:
    """The changes that rename the symbol at a place, the changes of the analysed file first.

    `others` are the texts in which the name may occur too: the texts that include the analysed
    file, and the included texts.

    Raises `RenameRefusedError` if no name stands at the place, if `new_name` is not a valid name,
    or if the meaning of a name would change.
    """
    occurrence = _to_rename(analysis, offset)
    lexemes = lexemes_of(new_name, 0, len(new_name))
    if len(lexemes) != 1 or lexemes[0].kind is not Kind.NAME or lexemes[0].text != new_name:
        raise RenameRefusedError(f"`{new_name}` is no name: a letter, then letters, digits and `_`")
    old_name = occurrence.symbol.name
    if new_name == old_name:
        return ()
    places = _Places(analysis, occurrence.symbol, others)
    for affected in places.affected:
        if old_name in affected.program.broken:
            where = "" if affected is analysis else f" of {affected.source.name}"
            raise RenameRefusedError(
                f"`{old_name}` also stands in a line{where} that cannot be read"
            )
    changes = {
        key: FileEdits(file, tuple(Edit(span, new_name) for span in sorted(spans)))
        for key, (file, spans) in places.by_file.items()
    }
    _refuse_shipped(analysis.source, changes.values(), old_name)
    change = _Change(old_name, new_name, changes, load)
    for affected in places.affected:
        problem = change.problem_in(affected)
        if problem is not None:
            where = "" if affected is analysis else f"{affected.source.name}: "
            raise RenameRefusedError(where + problem)
    edited_key = _key(analysis.source)
    return tuple(changes[key] for key in sorted(changes, key=lambda key: (key != edited_key, key)))


def _to_rename(analysis: Analysis, offset: int) -> Occurrence:
    occurrence = analysis.occurrence_at(offset)
    if occurrence is None:
        raise RenameRefusedError("there is no name here")
    symbol = occurrence.symbol
    if symbol.declared is None:
        raise RenameRefusedError(f"`{symbol.name}` is a {_kind(symbol)}; nothing here declares it")
    if symbol.name in analysis.program.broken:
        raise RenameRefusedError(f"`{symbol.name}` also stands in a line that cannot be read")
    return occurrence


def _kind(symbol: Symbol) -> str:
    return "square of the board" if symbol.kind is SymbolKind.SQUARE else symbol.kind.value


def _refuse_shipped(edited: SourceFile, changes: Iterable[FileEdits], name: str) -> None:
    """Raises `RenameRefusedError` for a change of a shipped game, or of a text without a file,
    except the edited text and files in the folder of the edited text."""
    shipped = games_folder()
    for change in changes:
        path = change.file.path
        is_near = edited.path is not None and path is not None and edited.path.parent == path.parent
        if change.file is not edited and not is_near and (path is None or path.parent == shipped):
            message = f"`{name}` also stands in {change.file.name}, which comes with this program"
            raise RenameRefusedError(message)


def _key(file: SourceFile) -> str:
    return file.name if file.path is None else str(file.path)


def _files(analysis: Analysis) -> Iterator[str]:
    """The keys of the text's own file and of the included files."""
    yield _key(analysis.source)
    yield from map(_key, analysis.whole.source.files)


class _Places:
    """All places of a symbol, in all texts that know the symbol.

    A global name is shared by all texts that include the file. In a variant, a replacing
    declaration and a `without` line use the name of the included declaration.

    Attributes:
        by_file: the places by the keys of files.
        affected: the texts with at least one place, in the text itself or in an included file.
    """

    def __init__(self, asking: Analysis, symbol: Symbol, related: Iterable[Analysis]) -> None:
        self.by_file: dict[str, tuple[SourceFile, set[Span]]] = {}
        self.affected: list[Analysis] = []
        self._name = symbol.name
        self._kind = symbol.kind
        self._is_global = asking.globals.get(symbol.name) == symbol
        self._declared = {_declaration(asking, symbol)}
        waiting = [asking]
        rest = [analysis for analysis in related if _key(analysis.source) != _key(asking.source)]
        while waiting:
            for analysis in waiting:
                self.affected.append(analysis)
                self._enter(analysis)
            waiting = [
                analysis
                for analysis in rest
                if not self.by_file.keys().isdisjoint(_files(analysis))
            ]
            rest = [analysis for analysis in rest if analysis not in waiting]

    def _enter(self, analysis: Analysis) -> None:
        included = (
            occurrence
            for occurrence in analysis.occurrences
            if not analysis.is_own(occurrence.file)
        )
        for occurrence in (*analysis.own_occurrences, *included):
            if self._is_same(analysis, occurrence.symbol):
                self._declared.add(_declaration(analysis, occurrence.symbol))
                self._add(occurrence.file, occurrence.place)
        if self._is_global:
            for declared in analysis.program.declarations:
                for name in declared.names if isinstance(declared, ast.WithoutDecl) else ():
                    if name.text == self._name:
                        self._add(analysis.source, name.span)

    def _is_same(self, analysis: Analysis, symbol: Symbol) -> bool:
        if symbol.name != self._name or symbol.kind is not self._kind:
            return False
        if self._is_global and analysis.globals.get(symbol.name) == symbol:
            return True
        return _declaration(analysis, symbol) in self._declared

    def _add(self, file: SourceFile, place: Span) -> None:
        self.by_file.setdefault(_key(file), (file, set()))[1].add(place)


def _declaration(analysis: Analysis, symbol: Symbol) -> tuple[str, Span] | None:
    place = declared_at(analysis, symbol)
    return None if place is None else (_key(place.file), place.span)


@dataclass(frozen=True, slots=True)
class _Change:
    """New texts of files, and the effect on the meanings in other texts."""

    old_name: str
    new_name: str
    changes: dict[str, FileEdits]
    load: Loader

    def problem_in(self, before: Analysis) -> str | None:
        """The first name whose meaning would change in a text, or the first new error, as a
        sentence; None if there is no problem."""
        after = analyse(self._changed(before.source), self._loaded)
        known = {(diagnostic.code, diagnostic.message) for diagnostic in before.diagnostics}
        new, old = f"`{self.new_name}`", f"`{self.old_name}`"
        for diagnostic in after.diagnostics:
            was = (diagnostic.code, diagnostic.message.replace(new, old))
            if (
                diagnostic.is_error
                and was not in known
                and (diagnostic.code, diagnostic.message) not in known
            ):
                return f"with the name {new} there would be a mistake: {diagnostic.message}"
        meant = dict(_meanings(before, self._moved))
        means = dict(_meanings(after, lambda _, span: span))
        for place in sorted(meant.keys() | means.keys()):
            if meant.get(place) != means.get(place):
                line, _ = after.source.position(place.start)
                return f"{new} would change what a name in line {line} stands for"
        return None

    def _changed(self, source: SourceFile) -> SourceFile:
        change = self.changes.get(_key(source))
        if change is None:
            return source
        return source_from_text(applied(source.text, change.edits), source.name, source.path)

    def _loaded(self, name: str, source: SourceFile) -> SourceFile | Diagnostic:
        included = self.load(name, source)
        return self._changed(included) if isinstance(included, SourceFile) else included

    def _moved(self, file: SourceFile, span: Span) -> Span:
        """The span of a stretch of a file after the change."""
        change = self.changes.get(_key(file))
        starts = [] if change is None else [edit.span.start for edit in change.edits]
        longer = len(self.new_name) - len(self.old_name)
        return Span(
            span.start + longer * sum(start < span.start for start in starts),
            span.end + longer * sum(start < span.end for start in starts),
        )


def _meanings(
    analysis: Analysis, moved: Callable[[SourceFile, Span], Span]
) -> Iterator[tuple[Span, object]]:
    """The names of a text by their places, with the meaning of each."""
    for occurrence in analysis.own_occurrences:
        declared = declared_at(analysis, occurrence.symbol)
        means: object = occurrence.symbol.name
        if declared is not None:
            means = _key(declared.file), moved(declared.file, declared.span)
        yield moved(analysis.source, occurrence.place), (occurrence.symbol.kind, means)
