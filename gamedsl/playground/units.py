"""Places in a text as pages count them: in units of UTF-16.

In: offsets in characters or in units. Out: the other of the two. Places outside mean the nearest.
"""

from __future__ import annotations

from gamedsl.source import Span


class Units:
    """The units of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._is_plain = text.isascii() or max(text) <= "\uffff"

    def of(self, offset: int) -> int:
        """How many units stand before a character."""
        if self._is_plain:
            return offset
        return len(self._text[:offset].encode("utf-16-le", "surrogatepass")) // 2

    def character(self, units: int) -> int:
        """The character before which a place in units is."""
        units = max(0, units)
        if self._is_plain:
            return min(units, len(self._text))
        before = self._text.encode("utf-16-le", "surrogatepass")[: 2 * units]
        return len(before.decode("utf-16-le", "ignore"))

    def span(self, span: Span) -> dict[str, int]:
        """A stretch, as the editor has it."""
        return {"from": self.of(span.start), "to": self.of(span.end)}
