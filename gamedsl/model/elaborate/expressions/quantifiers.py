"""Elaborate quantifiers, and sets and lists built with `for`.

The result is a typed quantifier; in a constant context the loops are unrolled and evaluated.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from gamedsl.model import nodes
from gamedsl.model.elaborate.certainty import is_never
from gamedsl.model.elaborate.elaborator import Elaborator, in_error
from gamedsl.model.elaborate.expressions.tables import Order, order_of, why_not_ordered
from gamedsl.model.elaborate.for_names import named_elements, with_each_element
from gamedsl.model.elaborate.narrowing import learned
from gamedsl.model.limits import MOST_SIDE_BY_SIDE
from gamedsl.model.operations import REDUCTIONS, OperationError
from gamedsl.model.symbols.foreign_words import OTHER_FUNCTIONS
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import (
    BOOLEAN,
    NOTHING,
    UNKNOWN,
    ListType,
    Scalar,
    SetType,
    Type,
    atoms,
    describe,
    element_of,
    is_always_number,
    join,
    join_all,
    number,
    size_of,
    type_of,
)
from gamedsl.model.values import NONE, unique
from gamedsl.source import Span, nearest
from gamedsl.syntax import ast

MOST_UNROLLED = 100_000


def quantifier(elaborator: Elaborator, written: ast.Quantifier, scope: Scope) -> nodes.Expr:
    """`any(... for ...)` and all other quantifiers."""
    name = written.function.text
    if name not in REDUCTIONS:
        near = nearest(name, REDUCTIONS)
        return elaborator.wrong(
            "E1004",
            written.function.span,
            f"`{name}` does not take `for`; the quantifiers are {', '.join(REDUCTIONS)}",
            hint=f"did you mean `{near}`?" if near else OTHER_FUNCTIONS.get(name),
        )
    if written.arguments:
        return _extreme_with_others(elaborator, written, scope)
    return build(elaborator, written.span, name, written.element, written.clauses, scope)


def _extreme_with_others(
    elaborator: Elaborator, written: ast.Quantifier, scope: Scope
) -> nodes.Expr:
    """`max(0, e for x in S)`: the greatest of the listed values and of all e; never of an empty
    list."""
    name, span = written.function.text, written.span
    if name not in {"min", "max"}:
        return elaborator.wrong(
            "E1003",
            written.arguments[0].span,
            f"`{name}` with `for` takes one value; only `min` and `max` take others before it",
        )
    operands = tuple(elaborator.expression(operand, scope) for operand in written.arguments)
    built = build(elaborator, span, "list", written.element, written.clauses, scope)
    if UNKNOWN in (built.type, element_of(built.type), *(operand.type for operand in operands)):
        return in_error(span)
    joined = join_all((*(operand.type for operand in operands), element_of(built.type)))
    order = order_among(elaborator, name, joined)
    result = joined if order else reduced_type(elaborator, span, name, joined, 1)
    if result == UNKNOWN:
        return in_error(span)
    number_types = [operand.type for operand in operands if is_always_number(operand.type)]
    if isinstance(result, Scalar) and len(number_types) == len(operands) and result.has_numbers:
        result = _bounded_by(
            name, result, [kind for kind in number_types if isinstance(kind, Scalar)]
        )
    shape = ListType(join_all(tuple(operand.type for operand in operands)), len(operands))
    listed = elaborator.folded(nodes.Collection(span, shape, operands))
    kind = SetType(joined, len(operands) + size_of(built.type))
    union = elaborator.folded(nodes.Builtin(span, kind, "|", (listed, built)))
    if order:
        return order.extreme(elaborator, name, union)
    return elaborator.folded(nodes.Builtin(span, result, name, (union,)))


def _bounded_by(name: str, kind: Scalar, bounds: list[Scalar]) -> Scalar:
    """The type of the greatest (or least) of several values of which `bounds` are always
    present."""
    low, high = kind.interval
    if name == "max":
        low = max(bound.interval[0] for bound in bounds)
    else:
        high = min(bound.interval[1] for bound in bounds)
    return replace(kind, low=low, high=high)


def build(
    elaborator: Elaborator,
    span: Span,
    kind: str,
    element: ast.Expression,
    clauses: tuple[ast.Clause, ...],
    scope: Scope,
) -> nodes.Expr:
    """A quantifier, or a set or list built with `for`."""
    if scope.is_constant:
        return _unrolled(elaborator, span, kind, element, clauses, scope)
    typed, inner = for_clauses(elaborator, clauses, scope)
    body = elaborator.elaborate_if_reachable(
        not any(is_never(clause.domain.type) for clause in typed),
        partial(_element, elaborator, kind, element, inner),
        None,
    )
    if body is None:
        return _of_nothing(elaborator, span, kind)
    if kind == "count":
        body = if_true(body)
    rounds = 1
    for clause in typed:
        rounds *= size_of(clause.domain.type)
    if any(c.domain.type == UNKNOWN for c in typed) or body.type == UNKNOWN:
        return nodes.Comprehension(span, UNKNOWN, kind, typed, body)
    if body.whole is not None:
        return elaborator.wrong("E1101", body.span, f"`{body.whole.variable.name}` is many cells")
    order = order_among(elaborator, kind, body.type)
    if order:
        body = order.place_of(elaborator, body)
    guard = elaborator.guard(body)
    hint = guard and f"leave the others out: `{kind}(... for ... where {guard})`"
    result = reduced_type(elaborator, span, kind, body.type, rounds, hint)
    built = nodes.Comprehension(span, result, kind, typed, body)
    return order.value_at(elaborator, built) if order else built


def _element(
    elaborator: Elaborator, kind: str, written: ast.Expression, scope: Scope
) -> nodes.Expr:
    if kind in {"any", "all"}:
        return elaborator.condition(written, scope, f"`{kind}`")
    return elaborator.expression(written, scope)


def may_be_missing(kind: Type) -> bool:
    """Whether a type is a truth value or `none`, as beyond the edge of a board (`lit[s + d]`)."""
    return kind.kinds == {"bool", "none"}


def if_true(counted: nodes.Expr) -> nodes.Expr:
    """The condition counted by `count`: a truth value that may be `none` counts if true."""
    if may_be_missing(counted.type):
        truth = nodes.Const(counted.span, BOOLEAN, True)
        return nodes.Compare(counted.span, BOOLEAN, "==", counted, truth)
    return counted


def _of_nothing(elaborator: Elaborator, span: Span, kind: str) -> nodes.Expr:
    """A quantifier over an empty domain."""
    if kind in {"set", "list"}:
        return nodes.Const(span, (SetType if kind == "set" else ListType)(NOTHING, 0), ())
    try:
        value = REDUCTIONS[kind](())
    except OperationError as error:
        return elaborator.wrong("E1204", span, str(error), error.hint)
    return nodes.Const(span, type_of(value), value)


def for_clauses(
    elaborator: Elaborator, written: tuple[ast.Clause, ...], scope: Scope
) -> tuple[tuple[nodes.Clause, ...], Scope]:
    """Typed `for ... in ... where ...` clauses in sequence, and the scope inside all clauses."""
    typed: list[nodes.Clause] = []
    if len(written) > MOST_SIDE_BY_SIDE:
        span = written[MOST_SIDE_BY_SIDE].span
        elaborator.wrong("E1203", span, f"at most {MOST_SIDE_BY_SIDE} `for` clauses are possible")
    for clause in written[:MOST_SIDE_BY_SIDE]:
        domain = elaborator.collection(clause.domain, scope, "`for`")
        named = named_elements(elaborator, clause.name, clause.domain, domain, scope)
        domain, scope = named.domain, named.scope
        condition = None
        if clause.condition is not None:
            condition = elaborator.elaborate_if_reachable(
                not is_never(domain.type),
                partial(elaborator.condition, clause.condition, scope, "`where`"),
                None,
            )
        if condition is not None:
            scope = scope.knowing(learned(condition))
        typed.append(nodes.Clause(named.slot, named.name, domain, condition))
    return tuple(typed), scope


def reduced_type(
    elaborator: Elaborator,
    span: Span,
    kind: str,
    element: Type,
    rounds: int,
    hint: str | None = None,
) -> Type:
    """The type of a quantifier over at most `rounds` elements."""
    match kind:
        case "any" | "all":
            return BOOLEAN
        case "count":
            return number(0, rounds)
        case "set":
            limit = element.size if isinstance(element, Scalar) else rounds
            return SetType(element, min(rounds, limit))
        case "list":
            return ListType(element, rounds)
        case "first" | "last" if isinstance(element, Scalar):
            return join(element, atoms(NONE)) if rounds else atoms(NONE)
        case "first" | "last":
            message = f"`{kind}` needs single values; this is {describe(element)}"
            return elaborator.wrong("E1101", span, message).type
    if not isinstance(element, Scalar) or not _is_ordered(kind, element):
        return elaborator.wrong(
            "E1101",
            span,
            f"`{kind}` needs numbers; these are {describe(element)}",
            hint or (why_not_ordered(elaborator, element) if kind in {"min", "max"} else None),
        ).type
    if kind == "sum":
        low, high = element.interval
        return number(min(0, low * rounds), max(0, high * rounds), element.rational)
    return element.without_none()


def order_among(elaborator: Elaborator, kind: str, element: Type) -> Order | None:
    """The order by which `min` and `max` choose among numbers and names of a declared type; None
    for all other quantifiers and values."""
    if kind not in {"min", "max"} or not isinstance(element, Scalar) or element.unknown:
        return None
    return None if _is_ordered(kind, element) else order_of(elaborator, element)


def _is_ordered(kind: str, element: Scalar) -> bool:
    if element.is_number or element == NOTHING:
        return True
    return kind != "sum" and len(element.kinds - {"none"}) == 1 and not element.boolean


def _unrolled(
    elaborator: Elaborator,
    span: Span,
    kind: str,
    element: ast.Expression,
    clauses: tuple[ast.Clause, ...],
    scope: Scope,
) -> nodes.Expr:
    items: list[nodes.Const] = []
    if not _unroll(elaborator, element, clauses, scope, items):
        return in_error(span)
    values = tuple(item.value for item in items)
    joined = join_all(tuple(item.type for item in items))
    if kind == "count" and may_be_missing(joined):
        values = tuple(value for value in values if value is True)
    if kind in {"set", "list"}:
        value = unique(values) if kind == "set" else values
        shape = SetType if kind == "set" else ListType
        return nodes.Const(span, shape(joined, len(value)), value)
    order = order_among(elaborator, kind, joined)
    if order:
        return order.extreme(
            elaborator, kind, nodes.Const(span, ListType(joined, len(values)), values)
        )
    try:
        reduced = REDUCTIONS[kind](values)
    except OperationError as error:
        return elaborator.wrong("E1204", span, str(error), error.hint)
    return nodes.Const(span, type_of(reduced), reduced)


def _unroll(
    elaborator: Elaborator,
    element: ast.Expression,
    clauses: tuple[ast.Clause, ...],
    scope: Scope,
    items: list[nodes.Const],
) -> bool:
    if len(items) > MOST_UNROLLED:
        elaborator.wrong("E1203", element.span, f"more than {MOST_UNROLLED:,} values")
        return False
    if not clauses:
        item = elaborator.expression(element, scope)
        if not isinstance(item, nodes.Const) or item.type == UNKNOWN:
            return False
        items.append(item)
        return True
    clause = clauses[0]
    domain = elaborator.collection(clause.domain, scope, "`for`")
    if not isinstance(domain, nodes.Const) or not isinstance(domain.value, tuple):
        return False
    inners = with_each_element(elaborator, clause.name, clause.domain, domain, scope)
    if inners is None:
        return False
    for inner in inners:
        if clause.condition is not None:
            wanted = elaborator.condition(clause.condition, inner, "`where`")
            if wanted.known is None or wanted.type == UNKNOWN:
                return False
            if wanted.known is not True:
                continue
        if not _unroll(elaborator, element, clauses[1:], inner, items):
            return False
    return True
