"""Conversion of places to the protocol's positions: lines from 0, and units of an encoding in a
line.

In: offsets of characters, or positions of a client. Out: positions, or offsets. Positions outside
of a text mean the nearest place in the text.
"""

from __future__ import annotations

from lsprotocol import types

from gamedsl.source import SourceFile, Span

UNITS = {
    types.PositionEncodingKind.Utf8: "utf-8",
    types.PositionEncodingKind.Utf16: "utf-16-le",
    types.PositionEncodingKind.Utf32: "utf-32-le",
}
WIDTHS = {"utf-8": 1, "utf-16-le": 2, "utf-32-le": 4}


class Positions:
    """Positions in texts, counted in one encoding."""

    def __init__(self, encoding: str | None = None) -> None:
        self._encoding = UNITS.get(
            types.PositionEncodingKind(encoding or types.PositionEncodingKind.Utf16), "utf-16-le"
        )

    def offset(self, source: SourceFile, position: types.Position) -> int:
        """The offset of a client's position."""
        if position.line >= len(source.line_starts):
            return len(source.text)
        line = source.line(position.line + 1)
        if line.isascii():
            length = min(position.character, len(line))
        else:
            units = line.encode(self._encoding, "surrogatepass")
            part = units[: position.character * WIDTHS[self._encoding]]
            length = len(part.decode(self._encoding, "ignore"))
        return source.line_starts[position.line] + length

    def position(self, source: SourceFile, offset: int) -> types.Position:
        """The client's position of an offset."""
        line, column = source.position(offset)
        start = source.line_starts[line - 1]
        return types.Position(line - 1, self.length(source.text[start : start + column - 1]))

    def length(self, text: str) -> int:
        """The number of units of a text."""
        if text.isascii():
            return len(text)
        return len(text.encode(self._encoding, "surrogatepass")) // WIDTHS[self._encoding]

    def range(self, source: SourceFile, span: Span) -> types.Range:
        """The range of a stretch."""
        return types.Range(self.position(source, span.start), self.position(source, span.end))

    def span(self, source: SourceFile, protocol_range: types.Range) -> Span:
        """The stretch of a range."""
        start = self.offset(source, protocol_range.start)
        return Span(start, max(start, self.offset(source, protocol_range.end)))
