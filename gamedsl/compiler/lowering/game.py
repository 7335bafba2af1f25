"""The lowering of one game: joins the parts of the lowering.

`GameLowering` lets the lower parts call the upper parts.
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.compiler.ir.values import Value
from gamedsl.compiler.lowering import kinds
from gamedsl.compiler.lowering.bodies import statements
from gamedsl.compiler.lowering.sets import lifting, quantified
from gamedsl.compiler.lowering.values import tables
from gamedsl.compiler.lowering.values.context import Each, Lowering
from gamedsl.compiler.lowering.values.scope import Low, Scope
from gamedsl.model import nodes


class GameLowering(Lowering):
    """The lowering of a game."""

    def lower(self, node: nodes.Expr, scope: Scope) -> Low:
        return tables.lower(self, node, scope, kinds.lower_by_kind)

    def lift(self, node: nodes.Expr, scope: Scope) -> Value | None:
        return lifting.lift(self, node, scope)

    def rounds(
        self, clauses: tuple[nodes.Clause, ...], scope: Scope, each: Callable[[Scope], None]
    ) -> None:
        quantified.rounds(self, clauses, scope, each)

    def go_through_squares(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        quantified.go_through_squares(self, node, scope, each, stem)

    def write_statement(self, statement: nodes.Statement, scope: Scope) -> Scope | None:
        return statements.write_statement(self, statement, scope)
