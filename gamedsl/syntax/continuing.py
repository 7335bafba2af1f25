"""The grammar's terminals for a place of a text, in texts with mistakes too.

In: a text and the start of a word. Out: the terminals possible at the start of the word. The
section is read up to the place; if the text above has errors, only the headers of the blocks around
the place are read.
"""

from __future__ import annotations

from lark import TextSlice, UnexpectedInput

from gamedsl.syntax.grammar import GAP, PARSE_ERRORS, indent_width, parser
from gamedsl.syntax.scan import LogicalLine

_ALWAYS_HEADED = "if true:"
"""Replaces `elif` and `else`, whose `if` is left out."""


def fitting(text: str, start: int, lines: tuple[LogicalLine, ...]) -> frozenset[str]:
    """The possible terminals for a word that begins at `start`; empty if the line is wrong before
    `start`. `lines` are the logical lines of the text."""
    current = next((line for line in lines if line.start <= start <= line.end), None)
    first = text.rfind("\n", 0, start) + 1 if current is None else current.start
    prefix = text[first:start]
    indent = indent_width(prefix) if not prefix.strip() else _indent_of(current)
    above = [line for line in lines if line.start < first]
    section = next((line.start for line in reversed(above) if line.indent == 0), 0)
    if indent > 0:
        terminals = _fitting_behind(text[section:start])
        if terminals is not None:
            return terminals
    return _fitting_behind(_heads(text, above, indent) + prefix) or frozenset()


def _indent_of(line: LogicalLine | None) -> int:
    return 0 if line is None else line.indent


def _heads(text: str, above: list[LogicalLine], indent: int) -> str:
    """The headers of the blocks around a line with the given indentation, outermost first."""
    heads: list[str] = []
    for line in reversed(above):
        if line.indent < indent:
            indent = line.indent
            head = text[line.start : line.end]
            if line.first.text in {"elif", "else"}:
                head = head[: line.first.start - line.start] + _ALWAYS_HEADED
            heads.insert(0, head)
    return "".join(f"{head}\n" for head in heads)


def _fitting_behind(prefix: str) -> frozenset[str] | None:
    """The possible terminals behind a text; None if the text is wrong."""
    text = prefix + GAP
    reader = parser().parse_interactive(TextSlice(text, 0, len(text)), start="program")
    try:
        for token in reader.iter_parse():
            if token.type == "GAP":
                break
    except UnexpectedInput as error:
        if (error.pos_in_stream or 0) < len(prefix):
            return None
    except PARSE_ERRORS:
        return None
    return frozenset(reader.accepts())  # type: ignore[no-untyped-call]
