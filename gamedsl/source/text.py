"""Text with positions: a `SourceFile` is decoded text, a `Span` a stretch of text.

In: strings. Out: files, and lines and columns of characters. A text composed of pieces of several
files is a `SourceFile` too, with the origin of each character. No file is read here; see `files`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from pathlib import Path
from typing import NamedTuple

from gamedsl.source.records import dataclass


class Span(NamedTuple):
    """A half-open stretch `start..end` of a source text, in characters."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of `other`."""
        return Span(self.start, other.end)


class Piece(NamedTuple):
    """The origin of a stretch of a composed text.

    Attributes:
        start: the start of the piece in the composed text; the piece ends at the start of the next
            piece.
        file: the number of the file in which the piece was written.
        origin: the stretch of that file.
    """

    start: int
    file: int
    origin: Span


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A decoded text with its name; lines and columns are counted from 1.

    Attributes:
        path: the path of the file; None for a text without a file.
        files: for a composed text, the files of the pieces, first the file that gave the name; ()
            for a single file.
        pieces: for a composed text, the origins of the pieces, in order; () for a single file.
    """

    name: str
    text: str
    path: Path | None = field(default=None, compare=False, repr=False)
    files: tuple[SourceFile, ...] = field(default=(), repr=False)
    pieces: tuple[Piece, ...] = field(default=(), repr=False)
    line_starts: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        object.__setattr__(self, "line_starts", tuple(starts))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character offset; for a composed text, in the file of
        origin."""
        if self.pieces:
            file, span = self.local(Span(offset, offset))
            return file.position(span.start)
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def local(self, span: Span) -> tuple[SourceFile, Span]:
        """The file in which a stretch was written, and the span in that file; cut at the end of the
        stretch's first piece."""
        if not self.pieces:
            return self, span
        number = max(bisect_right(self.pieces, (span.start, len(self.files))) - 1, 0)
        start, file, origin = self.pieces[number]
        first = min(origin.start + span.start - start, origin.end)
        is_last = number + 1 == len(self.pieces) or span.end < self.pieces[number + 1].start
        last = min(first + span.end - span.start, origin.end) if is_last else origin.end
        return self.files[file], Span(first, max(first, last))

    @property
    def own(self) -> SourceFile:
        """The file that gave the name, without the files that it includes."""
        return self.files[0] if self.files else self

    def is_own(self, span: Span) -> bool:
        """Whether a stretch was written in the file that gave the name."""
        return not self.files or self.local(span)[0] is self.files[0]

    def place(self, offset: int) -> str:
        """The line of a place in words, with the file unless it is the file that gave the name."""
        span = Span(offset, offset)
        line = f"line {self.position(offset)[0]}"
        return line if self.is_own(span) else f"{line} of {self.local(span)[0].name}"

    def line(self, number: int) -> str:
        """The text of a line of a single file, counted from 1, without the line end."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]


def source_from_text(text: str, name: str = "<text>", path: Path | None = None) -> SourceFile:
    """A source made of a string, with line ends made uniform."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return SourceFile(name, plain, path)
