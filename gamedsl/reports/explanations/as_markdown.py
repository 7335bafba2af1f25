"""The formal definition of a game as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gamedsl.reports.explanations.sections import Explanation, Section

_TICKS = re.compile("`+")
_IN_TICKS = re.compile(r"((?<![`\\])`[^`\n]+`(?!`))")
_MEANT = re.compile(r"([\\`*_<>\[\]#&~|$!])")
_MEANT_FIRST = re.compile(r"^( *\d*)([-+=.)])", re.MULTILINE)
"""Characters with a meaning at the beginning of a line."""


def explain_markdown(explanation: Explanation) -> str:
    """A page with a section for each function of the textbook."""
    lines = [f"# {_plain(explanation.title)}", ""]
    if explanation.about:
        lines += [_plain(explanation.about), ""]
    for section in explanation.sections:
        lines += _lines(section)
    return "\n".join(lines).rstrip() + "\n"


def _lines(section: Section) -> Iterator[str]:
    yield from (f"## `{section.name}`: {_plain(section.meaning)}", "")
    for line in (*section.lines, *section.values):
        yield f"- {_code(line)}"
    if section.formulas or section.values:
        yield ""
    if section.code:
        yield from _block(section.code.rstrip())
    for picture in section.pictures:
        yield from (f"{_code(picture.formula + ' =')}", "", *_block(picture.text))


def _block(text: str) -> tuple[str, ...]:
    """A code block, with a fence longer than every run of backticks in the text."""
    fence = "`" * max(3, _longest_ticks(text) + 1)
    return fence, text, fence, ""


def _code(words: str) -> str:
    """Inline code, with more backticks than in the text."""
    ticks = "`" * (_longest_ticks(words) + 1)
    return f"{ticks} {words} {ticks}" if len(ticks) > 1 else f"`{words}`"


def _longest_ticks(text: str) -> int:
    return max(map(len, _TICKS.findall(text)), default=0)


def _plain(words: str) -> str:
    """Words escaped for Markdown, except code between backticks."""
    return "".join(
        part if number % 2 else _MEANT_FIRST.sub(r"\1\\\2", _MEANT.sub(r"\\\1", part))
        for number, part in enumerate(_IN_TICKS.split(words))
    )
