"""Elaborate expressions: names resolved, types and integer intervals computed, constants folded.

Each kind of expression is elaborated in a separate module; this module dispatches by kind, and
limits the size of expressions.
"""

from __future__ import annotations

from fractions import Fraction

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator, in_error
from gamedsl.model.elaborate.expressions import (
    calls,
    cells,
    comparisons,
    logic,
    names,
    operators,
    quantifiers,
)
from gamedsl.model.elaborate.narrowing import narrowed
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import (
    UNKNOWN,
    ListType,
    Scalar,
    SetType,
    TupleType,
    clashes,
    describe,
    join_all,
    number,
)
from gamedsl.syntax import ast


class ExpressionElaborator(Elaborator):
    """The elaborator with every kind of expression."""

    def expression(self, written: ast.Expression, scope: Scope) -> nodes.Expr:
        """The typed node of an expression."""
        if not self.may_go_on(written.span):
            return in_error(written.span)
        self.effort.enter()
        node = self._elaborated(written, scope)
        self.effort.leave()
        if isinstance(node.type, Scalar) and node.type.is_number_or_else:
            node = narrowed(node, scope)
        if self.notes is not None:
            self.notes.note(written.span, node.type)
        return self.of_fair_size(node)

    def _elaborated(self, written: ast.Expression, scope: Scope) -> nodes.Expr:
        match written:
            case ast.Name():
                return names.named(self, written, scope)
            case ast.Number():
                return nodes.Const(
                    written.span, number(written.value, written.value), written.value
                )
            case ast.Decimal():
                return self.wrong(
                    "E1108",
                    written.span,
                    "numbers with a point are allowed in `expect` alone",
                    hint=f"write a fraction: `{Fraction(written.text)}`",
                )
            case ast.Unary():
                return operators.unary(self, written, scope)
            case ast.Binary():
                return operators.binary(self, written, scope)
            case ast.Series():
                from gamedsl.model.elaborate.expressions import series

                return series.series(self, written, scope)
            case ast.Compare():
                return comparisons.compare(self, written, scope)
            case ast.Logic():
                return logic.logic(self, written, scope)
            case ast.Conditional():
                return logic.conditional(self, written, scope)
            case ast.Call():
                return calls.call(self, written, scope)
            case ast.Quantifier():
                return quantifiers.quantifier(self, written, scope)
            case ast.Index():
                return cells.indexed(self, written, scope)
            case ast.SetLiteral() | ast.ListLiteral() | ast.TupleLiteral():
                return _literal(self, written, scope)
            case ast.SetBuild() | ast.ListBuild():
                kind = "set" if isinstance(written, ast.SetBuild) else "list"
                return quantifiers.build(
                    self, written.span, kind, written.element, written.clauses, scope
                )
            case ast.Weights() | ast.WeightsBuild():
                return self.wrong(
                    "E1108",
                    written.span,
                    "weights `{a: 1/2, b: 1/2}` belong to `chance`",
                    hint="write `chance x in {a: 1/2, b: 1/2}`",
                )


def _literal(
    elaborator: Elaborator,
    written: ast.SetLiteral | ast.ListLiteral | ast.TupleLiteral,
    scope: Scope,
) -> nodes.Expr:
    """`{a, b}`, `[a, b]`, `(a, b)`."""
    items = tuple(elaborator.expression(item, scope) for item in written.items)
    for item in items:
        if item.whole is not None:
            return elaborator.wrong(
                "E1101",
                item.span,
                f"`{item.whole.variable.name}` is many cells; "
                f"say which: `{item.whole.variable.name}[...]`",
            )
    kinds = tuple(item.type for item in items)
    if isinstance(written, ast.TupleLiteral):
        return elaborator.folded(nodes.Collection(written.span, TupleType(kinds), items))
    joined = join_all(kinds)
    if clashes(joined) and UNKNOWN not in kinds:
        listed = ", ".join(dict.fromkeys(describe(kind) for kind in kinds))
        return elaborator.wrong(
            "E1101", written.span, f"the items are of different kinds: {listed}"
        )
    if joined == UNKNOWN:
        return nodes.Collection(written.span, UNKNOWN, items)
    shape = SetType if isinstance(written, ast.SetLiteral) else ListType
    return elaborator.folded(nodes.Collection(written.span, shape(joined, len(items)), items))
