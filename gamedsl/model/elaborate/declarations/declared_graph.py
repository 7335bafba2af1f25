"""Elaborate `board graph:` into a `Board`, and report probable slips.

A point is an error if the name is a misspelling of another point's name. Redundant lines and
unreachable points are warnings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import chain, combinations, pairwise

from gamedsl.model.board import FIRST_ORDER, Board
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.symbols.reporter import Reporter
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.symbols.symbol_table import words_used
from gamedsl.model.types import describe
from gamedsl.model.values import Square, text_of
from gamedsl.source import Label, Severity, Span, is_slip
from gamedsl.syntax import ast

Place = tuple[int | Fraction, int | Fraction]
"""Drawing position of a point: to the right, and upwards."""

FEW = 4
"""Number of points named in a message."""

_COORDINATES = re.compile(r"([a-z])([1-9][0-9]*)")
"""Names that are coordinates: column and row."""

FEWEST_CHAINS = 4
"""Fewest chains of a graph in which a single crooked chain is reported."""

_WORDS = re.compile(r"[^\W\d_]+")
"""The words in a name. Names are compared only if they are equal but for the words."""


def elaborate_graph(elaborator: Elaborator, declared: ast.BoardGraph) -> Board:
    """The board of a graph; errors in the graph are reported."""
    chains = [line.points for line in declared.lines if isinstance(line, ast.Chain)]
    written = [name for line in declared.lines for name in _points(line)]
    names = list(dict.fromkeys(name.text for name in written))
    squares = {n: Square(n, FIRST_ORDER + i, None, None) for i, n in enumerate(names)}
    for name in written:
        elaborator.symbols.is_word(name)
    is_misspelt = _report_misspelt(elaborator, written)
    board = Board(
        tuple(squares.values()),
        (),
        tuple(tuple(squares[name.text] for name in line) for line in chains),
        joined=tuple(
            (squares[line.point.text], squares[neighbour.text])
            for line in declared.lines
            if isinstance(line, ast.Joined)
            for neighbour in line.neighbours
        ),
        places=() if is_misspelt else _places(elaborator, declared, written),
    )
    _warn_of_repeats(elaborator.reporter, declared)
    if not is_misspelt:
        _warn_of_pieces(elaborator.reporter, written, board)
        _warn_of_coordinates(elaborator.reporter, declared, written)
    return board


def _points(line: ast.Chain | ast.Joined | ast.Placed) -> tuple[ast.Name, ...]:
    match line:
        case ast.Chain(points=points):
            return points
        case ast.Joined(point=point, neighbours=neighbours):
            return (point, *neighbours)
        case ast.Placed(point=point):
            return (point,)


def _places(
    elaborator: Elaborator, declared: ast.BoardGraph, written: list[ast.Name]
) -> tuple[Place, ...]:
    """Drawing positions of the points; empty unless every point has a distinct position."""
    places: dict[str, Place] = {}
    owners: dict[Place, str] = {}
    for line in declared.lines:
        if not isinstance(line, ast.Placed):
            continue
        across, up = (_coordinate(elaborator, number) for number in (line.across, line.up))
        if across is None or up is None:
            return ()
        name, here = line.point.text, (across, up)
        message = None
        if name in places:
            message = f"`{name}` has a place already"
        elif here in owners:
            message = (
                f"`{name}` is drawn at ({text_of(across)}, {text_of(up)}), as `{owners[here]}`"
            )
        if message is not None:
            elaborator.reporter.report("E1121", line.span, message)
            return ()
        places[name] = here
        owners[here] = name
    missing = next((name for name in written if places and name.text not in places), None)
    if missing is not None:
        elaborator.reporter.report(
            "E1121",
            missing.span,
            f"the point `{missing.text}` has no place, and others have one",
            hint=f"write `{missing.text} at (..., ...)`, or is another point meant?",
        )
        return ()
    return tuple(places[name] for name in dict.fromkeys(point.text for point in written) if places)


def _coordinate(elaborator: Elaborator, written: ast.Expression) -> int | Fraction | None:
    constant = elaborator.constant(written, Scope(RuleContext.CONSTANT))
    if constant is None:
        return None
    if isinstance(constant.value, bool) or not isinstance(constant.value, int | Fraction):
        message = f"a place is two numbers; this is {describe(constant.type)}"
        elaborator.reporter.report("E1121", written.span, message)
        return None
    return constant.value


def _report_misspelt(elaborator: Elaborator, written: list[ast.Name]) -> bool:
    """Report a point that occurs once in the file and has a name similar to another point's.
    Returns whether a report was made: then further points may be misplaced."""
    used, is_any = words_used(elaborator.symbols.program), False
    first: dict[str, ast.Name] = {}
    alike: dict[str, list[str]] = {}
    for name in written:
        if first.setdefault(name.text, name) is name:
            alike.setdefault(_WORDS.sub("", name.text), []).append(name.text)
    for left, right in chain.from_iterable(combinations(names, 2) for names in alike.values()):
        odd, known = (left, right) if used[left] < used[right] else (right, left)
        if used[odd] == 1 and is_slip(odd, known):
            elaborator.reporter.report(
                "E1120",
                first[odd].span,
                f"the point `{odd}` occurs nowhere else; did you mean `{known}`?",
                secondary=(Label(first[known].span, f"`{known}` is here"),),
                hint="if they are two points, give them names that differ more",
            )
            is_any = True
    return is_any


def _warn_of_repeats(reporter: Reporter, declared: ast.BoardGraph) -> None:
    """Warn of chains given twice, in any direction, and of loops (edges with equal ends)."""
    seen: dict[tuple[str, ...], Span] = {}
    for line in declared.lines:
        if not isinstance(line, ast.Chain):
            _warn_of_loops(reporter, line)
            continue
        span, names = line.span, tuple(name.text for name in line.points)
        first = seen.setdefault(min(names, names[::-1]), span)
        if first is not span:
            _warn(reporter, span, "this chain is there twice", Label(first, "it is here already"))
        _warn_of_loops(reporter, line)


def _warn_of_loops(reporter: Reporter, line: ast.Chain | ast.Joined | ast.Placed) -> None:
    """Warn of loops (edges with equal ends)."""
    pairs: Iterable[tuple[ast.Name, ast.Name]] = ()
    match line:
        case ast.Chain(points=points):
            pairs = pairwise(points)
        case ast.Joined(point=point, neighbours=neighbours):
            pairs = ((point, neighbour) for neighbour in neighbours)
    for start, end in pairs:
        if start.text == end.text:
            message = f"an edge from `{start.text}` to itself joins nothing"
            _warn(reporter, start.span.to(end.span), message)


def _warn_of_pieces(reporter: Reporter, written: list[ast.Name], board: Board) -> None:
    """Warn of isolated points and of a graph in several pieces."""
    place = {name.text: name.span for name in reversed(written)}
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
        message = f"the graph is in {len(larger)} pieces: nothing joins {names}"
        more = " and so on" if len(last) > FEW else ""
        _warn(reporter, place[last[0].name], f"{message}{more} to the others")


def _warn_of_coordinates(
    reporter: Reporter, declared: ast.BoardGraph, written: list[ast.Name]
) -> None:
    """If all names are coordinates, warn of the only chain that is not straight, and of a point
    that occurs once and is alone in its row or column."""
    matches = {name.text: _COORDINATES.fullmatch(name.text) for name in written}
    places = {n: (ord(m[1]), int(m[2])) for n, m in matches.items() if m is not None}
    chains = [
        line for line in declared.lines if isinstance(line, ast.Chain) and len(line.points) > 2
    ]
    if len(places) < len(matches) or len(chains) < FEWEST_CHAINS:
        return
    bent = [line for line in chains if not _is_straight([places[p.text] for p in line.points])]
    if len(bent) == 1:
        _warn(reporter, bent[0].span, "this chain is not straight, and all others are")
    times = Counter(name.text for name in written)
    for name in written:
        elsewhere = [place for point, place in places.items() if point != name.text]
        is_alone = any(all(o[i] != places[name.text][i] for o in elsewhere) for i in (0, 1))
        if times[name.text] == 1 and is_alone:
            message = f"no other point is in the row, or the column, of `{name.text}`"
            _warn(reporter, name.span, message)


def _is_straight(places: list[tuple[int, int]]) -> bool:
    (x, y), *rest = places
    steps = [(a - x, b - y) for a, b in rest]
    return all(a * steps[0][1] == b * steps[0][0] for a, b in steps)


def _warn(reporter: Reporter, span: Span, message: str, *labels: Label) -> None:
    reporter.report("W1120", span, message, secondary=labels, severity=Severity.WARNING)
