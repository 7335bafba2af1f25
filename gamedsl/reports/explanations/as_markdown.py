"""The formal definition of a game as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.reports.explanations.as_text import heading
from gamedsl.reports.explanations.sections import Explanation, Section


def explain_markdown(explanation: Explanation) -> str:
    """A page with a section for each function of the textbook."""
    lines = [f"# {_plain(heading(explanation))}", ""]
    if explanation.about:
        lines += [_plain(explanation.about), ""]
    for section in explanation.sections:
        lines += _lines(section)
    return "\n".join(lines).rstrip() + "\n"


def _lines(section: Section) -> Iterator[str]:
    yield from (f"## `{section.name}`: {_plain(section.meaning)}", "")
    for line in (*section.formulas, *section.values):
        yield f"- {_code(line)}"
    if section.formulas or section.values:
        yield ""
    if section.code:
        yield from ("```", section.code.rstrip(), "```", "")
    for picture in section.pictures:
        yield from (f"{_code(picture.formula + ' =')}", "", "```", picture.text, "```", "")


def _code(words: str) -> str:
    """Code in line; doubled ticks where the words hold a tick."""
    return f"`` {words} ``" if "`" in words else f"`{words}`"


def _plain(words: str) -> str:
    """Words without a meaning in Markdown; ticks stay."""
    return "".join(f"\\{c}" if c in "*_<>[]#" else c for c in words)
