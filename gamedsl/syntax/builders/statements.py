"""Parse tree to AST: statements and blocks.

In: the children of a rule, all tokens kept. Out: AST nodes; a block is a tuple of statements,
without the gaps left by error recovery.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from gamedsl.source import Span
from gamedsl.syntax import ast
from gamedsl.syntax.builders.expressions import ExpressionBuilder, target_of
from gamedsl.syntax.builders.extent import BuildError, extent
from gamedsl.syntax.builders.rules import Children, at, built, new_name_at, nodes, taken, tuples


class StatementBuilder(ExpressionBuilder):
    """Builds statements and outcomes."""

    suite = taken(lambda children: joined_payoffs(nodes(children)))
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

    elif_branch = taken(itemgetter(1, 3))
    else_branch = taken(at(2))

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

    let = built(ast.Let, new_name_at(1), at(3))

    def call_effect(self, children: Children) -> ast.CallEffect:
        call: ast.Call = children[0]
        return ast.CallEffect(call.span, call.function, call.arguments)

    def chance(self, children: Children) -> ast.Chance:
        _, target, bound, _, condition, _, weight = children
        check_target(target)
        return ast.Chance(
            extent(children), target, bound.domain, condition, weight, bound.is_subset
        )

    again = built(ast.Again)
    included = built(ast.Included)
    reward = built(ast.Reward, tuples)
    share = taken(itemgetter(0, 2))

    def require(self, children: Children) -> ast.Require | ast.RequireGreatest:
        _, expression, is_, _ = children
        kind = ast.Require if is_ is None else ast.RequireGreatest
        return kind(extent(children), expression)

    ensure = built(ast.Ensure, at(1))
    wins = built(ast.Wins, at(0), at(2))
    loses = built(ast.Loses, at(0), at(2))
    draw = built(ast.Draw)
    payoff = built(ast.Payoff, tuples)


def joined_payoffs(block: ast.Block) -> ast.Block:
    """A block with `payoff A: e` and `payoff B: e` on lines in a row as `payoff A: e, B: e`."""
    joined: list[ast.Statement] = []
    for statement in block:
        last = joined[-1] if joined else None
        if isinstance(statement, ast.Payoff) and isinstance(last, ast.Payoff):
            named = {key.text for key, _ in last.entries if isinstance(key, ast.Name)}
            keys = [key.text for key, _ in statement.entries if isinstance(key, ast.Name)]
            if named.isdisjoint(keys):
                span = Span(last.span.start, statement.span.end)
                joined[-1] = ast.Payoff(span, (*last.entries, *statement.entries))
                continue
        joined.append(statement)
    return tuple(joined)


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
