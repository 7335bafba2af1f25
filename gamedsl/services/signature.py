"""The call around a place: the callee, the parameters, and the parameter being written.

In: an `Analysis` and an offset. Out: a `Signature`, or None outside of calls.
"""

from __future__ import annotations

from gamedsl.model.builtins import BUILTINS
from gamedsl.model.operations import REDUCTIONS
from gamedsl.services.analysis import Analysis
from gamedsl.services.lines import Bracket, brackets
from gamedsl.services.meanings import comment_at, declaration_of
from gamedsl.services.reference import entry_for
from gamedsl.services.symbols import Symbol, SymbolKind
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a callee.

    Attributes:
        label: the call: `line(a, v, n)`.
        parameters: the parts of `label` that are parameters, in order.
        active: the index of the parameter being written, from 0; may be greater than the last
            index.
    """

    label: str
    parameters: tuple[str, ...]
    active: int
    documentation: str = ""


def signature(analysis: Analysis, offset: int) -> Signature | None:
    """The innermost call or index around a place."""
    line = analysis.line_at(offset)
    if line is None or line.is_drawn:
        return None
    for bracket in reversed(brackets(line, offset)):
        innermost = None if bracket.head is None else _of(analysis, bracket, bracket.head.text)
        if innermost is not None:
            return innermost
    return None


def _of(analysis: Analysis, bracket: Bracket, name: str) -> Signature | None:
    if bracket.sign == "{":
        return None
    symbol = analysis.globals.get(name)
    if symbol is not None:
        return _declared(analysis, symbol, bracket)
    if bracket.sign == "(" and name in BUILTINS:
        row = BUILTINS[name]
        many = bracket.number >= len(row.parameters) and row.usage_with_directions
        label = row.usage_with_directions if many else row.usage
        return Signature(label, _inside(label), bracket.number, _documented(name, row.explained))
    if bracket.sign == "(" and name in REDUCTIONS:
        label = f"{name}(e for v in S where c)"
        return Signature(label, _inside(label), 0, _documented(name))
    return None


def _declared(analysis: Analysis, symbol: Symbol, bracket: Bracket) -> Signature | None:
    node = symbol.node
    text = analysis.whole.source.text
    match node:
        case ast.DefDecl() | ast.EffectDecl() if bracket.sign == "(":
            names = tuple(parameter.text for parameter in node.parameters)
            label = f"{symbol.name}({', '.join(names)})"
        case ast.VariableDecl() if bracket.sign == "[":
            names = tuple(text[index.span.start : index.span.end] for index in node.indices)
            label = f"{symbol.name}[{', '.join(names)}]"
        case _:
            return None
    file, place = analysis.whole.source.local(node.span)
    documentation = comment_at(file, place)
    if symbol.kind is not SymbolKind.VARIABLE:
        code = declaration_of(analysis, symbol)
        documentation = f"```gamedsl\n{code}\n```\n\n{documentation}".strip()
    return Signature(label, names, bracket.number, documentation)


def _inside(label: str) -> tuple[str, ...]:
    return tuple(label.partition("(")[2].removesuffix(")").split(", "))


def _documented(name: str, more: str = "") -> str:
    entry = entry_for(name)
    return "\n\n".join(part for part in (entry.text if entry else "", more) if part)
