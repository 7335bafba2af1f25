"""Text with positions: a `SourceFile` is decoded text, a `Span` a stretch of it.

In: a path or a text. Out: a `SourceFile`, or one diagnostic that says why there is none.
Decoding, byte-order marks and line ends are settled here, so that no floor above sees them.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from gamedsl.source.diagnostics import Diagnostic

LARGEST_FILE = 1_000_000
"""Bytes. A file of rules is small; anything larger is a mistake, and is refused at once."""


class Span(NamedTuple):
    """A half-open stretch `start..end` of a source text, in characters."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of `other`."""
        return Span(self.start, other.end)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A decoded text with its name; lines and columns are counted from 1."""

    name: str
    text: str
    line_starts: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        object.__setattr__(self, "line_starts", tuple(starts))

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character offset."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line end."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]


def source_from_text(text: str, name: str = "<text>") -> SourceFile:
    """A source made of a string, with line ends made uniform."""
    return SourceFile(name, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))


def read_source(path: Path) -> SourceFile | Diagnostic:
    """Read a file; whatever goes wrong is a diagnostic, never an exception."""
    name = str(path)
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST_FILE else None
    except FileNotFoundError:
        near = _nearest_file(path)
        hint = f"did you mean `{near}`?" if near else None
        return Diagnostic("E0001", f"there is no file `{name}`", file=name, hint=hint)
    except IsADirectoryError:
        return _directory(name)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return Diagnostic("E0001", f"cannot read `{name}`: {reason}", file=name)
    if data is None:
        return Diagnostic(
            "E0003",
            f"`{name}` is larger than {LARGEST_FILE:,} bytes",
            file=name,
            hint="is it a file of rules?",
        )
    return decode(data, name)


def decode(data: bytes, name: str) -> SourceFile | Diagnostic:
    """Bytes of a file as a source; UTF-8, with or without a byte-order mark."""
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return Diagnostic("E0002", f"`{name}` is UTF-16 text", file=name, hint="save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Diagnostic(
            "E0002",
            f"`{name}` is not UTF-8 text (line {line}, byte {error.start + 1})",
            file=name,
            hint="save it as UTF-8",
        )
    if "\0" in text:
        return Diagnostic("E0002", f"`{name}` is a binary file, not text", file=name)
    return source_from_text(text, name)


def _directory(name: str) -> Diagnostic:
    return Diagnostic("E0001", f"`{name}` is a directory, not a file", file=name)


def _nearest_file(path: Path) -> str | None:
    from gamedsl.source.nearest import nearest

    try:
        names = [other.name for other in path.parent.iterdir() if other.is_file()]
    except OSError:
        return None
    near = nearest(path.name, names)
    return str(path.with_name(near)) if near else None
