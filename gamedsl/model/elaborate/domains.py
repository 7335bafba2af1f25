"""Elaborate domains: the finite sets that variables, indices and parameters range over.

The expression of a domain must be known before the game starts.
"""

from __future__ import annotations

from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.limits import MOST_VALUES
from gamedsl.model.operations import as_collection
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import Scalar, describe
from gamedsl.model.values import Atom, Domain, text_of, unique
from gamedsl.syntax import ast


def domain_of(
    elaborator: Elaborator, written: ast.Expression, scope: Scope, subject: str, first: int = 0
) -> Domain | None:
    """The `Domain` of an expression, or None after a reported error; `first` begins a range in
    examples."""
    if isinstance(written, ast.ListLiteral):
        elaborator.reporter.report(
            "E1105",
            written.span,
            f"{subject} needs a set of values; this is a list",
            hint="a range is `0..9`, a set `{0, 5, 9}`, without `[` and `]`",
        )
        return None
    constant = elaborator.constant(written, scope)
    if constant is None:
        return None
    if isinstance(constant.type, Scalar) and not isinstance(constant.value, Atom):
        elaborator.reporter.report(
            "E1105",
            written.span,
            f"{subject} needs a set of values; this is {describe(constant.type)}",
            hint=elaborator.range_hint(written, first) if isinstance(constant.value, int) else None,
        )
        return None
    values = unique(as_collection(constant.value))
    kinds = {type(value) for value in values}
    if (bool in kinds and int in kinds) or tuple in kinds:
        elaborator.reporter.report(
            "E1105", written.span, f"{subject} cannot mix these values: {text_of(values)}"
        )
        return None
    if not values or len(values) > MOST_VALUES:
        problem = "is empty" if not values else f"has {len(values):,} values, too many"
        is_range = isinstance(written, ast.Binary) and written.operator == ".."
        hint = "a range goes up, from the smaller end" if is_range and not values else None
        elaborator.reporter.report(
            "E1203", written.span, f"the set for {subject} {problem}", hint=hint
        )
        return None
    return Domain(values)
