"""Conversion between character offsets and UTF-16 offsets, the offsets of web pages.

Offsets outside the text are moved to the nearest valid offset.
"""

from __future__ import annotations

from gamedsl.source import Span


class Units:
    """UTF-16 offsets in a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._is_plain = text.isascii() or max(text) <= "\uffff"

    def of(self, offset: int) -> int:
        """The number of UTF-16 units before a character."""
        if self._is_plain:
            return offset
        return len(self._text[:offset].encode("utf-16-le", "surrogatepass")) // 2

    def character(self, units: int) -> int:
        """The character offset of a UTF-16 offset."""
        units = max(0, units)
        if self._is_plain:
            return min(units, len(self._text))
        before = self._text.encode("utf-16-le", "surrogatepass")[: 2 * units]
        return len(before.decode("utf-16-le", "ignore"))

    def span(self, span: Span) -> dict[str, int]:
        """A span in the editor's format."""
        return {"from": self.of(span.start), "to": self.of(span.end)}
