"""Descriptions of symbols: the declaration, the type, the comment beside it, the reference page.

In: an `Analysis` and a `Symbol`. Out: Markdown. Explanations of words of the language and of
builtins come from the reference page.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.builtins import BUILTINS
from gamedsl.model.types import UNKNOWN, Type, describe
from gamedsl.model.values import text_of
from gamedsl.services.analysis import Analysis
from gamedsl.services.navigation import declared_at
from gamedsl.services.reference import entry_for
from gamedsl.services.symbols import Symbol, SymbolKind
from gamedsl.source import SourceFile, Span
from gamedsl.source.plurals import count
from gamedsl.syntax import ast

MOST_LINES = 12
"""Lines of a declaration that are shown."""

MOST_VALUES = 12
"""Values of a set that are listed."""


def described(analysis: Analysis, symbol: Symbol, kind: Type | None = None) -> str:
    """The whole description of a symbol; `kind` is its type at the place asked about."""
    place = declared_at(analysis, symbol)
    if place is None:
        return undeclared(symbol, kind)
    parts = [_code(declaration_of(analysis, symbol)), _sentence(analysis, symbol, kind)]
    parts.append(comment_at(place.file, place.span))
    if not analysis.is_own(place.file):
        line, _ = place.file.position(place.span.start)
        parts.append(f"*declared in {place.file.name}, line {line}*")
    return "\n\n".join(part for part in parts if part)


def undeclared(symbol: Symbol, kind: Type | None = None) -> str:
    """The description of a word of the language, a builtin, a direction or a square of a grid."""
    match symbol.kind:
        case SymbolKind.DIRECTION:
            return word_described("directions", f"`{symbol.name}`: a direction") or symbol.name
        case SymbolKind.SQUARE:
            return f"`{symbol.name}`: a square of the board"
        case _:
            text = word_described(symbol.name) or f"`{symbol.name}`: {symbol.kind.value}"
            return f"{text}\n\nHere: {type_text(kind)}" if kind is not None else text


def word_described(word: str, heading: str = "") -> str | None:
    """The reference page's explanation of a word or a sign; None if the page has none."""
    entry = entry_for(word)
    if entry is None:
        return None
    builtin = BUILTINS.get(word)
    explained = f"\n\n{builtin.explained}" if builtin is not None else ""
    return f"{heading or _code(entry.usage)}\n\n{entry.text}{explained}".strip()


def type_text(kind: Type | None) -> str:
    """A type in words, or "" if unknown."""
    return "" if kind is None or kind == UNKNOWN else describe(kind)


def declaration_of(analysis: Analysis, symbol: Symbol) -> str:
    """The text of a declaration; for a declaration with a block, the line that heads the block."""
    node, declared = symbol.node, symbol.declared
    if node is None or declared is None:
        return symbol.name
    file, place = analysis.whole.source.local(node.span)
    match node:
        case ast.MoveDecl() | ast.EffectDecl() | ast.For():
            text = _head(file, place)
        case ast.StateDecl() | ast.BoardGraph() | ast.TreeChoice():
            text = symbol.name
        case _:
            text = file.text[place.start : place.end]
    lines = text.split("\n")
    return "\n".join([*lines[:MOST_LINES], *(["..."] if len(lines) > MOST_LINES else [])])


def comment_at(file: SourceFile, span: Span) -> str:
    """The comment behind a declaration, or the comment lines right above."""
    start = file.text.rfind("\n", 0, span.start) + 1
    line = file.text[start:].partition("\n")[0]
    behind = line.partition("#")[2].strip()
    if behind and not line.lstrip().startswith(("game ", "include ")):
        return behind
    above = []
    for text in reversed(file.text[:start].split("\n")[:-1]):
        if not text.lstrip().startswith("#"):
            break
        above.append(text.lstrip().lstrip("#").strip())
    return "\n".join(reversed(above))


def _head(file: SourceFile, place: Span) -> str:
    text = file.text[place.start : place.end]
    depth = 0
    for number, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == ":" and depth == 0:
            return text[:number]
    return text


def _code(text: str) -> str:
    return f"```gamedsl\n{text}\n```"


def _sentence(analysis: Analysis, symbol: Symbol, kind: Type | None) -> str:
    role = symbol.kind.value
    if symbol.owner:
        role = f"{role} of `{symbol.owner}`"
    detail = _detail(analysis, symbol) or type_text(kind)
    return f"{role}: {detail}" if detail else role


def _detail(analysis: Analysis, symbol: Symbol) -> str:
    symbols = analysis.symbols
    if symbols is None:
        return ""
    match symbol.kind:
        case SymbolKind.VARIABLE:
            variable = symbols.find(symbol.name)
            return _of_variable(variable) if isinstance(variable, nodes.Variable) else ""
        case SymbolKind.PARAM | SymbolKind.TYPE:
            value = symbols.find(symbol.name)
            return _of_constant(value) if isinstance(value, nodes.Const) else ""
        case SymbolKind.VALUE:
            atom = symbols.atoms.get(symbol.name)
            return "" if atom is None else f"of `{atom.kind}`"
        case _:
            return ""


def _of_variable(variable: nodes.Variable) -> str:
    cells = len(variable.cells)
    many = "one cell" if cells == 1 else count(cells, "cell")
    constant = "; nothing assigns it: a table of constants" if variable.is_constant else ""
    hidden = "; secret" if variable.viewers is not None else ""
    return f"{many}, each of `{variable.domain}`{hidden}{constant}"


def _of_constant(constant: nodes.Const) -> str:
    if not isinstance(constant.value, tuple):
        return f"`{text_of(constant.value)}`"
    some = ", ".join(text_of(value) for value in constant.value[:MOST_VALUES])
    more = f", ... ({len(constant.value)})" if len(constant.value) > MOST_VALUES else ""
    return f"`{some}{more}`"
