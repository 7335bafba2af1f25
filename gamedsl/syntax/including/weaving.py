"""Composition of a text from pieces of files, with the origin of each piece.

In: stretches of sources, copied one after the other. Out: a `SourceFile` with its `pieces`. The
module knows characters, lines and columns, and nothing of games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from gamedsl.source import SourceFile, Span
from gamedsl.source.text import Piece
from gamedsl.syntax.grammar import indent_width

_BLANK = " \t"


class Edit(NamedTuple):
    """A stretch that is not copied, and the function that writes the replacement."""

    span: Span
    write: Callable[[Weaver], None]


class Weaver:
    """Text composed of pieces of two sources; the first source gives the name."""

    def __init__(self, variant: SourceFile, included: SourceFile) -> None:
        self.variant = variant
        self._files = (variant, *(included.files or (included,)))
        self._parts: list[str] = []
        self._pieces: list[Piece] = []
        self._length = 0

    def finish(self) -> SourceFile:
        """The whole text."""
        variant = self.variant
        text = "".join(self._parts)
        return SourceFile(variant.name, text, variant.path, self._files, tuple(self._pieces))

    def copy(self, source: SourceFile, span: Span, edits: Sequence[Edit] = ()) -> None:
        """Copy a stretch of a source, with edits in place of some parts."""
        start = span.start
        for edit in sorted(edits, key=lambda edit: edit.span):
            self._copy(source, Span(start, edit.span.start))
            edit.write(self)
            start = edit.span.end
        self._copy(source, Span(start, span.end))

    def copy_chunk(
        self, source: SourceFile, span: Span, edits: Sequence[Edit] = (), *, by: int = 0
    ) -> None:
        """Copy whole lines, indented by `by` columns more (or less, if negative), with a line end
        after the last line."""
        self.copy_lines(source, span, edits, by=by)
        if not self._parts[-1].endswith("\n"):
            self.put("\n", source, Span(span.end, span.end))

    def copy_lines(
        self, source: SourceFile, span: Span, edits: Sequence[Edit] = (), *, by: int = 0
    ) -> None:
        """Like `copy_chunk`, but without adding a line end after the last line."""
        start = span.start
        while start < span.end:
            end = min(line_end(source.text, start) + 1, span.end)
            solid = start
            while solid < end and source.text[solid] in _BLANK:
                solid += 1
            if by and solid < end and source.text[solid] != "\n":
                width = max(indent_width(source.text[start:solid]) + by, 0)
                self.put(" " * width, source, Span(start, solid))
            else:
                self._copy(source, Span(start, solid))
            inside = [edit for edit in edits if solid <= edit.span.start < end]
            end = max([end, *(edit.span.end for edit in inside)])
            self.copy(source, Span(solid, end), inside)
            start = end

    def put(self, text: str, source: SourceFile, span: Span) -> None:
        """Add a text in place of a stretch of a source."""
        if text:
            file, origin = source.local(span)
            self._add(text, self._number(file), origin)

    def _copy(self, source: SourceFile, span: Span) -> None:
        for part, file, origin in _origins(source, span):
            self._add(source.text[part.start : part.end], self._number(file), origin)

    def _number(self, file: SourceFile) -> int:
        return next(number for number, candidate in enumerate(self._files) if candidate is file)

    def _add(self, text: str, file: int, origin: Span) -> None:
        self._pieces.append(Piece(self._length, file, origin))
        self._parts.append(text)
        self._length += len(text)


def _origins(source: SourceFile, span: Span) -> Iterator[tuple[Span, SourceFile, Span]]:
    """The parts of a stretch, each with its file and span of origin."""
    if not source.pieces:
        if span.start < span.end:
            yield span, source, span
        return
    ends = [piece.start for piece in source.pieces[1:]] + [len(source.text)]
    for piece, end in zip(source.pieces, ends, strict=True):
        part = Span(max(span.start, piece.start), min(span.end, end))
        if part.start < part.end:
            yield part, *source.local(part)


def line_start(text: str, offset: int) -> int:
    """The start of the line of a place."""
    return text.rfind("\n", 0, offset) + 1


def line_end(text: str, offset: int) -> int:
    """The end of the line of a place, without the line end."""
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def column_of(text: str, offset: int) -> int:
    """The column of a place, from 0, tabs expanded."""
    return indent_width(text[line_start(text, offset) : offset])
