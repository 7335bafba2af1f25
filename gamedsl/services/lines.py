"""What a line says about a place in it, whether it can be parsed or not.

In: logical lines and an offset. Out: the word there, the brackets that are open around it, the
local names in force. Looks at words and signs alone.
"""

from __future__ import annotations

from typing import NamedTuple

from gamedsl.syntax.scan import CLOSERS, OPENERS, Kind, Lexeme, LogicalLine


class Bracket(NamedTuple):
    """A bracket that is open at a place.

    Attributes:
        head: the name right before it, if there is one.
        sign: the bracket itself.
        number: how many commas of it stand before the place.
    """

    head: Lexeme | None
    sign: str
    number: int


def word_start(text: str, offset: int) -> int:
    """Where the word begins that ends at a place, or is being written there."""
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
    found: list[Bracket] = []
    before: Lexeme | None = None
    for one in line.lexemes:
        if one.start >= offset:
            break
        if one.text in OPENERS:
            is_head = before is not None and before.kind is Kind.NAME and before.end == one.start
            found.append(Bracket(before if is_head else None, one.text, 0))
        elif found and CLOSERS.get(one.text) == found[-1].sign:
            found.pop()
        elif found and one.text == ",":
            found[-1] = found[-1]._replace(number=found[-1].number + 1)
        before = one
    return found


def locals_at(lines: tuple[LogicalLine, ...], offset: int, indent: int) -> list[str]:
    """The local names that may be used at a place in a line so far indented, innermost first."""
    found: list[str] = []
    for line in lines:
        if line.start <= offset <= line.end:
            found += _bound(line)
    for line in reversed([one for one in lines if one.end < offset]):
        if indent == 0:
            break
        if line.indent < indent:
            indent = line.indent
            found += _bound(line)
        elif line.indent == indent and line.first.text in {"let", "chance"}:
            found += [one.text for one in line.lexemes[1:2] if _is_new(line)]
    return list(dict.fromkeys(found))


def _is_new(line: LogicalLine) -> bool:
    return len(line.lexemes) > 2 and line.lexemes[2].text in {"=", "in"}


def _bound(line: LogicalLine) -> list[str]:
    """The names that a line gives: parameters, indices, what stands behind `for`."""
    found = []
    lexemes = line.lexemes
    for number, one in enumerate(lexemes[:-1]):
        before = lexemes[number - 1].text if number else ""
        behind = lexemes[number + 1].text
        if (
            one.kind is Kind.NAME
            and behind in {"in", "subset"}
            and before in {"for", "(", ",", "["}
        ):
            found.append(one.text)
        if one.text == "(" and before == "for":
            found += _until_closed(lexemes[number + 1 :])
    if line.first.text in {"def", "effect"} and [one.text for one in lexemes[2:3]] == ["("]:
        found += _until_closed(lexemes[3:])
    if line.first.text == "evaluate":
        found += [one.text for one in lexemes[1:2]]
    return found


def _until_closed(lexemes: tuple[Lexeme, ...]) -> list[str]:
    """The first names between the commas of a bracket."""
    found: list[str] = []
    depth = 0
    before = ","
    for one in lexemes:
        depth += (one.text in OPENERS) - (one.text in CLOSERS)
        if depth < 0:
            break
        if depth == 0 and one.kind is Kind.NAME and before == ",":
            found.append(one.text)
        before = one.text if depth == 0 else ""
    return found
