"""A count of the code written for a game, by line of its file, with a limit.

Every statement and expression is counted each time it is written out. Beyond the limit, an error
names the line with the most code. Steps of the lowering are counted, never time, so that a game is
refused on every machine or on none.
"""

from __future__ import annotations

from collections import Counter

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.source import SourceFile, Span

MOST_PARTS = 150_000
"""Limit on statements and expressions as written out; the largest shipped game has some 6,000."""
LONGEST = 60
"""Letters of a line that are quoted."""


class Parts:
    """The parts of one game.

    Attributes:
        last: the place of the last part.
    """

    def __init__(self, source: SourceFile) -> None:
        self.last: Span | None = None
        self._source = source
        self._by_start: Counter[int] = Counter()
        self._count = 0

    def add(self, span: Span) -> None:
        """Count a part. Raises CannotCompileError beyond the limit, naming the line with the most
        parts.
        """
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
