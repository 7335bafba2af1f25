"""Meanings of names in lines that cannot be parsed, guessed from the words of the lines around.

In: the logical lines of a text, and the names that are bound in the readable part. Out: more
`Occurrence`s, in lines without bound names.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping

from gamedsl.services.lines import Scopes
from gamedsl.services.symbols import Occurrence, Symbol, SymbolKind
from gamedsl.source import SourceFile
from gamedsl.syntax.scan import Kind, LogicalLine

_LOCAL = frozenset({SymbolKind.LOCAL, SymbolKind.PARAMETER})


def guessed(
    source: SourceFile,
    lines: tuple[LogicalLine, ...],
    bound: tuple[Occurrence, ...],
    meaning: Callable[[str, bool], Symbol | None],
) -> Iterator[Occurrence]:
    """The occurrences in lines without bound names; `bound` is in order of place. `meaning` returns
    the meaning of a global name, given whether the name is called."""
    starts = [occurrence.place.start for occurrence in bound]
    scopes = Scopes()
    declared: dict[str, Symbol] = {}
    after = 0
    for line in lines:
        if line.indent == 0:
            declared.clear()
        scopes.enter(line)
        first, after = after, bisect_left(starts, line.end)
        first = bisect_left(starts, line.start, first)
        if first < after:
            declared |= {
                occurrence.symbol.name: occurrence.symbol
                for occurrence in bound[first:after]
                if _is_new(occurrence)
            }
        elif not line.is_drawn:
            yield from _in_line(line, source, scopes, declared, meaning)


def _in_line(
    line: LogicalLine,
    source: SourceFile,
    scopes: Scopes,
    declared: Mapping[str, Symbol],
    meaning: Callable[[str, bool], Symbol | None],
) -> Iterator[Occurrence]:
    """The names in one line; `declared` are the local names of the section above the line."""
    for number, lexeme in enumerate(line.lexemes):
        if lexeme.kind is not Kind.NAME:
            continue
        symbol = declared.get(lexeme.text) if scopes.knows(lexeme.text) else None
        if symbol is None:
            is_called = [part.text for part in line.lexemes[number + 1 : number + 2]] == ["("]
            symbol = meaning(lexeme.text, is_called)
        if symbol is not None:
            yield Occurrence(symbol, lexeme.span, source, lexeme.span)


def _is_new(occurrence: Occurrence) -> bool:
    """Whether the occurrence is the declaration of a local name."""
    return occurrence.symbol.kind in _LOCAL and occurrence.is_declaration
