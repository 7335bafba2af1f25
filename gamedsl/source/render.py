"""Diagnostics as text: the source line, a caret under the place, and the words beside the caret.

In: a `Diagnostic`. Out: lines for a terminal, a single line for a tool, or a dict for JSON. The
module prints nothing and judges nothing; colours are ANSI codes, and only on request.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from gamedsl.source.diagnostics import Diagnostic, Label, Severity
from gamedsl.source.records import dataclass
from gamedsl.source.screen import ScreenLine
from gamedsl.source.text import SourceFile, Span

WIDEST = 120
"""Columns that a rendered line of source takes at most, unless `width` is given."""

SHOWN_LINES = 4
"""Lines of a span that are shown; of a longer span only the first and the last line."""

_RED, _MAGENTA, _BLUE = "\033[1;31m", "\033[1;35m", "\033[1;34m"
"""Colours that are readable on black and on white; yellow, cyan and light green are not readable on
white."""
_BOLD, _PLAIN = "\033[1m", "\033[0m"


@dataclass(frozen=True, slots=True)
class _Mark:
    """The part of a label on a single line; columns from 0, in characters, half open."""

    source: SourceFile
    line: int
    start: int
    end: int
    text: str
    is_primary: bool


def render(diagnostic: Diagnostic, *, colour: bool = False, width: int | None = None) -> str:
    """A finding for people, without a final line end.

    No line is longer than `width`, except for names and files that are longer themselves. With
    `width` None, lines of source are at most `WIDEST` wide, and texts are not wrapped.

    A note, where the file may be right, is kept short: the place, but not the source lines.
    """
    paint = _Paint(colour, diagnostic.severity)
    kind = f"{diagnostic.severity}[{diagnostic.code}]"
    heading = _filled(f"{kind}: {diagnostic.message}", 2, width)
    lines = [paint.heading(kind, heading.removeprefix(f"{kind}: "))]
    marks = [] if diagnostic.severity is Severity.NOTE else _marks(diagnostic)
    gutter = len(str(max((mark.line for mark in marks), default=0)))
    if diagnostic.file_name:
        lines.append(f"{' ' * gutter}{paint.blue('-->')} {_place(diagnostic)}")
    if diagnostic.source is not None and marks:
        for source in _files(marks):
            if source.name != diagnostic.file_name:
                lines.append(f"{' ' * gutter}{paint.blue(':::')} {source.name}")
            here = [mark for mark in marks if mark.source is source]
            lines += [_bar(gutter, paint), *_snippet(source, here, gutter, width or WIDEST, paint)]
    tail = [f"note: {note}" for note in diagnostic.notes]
    tail += [f"help: {diagnostic.hint}"] if diagnostic.hint else []
    if tail and marks:
        lines.append(_bar(gutter, paint))
    lines += [f"{' ' * gutter} {paint.blue('=')} {_hanging(line, gutter, width)}" for line in tail]
    return "\n".join(lines)


def render_concise(diagnostic: Diagnostic) -> str:
    """A finding on a single line: `file:line:column: error[E0102] message`."""
    kind = f"{diagnostic.severity}[{diagnostic.code}]"
    place = _place(diagnostic)
    return f"{place}: {kind} {diagnostic.message}" if place else f"{kind} {diagnostic.message}"


def to_json(diagnostic: Diagnostic) -> dict[str, object]:
    """A finding as plain data; lines and columns from 1, the end exclusive, None where unknown."""
    start = end = None
    if diagnostic.source is not None and diagnostic.primary is not None:
        start = diagnostic.source.position(diagnostic.primary.span.start)
        end = diagnostic.source.position(diagnostic.primary.span.end)
    return {
        "file": diagnostic.file_name,
        "code": diagnostic.code,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
        "line": start[0] if start else None,
        "column": start[1] if start else None,
        "end_line": end[0] if end else None,
        "end_column": end[1] if end else None,
        "hint": diagnostic.hint,
        "notes": list(diagnostic.notes),
    }


class _Paint:
    """ANSI colours, or none."""

    def __init__(self, colour: bool, severity: Severity) -> None:
        self._colour = colour
        self._main = _RED if severity is Severity.ERROR else _MAGENTA

    def _in(self, code: str, text: str) -> str:
        return f"{code}{text}{_PLAIN}" if self._colour and text else text

    def heading(self, kind: str, message: str) -> str:
        return f"{self._in(self._main, kind)}{self._in(_BOLD, f': {message}')}"

    def main(self, text: str) -> str:
        return self._in(self._main, text)

    def blue(self, text: str) -> str:
        return self._in(_BLUE, text)


def _place(diagnostic: Diagnostic) -> str:
    position = diagnostic.position
    if position is None or not diagnostic.file_name:
        return diagnostic.file_name
    return f"{diagnostic.file_name}:{position[0]}:{position[1]}"


def _bar(gutter: int, paint: _Paint) -> str:
    return f"{' ' * gutter} {paint.blue('|')}"


def _hanging(remark: str, gutter: int, width: int | None) -> str:
    """A remark of several lines (a drawn position, say) with the later lines indented under the
    text of the first."""
    indent = gutter + len(" = ")
    margin = indent + len("note: ")
    first, *rest = remark.split("\n")
    begun = _filled(" " * indent + first, margin, width)[indent:]
    return "\n".join([begun, *(_filled(" " * margin + line, margin, width) for line in rest)])


def _filled(line: str, margin: int, width: int | None) -> str:
    """A line wrapped between words to a width; continuation lines begin at the margin."""
    if width is None or len(line) <= width:
        return line
    return fill(
        line,
        width,
        subsequent_indent=" " * margin,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _marks(diagnostic: Diagnostic) -> list[_Mark]:
    """The marks of all labels, in reading order."""
    if diagnostic.source is None:
        return []
    labels = [(label, False) for label in diagnostic.secondary]
    if diagnostic.primary is not None:
        labels.append((diagnostic.primary, True))
    marks = [
        mark
        for label, is_primary in labels
        for mark in _split(diagnostic.source, label, is_primary)
    ]
    return sorted(marks, key=lambda mark: (mark.line, mark.start, not mark.is_primary))


def _files(marks: list[_Mark]) -> list[SourceFile]:
    """The files with marks, first the file of the primary label."""
    files = {id(mark.source): mark.source for mark in marks}
    first = {id(mark.source) for mark in marks if mark.is_primary}
    return sorted(files.values(), key=lambda source: id(source) not in first)


def _split(joined: SourceFile, label: Label, is_primary: bool) -> Iterator[_Mark]:
    """The marks of a label, one per shown line; the text goes with the last line."""
    source, span = joined.local(label.span)
    first, column = source.position(span.start)
    last, end_column = source.position(_solid_end(source, span))
    shown = range(first, last + 1)
    lines = list(shown) if len(shown) <= SHOWN_LINES else [first, last]
    for line in lines:
        text = source.line(line)
        start = column - 1 if line == first else len(text) - len(text.lstrip())
        end = end_column - 1 if line == last else len(text.rstrip())
        if line in (first, last) or end > start:
            words = label.text if line == last else ""
            yield _Mark(source, line, start, max(end, start), words, is_primary)


def _solid_end(source: SourceFile, span: Span) -> int:
    """The end of a span without the blank lines at its end."""
    solid = source.text[span.start : span.end].rstrip()
    return max(span.start + len(solid), min(span.end, span.start + 1))


def _snippet(
    source: SourceFile, marks: list[_Mark], gutter: int, width: int, paint: _Paint
) -> Iterator[str]:
    """The marked lines of the source, each with its marks below."""
    room = max(width - gutter - 3, 20)
    before = 0
    for line in sorted({mark.line for mark in marks}):
        if before and line > before + 1:
            yield paint.blue("...")
        before = line
        here = [mark for mark in marks if mark.line == line]
        focus = next((mark for mark in here if mark.is_primary), here[0])
        screen = ScreenLine(source.line(line)).window(focus.start, focus.end, room)
        yield f"{paint.blue(f'{line:>{gutter}} |')} {screen.text}".rstrip()
        for mark in here:
            indent, length = screen.columns(mark.start, mark.end)
            sign = ("^" if mark.is_primary else "-") * max(length, 1)
            words = f"{sign} {mark.text}".rstrip()
            painted = paint.main(words) if mark.is_primary else paint.blue(words)
            yield f"{_bar(gutter, paint)} {' ' * indent}{painted}"
