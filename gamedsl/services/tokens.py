"""Semantic tokens: the names of a text by kind, for colours that no lexer can give.

In: an `Analysis`. Out: `Token`s in order of place, never across lines.
"""

from __future__ import annotations

from typing import NamedTuple

from gamedsl.services.analysis import Analysis
from gamedsl.services.symbols import SymbolKind
from gamedsl.source import Span

TOKEN_TYPES = {
    SymbolKind.PARAM: "variable",
    SymbolKind.TYPE: "type",
    SymbolKind.PLAYER: "enumMember",
    SymbolKind.VALUE: "enumMember",
    SymbolKind.SQUARE: "enumMember",
    SymbolKind.VARIABLE: "property",
    SymbolKind.MOVE: "method",
    SymbolKind.DEFINITION: "function",
    SymbolKind.EFFECT: "method",
    SymbolKind.PARAMETER: "parameter",
    SymbolKind.LOCAL: "variable",
    SymbolKind.INFORMATION_SET: "label",
    SymbolKind.FUNCTION: "function",
    SymbolKind.DIRECTION: "enumMember",
    SymbolKind.WORD: "keyword",
}
"""The standard names of the Language Server Protocol for the kinds of names."""

MODIFIERS = ("declaration", "readonly", "modification", "defaultLibrary")

_CHANGES = frozenset({SymbolKind.VARIABLE})
_BUILT_IN = frozenset({SymbolKind.FUNCTION, SymbolKind.DIRECTION, SymbolKind.WORD})


class Token(NamedTuple):
    """A name with type and modifiers, by the standard names of the protocol."""

    span: Span
    type: str
    modifiers: tuple[str, ...]


def tokens(analysis: Analysis) -> tuple[Token, ...]:
    """The names with a meaning."""
    result = []
    end = 0
    for occurrence in analysis.own_occurrences:
        if occurrence.place.start < end or occurrence.place.end <= occurrence.place.start:
            continue
        kind = occurrence.symbol.kind
        holds = (
            occurrence.is_declaration,
            kind not in _CHANGES | {SymbolKind.FUNCTION, SymbolKind.WORD},
            occurrence.is_written,
            kind in _BUILT_IN,
        )
        modifiers = tuple(name for name, is_so in zip(MODIFIERS, holds, strict=True) if is_so)
        result.append(Token(occurrence.place, TOKEN_TYPES[kind], modifiers))
        end = occurrence.place.end
    return tuple(result)
