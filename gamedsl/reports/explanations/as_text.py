"""The formal definition of a game as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill, indent

from gamedsl.reports.explanations.sections import Explanation, Section
from gamedsl.reports.phrases import titled

WIDTH = 88


def explain_text(explanation: Explanation) -> str:
    """One paragraph a function of the textbook."""
    parts = [heading(explanation)]
    if explanation.about:
        parts.append(fill(explanation.about, WIDTH))
    parts += ["\n".join(_lines(section)) for section in explanation.sections]
    return "\n\n".join(parts)


def heading(explanation: Explanation) -> str:
    """The title with the parameters as bound."""
    return titled(explanation.title, explanation.parameters)


def _lines(section: Section) -> Iterator[str]:
    yield f"{section.name}: {section.meaning}"
    for formula in section.formulas:
        yield _wrapped(formula)
    if section.code:
        yield indent(section.code.rstrip(), "    | ", lambda line: True)
    for value in section.values:
        yield _wrapped(value)
    for picture in section.pictures:
        yield f"  {picture.formula} ="
        yield indent(picture.text, "      ")


def _wrapped(line: str) -> str:
    return fill(line, WIDTH, initial_indent="  ", subsequent_indent="      ",
                break_long_words=False, break_on_hyphens=False)  # fmt: skip
