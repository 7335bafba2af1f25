"""The analysis of one text, made once and read by every service.

In: a source, and a loader for the included files. Out: an `Analysis`. For a text with mistakes, the
analysis holds everything that can be read.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from functools import cached_property

from gamedsl.game.including import find_included
from gamedsl.model.elaborate.program import Examined, examine, symbols_of
from gamedsl.model.symbols.notes import Notes
from gamedsl.model.symbols.symbol_table import SymbolTable
from gamedsl.services.bindings import bindings, called, global_symbols, meaning
from gamedsl.services.guesses import guessed
from gamedsl.services.symbols import Occurrence, Symbol
from gamedsl.source import Diagnostic, SourceFile, Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast, parse
from gamedsl.syntax.including.expand import Loader, expand
from gamedsl.syntax.scan import LogicalLine, scan


@dataclass(frozen=True)
class Analysis:
    """The facts about a text; each is computed on first use.

    Attributes:
        source: the text.
        program: the program of the text alone, without the included files.
        whole: the program with the included files; equal to `program` if the text includes no file.
        of_text: diagnostics of reading and including, before any checking of meanings.
        is_whole: whether `whole` is complete, so that a declaration missing in `whole` is missing
            in the text too.
    """

    source: SourceFile
    program: ast.Program
    whole: ast.Program
    of_text: tuple[Diagnostic, ...]
    is_whole: bool

    @cached_property
    def symbols(self) -> SymbolTable | None:
        """The global names; None if nothing could be read."""
        is_readable = self.whole.declarations or self.whole.broken
        return symbols_of(self.whole) if is_readable else None

    @cached_property
    def examined(self) -> Examined | None:
        """The results of checking; None if nothing could be read."""
        is_readable = self.whole.declarations or self.whole.broken
        return examine(self.whole) if is_readable else None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics of the text and of the included files."""
        if self.examined is None or not self.is_whole:
            return self.of_text
        return (*self.of_text, *self.examined.diagnostics)

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """All names with a meaning, in all files, in order of the whole text."""
        return () if self.symbols is None else bindings(self.whole, self.symbols)

    @cached_property
    def own(self) -> tuple[Occurrence, ...]:
        """The occurrences in the text's own file, in order of place."""
        mine = (one for one in self.occurrences if self.is_own(one.file))
        bound = tuple(sorted(mine, key=lambda one: one.place))
        if not self.program.broken:
            return bound
        more = guessed(self.source, self.lines, bound, self._meaning)
        return tuple(sorted((*bound, *more), key=lambda one: one.place))

    def _meaning(self, text: str, is_called: bool) -> Symbol | None:
        if self.symbols is None:
            return None
        found = called(text, self.globals) if is_called else None
        return found or meaning(text, self.globals, self.symbols)

    @cached_property
    def globals(self) -> dict[str, Symbol]:
        """The global names by their texts."""
        return {} if self.symbols is None else global_symbols(self.whole, self.symbols)

    @cached_property
    def lines(self) -> tuple[LogicalLine, ...]:
        """The logical lines of the text."""
        return scan(self.source.text)

    @cached_property
    def types_here(self) -> dict[Span, Span]:
        """Places in the text's own file at which an expression has a known type -> their spans in
        the whole text."""
        found = {}
        for span in self.notes.types:
            file, place = self.whole.source.local(span)
            if self.is_own(file):
                found[place] = span
        return found

    @cached_property
    def words(self) -> frozenset[str]:
        """The names in the text, and the names of the squares."""
        board = None if self.symbols is None else self.symbols.board
        squares = () if board is None else board.named
        return frozenset((*squares, *(word for line in self.lines for word in line.words)))

    @property
    def notes(self) -> Notes:
        """The types of expressions by their places in the whole text."""
        return Notes() if self.examined is None else self.examined.notes

    def is_own(self, file: SourceFile) -> bool:
        """Whether a file is the analysed text, not an included file."""
        return file == self.source

    def occurrence_at(self, offset: int) -> Occurrence | None:
        """The name around an offset of the text's own file, or ending at the offset."""
        places = [one.place for one in self.own]
        number = bisect_right(places, (offset, len(self.source.text) + 1)) - 1
        for one in self.own[max(number, 0) : number + 1]:
            if one.place.start <= offset <= one.place.end:
                return one
        return None

    def line_at(self, offset: int) -> LogicalLine | None:
        """The logical line of a place, or None on a blank line or a comment."""
        return next((one for one in self.lines if one.start <= offset <= one.end), None)


def analyse(source: SourceFile, load: Loader = find_included) -> Analysis:
    """The analysis of a text; `load` finds the included files."""
    program, diagnostics = parse(source)
    is_readable = not any(found.is_error for found in diagnostics)
    whole, more = expand(program if is_readable else _without_empty(program), load)
    if is_readable:
        diagnostics = (*diagnostics, *more)
    is_complete = is_readable or not _is_variant(program)
    is_whole = is_complete and bool(whole.declarations or whole.broken)
    if not whole.declarations:
        whole = program  # names can still be resolved, by the text alone
    return Analysis(source, program, whole, diagnostics, is_whole)


def _without_empty(program: ast.Program) -> ast.Program:
    """The program without empty sections (nothing in them could be read), which replace no
    declaration."""
    kept = (
        one
        for one in program.declarations
        if not (isinstance(one, ast.StateDecl) and not one.variables)
    )
    return replace(program, declarations=tuple(kept))


def _is_variant(program: ast.Program) -> bool:
    return any(isinstance(one, ast.IncludeDecl) for one in program.declarations)
