"""The formal definition of a game as a LaTeX document (pdflatex, lualatex)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gamedsl.reports.explanations.sections import Explanation, Section
from gamedsl.reports.formulas.as_latex import formula_latex
from gamedsl.reports.formulas.tree import Formula, Nest, nested, read
from gamedsl.reports.latex import latex

_HEAD = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{amsmath,amssymb}
\begin{document}
"""
_MACROS = r"""\providecommand{\formulaline}[2]{{\raggedright\leftskip=#1em
  \lineskiplimit=1pt\lineskip=2pt\hangindent=2em\hangafter=1\noindent#2\par}}
\providecommand{\bracedlines}[2]{{\noindent\hspace*{#1em}%
  $\left\{\parbox{\dimexpr\linewidth-#1em-1em}{#2}\right.$\par}}"""
"""A formula indented by #1 em; lines in a brace, indented by #1 em."""
_INDENT = 1.5
_CODE = re.compile(r"`([^`]+)`")
_LINES = str.maketrans("─│┌┐└┘", "-|++++")
"""Replacements for the edges of cards, absent from the fonts of `verbatim`."""


def explain_latex(explanation: Explanation) -> str:
    """The document; the part between `begin` and `end` can be copied into another document."""
    lines = [_MACROS, rf"\section*{{{latex(explanation.title)}}}"]
    if explanation.about:
        lines.append(_CODE.sub(r"\\texttt{\1}", latex(explanation.about)))
    for section in explanation.sections:
        lines += _lines(section)
    return _HEAD + "\n".join(lines) + "\n\\end{document}\n"


def _lines(section: Section) -> Iterator[str]:
    yield rf"\subsection*{{{_name(section.name)}: {latex(section.meaning)}}}"
    yield from _nests(nested((*section.formulas, *section.spelled)), 0)
    for value in section.values:
        yield _formula_line(read(value), 0)
    for picture in section.pictures:
        yield _formula_line(read(f"{picture.formula} ="), 0)
        yield r"\csname @beginparpenalty\endcsname=10000"  # the picture stays below its name
        yield from _verbatim(picture.text)


def _nests(nests: tuple[Nest, ...], depth: int) -> Iterator[str]:
    """The lines; lines below a line are braced or indented."""
    for nest in nests:
        yield _formula_line(nest.line.formula, depth)
        if nest.is_braced:
            yield rf"\bracedlines{{{_INDENT * (depth + 1)}}}{{%"
            yield from _nests(nest.below, 0)
            yield "}"
        else:
            yield from _nests(nest.below, depth + 1)


def _formula_line(formula: Formula, depth: int) -> str:
    return rf"\formulaline{{{_INDENT * depth}}}{{${formula_latex(formula)}$}}"


def _verbatim(text: str) -> Iterator[str]:
    yield r"\begin{verbatim}"
    yield text.replace(r"\end{verbatim}", r"\end {verbatim}").translate(_LINES)
    yield r"\end{verbatim}"


def _name(name: str) -> str:
    return f"${formula_latex(read(name))}$" if "(" in name or name[1:].isdigit() else latex(name)
