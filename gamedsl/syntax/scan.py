"""Scanning of any text into logical lines of lexemes, for error messages and editors.

In: any text. Out: logical lines; brackets join lines, but an unclosed bracket does not swallow the
file. The parser itself does not read lexemes of this module.
"""

from __future__ import annotations

import re
from enum import Enum

from gamedsl.source import Span
from gamedsl.source.records import dataclass
from gamedsl.syntax.depth import DEEPEST_BRACKETS
from gamedsl.syntax.grammar import indent_width
from gamedsl.syntax.words import SECTIONS

OPENERS = {"(": ")", "[": "]", "{": "}"}
CLOSERS = {closer: opener for opener, closer in OPENERS.items()}

MOST_UNCLOSED = 20
"""After this number of unclosed brackets, lines are no longer joined: the text is no game."""

_UNFINISHED = frozenset({
    ",", "(", "[", "+", "-", "*", "/", "//", "%", "|", "..", "==", "!=", "<", "<=", ">", ">=",
    "and", "or", "not", "in", "if", "else", "for", "where",
})  # fmt: skip
"""Texts that no line ends with, unless the line continues below."""

_LEXEME = re.compile(
    r"""
      (?P<NAME>[^\W0-9]\w*)
    | (?P<NUMBER>[0-9]+(?:\.[0-9]+)?)
    | (?P<STRING>"[^"\n]*"? | '[^'\n]*'?)
    | (?P<SIGN>
        === | !== | \.\.\. | \*\* | == | != | <= | >= | -> | => | =< | <> | \.\. | // | \+= | -=
      | \*= | /= | := | && | \|\| | \+\+ | [-+*/%=<>|:,.;&!?@^~$\\()\[\]{}] )
    | (?P<SKIP>[ \t\n]+ | \#[^\n]*)
    | (?P<OTHER>.)
    """,
    re.VERBOSE | re.DOTALL,
)


_NAME = re.compile(r"[^\W0-9]\w*")


class Kind(Enum):
    """Kinds of lexemes."""

    NAME = "name"
    NUMBER = "number"
    STRING = "string"
    SIGN = "sign"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A word, number, string, sign or stray character."""

    kind: Kind
    text: str
    start: int

    @property
    def span(self) -> Span:
        """The span of the lexeme."""
        return Span(self.start, self.start + len(self.text))

    @property
    def end(self) -> int:
        """The end of the lexeme."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """A logical line: physical lines joined by brackets, without comments.

    Attributes:
        start: the start of the first physical line.
        end: the end of the last physical line (at the line end, or at the end of the text).
        indent: the indentation, in columns.
        lexemes: at least one.
        unclosed: the bracket that is never closed, or None.
        is_drawn: whether the line is a row of a diagram, in which any text may stand.
    """

    start: int
    end: int
    indent: int
    lexemes: tuple[Lexeme, ...]
    unclosed: Lexeme | None = None
    is_drawn: bool = False

    @property
    def first(self) -> Lexeme:
        """The first lexeme."""
        return self.lexemes[0]

    @property
    def last(self) -> Lexeme:
        """The last lexeme."""
        return self.lexemes[-1]

    @property
    def words(self) -> frozenset[str]:
        """All names and keywords of the line, also inside quotes."""
        kinds = {Kind.NAME, Kind.STRING}
        texts = (_NAME.findall(lexeme.text) for lexeme in self.lexemes if lexeme.kind in kinds)
        return frozenset(name for names in texts for name in names)


def lexemes_of(text: str, start: int, end: int) -> list[Lexeme]:
    """The lexemes in a stretch of text."""
    lexemes = []
    for match in _LEXEME.finditer(text, start, end):
        group = match.lastgroup or "OTHER"
        if group != "SKIP":
            lexemes.append(Lexeme(Kind[group], match.group(), match.start()))
    return lexemes


def scan(text: str) -> tuple[LogicalLine, ...]:
    """The logical lines of a text, blank ones and comments left out."""
    return tuple(_join(_physical(text)))


def _physical(text: str) -> list[LogicalLine]:
    lines = []
    start = 0
    for content in text.split("\n"):
        end = start + len(content)
        lexemes = lexemes_of(text, start, end)
        if lexemes:
            indent = indent_width(text[start : lexemes[0].start])
            lines.append(LogicalLine(start, end, indent, tuple(lexemes)))
        start = end + 1
    return lines


def _join(physical: list[LogicalLine]) -> list[LogicalLine]:
    lines: list[LogicalLine] = []
    drawing: int | None = None
    faults = 0
    i = 0
    while i < len(physical):
        line = physical[i]
        if drawing is not None and line.indent > drawing:
            lines.append(LogicalLine(line.start, line.end, line.indent, line.lexemes, None, True))
            i += 1
            continue
        count, unclosed = _extent(physical, i) if faults < MOST_UNCLOSED else (1, None)
        faults += unclosed is not None
        lexemes = tuple(lexeme for part in physical[i : i + count] for lexeme in part.lexemes)
        end = physical[i + count - 1].end
        lines.append(LogicalLine(line.start, end, line.indent, lexemes, unclosed))
        drawing = line.indent if _heads_diagram(lexemes) else None
        i += count
    return lines


def _extent(physical: list[LogicalLine], i: int) -> tuple[int, Lexeme | None]:
    """The number of physical lines of a logical line, and the bracket that stays open."""
    stack: list[Lexeme] = []
    for j in range(i, len(physical)):
        if j > i and (_begins_section(physical[j]) or len(stack) > DEEPEST_BRACKETS):
            break
        for lexeme in physical[j].lexemes:
            if lexeme.text in OPENERS:
                stack.append(lexeme)
            elif stack and CLOSERS.get(lexeme.text) == stack[-1].text:
                stack.pop()
            elif lexeme.text in CLOSERS:
                return j - i + 1, None
        if not stack:
            return j - i + 1, None
    return _extent_unclosed(physical, i, stack[0]), stack[0]


def _extent_unclosed(physical: list[LogicalLine], i: int, opener: Lexeme) -> int:
    """The number of lines to join for an unclosed bracket: as long as the last line cannot end a
    statement."""
    j = next(k for k in range(i, len(physical)) if physical[k].end >= opener.start)
    while j + 1 < len(physical) and physical[j].last.text in _UNFINISHED:
        j += 1
    return j - i + 1


def _begins_section(line: LogicalLine) -> bool:
    return line.indent == 0 and line.first.text in SECTIONS


def _heads_diagram(lexemes: tuple[Lexeme, ...]) -> bool:
    texts = [lexeme.text for lexeme in lexemes]
    if "diagram" not in texts[1:]:
        return False
    place = texts.index("diagram", 1)
    return texts[place - 1] == "=" and texts[place + 1 : place + 2] in ([], ["secret"])
