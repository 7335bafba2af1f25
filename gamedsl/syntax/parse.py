"""Text to AST: the entry of this floor.

In: a source. Out: a Program and the diagnostics of everything in it that could not be read;
whatever the text, nothing is raised. What the words mean is the model's affair.
"""

from __future__ import annotations

from lark.exceptions import UnexpectedInput

from gamedsl.source import Diagnostic, Label, SourceFile, Span
from gamedsl.syntax.ast import Expression, Program
from gamedsl.syntax.extent import BuildError
from gamedsl.syntax.grammar import IndentationMismatch, parser


def parse(source: SourceFile) -> tuple[Program, tuple[Diagnostic, ...]]:
    """The program that a source holds, and what is wrong with its text."""
    try:
        return Program(source, parser().parse(source.text + "\n", start="program")), ()
    except (UnexpectedInput, BuildError, IndentationMismatch) as error:
        start = getattr(error, "pos_in_stream", 0) or 0
        return Program(source, (), frozenset()), (Diagnostic("E0100", "this line cannot be read", Label(Span(start, start + 1)), source),)


def parse_expression(text: str, name: str) -> tuple[Expression | None, tuple[Diagnostic, ...]]:
    source = SourceFile(name, text)
    try:
        return parser().parse(text, start="lone_expression"), ()
    except (UnexpectedInput, BuildError, IndentationMismatch):
        return None, (Diagnostic("E0100", "this is not an expression", Label(Span(0, len(text))), source),)
