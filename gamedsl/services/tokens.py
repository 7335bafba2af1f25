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
    found = []
    end = 0
    for one in analysis.own:
        if one.place.start < end or one.place.end <= one.place.start:
            continue
        kind = one.symbol.kind
        given = (
            one.is_declaration,
            kind not in _CHANGES | {SymbolKind.FUNCTION, SymbolKind.WORD},
            one.is_written,
            kind in _BUILT_IN,
        )
        modifiers = tuple(name for name, is_so in zip(MODIFIERS, given, strict=True) if is_so)
        found.append(Token(one.place, TOKEN_TYPES[kind], modifiers))
        end = one.place.end
    return tuple(found)
