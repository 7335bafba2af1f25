"""The outline of a text: its declarations as a tree, and the blocks that can be folded.

In: an `Analysis`. Out: `Entry`s and ranges of lines, for broken texts too.
"""

from __future__ import annotations

from typing import NamedTuple

from gamedsl.services.analysis import Analysis
from gamedsl.services.symbols import SymbolKind
from gamedsl.source import Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Entry:
    """A declaration in the outline.

    Attributes:
        kind: the kind of the declared symbol; None for a section without a name.
        span: the whole declaration.
        name_span: the name, or the first word.
    """

    name: str
    detail: str
    kind: SymbolKind | None
    span: Span
    name_span: Span
    children: tuple[Entry, ...] = ()


class Fold(NamedTuple):
    """Lines, counted from 1, of which all but the first can be hidden."""

    first: int
    last: int
    is_comment: bool


class Lens(NamedTuple):
    """A command of the editor, offered above a line of the text."""

    span: Span
    title: str
    command: str


LENSES = (("Solve", "gamedsl.solve"), ("Play", "gamedsl.play"), ("Tree", "gamedsl.tree"))


def lenses(analysis: Analysis) -> tuple[Lens, ...]:
    """The commands offered above the title of a game, or above the `include` of a variant."""
    places = [
        declared.span
        for kind in (ast.GameTitle, ast.IncludeDecl)
        for declared in analysis.program.declarations
        if isinstance(declared, kind)
    ]
    return tuple(Lens(places[0], *lens) for lens in LENSES) if places else ()


def outline(analysis: Analysis) -> tuple[Entry, ...]:
    """The declarations of the text itself, in order."""
    entries = (_entry(analysis, declaration) for declaration in analysis.program.declarations)
    return tuple(entry for entry in entries if entry is not None)


def _entry(analysis: Analysis, node: ast.Declaration) -> Entry | None:
    text = analysis.source.text
    match node:
        case ast.ParamDecl():
            return _named(text, node, node.name, SymbolKind.PARAM)
        case ast.TypeDecl():
            return _named(text, node, node.name, SymbolKind.TYPE)
        case ast.DefDecl():
            return _named(text, node, node.name, SymbolKind.DEFINITION)
        case ast.EffectDecl():
            return _named(text, node, node.name, SymbolKind.EFFECT)
        case ast.MoveDecl():
            return _named(text, node, node.name, SymbolKind.MOVE)
        case ast.StateDecl():
            children = tuple(
                _named(text, variable, variable.name, SymbolKind.VARIABLE)
                for variable in node.variables
            )
            return _section(text, node, children)
        case ast.PlayersDecl():
            children = tuple(
                Entry(name.text, "", SymbolKind.PLAYER, name.span, name.span) for name in node.names
            )
            return _section(text, node, children)
        case ast.Otherwise():
            return None
        case _:
            return _section(text, node, ())


def _named(text: str, node: ast.Node, name: ast.Name, kind: SymbolKind) -> Entry:
    span = Span(min(node.span.start, name.span.start), max(node.span.end, name.span.end))
    header = text[name.span.end : span.end].partition("\n")[0]
    detail = " ".join(header.partition("#")[0].split()).rstrip(":")
    return Entry(name.text, detail, kind, span, name.span)


def _section(text: str, node: ast.Node, children: tuple[Entry, ...]) -> Entry:
    """A section without a name; its first line serves as the name."""
    line = text[node.span.start : node.span.end].partition("\n")[0].partition("#")[0]
    name = " ".join(line.split()).rstrip(":") or "section"
    end = node.span.start + len(line.rstrip())
    return Entry(name, "", None, node.span, Span(node.span.start, end), children)


def folds(analysis: Analysis) -> tuple[Fold, ...]:
    """Blocks, from the line above to the last line of the block; runs of comment lines."""
    blocks = []
    lines = analysis.lines
    position = analysis.source.position
    for number, line in enumerate(lines):
        below = number + 1
        while below < len(lines) and lines[below].indent > line.indent:
            below += 1
        first, last = position(line.start)[0], position(lines[below - 1].end)[0]
        if last > first:
            blocks.append(Fold(first, last, False))
    return (*blocks, *_comments(analysis))


def _comments(analysis: Analysis) -> list[Fold]:
    runs = []
    first = 0
    for number, line in enumerate([*analysis.source.text.split("\n"), ""], 1):
        if line.lstrip().startswith("#"):
            first = first or number
        else:
            if first and number - 1 > first:
                runs.append(Fold(first, number - 1, True))
            first = 0
    return runs
