"""The context of a place within a line, whether the line can be parsed or not.

In: logical lines and an offset. Out: the word at the offset, the open brackets around the offset,
the local names in force. Only words and signs are examined.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from gamedsl.syntax.scan import CLOSERS, OPENERS, Kind, Lexeme, LogicalLine


class Bracket(NamedTuple):
    """A bracket that is open at a place.

    Attributes:
        head: the name right before the bracket, if present.
        sign: the bracket itself.
        number: the number of the bracket's commas before the place.
    """

    head: Lexeme | None
    sign: str
    number: int


def word_start(text: str, offset: int) -> int:
    """The start of the word that ends at a place, or is being written at the place."""
    start = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return start


def in_comment(text: str, offset: int) -> bool:
    """Whether a place is behind a `#`."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return "#" in line and line[: line.index("#")].count('"') % 2 == 0


def brackets(line: LogicalLine, offset: int) -> list[Bracket]:
    """The brackets open at a place of a line, outermost first."""
    opened: list[Bracket] = []
    before: Lexeme | None = None
    for lexeme in line.lexemes:
        if lexeme.start >= offset:
            break
        if lexeme.text in OPENERS:
            is_head = before is not None and before.kind is Kind.NAME and before.end == lexeme.start
            opened.append(Bracket(before if is_head else None, lexeme.text, 0))
        elif opened and CLOSERS.get(lexeme.text) == opened[-1].sign:
            opened.pop()
        elif opened and lexeme.text == ",":
            opened[-1] = opened[-1]._replace(number=opened[-1].number + 1)
        before = lexeme
    return opened


def locals_at(lines: tuple[LogicalLine, ...], offset: int, indent: int) -> list[str]:
    """The local names that may be used at a place in a line of the given indentation, innermost
    first."""
    scopes, here = Scopes(), []
    for line in lines:
        if line.end < offset:
            scopes.enter(line)
        elif line.start <= offset:
            here = _bound(line)
    return list(dict.fromkeys([*here, *scopes.names(indent)]))


class _Level(NamedTuple):
    """Lines of one indentation, one below the other.

    Attributes:
        indent: the indentation, in columns.
        heads: the names that the last of the lines binds for the lines further in.
        lasting: the names that stay in force below the lines that bind them.
    """

    indent: int
    heads: list[str]
    lasting: list[str]


class Scopes:
    """The local names in force behind the lines that were entered, in order."""

    def __init__(self) -> None:
        self._levels: list[_Level] = []
        self._in_force: Counter[str] = Counter()
        self._newest = ""

    def enter(self, line: LogicalLine) -> None:
        """Go on behind a line."""
        while self._levels and self._levels[-1].indent > line.indent:
            level = self._levels.pop()
            self._in_force.subtract((*level.heads, *level.lasting))
        if not self._levels or self._levels[-1].indent < line.indent:
            self._levels.append(_Level(line.indent, [], []))
        _, heads, lasting = self._levels[-1]
        self._in_force.subtract(heads)
        heads[:] = _bound(line)
        self._in_force.update(heads)
        self._newest = ""
        if line.indent and line.first.text in {"let", "chance"} and _is_new(line):
            self._newest = line.lexemes[1].text
            self._in_force[self._newest] += 1
            lasting.append(self._newest)

    def names(self, indent: int) -> list[str]:
        """The names in force in a line of the given indentation, innermost first."""
        in_force: list[str] = []
        for level in reversed(self._levels):
            if level.indent < indent:
                in_force += level.heads
            if level.indent <= indent:
                in_force += reversed(level.lasting)
        return in_force

    def knows(self, name: str) -> bool:
        """Whether a name is in force within the last line that was entered."""
        return self._in_force[name] > (name == self._newest)


def _is_new(line: LogicalLine) -> bool:
    return len(line.lexemes) > 2 and line.lexemes[2].text in {"=", "in", "subset"}


def _bound(line: LogicalLine) -> list[str]:
    """The names that a line binds: parameters, indices, names behind `for`."""
    names = []
    lexemes = line.lexemes
    for number, lexeme in enumerate(lexemes[:-1]):
        before = lexemes[number - 1].text if number else ""
        behind = lexemes[number + 1].text
        if (
            lexeme.kind is Kind.NAME
            and behind in {"in", "subset"}
            and before in {"for", "(", ",", "["}
        ):
            names.append(lexeme.text)
        if lexeme.text == "(" and before == "for":
            names += _until_closed(lexemes[number + 1 :])
    if line.first.text in {"def", "effect"} and [lexeme.text for lexeme in lexemes[2:3]] == ["("]:
        names += _until_closed(lexemes[3:])
    if line.first.text == "evaluate":
        names += [lexeme.text for lexeme in lexemes[1:2]]
    return names


def _until_closed(lexemes: tuple[Lexeme, ...]) -> list[str]:
    """The first names between the commas of a bracket."""
    names: list[str] = []
    depth = 0
    before = ","
    for lexeme in lexemes:
        depth += (lexeme.text in OPENERS) - (lexeme.text in CLOSERS)
        if depth < 0:
            break
        if depth == 0 and lexeme.kind is Kind.NAME and before == ",":
            names.append(lexeme.text)
        before = lexeme.text if depth == 0 else ""
    return names
