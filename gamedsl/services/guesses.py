"""What the names in a line mean that cannot be parsed: by the words of the lines around it.

In: the logical lines of a text, and the names that are bound where it could be read. Out: more
`Occurrence`s, in lines without any.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator

from gamedsl.services.lines import locals_at
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
    """The names in lines in which none is bound; `bound` is in order of place. `meaning` says what
    a name means outside of all bodies, given whether it is called."""
    starts = [one.place.start for one in bound]
    section = 0
    for line in lines:
        if line.indent == 0:
            section = line.start
        first = bisect_left(starts, line.start)
        if line.is_drawn or (first < len(starts) and starts[first] < line.end):
            continue
        known = locals_at(lines, line.start, line.indent)
        above = bound[bisect_left(starts, section) : first]
        for number, one in enumerate(line.lexemes):
            if one.kind is not Kind.NAME:
                continue
            symbol = _declared_above(above, one.text) if one.text in known else None
            if symbol is None:
                is_called = [part.text for part in line.lexemes[number + 1 : number + 2]] == ["("]
                symbol = meaning(one.text, is_called)
            if symbol is not None:
                yield Occurrence(symbol, one.span, source, one.span)


def _declared_above(above: tuple[Occurrence, ...], name: str) -> Symbol | None:
    """The last local name of a section that is called so."""
    for one in reversed(above):
        if one.symbol.name == name and one.symbol.kind in _LOCAL and one.is_declaration:
            return one.symbol
    return None
