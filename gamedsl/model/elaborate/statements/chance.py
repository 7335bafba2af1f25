"""Elaborate chance events: possible outcomes, weights, and the variable that receives the outcome.

`chance x in S` and `chance x in {a: 1/2, b: 1/2}` become a typed statement with its support, the
set of possible outcomes. Weights that depend on the state are checked in play.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.expressions import quantifiers
from gamedsl.model.elaborate.narrowing import holding
from gamedsl.model.elaborate.statements import changes
from gamedsl.model.limits import MOST_VALUES
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import UNKNOWN, Scalar, describe, element_of, join, size_of
from gamedsl.model.values import Domain, Value
from gamedsl.syntax import ast

WEIGHT = "a weight is a number such as `1/3`"


def chance(
    elaborator: Elaborator, written: ast.Chance, scope: Scope
) -> tuple[nodes.Statement | None, Scope]:
    """A chance event (None after an error), and the scope of the statements behind."""
    domain, element = _chances(elaborator, written, scope)
    is_new = _is_new(elaborator, written, scope)
    place: nodes.Place | int | None
    is_turn = isinstance(written.target, ast.Name) and written.target.text == "turn"
    name = elaborator.text(written.target)
    standing = nodes.Local(written.domain.span, element, name, -1)
    if is_turn:
        if element != UNKNOWN and not changes.is_mover(elaborator, standing):
            return None, scope
        place = changes.turn(elaborator, written.span)
    elif is_new and isinstance(written.target, ast.Name):
        scope, place = elaborator.new_local(written.target, element, scope)
    else:
        place = changes.target(elaborator, written.target, scope)
        if place is None:
            return None, scope
    inside = scope if isinstance(place, int) else holding(written.span, place, element, scope)
    condition = _condition(elaborator, written, domain, inside)
    support = _support(elaborator, written, domain, element)
    if support is None:
        return None, scope
    _check_weights(elaborator, written, domain)
    if not (isinstance(place, int) or is_turn):
        changes.proved(elaborator, written.span, place.variable, standing)
    return nodes.Chance(written.span, name, place, domain, condition, support), scope


def _chances(
    elaborator: Elaborator, written: ast.Chance, scope: Scope
) -> tuple[nodes.Expr | nodes.Weighted, Scalar]:
    """The distribution, and the type of the outcomes."""
    if written.weight is not None:
        in_braces = _relative(elaborator, written, written.weight, scope)
        weighted, outcomes = _chances(elaborator, in_braces, scope)
        assert isinstance(weighted, nodes.Weighted)
        return replace(weighted, are_relative=True), outcomes
    match written.domain:
        case ast.Weights(pairs=pairs):
            elaborator.symbols.suspects |= _names(key for key, _ in pairs)
            typed = tuple(
                (elaborator.expression(key, scope), elaborator.number(weight, scope, WEIGHT))
                for key, weight in pairs
            )
            kinds = [key.type for key, _ in typed]
            domain: nodes.Expr | nodes.Weighted = nodes.Weighted((), typed)
        case ast.WeightsBuild() as build:
            clauses, inner = quantifiers.for_clauses(elaborator, build.clauses, scope)
            key = elaborator.expression(build.key, inner)
            weight = elaborator.number(build.weight, inner, WEIGHT)
            domain = nodes.Weighted(clauses, ((key, weight),))
            kinds = [key.type]
        case _:
            if isinstance(written.domain, ast.SetLiteral):
                elaborator.symbols.suspects |= _names(written.domain.items)
            domain = elaborator.collection(written.domain, scope, "`chance`")
            domain = elaborator.worked_out(written.domain, domain)
            kinds = [element_of(domain.type)]
    element: Scalar = Scalar()
    for kind in kinds:
        if not isinstance(kind, Scalar):
            elaborator.wrong(
                "E1101",
                written.domain.span,
                f"`chance` draws single values; this is {describe(kind)}",
            )
            return domain, UNKNOWN
        joined = join(element, kind)
        assert isinstance(joined, Scalar)
        element = joined
    return domain, element


def _relative(
    elaborator: Elaborator, written: ast.Chance, weight: ast.Expression, scope: Scope
) -> ast.Chance:
    """`chance x in {x: w for x in S where c}` for `chance x in S where c weighted w`.

    Where the outcome goes into a variable, `where` and `weighted` name the cell: a name of its own
    stands for the outcome there.
    """
    if isinstance(written.domain, ast.Weights | ast.WeightsBuild):
        elaborator.wrong(
            "E1110",
            weight.span,
            "the weights of this event stand in the braces already",
            hint="`weighted` goes with a set: `chance x in S weighted w`",
        )
        return replace(written, weight=None)
    target, text = written.target, elaborator.text(written.target)
    free = "drawn"
    while free in elaborator.reporter.source.text:
        free += "_"
    name = ast.Name(target.span, text if _is_new(elaborator, written, scope) else free)

    def named(node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(map(named, node))
        if not isinstance(node, ast.Node):
            return node
        if elaborator.text(node) == text:
            return replace(name, span=node.span)
        inner = [field.name for field in fields(node) if field.name != "span"]
        return replace(node, **{field: named(getattr(node, field)) for field in inner})

    clause = ast.Clause(written.span, name, written.domain, named(written.condition))
    build = ast.WeightsBuild(written.domain.span, name, named(weight), (clause,))
    return replace(written, domain=build, condition=None, weight=None)


def _is_new(elaborator: Elaborator, written: ast.Chance, scope: Scope) -> bool:
    """Whether the outcome gets a new name."""
    return (
        isinstance(written.target, ast.Name)
        and scope.find(written.target.text) is None
        and written.target.text not in elaborator.symbols.variable_decls
        and written.target.text != "turn"
    )


def _names(written: Iterable[ast.Expression]) -> set[str]:
    return {expression.text for expression in written if isinstance(expression, ast.Name)}


def _condition(
    elaborator: Elaborator,
    written: ast.Chance,
    domain: nodes.Expr | nodes.Weighted,
    scope: Scope,
) -> nodes.Expr | None:
    """The condition after `where`."""
    if written.condition is None or written.weight is not None:
        return None
    if isinstance(domain, nodes.Weighted):
        elaborator.wrong(
            "E1110",
            written.condition.span,
            "`where` goes with a set of equally likely values, not with weights",
            hint="give the others the weight 0",
        )
    return elaborator.condition(written.condition, scope, "`where`")


def _support(
    elaborator: Elaborator,
    written: ast.Chance,
    domain: nodes.Expr | nodes.Weighted,
    element: Scalar,
) -> Domain | None:
    """All possible outcomes, in order."""
    if element.unknown:
        return None
    values: tuple[Value, ...] | None = None
    if isinstance(domain, nodes.Const) and isinstance(domain.value, tuple):
        values = domain.value
    elif isinstance(domain, nodes.Weighted) and not domain.clauses:
        keys = [key for key, _ in domain.pairs]
        if all(key.known is not None for key in keys):
            values = tuple(key.known for key in keys if key.known is not None)
            if len(set(values)) < len(values):
                elaborator.wrong(
                    "E1110", written.domain.span, "an outcome is listed twice", "add up its weights"
                )
    if values is None:
        values = element.enumerate()
    if values is None:
        elaborator.wrong(
            "E1203",
            written.domain.span,
            f"what can come out must be at most {MOST_VALUES:,} values, known before the game"
            f" starts; this is {describe(element)}",
        )
        return None
    return Domain(tuple(dict.fromkeys(values)))


def _check_weights(
    elaborator: Elaborator, written: ast.Chance, domain: nodes.Expr | nodes.Weighted
) -> None:
    """Report constant weights that cannot be probabilities, and an empty set."""
    if not isinstance(domain, nodes.Weighted):
        if size_of(domain.type) == 0:
            elaborator.wrong("E1110", written.domain.span, "nothing can come out of an empty set")
        return
    weights = [w.known for _, w in domain.pairs if w.known is not None]
    shares = [w for w in weights if isinstance(w, int | Fraction)]
    if domain.are_relative or domain.clauses or len(shares) < len(domain.pairs):
        return
    total = sum(shares, Fraction(0))
    if total != 1 or min(shares) < 0:
        wrong = f"add up to {total}, not 1" if total != 1 else f"hold {min(shares)}"
        hint = f"as shares of the whole: `{shares[0]}/{total}`" if _are_counts(shares) else None
        elaborator.wrong("E1110", written.domain.span, f"the weights of this event {wrong}", hint)


def _are_counts(shares: list[int | Fraction]) -> bool:
    return min(shares) >= 0 and max(shares) > 1 and all(isinstance(s, int) for s in shares)
