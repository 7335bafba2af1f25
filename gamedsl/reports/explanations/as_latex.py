"""The formal definition of a game as a LaTeX document (pdflatex, lualatex)."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.reports.explanations.sections import Explanation, Section
from gamedsl.reports.latex import latex

_HEAD = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\begin{document}
"""
_LINES = str.maketrans("─│┌┐└┘", "-|++++")
"""Replacements for the edges of cards, absent from the fonts of `verbatim`."""


def explain_latex(explanation: Explanation) -> str:
    """The document; the part between `begin` and `end` can be copied into another document."""
    lines = [rf"\section*{{{latex(explanation.title)}}}"]
    if explanation.about:
        lines.append(latex(explanation.about))
    for section in explanation.sections:
        lines += _lines(section)
    return _HEAD + "\n".join(lines) + "\n\\end{document}\n"


def _lines(section: Section) -> Iterator[str]:
    yield rf"\subsection*{{{_name(section.name)}: {latex(section.meaning)}}}"
    lines = [*section.formulas, *section.values]
    if lines:
        yield r"\begin{itemize}\raggedright"
        yield from (rf"\item {_formula(line)}" for line in lines)
        yield r"\end{itemize}"
    if section.code:
        yield from _verbatim(section.code.rstrip())
    for picture in section.pictures:
        yield rf"\noindent {_formula(picture.formula)} $=$"
        yield from _verbatim(picture.text)


def _verbatim(text: str) -> Iterator[str]:
    yield r"\begin{verbatim}"
    yield text.replace(r"\end{verbatim}", r"\end {verbatim}").translate(_LINES)
    yield r"\end{verbatim}"


def _formula(line: str) -> str:
    """A formula: names of the textbook's functions in small capitals, the rest as in the file."""
    return rf"\texttt{{{latex(line)}}}"


def _name(name: str) -> str:
    function, bracket, arguments = name.partition("(")
    return rf"\textsc{{{latex(function.capitalize())}}}{latex(bracket + arguments)}"
