"""How much code has been written for a game, and which lines of its file it comes from.

In: the places of statements and expressions, each as often as it is written out. Out: nothing, or
the error that says which line brings most, as soon as there are too many. A step of the lowering is
counted, never time: a game is refused on every machine or on none.
"""

from __future__ import annotations

from collections import Counter

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.source import SourceFile, Span

MOST_PARTS = 40_000
"""Statements and expressions, as often as they are written out. The dearest of the shipped games
has some 6,000."""
LONGEST = 60
"""Letters of a line that are quoted."""


class Parts:
    """The parts of one game.

    Attributes:
        last: where the last one stands.
    """

    def __init__(self, source: SourceFile) -> None:
        self.last: Span | None = None
        self._source = source
        self._by_start: Counter[int] = Counter()
        self._count = 0

    def add(self, span: Span) -> None:
        """One more. Raises CannotCompileError, with the line that most come from."""
        self.last = span
        self._by_start[span.start] += 1
        self._count += 1
        if self._count > MOST_PARTS:
            raise self._too_many()

    def _too_many(self) -> CannotCompileError:
        lines: Counter[tuple[str, int]] = Counter()
        for start, count in self._by_start.items():
            lines[self._line(start)] += count
        line, most = lines.most_common(1)[0]
        start = min(start for start in self._by_start if self._line(start) == line)
        file, _ = self._source.local(Span(start, start))
        text = file.line(line[1]).strip()
        quoted = text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."
        return CannotCompileError(
            f"code of more than {MOST_PARTS:,} parts, {100 * most // self._count} % of it "
            f"from `{quoted}`",
            Span(start, start + 1),
        )

    def _line(self, start: int) -> tuple[str, int]:
        file, span = self._source.local(Span(start, start))
        return file.name, file.position(span.start)[0]
