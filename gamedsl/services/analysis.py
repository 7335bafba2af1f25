"""The analysis of one text, made once and read by every service for editors (hover, renaming, ...).

In: a source, and a loader for the included files. Out: an `Analysis`: the program, the meanings and
places of names, the types of expressions, the diagnostics. For a text with mistakes, the analysis
holds everything that can be read.
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
from gamedsl.source.meant import unmarked
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast
from gamedsl.syntax.including.expand import Loader, expand
from gamedsl.syntax.parse import parse
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
        return unmarked((*self.of_text, *self.examined.diagnostics))

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """All names with a meaning, in all files, in order of the whole text."""
        return () if self.symbols is None else bindings(self.whole, self.symbols)

    @cached_property
    def own_occurrences(self) -> tuple[Occurrence, ...]:
        """The occurrences in the text's own file, in order of place; guesses in lines that cannot
        be parsed."""
        occurrences = (
            occurrence for occurrence in self.occurrences if self.is_own(occurrence.file)
        )
        bound = tuple(sorted(occurrences, key=lambda occurrence: occurrence.place))
        if not self.program.broken:
            return bound
        guesses = guessed(self.source, self.lines, bound, self._meaning)
        return tuple(sorted((*bound, *guesses), key=lambda occurrence: occurrence.place))

    def _meaning(self, text: str, is_called: bool) -> Symbol | None:
        """The meaning of a global name; `is_called`: whether parentheses follow the name."""
        if self.symbols is None:
            return None
        symbol = called(text, self.globals) if is_called else None
        return symbol or meaning(text, self.globals, self.symbols)

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
        """For each expression with a known type in the text's own file: the place in the file ->
        the span in the whole text."""
        span_at = {}
        for span in self.notes.types:
            file, place = self.whole.source.local(span)
            if self.is_own(file):
                span_at[place] = span
        return span_at

    @cached_property
    def words(self) -> frozenset[str]:
        """The names and keywords in the text's own file, and the names of the squares."""
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
        places = [occurrence.place for occurrence in self.own_occurrences]
        candidate = bisect_right(places, (offset, len(self.source.text) + 1)) - 1
        for occurrence in self.own_occurrences[max(candidate, 0) : candidate + 1]:
            if occurrence.place.start <= offset <= occurrence.place.end:
                return occurrence
        return None

    def line_at(self, offset: int) -> LogicalLine | None:
        """The logical line of a place, or None on a blank line or a comment."""
        return next((line for line in self.lines if line.start <= offset <= line.end), None)


def analyse(source: SourceFile, load: Loader = find_included) -> Analysis:
    """The analysis of a text; `load` finds the included files."""
    program, diagnostics = parse(source)
    is_readable = not any(diagnostic.is_error for diagnostic in diagnostics)
    whole, including = expand(program if is_readable else _without_empty(program), load)
    if is_readable:
        diagnostics = (*diagnostics, *including)
    is_complete = is_readable or not _is_variant(program)
    is_whole = is_complete and bool(whole.declarations or whole.broken)
    if not whole.declarations:
        whole = program  # names can still be resolved, by the text alone
    return Analysis(source, program, whole, diagnostics, is_whole)


def _without_empty(program: ast.Program) -> ast.Program:
    """The program without empty `state:` sections: nothing in them could be read, and they replace
    nothing in an included file."""
    declarations = (
        declaration
        for declaration in program.declarations
        if not (isinstance(declaration, ast.StateDecl) and not declaration.variables)
    )
    return replace(program, declarations=tuple(declarations))


def _is_variant(program: ast.Program) -> bool:
    """Whether the program includes a file, whose declarations it may replace."""
    return any(isinstance(declaration, ast.IncludeDecl) for declaration in program.declarations)
