"""Error recovery: the readable declarations of a text, and a diagnostic for each wrong line.

In: a source refused by the parser. Out: the readable declarations, diagnostics, and the words of
the dropped lines. A wrong line with its block is replaced by a gap, and the section is read again.
Sections are read separately, so a wrong section does not spoil the rest.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from lark import TextSlice, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from gamedsl.source import Diagnostic, Label, SourceFile, Span
from gamedsl.syntax.ast import Declaration
from gamedsl.syntax.builders.extent import LAYOUT, BuildError
from gamedsl.syntax.grammar import (
    GAP,
    PARSE_ERRORS,
    IndentationMismatchError,
    accepted,
    parser,
)
from gamedsl.syntax.hints.characters import fault_in
from gamedsl.syntax.hints.error_context import ErrorContext
from gamedsl.syntax.hints.explain import explain
from gamedsl.syntax.scan import scan
from gamedsl.syntax.words import HEADERS, SECTIONS

MOST_ERRORS = 20
"""Most diagnostics for a text; a reader corrects the first errors and runs the check again."""

_VISIBLE = re.compile(r"[^\n]")


class Recovered(NamedTuple):
    """The readable part of a text."""

    declarations: tuple[Declaration, ...]
    diagnostics: tuple[Diagnostic, ...]
    broken: frozenset[str]


def recover(source: SourceFile) -> Recovered:
    """All readable declarations, and diagnostics for the unreadable parts."""
    return _Recovery(source).run()


class _Blame(NamedTuple):
    """A wrong line: the diagnostic, the row, and whether the line is misplaced."""

    diagnostic: Diagnostic
    row: int
    is_misplaced: bool = False


class _Recovery:
    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._text = source.text + "\n"
        self._lines = scan(source.text)
        self._starts = [line.start for line in self._lines]
        self._alive = [True] * len(self._lines)
        self._diagnostics: list[Diagnostic] = []
        self._broken: set[str] = set()

    def run(self) -> Recovered:
        declarations: list[Declaration] = []
        self._drop_faults()
        if self._is_full:
            self._forget(0, len(self._lines))
        first = 0
        for row in range(1, len(self._lines) + 1):
            if row == len(self._lines) or self._lines[row].indent == 0:
                declarations += self._read(first, row, "program")
                first = row
        diagnostics = sorted(
            self._diagnostics, key=lambda diagnostic: diagnostic.position or (0, 0)
        )
        return Recovered(tuple(declarations), tuple(diagnostics), frozenset(self._broken))

    @property
    def _is_full(self) -> bool:
        return len(self._diagnostics) >= MOST_ERRORS

    def _drop_faults(self) -> None:
        """Drop the lines with faults visible without parsing."""
        rows = []
        for row, line in enumerate(self._lines):
            if self._is_full:
                return
            if (fault := fault_in(line, self._source)) is not None:
                self._diagnostics.append(fault)
                rows.append(row)
        if self._lines and self._lines[0].indent > 0 and 0 not in rows:
            self._diagnostics.append(
                self._misplaced(0, "E0107", "the first line is indented").diagnostic
            )
            self._drop_misplaced(0, len(self._lines))
        for row in rows:
            if self._alive[row]:
                self._drop(row, len(self._lines))

    def _read(self, first: int, last: int, symbol: str) -> tuple[Declaration, ...]:
        """Parse a range of rows, dropping wrong lines until the rest can be read."""
        while any(self._alive[first:last]):
            if self._is_full:
                self._forget(first, last)
                break
            try:
                return self._parse(first, last, symbol)
            except PARSE_ERRORS as error:
                blame = self._blame(error, first, last, symbol)
            self._diagnostics.append(blame.diagnostic)
            if blame.is_misplaced:
                self._drop_misplaced(blame.row, last)
            else:
                self._drop(blame.row, last)
        return ()

    def _parse(self, first: int, last: int, symbol: str) -> tuple[Declaration, ...]:
        parsed: object = parser().parse(self._part(first, last, symbol), start=symbol)
        return parsed if isinstance(parsed, tuple) else ()

    def _part(self, first: int, last: int, symbol: str) -> TextSlice[str]:
        start = self._lines[first].start - (1 if symbol == "suite" else 0)
        return TextSlice(self._text, start, self._lines[last - 1].end + 1)

    # --- whom to blame ---------------------------------------------------------------------

    def _blame(self, error: Exception, first: int, last: int, symbol: str) -> _Blame:
        if isinstance(error, BuildError):
            row = self._row_at(error.span.start)
            diagnostic = Diagnostic(
                error.code, error.message, Label(error.span), self._source, hint=error.hint
            )
            return _Blame(diagnostic, row)
        if isinstance(error, IndentationMismatchError):
            row = self._next_row((error.token.start_pos or 0) + 1, last)
            return self._misplaced(row, "E0106", "this line fits no block above")
        if not isinstance(error, UnexpectedToken | UnexpectedCharacters):
            raise error
        accepts = accepted(self._part(first, last, symbol), symbol, error)
        if isinstance(error, UnexpectedToken):
            return self._blame_token(error.token, accepts, first, last)
        return self._blame_place(error.pos_in_stream or 0, error.char, accepts)

    def _blame_token(self, token: Token, accepts: frozenset[str], first: int, last: int) -> _Blame:
        place = token.start_pos or 0
        if token.type == "_INDENT":
            row = self._next_row(place + 1, last)
            message = "this line is indented, but the line above opens no block"
            return self._misplaced(row, "E0107", message)
        if accepts <= {"_INDENT"}:
            row = self._row_at(place)
            if token.type not in LAYOUT and token.type != "$END":
                row = self._row_before(row, first)
            return self._blockless(row)
        return self._blame_place(place, token.type, accepts)

    def _blame_place(self, place: int, terminal: str, accepts: frozenset[str]) -> _Blame:
        row = self._row_at(place)
        line = self._lines[row]
        is_end = terminal in LAYOUT or terminal == "$END"
        at = (
            len(line.lexemes)
            if is_end
            else bisect_right([lexeme.end for lexeme in line.lexemes], place)
        )
        context = ErrorContext(self._source, self._lines, row, at, place, terminal, accepts)
        return _Blame(explain(context), row)

    def _misplaced(self, row: int, code: str, message: str) -> _Blame:
        line = self._lines[row]
        hint = None
        if line.is_drawn:
            message = "this row does not begin below the first row of the diagram"
            hint = "begin all rows in one column; `.` is an empty place, or one that does not exist"
        else:
            message = f"{message}; blocks are indented by 4 spaces"
            if "->" in [lexeme.text for lexeme in line.lexemes]:
                hint = "branches on lines of their own stand below a node that ends with `:`"
        label = Label(line.first.span)
        return _Blame(Diagnostic(code, message, label, self._source, hint=hint), row, True)

    def _blockless(self, row: int) -> _Blame:
        line = self._lines[row]
        message = f"`{line.first.text}` needs a block: lines below it, indented by 4 spaces"
        label = Label(Span(line.first.start, line.last.end))
        below = self._lines[row + 1] if row + 1 < len(self._lines) else None
        has_tab = below is not None and "\t" in self._source.text[below.start : below.first.start]
        hint = "a tab counts up to the next multiple of 4; use spaces alone" if has_tab else None
        return _Blame(Diagnostic("E0108", message, label, self._source, hint=hint), row)

    # --- rows ------------------------------------------------------------------------------

    def _row_at(self, place: int) -> int:
        return max(bisect_right(self._starts, place) - 1, 0)

    def _next_row(self, place: int, last: int) -> int:
        row = bisect_right(self._starts, place - 1)
        while row < last - 1 and not self._alive[row]:
            row += 1
        return min(row, last - 1)

    def _row_before(self, row: int, first: int) -> int:
        row -= 1
        while row > first and not self._alive[row]:
            row -= 1
        return max(row, first)

    def _block_end(self, row: int, last: int) -> int:
        """The row behind the block below a row."""
        end = row + 1
        while end < last and self._lines[end].indent > self._lines[row].indent:
            end += 1
        return end

    # --- dropping --------------------------------------------------------------------------

    def _drop(self, row: int, last: int) -> None:
        """Replace a line by a gap; dependent lines are read for errors and dropped too."""
        end = self._drop_one(row, last, GAP)
        while end < last and self._continues(row, end):
            end = self._drop_one(end, last, "")
        if end == row + 1 and self._lines[row].indent == 0:
            while end < len(self._lines) and self._is_orphan(row, end):
                end += 1
            self._blank(row + 1, end)

    def _continues(self, row: int, below: int) -> bool:
        line = self._lines[below]
        is_part = line.first.text in {"elif", "else"}
        return is_part and line.indent == self._lines[row].indent

    def _is_orphan(self, row: int, below: int) -> bool:
        """Whether a line at the margin was meant for the block of a header without a block."""
        line = self._lines[below]
        header = self._lines[row].first.text
        is_header = header in HEADERS or header in {"state", "show", "tree"}
        return is_header and line.indent == 0 and line.first.text not in SECTIONS

    def _drop_one(self, row: int, last: int, mark: str) -> int:
        """Drop a line and its block; returns the next row."""
        line = self._lines[row]
        end = self._block_end(row, last)
        if end > row + 1 and line.first.text in HEADERS and not self._is_full:
            self._blank(row, row + 1)
            self._read(row + 1, end, "suite")
        self._blank(row, end, mark)
        return end

    def _drop_misplaced(self, row: int, last: int) -> None:
        """Drop a line with wrong indentation, and the following lines of at least the same
        indentation."""
        if self._lines[row].is_drawn:
            self._drop_diagram(row, last)
            return
        indent = self._lines[row].indent
        end = row + 1
        while end < last and self._lines[end].indent >= indent:
            end += 1
        self._blank(row, end)

    def _drop_diagram(self, row: int, last: int) -> None:
        """Drop a diagram and the variable of the diagram: the remaining rows are no board."""
        first, end = row, row + 1
        while first > 0 and self._lines[first].is_drawn:
            first -= 1
        while end < last and self._lines[end].is_drawn:
            end += 1
        self._blank(first, end, GAP)

    def _forget(self, first: int, last: int) -> None:
        for row in range(first, last):
            self._alive[row] = False
            self._broken |= self._lines[row].words

    def _blank(self, first: int, last: int, mark: str = "") -> None:
        """Overwrite lines with blanks, which keeps the offsets of all other lines."""
        if first == last:
            return
        self._forget(first, last)
        start, end = self._lines[first].first.start, self._lines[last - 1].end
        blank = mark + _VISIBLE.sub(" ", self._text[start + len(mark) : end])
        self._text = f"{self._text[:start]}{blank}{self._text[end:]}"
