"""Elaborate `board graph:` into a `Board`, and say what in it can hardly be meant.

In: the lines of the graph. Out: its points, chains and edges. A point whose name is another's
mistyped is an error; lines that say nothing new, and points that cannot be reached, are warnings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, combinations, pairwise

from gamedsl.model.board import Board
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.symbols.reporter import Reporter
from gamedsl.model.values import Square
from gamedsl.source import Label, Severity, Span, is_slip
from gamedsl.syntax import ast

FIRST_ORDER = 10_000
"""Squares come after all other atoms of a game, where atoms are put in order."""

FEW = 4
"""So many points are named in a message."""

_WORDS = re.compile(r"[^\W\d_]+")
"""Names that differ in anything but words are not compared."""


def elaborate_graph(elaborator: Elaborator, declared: ast.BoardGraph) -> Board:
    """The board of a graph; what is wrong with it is reported."""
    written = [name for line in declared.chains for name in line]
    names = list(dict.fromkeys(name.text for name in written))
    squares = {n: Square(n, FIRST_ORDER + i, None, None) for i, n in enumerate(names)}
    chains = tuple(tuple(squares[name.text] for name in line) for line in declared.chains)
    board = Board(tuple(squares.values()), (), chains)
    for name in written:
        elaborator.symbols.is_word(name)
    _report_misspelt(elaborator, written)
    _warn_of_repeats(elaborator.reporter, declared.chains)
    _warn_of_pieces(elaborator.reporter, declared, board)
    return board


def _report_misspelt(elaborator: Elaborator, written: list[ast.Name]) -> None:
    """A point that is named in one place of the file and reads like another one."""
    used = elaborator.symbols.words_used()
    first: dict[str, ast.Name] = {}
    alike: dict[str, list[str]] = {}
    for name in written:
        if first.setdefault(name.text, name) is name:
            alike.setdefault(_WORDS.sub("", name.text), []).append(name.text)
    for one, other in chain.from_iterable(combinations(names, 2) for names in alike.values()):
        odd, known = (one, other) if used[one] < used[other] else (other, one)
        if used[odd] == 1 and is_slip(odd, known):
            elaborator.reporter.report(
                "E1120",
                first[odd].span,
                f"the point `{odd}` occurs nowhere else; did you mean `{known}`?",
                secondary=(Label(first[known].span, f"`{known}` is here"),),
                hint="if they are two points, give them names that differ more",
            )


def _warn_of_repeats(reporter: Reporter, chains: Iterable[tuple[ast.Name, ...]]) -> None:
    """Chains that are there already, from whichever end, and edges from a point to itself."""
    seen: dict[tuple[str, ...], Span] = {}
    for line in chains:
        span = line[0].span.to(line[-1].span)
        names = tuple(name.text for name in line)
        first = seen.setdefault(min(names, names[::-1]), span)
        if first is not span:
            _warn(reporter, span, "this chain is there twice", Label(first, "it is here already"))
        for one, other in pairwise(line):
            if one.text == other.text:
                message = f"an edge from `{one.text}` to itself joins nothing"
                _warn(reporter, one.span.to(other.span), message)


def _warn_of_pieces(reporter: Reporter, declared: ast.BoardGraph, board: Board) -> None:
    """Points that are joined to no other, and parts between which there is no way."""
    place = {name.text: name.span for line in reversed(declared.chains) for name in line}
    pieces = board.pieces()
    if len(pieces) < 2:
        return
    alone = [piece[0].name for piece in pieces if len(piece) == 1]
    for name in alone:
        _warn(reporter, place[name], f"the point `{name}` is joined to no other")
    larger = [piece for piece in pieces if len(piece) > 1]
    if len(larger) > 1:
        last = min(larger, key=len)
        names = ", ".join(square.name for square in last[:FEW])
        message = f"the graph is in {len(larger)} pieces: no chain joins {names}"
        more = " and so on" if len(last) > FEW else ""
        _warn(reporter, place[last[0].name], f"{message}{more} to the others")


def _warn(reporter: Reporter, span: Span, message: str, *beside: Label) -> None:
    reporter.report("W1120", span, message, secondary=beside, severity=Severity.WARNING)
