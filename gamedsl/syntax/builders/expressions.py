"""Parse tree to AST: expressions, with one method for each rule of the grammar, named after the
rule.

In: the children of a rule, all tokens kept. Out: an AST node. The parser calls the methods while
parsing, bottom up, so that no text is too deep. The span of an expression includes the parentheses
around the expression.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import Token, Transformer

from gamedsl.syntax import ast
from gamedsl.syntax.builders.extent import BuildError, extent, token_span

LONGEST_NUMBER = 40
"""Digits. No rule of a game needs more, and larger numbers are slow to read."""

SIGNS = (frozenset({"|"}), frozenset({"+", "-"}), frozenset({"*", "/", "//", "%"}))
"""Operators of equal precedence, each group left-associative."""

Children = list[Any]


def name_of(token: Token) -> ast.Name:
    """A word of the text as a Name."""
    return ast.Name(token_span(token), str(token))


def target_of(child: Token | ast.TupleOfNames) -> ast.Name | ast.TupleOfNames:
    """The target behind `for`: a name, or several in brackets."""
    return child if isinstance(child, ast.TupleOfNames) else name_of(child)


def nodes(children: Children) -> tuple[Any, ...]:
    """The AST nodes among the children of a rule."""
    return tuple(child for child in children if isinstance(child, ast.Node))


class ExpressionBuilder(Transformer[Token, Any]):
    """Builds expressions."""

    def lone_expression(self, children: Children) -> Any:
        return children[0]

    def name(self, children: Children) -> ast.Name:
        return name_of(children[0])

    def number(self, children: Children) -> ast.Number:
        return number_of(children[0])

    def decimal(self, children: Children) -> ast.Decimal:
        return decimal_of(children[0])

    def conditional(self, children: Children) -> ast.Conditional:
        then, _, condition, _, otherwise = children
        return ast.Conditional(extent(children), then, condition, otherwise)

    def logic(self, children: Children) -> ast.Logic:
        return ast.Logic(extent(children), str(children[1]), tuple(children[::2]))

    def unary(self, children: Children) -> ast.Unary:
        operator, operand = children
        return ast.Unary(extent(children), str(operator), operand)

    def binary(self, children: Children) -> ast.Binary:
        left, operator, right = children
        return ast.Binary(extent(children), str(operator), left, right)

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

    def call(self, children: Children) -> ast.Call:
        return ast.Call(extent(children), name_of(children[0]), nodes(children[1:]))

    def quantifier(self, children: Children) -> ast.Quantifier:
        parts = nodes(children[1:])
        clauses = tuple(part for part in parts if isinstance(part, ast.Clause))
        *arguments, element = parts[: -len(clauses)]
        function = name_of(children[0])
        return ast.Quantifier(extent(children), function, element, clauses, tuple(arguments))

    def clause(self, children: Children) -> ast.Clause:
        _, name, _, domain, _, condition = children
        return ast.Clause(extent(children), target_of(name), domain, condition)

    def tuple_of_names(self, children: Children) -> ast.TupleOfNames:
        tokens = (child for child in children if isinstance(child, Token) and child.type == "NAME")
        return ast.TupleOfNames(extent(children), tuple(name_of(token) for token in tokens))

    def index(self, children: Children) -> ast.Index:
        return ast.Index(extent(children), children[0], nodes(children[1:]))

    def parenthesised(self, children: Children) -> Any:
        return replace(children[1], span=extent(children))

    def tuple_literal(self, children: Children) -> ast.TupleLiteral:
        return ast.TupleLiteral(extent(children), nodes(children))

    def list_literal(self, children: Children) -> ast.ListLiteral:
        return ast.ListLiteral(extent(children), nodes(children))

    def set_literal(self, children: Children) -> ast.SetLiteral:
        return ast.SetLiteral(extent(children), nodes(children))

    def list_build(self, children: Children) -> ast.ListBuild:
        element, *clauses = nodes(children)
        return ast.ListBuild(extent(children), element, tuple(clauses))

    def set_build(self, children: Children) -> ast.SetBuild:
        element, *clauses = nodes(children)
        return ast.SetBuild(extent(children), element, tuple(clauses))

    def pair(self, children: Children) -> tuple[Any, Any]:
        key, _, value = children
        return key, value

    def weights(self, children: Children) -> ast.Weights:
        pairs = tuple(child for child in children if isinstance(child, tuple))
        return ast.Weights(extent(children), pairs)

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
