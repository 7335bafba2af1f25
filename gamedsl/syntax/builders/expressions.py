"""Parse tree to AST: expressions, with one method for each rule of the grammar, named after the
rule.

In: the children of a rule, all tokens kept. Out: an AST node. The parser calls the methods while
parsing, bottom up, so that no text is too deep. The span of an expression includes the parentheses
around the expression.
"""

from __future__ import annotations

from dataclasses import replace
from operator import itemgetter
from typing import Any

from lark import Token, Transformer

from gamedsl.syntax import ast
from gamedsl.syntax.builders.extent import BuildError, extent, token_span
from gamedsl.syntax.builders.rules import (
    Children,
    all_names,
    at,
    built,
    first,
    name_at,
    name_of,
    nodes,
    rest,
    taken,
    tuples,
    word_at,
)

LONGEST_NUMBER = 40
"""Digits. No rule of a game needs more, and larger numbers are slow to read."""

SIGNS = (frozenset({"|"}), frozenset({"+", "-"}), frozenset({"*", "/", "//", "%"}))
"""Operators of equal precedence, each group left-associative."""


def target_of(child: Token | ast.TupleOfNames) -> ast.Name | ast.TupleOfNames:
    """The target behind `for`: a name, or several in brackets."""
    return child if isinstance(child, ast.TupleOfNames) else name_of(child)


class ExpressionBuilder(Transformer[Token, Any]):
    """Builds expressions."""

    lone_expression = taken(at(0))
    name = taken(name_at(0))
    number = taken(lambda children: number_of(children[0]))
    decimal = taken(lambda children: decimal_of(children[0]))
    conditional = built(ast.Conditional, at(0), at(2), at(4))
    logic = built(ast.Logic, word_at(1), lambda children: tuple(children[::2]))
    unary = built(ast.Unary, word_at(0), at(1))
    binary = built(ast.Binary, word_at(1), at(0), at(2))

    def series(self, children: Children) -> Any:
        operands, operators = children[::2], [str(token) for token in children[1::2]]
        inner, before = spine_of(operands[0], operators[0])
        if len(inner) + len(operands) - 1 > ast.LONGEST_SPINE:
            flat = (*inner, *operands[1:])
            return ast.Series(extent(children), (*before, *operators), flat)
        expression: Any = operands[0]
        for operator, operand in zip(operators, operands[1:], strict=True):
            expression = ast.Binary(extent((expression, operand)), operator, expression, operand)
        return expression

    def compare(self, children: Children) -> ast.Compare:
        rest: list[tuple[str, Any]] = []
        operator = ""
        for child in children[1:]:
            if isinstance(child, Token):
                operator = f"{operator} {child}".strip()
            else:
                rest.append((operator, child))
                operator = ""
        first = children[0]
        if rest[0][0] == "in" and isinstance(first, ast.Name) and first.text == "chance":
            message = "`chance` is no value: it begins a statement of its own"
            raise BuildError(first.span, "E0115", message, "write `chance x in ...`")
        return ast.Compare(extent(children), first, tuple(rest))

    call = built(ast.Call, name_at(0), nodes)

    def quantifier(self, children: Children) -> ast.Quantifier:
        parts = nodes(children[1:])
        clauses = tuple(part for part in parts if isinstance(part, ast.Clause))
        *arguments, element = parts[: -len(clauses)]
        function = name_of(children[0])
        return ast.Quantifier(extent(children), function, element, clauses, tuple(arguments))

    clause = built(ast.Clause, lambda children: target_of(children[1]), at(3), at(5))
    tuple_of_names = built(ast.TupleOfNames, all_names)
    index = built(ast.Index, at(0), rest(nodes))

    def parenthesised(self, children: Children) -> Any:
        return replace(children[1], span=extent(children))

    tuple_literal = built(ast.TupleLiteral, nodes)
    list_literal = built(ast.ListLiteral, nodes)
    set_literal = built(ast.SetLiteral, nodes)
    list_build = built(ast.ListBuild, first(nodes), rest(nodes))
    set_build = built(ast.SetBuild, first(nodes), rest(nodes))
    pair = taken(itemgetter(0, 2))
    weights = built(ast.Weights, tuples)

    def weights_build(self, children: Children) -> ast.WeightsBuild:
        key, weight = children[1]
        return ast.WeightsBuild(extent(children), key, weight, nodes(children))


def spine_of(node: Any, operator: str) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """The operands of a node with the precedence of `operator`, and the operators between the
    operands."""
    alike = next(signs for signs in SIGNS if operator in signs)
    match node:
        case ast.Series(operators=operators, operands=operands) if operators[0] in alike:
            return operands, operators
        case ast.Binary(operator=sign, left=left, right=right) if sign in alike:
            operands, operators = spine_of(left, operator)
            return (*operands, right), (*operators, sign)
    return (node,), ()


def number_of(token: Token) -> ast.Number:
    """A run of digits as a Number; raises BuildError for more than `LONGEST_NUMBER` digits."""
    _check_length(token, len(token))
    return ast.Number(token_span(token), int(token))


def decimal_of(token: Token) -> ast.Decimal:
    """A number with a point; raises BuildError for more than `LONGEST_NUMBER` digits."""
    _check_length(token, len(token) - 1)
    return ast.Decimal(token_span(token), str(token))


def _check_length(token: Token, digits: int) -> None:
    if digits > LONGEST_NUMBER:
        message = f"this number has {digits} digits; at most {LONGEST_NUMBER} are allowed"
        raise BuildError(token_span(token), "E0116", message)
