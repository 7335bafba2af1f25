"""Where a piece of the parse lies in the text, and the complaint of a builder about one.

In: the children of a grammar rule (tokens, AST nodes, tuples of nodes, None for what was left
out). Out: their span. Nothing here knows a construct.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lark import Token

from gamedsl.source import Span
from gamedsl.syntax.ast import Node

LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT"})


class BuildError(Exception):
    """A construct that the grammar lets through and the language does not have.

    It leaves the parser where it was raised and becomes a diagnostic at once.
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
    """The span of one child, or None if it is nothing that can be pointed at."""
    if isinstance(child, Node):
        return child.span
    if isinstance(child, Token):
        return None if child.type in LAYOUT else token_span(child)
    if isinstance(child, tuple):
        spans = [span for item in child if (span := extent_of(item)) is not None]
        return Span(spans[0].start, spans[-1].end) if spans else None
    return None


def token_span(token: Token) -> Span:
    """The stretch of text that a token stands for."""
    start = token.start_pos or 0
    return Span(start, start + len(token))
