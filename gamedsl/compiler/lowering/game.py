"""The lowering of one game: joins the parts of the lowering.

`GameLowering` lets the lower parts call the upper parts.
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.compiler.ir.values import Value
from gamedsl.compiler.lowering.bodies import earnings, endings
from gamedsl.compiler.lowering.sets import lifting, lines, preimages, quantified
from gamedsl.compiler.lowering.values import cells, expressions, quantifiers, tables
from gamedsl.compiler.lowering.values.context import Each, Lowering
from gamedsl.compiler.lowering.values.scope import Low, Scope
from gamedsl.model import nodes
from gamedsl.model.values import Value as GameValue


class GameLowering(Lowering):
    """The lowering of a game."""

    def lower(self, node: nodes.Expr, scope: Scope) -> Low:
        return tables.lower(self, node, scope)

    def lower_by_kind(self, node: nodes.Expr, scope: Scope) -> Low:
        return expressions.lower_by_kind(self, node, scope)

    def read(self, node: nodes.Cell, scope: Scope) -> Low:
        return cells.read(self, node, scope)

    def is_cell(self, node: nodes.Cell, value: GameValue, scope: Scope) -> Value | None:
        return cells.is_cell(self, node, value, scope)

    def compare(self, node: nodes.Compare, scope: Scope) -> Low:
        return quantified.compare(self, node, scope)

    def quantify(self, node: nodes.Comprehension, scope: Scope) -> Low:
        return quantified.quantify(self, node, scope)

    def reduce(self, node: nodes.Builtin, scope: Scope) -> Low:
        return quantifiers.reduce(self, node, scope)

    def member(self, node: nodes.Member, scope: Scope) -> Low:
        return quantifiers.member(self, node, scope)

    def board_builtin(self, node: nodes.Builtin, scope: Scope) -> Low:
        return lines.board_builtin(self, node, scope)

    def rounds(
        self, clauses: tuple[nodes.Clause, ...], scope: Scope, each: Callable[[Scope], None]
    ) -> None:
        quantified.rounds(self, clauses, scope, each)

    def go_through_squares(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        quantified.go_through_squares(self, node, scope, each, stem)

    def go_through_bits(self, squares: Value, each: Each, stem: str) -> None:
        quantified.go_through_bits(self, squares, each, stem)

    def lifted(self, node: nodes.Expr, slot: int, scope: Scope) -> Value | None:
        return lifting.lifted(self, node, slot, scope)

    def lift(self, node: nodes.Expr, scope: Scope) -> Value | None:
        return lifting.lift(self, node, scope)

    def opened(self, node: nodes.Expr, scope: Scope) -> tuple[nodes.Expr, Scope]:
        return preimages.opened(self, node, scope)

    def squares_of(self, node: nodes.Expr, scope: Scope) -> Value | None:
        return preimages.set_of(self, node, scope)

    def write_branch(self, statement: nodes.Branch, scope: Scope) -> Scope | None:
        return endings.write_branch(self, statement, scope)

    def write_loop(self, statement: nodes.Loop, scope: Scope) -> None:
        endings.write_loop(self, statement, scope)

    def write_reward(self, statement: nodes.Reward, scope: Scope) -> None:
        earnings.write_reward(self, statement, scope)

    def write_outcome(self, statement: nodes.Outcome, scope: Scope) -> None:
        endings.write_outcome(self, statement, scope)
