"""Bind parameters: values given from outside, written in the language, replace the defaults.

Texts such as `4` or `[1, 2]` become constants of the same shape as the defaults. Errors are
reported at the declaration of the parameter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.symbols.symbol_table import SymbolTable
from gamedsl.model.types import ListType, Scalar, SetType, Type, describe
from gamedsl.model.values import Value, text_of
from gamedsl.source import nearest
from gamedsl.source.text import source_from_text
from gamedsl.syntax import ast


def elaborate_parameter(
    elaborator: Elaborator, declared: ast.ParamDecl, text: str | None
) -> nodes.Const | None:
    """The value of a `param`: the default, or the value of `text` if given from outside."""
    default = elaborator.constant(declared.value, Scope(RuleContext.CONSTANT))
    if default is None or text is None:
        return default
    return _bound(elaborator, declared, default, text)


def changed_parameters(
    elaborator: Elaborator, parameters: Iterable[tuple[str, Value]], names: Collection[str]
) -> frozenset[str]:
    """Names of the parameters given from outside whose value differs from the default."""
    bound = dict(parameters)
    defaults = {
        declared.name.text: elaborator.constant(declared.value, Scope(RuleContext.CONSTANT))
        for declared in elaborator.symbols.all(ast.ParamDecl)
        if declared.name.text in names
    }
    return frozenset(n for n, c in defaults.items() if c is not None and c.value != bound.get(n))


def _bound(
    elaborator: Elaborator, declared: ast.ParamDecl, default: nodes.Const, text: str
) -> nodes.Const:
    name = declared.name.text
    reading = _read(elaborator, name, default, text)
    if not isinstance(reading, nodes.Const):
        why, hint = reading
        elaborator.reporter.report(
            "E1401", declared.span, f"the value given for `{name}`, `{text}`: {why}", hint=hint
        )
        return default
    kind = _kind(declared, default)
    if not _same_shape(kind, reading.type):
        hint = None
        if _same_shape(_with_fractions(kind), reading.type):
            shown = text_of(default.value)
            hint = f"`param {name} = {shown}/1` would take fractions, and begin with {shown}"
        elaborator.reporter.report(
            "E1401",
            declared.span,
            f"parameter `{name}` is {_shape(kind)} such as {text_of(default.value)};"
            f" the value given is {describe(reading.type)}",
            hint=hint,
        )
        return default
    return reading


def _kind(declared: ast.ParamDecl, default: nodes.Const) -> Type:
    """The type of a parameter's values: with fractions if the default is written as a fraction
    (`1/1`)."""
    is_fraction = isinstance(declared.value, ast.Binary) and declared.value.operator == "/"
    return _with_fractions(default.type) if is_fraction else default.type


def _with_fractions(kind: Type) -> Type:
    return replace(kind, rational=True) if isinstance(kind, Scalar) and kind.has_numbers else kind


def _read(
    elaborator: Elaborator, name: str, default: nodes.Const, text: str
) -> nodes.Const | tuple[str, str | None]:
    """The constant value of a text, or an error message with a hint."""
    from gamedsl.syntax.parse import parse_expression

    written, diagnostics = parse_expression(text, f"value of {name}")
    if written is None:
        return (diagnostics[0].message if diagnostics else "not an expression"), None
    with elaborator.reporter.apart(source_from_text(text)) as trial:
        constant = elaborator.constant(written, Scope(RuleContext.CONSTANT))
    if trial.diagnostics:
        first = trial.diagnostics[0]
        is_name = first.code == "E1001"
        hint = f"in the file: `{name} = {text_of(default.value)}`" if is_name else first.hint
        return first.message, hint
    return ("not a constant", None) if constant is None else constant


def check_parameters(symbols: SymbolTable, names: Iterable[str]) -> None:
    """Report names of parameters, given from outside, that the file does not declare."""
    for name in names:
        if name not in symbols.params:
            near = nearest(name, symbols.params)
            has = ", ".join(f"`{p}`" for p in symbols.params)
            symbols.reporter.report(
                "E1402",
                None,
                f"this game has no parameter `{name}`; "
                + (f"it has {has}" if has else "it has none"),
                hint=f"did you mean `{near}`?" if near else None,
            )


def _shape(kind: Type) -> str:
    match kind:
        case Scalar() if kind.has_numbers:
            return "a number" if kind.rational else "a whole number"
        case Scalar():
            return describe(kind)
        case _:
            return "a list"


def _same_shape(left: Type, right: Type) -> bool:
    match left, right:
        case Scalar(), Scalar():
            return left.kinds == right.kinds and (left.rational or not right.rational)
        case ((ListType() | SetType()), (ListType() | SetType())):
            return left.size == 0 or right.size == 0 or _same_shape(left.element, right.element)
        case _:
            return type(left) is type(right)
