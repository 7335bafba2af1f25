"""Spans of pieces of the parse tree, and the error of a builder.

In: the children of a grammar rule (tokens, AST nodes, tuples of nodes, None for omitted parts).
Out: their span. The module knows no constructs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lark import Token

from gamedsl.source import Span
from gamedsl.syntax.ast import Node

LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT"})


class BuildError(Exception):
    """A construct that the grammar accepts but the language does not have.

    The error propagates out of the parser at once and becomes a diagnostic.
    """

    def __init__(self, span: Span, code: str, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.span = span
        self.code = code
        self.message = message
        self.hint = hint


def extent(children: Iterable[Any]) -> Span:
    """The stretch from the first to the last solid child; layout and gaps do not count."""
    solid = [span for child in children if (span := extent_of(child)) is not None]
    return Span(solid[0].start, solid[-1].end)


def extent_of(child: Any) -> Span | None:
    """The span of one child, or None if the child has no place in the text."""
    if isinstance(child, Node):
        return child.span
    if isinstance(child, Token):
        return None if child.type in LAYOUT else token_span(child)
    if isinstance(child, tuple):
        spans = [span for item in child if (span := extent_of(item)) is not None]
        return Span(spans[0].start, spans[-1].end) if spans else None
    return None


def token_span(token: Token) -> Span:
    """The stretch of text of a token."""
    start = token.start_pos or 0
    return Span(start, start + len(token))
