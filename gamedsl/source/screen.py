"""A line of text as a terminal shows it: tabs, wide characters, and a window on a long line.

In: a line of source. Out: printable text, and the screen columns of the characters. Characters that
control a terminal are written out, in names of files too.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import field

from gamedsl.source.records import dataclass

TAB = 4
"""Columns between tab stops."""

CUT = "..."
"""Marks the place where a long line was cut."""


HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufffe\uffff]")
"""Characters that control a terminal or reverse the text around them, and non-characters."""


def escaped(text: str) -> str:
    """A text with its hidden characters written out, such as `\\x1b`; lines stay lines."""
    return HIDDEN.sub(lambda match: _written_out(match[0]), text)


def on_one_line(name: str) -> str:
    """A name for display within a line: hidden characters, tabs and line ends written out."""
    return escaped(name).replace("\n", "\\n").replace("\t", "\\t")


def _written_out(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


@dataclass(frozen=True, slots=True)
class ScreenLine:
    """A line laid out on the screen.

    Attributes:
        source: the line as written.
        text: the text shown.
        edges: the screen column at which each character of the source begins, and the end of the
            last character.
    """

    source: str
    text: str = field(init=False)
    edges: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        shown: list[str] = []
        edges = [0]
        for character in self.source:
            piece = _shown(character, edges[-1])
            shown.append(piece)
            edges.append(edges[-1] + sum(map(_width, piece)))
        object.__setattr__(self, "text", "".join(shown))
        object.__setattr__(self, "edges", tuple(edges))

    def window(self, start: int, end: int, room: int) -> LineWindow:
        """At most `room` columns of the line, with characters `start..end` in sight."""
        if self.edges[-1] <= room:
            return LineWindow(self.text, 0, self.edges)
        left = self.edges[min(start, len(self.source))]
        right = self.edges[min(end, len(self.source))]
        inner = room - 2 * len(CUT)
        spare = max(inner - (right - left), 0)
        first = min(max(left - spare // 2, 0), self.edges[-1] - inner)
        visible = [i for i in range(len(self.source)) if self._inside(i, first, first + inner)]
        text = "".join(_shown(self.source[i], self.edges[i]) for i in visible)
        begin = self.edges[visible[0]]
        before = CUT if visible[0] > 0 else ""
        after = CUT if visible[-1] < len(self.source) - 1 else ""
        edges = tuple(min(max(edge, begin), first + inner) for edge in self.edges)
        return LineWindow(f"{before}{text}{after}", begin - len(before), edges)

    def _inside(self, i: int, first: int, last: int) -> bool:
        return first <= self.edges[i] and self.edges[i + 1] <= last


@dataclass(frozen=True, slots=True)
class LineWindow:
    """The visible part of a line; `shift` columns of the line lie to the left, out of sight."""

    text: str
    shift: int
    edges: tuple[int, ...]

    def columns(self, start: int, end: int) -> tuple[int, int]:
        """Indent and width, in columns, of a mark below characters `start..end`."""
        last = len(self.edges) - 1
        left = self.edges[min(start, last)]
        right = self.edges[min(end, last)]
        return left - self.shift, right - left


def _shown(character: str, column: int) -> str:
    if character == "\t":
        return " " * (TAB - column % TAB)
    if character < " ":
        return chr(0x2400 + ord(character))
    if character == "\x7f":
        return "\u2421"
    if unicodedata.category(character) in {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}:
        return "\ufffd"
    return character


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
