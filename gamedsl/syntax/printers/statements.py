"""Statements of one line, and headers of longer statements, as parts of a logical line.

In: AST nodes. Out: parts. Blocks, comments and blank lines are left to the formatter.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from gamedsl.syntax import ast
from gamedsl.syntax.printers.expressions import LOOSEST, PRIMARY, ExpressionPrinter
from gamedsl.syntax.printers.fragments import LinePart, Slot

Parts = list[LinePart]


class StatementPrinter:
    """Prints simple statements and headers."""

    def __init__(self, expressions: ExpressionPrinter) -> None:
        self.expressions = expressions

    def slot(self, expression: ast.Expression, level: int = LOOSEST) -> Slot:
        """An expression that may be broken over lines."""
        fragments = tuple(self.expressions.print(expression, level))
        return Slot(fragments, self.expressions.is_opened(expression))

    def primary(self, expression: ast.Expression) -> Parts:
        """A target, or the player of an outcome."""
        return [*self.expressions.print(expression, PRIMARY)]

    def simple(self, node: ast.Simple) -> Parts:
        """A statement without a block."""
        match node:
            case ast.Assign(target=target, operator=operator, value=value):
                return [*self.primary(target), f" {operator} ", self.slot(value)]
            case ast.AssignAll(targets=targets, values=values):
                left = self.row(self.primary(target) for target in targets)
                return [*left, " = ", *self.row([self.slot(value)] for value in values)]
            case ast.Let(name=name, value=value):
                return [f"let {name.text} = ", self.slot(value)]
            case ast.CallEffect(name=name, arguments=arguments):
                call = ast.Call(node.span, name, arguments)
                return [*self.expressions.print(call)]
            case ast.Chance(target=target, domain=domain, condition=condition, weight=weight):
                word = " subset of " if node.is_subset else " in "
                head: Parts = ["chance ", *self.primary(target), word, self.slot(domain)]
                where = self.option(" where ", condition)
                return [*head, *where, *self.option(" weighted ", weight)]
            case ast.Again():
                return ["again"]
            case ast.Included():
                return ["included"]
            case ast.Reward(shares=shares):
                return self.shares("reward", shares)
            case ast.Require(condition=condition):
                return ["require ", self.slot(condition)]
            case ast.RequireGreatest(value=value):
                return ["require ", self.slot(value), " is greatest"]
            case ast.Ensure(condition=condition):
                return ["ensure ", self.slot(condition)]
            case _:
                return self.outcome(node)

    def outcome(self, node: ast.Outcome) -> Parts:
        """The outcome of a finished game."""
        match node:
            case ast.Wins(player=player, amount=amount):
                return [*self.primary(player), " wins", *self.option(" ", amount)]
            case ast.Loses(player=player, amount=amount):
                return [*self.primary(player), " loses", *self.option(" ", amount)]
            case ast.Draw():
                return ["draw"]
            case ast.Payoff(entries=entries):
                return self.shares("payoff", entries)
            case _:
                assert_never(node)

    def row(self, items: Iterable[Parts]) -> Parts:
        """Items with commas between them."""
        parts: Parts = []
        for i, item in enumerate(items):
            parts += [", ", *item] if i else item
        return parts

    def shares(self, word: str, pairs: tuple[tuple[ast.Expression, ast.Expression], ...]) -> Parts:
        """A word, and players with their amounts."""
        parts: Parts = [word]
        for i, (player, amount) in enumerate(pairs):
            parts += ["," if i else "", " ", *self.primary(player), ": ", self.slot(amount)]
        return parts

    def option(self, word: str, expression: ast.Expression | None) -> Parts:
        """A word and an expression, or nothing."""
        return [] if expression is None else [word, self.slot(expression)]

    def for_header(self, node: ast.For) -> Parts:
        """`for x in S where c while d:`"""
        return [
            f"for {node.name.text} in ",
            self.slot(node.domain),
            *self.option(" where ", node.condition),
            *self.option(" while ", node.going),
            ":",
        ]
