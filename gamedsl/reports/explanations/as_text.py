"""The formal definition of a game as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from gamedsl.reports.explanations.sections import Explanation, Section
from gamedsl.reports.paragraphs import comparisons_whole, fill, line_width

_BAR, _MARGIN = "    | ", " " * 6


def explain_text(explanation: Explanation) -> str:
    """One paragraph per function of the textbook."""
    parts = [explanation.title]
    if explanation.about:
        parts.append(fill(explanation.about))
    parts += ["\n".join(_lines(section)) for section in explanation.sections]
    return "\n\n".join(parts)


def _lines(section: Section) -> Iterator[str]:
    yield fill(f"{section.name}: {section.meaning}", later="  ")
    for formula in section.lines:
        yield _wrapped(formula)
    for line in section.code.rstrip().splitlines():
        yield from (f"{_BAR}{part}".rstrip() for part in code_lines(line, line_width() - len(_BAR)))
    for value in section.values:
        yield _wrapped(value)
    for picture in section.pictures:
        yield _wrapped(f"{picture.formula} =")
        yield from map(_drawn, picture.text.splitlines())


def _drawn(line: str) -> str:
    """A line of a drawing; a long list of a variable's cells is continued on the next line."""
    if len(line) + len(_MARGIN) <= line_width() or ", " not in line:
        return f"{_MARGIN}{line}"
    cells = line.replace(" ", "\N{NO-BREAK SPACE}").replace(",\N{NO-BREAK SPACE}", ", ")
    return fill(cells, _MARGIN, f"{_MARGIN}    ")


def _wrapped(line: str) -> str:
    margin = len(line) - len(line.lstrip())
    return fill(comparisons_whole(line.lstrip()), " " * (margin + 2), " " * (margin + 6))


def code_lines(line: str, width: int) -> list[str]:
    """A line of a file within a width: a trailing comment moves above, the rest is wrapped."""
    if len(line) <= width:
        return [line]
    margin = " " * (len(line) - len(line.lstrip()))
    rules, mark, comment = line.partition(" # ")
    lines = []
    if mark and rules.strip():
        lines = wrap(comment.strip(), width, initial_indent=f"{margin}# ",
                     subsequent_indent=f"{margin}# ")  # fmt: skip
    elif not rules.strip():
        return wrap(line.strip(), width, initial_indent=margin, subsequent_indent=f"{margin}# ")
    rest = fill(comparisons_whole(rules.strip()), margin, margin + " " * 8, width)
    return [*lines, *rest.splitlines()]
