"""Parse tree to AST: statements and blocks.

In: the children of a rule, all tokens kept. Out: AST nodes; a block is a tuple of statements,
without the gaps left by error recovery.
"""

from __future__ import annotations

from typing import Any

from lark import Token

from gamedsl.syntax import ast
from gamedsl.syntax.builders.expressions import (
    Children,
    ExpressionBuilder,
    name_of,
    nodes,
    target_of,
)
from gamedsl.syntax.builders.extent import BuildError, extent
from gamedsl.syntax.words import HEADERS, STATEMENTS

STARTERS = frozenset(STATEMENTS) - HEADERS
"""Words that begin a statement: a variable with such a name could never be assigned."""


def declared(token: Token) -> ast.Name:
    """The name in a declaration; raises BuildError for a word that begins a statement."""
    name = name_of(token)
    if name.text in STARTERS:
        raise BuildError(
            name.span,
            "E0110",
            f"`{name.text}` is a word of the language and cannot be used as a name here",
            f"choose another name, such as `{name.text}_`",
        )
    return name


class StatementBuilder(ExpressionBuilder):
    """Builds statements and outcomes."""

    def suite(self, children: Children) -> ast.Block:
        return nodes(children)

    for_suite = suite
    inline_suite = suite
    simple_suite = suite
    branch_suite = suite

    def if_statement(self, children: Children) -> ast.If:
        _, condition, _, block, *elifs, otherwise = children
        branches = ((condition, block), *elifs)
        return ast.If(extent(children), branches, otherwise)

    def if_inline(self, children: Children) -> ast.If:
        _, condition, _, block = children
        return ast.If(extent(children), ((condition, block),), None)

    def elif_branch(self, children: Children) -> tuple[Any, ast.Block]:
        _, condition, _, block = children
        return condition, block

    def else_branch(self, children: Children) -> ast.Block:
        block: ast.Block = children[2]
        return block

    def for_statement(self, children: Children) -> ast.For:
        _, name, _, domain, _, condition, _, going, _, body = children
        return ast.For(extent(children), target_of(name), domain, condition, going, body)

    for_inline = for_statement

    def assign(self, children: Children) -> ast.Assign:
        target, operator, value = children
        check_target(target)
        return ast.Assign(extent(children), target, str(operator), value)

    def assign_all(self, children: Children) -> ast.AssignAll:
        equals = next(n for n, child in enumerate(children) if child == "=")
        targets, values = nodes(children[:equals]), nodes(children[equals + 1 :])
        for target in targets:
            check_target(target)
        if len(targets) != len(values):
            raise BuildError(
                extent(children),
                "E0120",
                f"{_counted(len(targets), 'place')} to be given values here,"
                f" and {_counted(len(values), 'value')}",
                "one value a place: `a, b = b, a`",
            )
        return ast.AssignAll(extent(children), targets, values)

    def let(self, children: Children) -> ast.Let:
        _, name, _, value = children
        return ast.Let(extent(children), declared(name), value)

    def call_effect(self, children: Children) -> ast.CallEffect:
        call: ast.Call = children[0]
        return ast.CallEffect(call.span, call.function, call.arguments)

    def chance(self, children: Children) -> ast.Chance:
        _, target, _, domain, _, condition = children
        check_target(target)
        return ast.Chance(extent(children), target, domain, condition)

    def again(self, children: Children) -> ast.Again:
        return ast.Again(extent(children))

    def included(self, children: Children) -> ast.Included:
        return ast.Included(extent(children))

    def reward(self, children: Children) -> ast.Reward:
        shares = tuple(child for child in children if isinstance(child, tuple))
        return ast.Reward(extent(children), shares)

    def share(self, children: Children) -> tuple[Any, Any]:
        player, _, amount = children
        return player, amount

    def require(self, children: Children) -> ast.Require | ast.RequireGreatest:
        _, expression, is_, _ = children
        kind = ast.Require if is_ is None else ast.RequireGreatest
        return kind(extent(children), expression)

    def ensure(self, children: Children) -> ast.Ensure:
        return ast.Ensure(extent(children), children[1])

    def wins(self, children: Children) -> ast.Wins:
        player, _, amount = children
        return ast.Wins(extent(children), player, amount)

    def loses(self, children: Children) -> ast.Loses:
        player, _, amount = children
        return ast.Loses(extent(children), player, amount)

    def draw(self, children: Children) -> ast.Draw:
        return ast.Draw(extent(children))

    def payoff(self, children: Children) -> ast.Payoff:
        entries = tuple(child for child in children if isinstance(child, tuple))
        return ast.Payoff(extent(children), entries)


def check_target(target: Any) -> None:
    """Raise BuildError unless a value can be assigned to the expression: a variable or a cell of a
    variable."""
    if isinstance(target, ast.Name):
        return
    if isinstance(target, ast.Index) and isinstance(target.base, ast.Name):
        return
    hint = None
    if isinstance(target, ast.Index):
        hint = "several indices stand in one pair of brackets: `a[i, j]`"
    elif isinstance(target, ast.Call):
        hint = f"a cell of a variable is written with `[` and `]`: `{target.function.text}[...]`"
    message = "only a variable, or a cell of one, can be given a value"
    raise BuildError(target.span, "E0120", message, hint)


def _counted(number: int, noun: str) -> str:
    return f"there is 1 {noun}" if number == 1 else f"there are {number} {noun}s"
