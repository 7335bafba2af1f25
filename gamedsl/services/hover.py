"""Hover texts for the name, word or sign under the pointer."""

from __future__ import annotations

from gamedsl.model.types import Type
from gamedsl.services.analysis import Analysis
from gamedsl.services.meanings import described, type_text, word_described
from gamedsl.services.reference import fact_entry
from gamedsl.services.symbols import SymbolKind
from gamedsl.source import Span
from gamedsl.source.records import dataclass
from gamedsl.syntax.scan import Kind, Lexeme, LogicalLine

TYPED_WHERE_USED = frozenset({SymbolKind.LOCAL, SymbolKind.PARAMETER, SymbolKind.WORD})
"""Kinds of names whose type depends on the place of use, so that the rules are checked for the
type. The description of other names comes from the declaration alone."""


@dataclass(frozen=True, slots=True)
class Hover:
    """Markdown text, and the stretch of the source that the text is about."""

    span: Span
    text: str


def hover(analysis: Analysis, offset: int) -> Hover | None:
    """The hover text for a place; None if no text is known."""
    occurrence = analysis.occurrence_at(offset)
    if occurrence is not None:
        kind = None
        if occurrence.symbol.kind in TYPED_WHERE_USED:
            kind = analysis.notes.types.get(occurrence.span)
        return Hover(occurrence.place, described(analysis, occurrence.symbol, kind))
    line = analysis.line_at(offset)
    lexeme = None if line is None else _lexeme_at(line, offset)
    if line is None or lexeme is None or line.is_drawn:
        return None
    return _of_word(line, lexeme) or _of_expression(analysis, offset)


def _lexeme_at(line: LogicalLine, offset: int) -> Lexeme | None:
    """The lexeme at a place; at a boundary, a word rather than a sign."""
    here = [lexeme for lexeme in line.lexemes if lexeme.start <= offset <= lexeme.end]
    words = [lexeme for lexeme in here if lexeme.kind is Kind.NAME]
    return next(iter(words or reversed(here)), None)


def _of_word(line: LogicalLine, lexeme: Lexeme) -> Hover | None:
    if lexeme.kind is Kind.NAME and line.first.text == "expect":
        words = [word.text for word in line.lexemes[1:3]]
        is_first = line.lexemes[1:2] == (lexeme,)
        entry = fact_entry(" ".join(words)) or (fact_entry(words[0]) if is_first else None)
        if entry is not None and lexeme in line.lexemes[1:3]:
            return Hover(lexeme.span, f"```gamedsl\nexpect {entry.usage}: ...\n```\n\n{entry.text}")
    if lexeme.kind not in {Kind.NAME, Kind.SIGN}:
        return None
    text = word_described(lexeme.text)
    return None if text is None else Hover(lexeme.span, text)


def _of_expression(analysis: Analysis, offset: int) -> Hover | None:
    """The type of the smallest expression around a place."""
    around = [
        (place.end - place.start, place, span)
        for place, span in analysis.types_here.items()
        if place.start <= offset <= place.end
    ]
    if not around:
        return None
    _, place, span = min(around)
    kind: Type = analysis.notes.types[span]
    text = type_text(kind)
    code = " ".join(analysis.source.text[place.start : place.end].split())
    return Hover(place, f"`{code}`: {text}") if text else None
