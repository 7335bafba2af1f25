"""Elaborate `and`, `or` and `a if c else b`, simplified where an operand is known."""

from __future__ import annotations

from functools import partial

from gamedsl.model import nodes
from gamedsl.model.elaborate.certainty import truth_of
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.narrowing import learned, narrowed
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import BOOLEAN, UNKNOWN, clashes, describe, join
from gamedsl.source import Span
from gamedsl.syntax import ast


def logic(elaborator: Elaborator, written: ast.Logic, scope: Scope) -> nodes.Expr:
    """`a and b`, `a or b`."""
    decisive = written.operator == "or"
    neutral = nodes.Const(written.span, BOOLEAN, not decisive)
    operands: list[nodes.Expr] = []
    is_open = True
    for place, part in enumerate(written.operands):
        hint = _either_hint(elaborator, written, place)
        asked = partial(elaborator.condition, part, scope, f"`{written.operator}`", hint)
        operand = elaborator.elaborate_if_reachable(is_open, asked, neutral)
        operands.append(operand)
        if scope.is_constant and operand.known is decisive:
            break
        is_open = is_open and truth_of(operand) is not decisive
        scope = scope.knowing(learned(operand, not decisive))
    return join_logic(written.span, written.operator, tuple(operands))


def conditional(elaborator: Elaborator, written: ast.Conditional, scope: Scope) -> nodes.Expr:
    """`a if c else b`."""
    condition = elaborator.condition(written.condition, scope, "`if`")
    if scope.is_constant and condition.known is not None:
        taken = written.then if condition.known is True else written.otherwise
        return elaborator.expression(taken, scope)
    then, otherwise = _sides(elaborator, written, condition, scope)
    kind = join(then.type, otherwise.type)
    if clashes(kind) and UNKNOWN not in (then.type, otherwise.type):
        return elaborator.wrong(
            "E1101",
            written.span,
            "the two sides of `if ... else` are of different kinds:"
            f" {describe(then.type)} and {describe(otherwise.type)}",
        )
    if condition.known is not None and condition.type != UNKNOWN:
        return then if condition.known is True else otherwise
    return nodes.Conditional(written.span, kind, condition, then, otherwise)


def _sides(
    elaborator: Elaborator, written: ast.Conditional, condition: nodes.Expr, scope: Scope
) -> tuple[nodes.Expr, nodes.Expr]:
    """The two values, narrowed by the condition. If a side is never evaluated and in error, the
    value of the opposite side is returned twice."""
    truth = truth_of(condition)

    def side(part: ast.Expression, scope: Scope) -> nodes.Expr:
        return narrowed(elaborator.expression(part, scope), scope)

    sides: list[nodes.Expr | None] = [
        elaborator.elaborate_if_reachable(
            truth is not (not holds),
            partial(side, part, scope.knowing(learned(condition, holds))),
            None,
        )
        for part, holds in ((written.then, True), (written.otherwise, False))
    ]
    then, otherwise = sides
    either = then or otherwise
    assert either is not None, "a condition that surely holds does not surely not hold"
    return then or either, otherwise or either


def join_logic(span: Span, operator: str, operands: tuple[nodes.Expr, ...]) -> nodes.Expr:
    """Operands joined by `and` or `or`; neutral constants are dropped, constant results are
    folded."""
    decisive = operator == "or"
    if any(operand.type == UNKNOWN for operand in operands):
        return nodes.Logic(span, UNKNOWN, operator, operands)
    if any(o.known is decisive for o in operands[:1]):
        return nodes.Const(span, BOOLEAN, decisive)
    rest = tuple(o for o in operands if o.known is None or o.known is decisive)
    if not rest:
        return nodes.Const(span, BOOLEAN, not decisive)
    if all(operand.known is not None for operand in rest):
        return nodes.Const(span, BOOLEAN, decisive)
    return rest[0] if len(rest) == 1 else nodes.Logic(span, BOOLEAN, operator, rest)


def _either_hint(elaborator: Elaborator, written: ast.Logic, place: int) -> str | None:
    """A hint for `x == a or b`, where `b` is a value and not a condition."""
    before = written.operands[place - 1] if place else None
    if isinstance(written.operands[place], ast.Compare | ast.Logic):
        return None
    match before:
        case ast.Compare(rest=((operator, right),)) if operator in {"==", "!="} or (
            operator in {"in", "not in"} and isinstance(right, ast.Number)
        ):
            word = {"==": "in", "!=": "not in"}.get(operator, operator)
            first, second = elaborator.text(right), elaborator.text(written.operands[place])
            return f"write `{elaborator.text(before.first)} {word} {{{first}, {second}}}`"
        case _:
            return None
