"""An expression as fragments of text, with the fewest parentheses for the same meaning.

In: an expression and its surroundings. Out: fragments, with a possible break at every operator,
comma and clause; `fragments.fit` decides which breaks are made. `+ - * /` have spaces around them
if the author wrote spaces (`2*n + 1`); but inside an operation without spaces, all operations are
printed without, so that the spacing never contradicts the precedence. `..` never has spaces, `|`
always has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from gamedsl.syntax import ast
from gamedsl.syntax.printers.comments import Surroundings
from gamedsl.syntax.printers.fragments import Break, Close, Fragment, Open

LOOSEST, OR, AND, NOT, COMPARE, UNION, RANGE, SUM, TERM, MINUS, PRIMARY = range(11)
"""Precedence levels of expressions, loosest first."""

_BINARY = {"|": UNION, "..": RANGE, "+": SUM, "-": SUM, "*": TERM, "/": TERM, "//": TERM, "%": TERM}

_OPERATOR, _BRACKET = 50, 25
"""The rank of a break is its depth of nesting, plus `_OPERATOR` at an arithmetic operator or a
comparison, plus `_BRACKET` behind an opening bracket; a long line is broken at low ranks first."""

Fragments = list[Fragment]


def level_of(expression: ast.Expression) -> int:
    """The precedence level of the outermost operator of an expression."""
    match expression:
        case ast.Conditional():
            return LOOSEST
        case ast.Logic(operator=operator):
            return OR if operator == "or" else AND
        case ast.Unary(operator=operator):
            return NOT if operator == "not" else MINUS
        case ast.Compare():
            return COMPARE
        case ast.Binary(operator=operator) | ast.Series(operators=(operator, *_)):
            return _BINARY[operator]
    return PRIMARY


class ExpressionPrinter:
    """Prints expressions that were written in `surroundings`."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._around = surroundings

    def print(
        self, node: ast.Expression, level: int = LOOSEST, depth: int = 0, *, tight: bool = False
    ) -> Fragments:
        """An expression, in parentheses if its outermost operator is looser than `level`.

        `depth` is the depth of nesting in the whole expression. If `tight`, operators are printed
        without spaces, up to the next brackets.
        """
        if level_of(node) < level:
            return [Open("("), *self._bare(node, depth, False), Close(")")]
        return self._bare(node, depth, tight)

    def _bare(self, node: ast.Expression, depth: int, tight: bool) -> Fragments:
        """An expression without parentheses around it."""
        match node:
            case ast.Name(text=text) | ast.Decimal(text=text):
                return [text]
            case ast.Number(value=value):
                return [str(value)]
            case ast.Unary(operator=operator, operand=operand):
                sign = "-" if operator == "-" else "not "
                return [sign, *self.print(operand, level_of(node), depth, tight=tight)]
            case ast.Binary():
                return self._binary(node, depth, tight)
            case ast.Series():
                return self._series(node, depth, tight)
            case ast.Compare():
                return self._compare(node, depth)
            case ast.Logic():
                return self._logic(node, depth)
            case ast.Conditional():
                return self._conditional(node, depth)
            case ast.Call(function=name, arguments=items):
                return [name.text, *self._bracketed("(", items, ")", name.span.end, depth)]
            case ast.Index(base=base, indices=items):
                printed = self.print(base, PRIMARY, depth)
                return [*printed, *self._bracketed("[", items, "]", base.span.end, depth)]
            case ast.SetLiteral(items=items):
                return self._bracketed("{", items, "}", node.span.start, depth)
            case ast.ListLiteral(items=items):
                return self._bracketed("[", items, "]", node.span.start, depth)
            case ast.TupleLiteral(items=items):
                return self._bracketed("(", items, ")", node.span.start, depth)
            case ast.Weights(pairs=pairs):
                return self._weights(node.span.start, pairs, depth)
            case ast.Quantifier(
                function=name, element=element, clauses=clauses, arguments=arguments
            ):
                first = arguments[0] if arguments else element
                opening = self._opening(name.span.end, first, depth)
                members = (*arguments, element)
                printed_members = [self.print(item, LOOSEST, depth + 1) for item in members]
                inside = [
                    *self.joined(members, printed_members, depth + 1),
                    *self._clauses(element, clauses, depth),
                ]
                return [name.text, Open("("), *opening, *inside, Close(")")]
            case ast.SetBuild(element=element, clauses=clauses):
                opening = self._opening(node.span.start, element, depth)
                return [Open("{"), *opening, *self._built(element, clauses, depth), Close("}")]
            case ast.ListBuild(element=element, clauses=clauses):
                opening = self._opening(node.span.start, element, depth)
                return [Open("["), *opening, *self._built(element, clauses, depth), Close("]")]
            case ast.WeightsBuild():
                return self._weights_build(node, depth)
            case _:
                assert_never(node)

    def gap(self, left: ast.Node, right: ast.Node, rank: int) -> Break:
        """The break between two neighbours, wanted if the author began a new line there."""
        return self._gap_at(left.span.end, right.span.start, rank, " ")

    def is_opened(self, node: ast.Expression) -> bool:
        """Whether the expression begins with a parenthesis and a new line."""
        head = self._around.text[node.span.start : node.span.end]
        return head.startswith("(") and head[1:].lstrip(" \t").startswith(("\n", "#"))

    def _gap_at(self, start: int, end: int, rank: int, flat: str) -> Break:
        """The break between two places, with the comments there; `flat`: the text if not broken."""
        wanted = self._around.broken_between(start, end)
        comments = tuple(self._around.take(start, end)) if wanted else ()
        return Break(rank, flat, wanted, comments)

    def _opening(self, bracket: int, first: ast.Node, depth: int) -> Fragments:
        """The break behind an opening bracket; `first` is the first node inside the brackets."""
        return [self._gap_at(bracket, first.span.start, depth + _BRACKET, "")]

    def _binary(self, node: ast.Binary, depth: int, tight: bool) -> Fragments:
        level = _BINARY[node.operator]
        is_range, is_union = node.operator == "..", node.operator == "|"
        tight = tight or is_range or self._is_tight(node.left, node.operator, node.right)
        tight = tight and not is_union
        left_level = level + 1 if is_range else level
        left = self.print(node.left, left_level, depth + 1, tight=tight)
        right = self.print(node.right, level + 1, depth + 1, tight=tight)
        if tight:
            return [*left, node.operator, *right]
        gap = self.gap(node.left, node.right, depth + _OPERATOR)
        return [*left, f" {node.operator}", gap, *right]

    def _series(self, node: ast.Series, depth: int, tight: bool) -> Fragments:
        """`a + b - c`: operators of one level, without spaces only if the author wrote none."""
        level = level_of(node)
        steps = list(zip(node.operands, node.operators, node.operands[1:], strict=False))
        tight = level != UNION and (tight or all(self._is_tight(*step) for step in steps))
        fragments = self.print(node.operands[0], level, depth + 1, tight=tight)
        for left, operator, right in steps:
            gap = [] if tight else [self.gap(left, right, depth + _OPERATOR)]
            fragments += [operator if tight else f" {operator}", *gap]
            fragments += self.print(right, level + 1, depth + 1, tight=tight)
        return fragments

    def _is_tight(self, left: ast.Expression, operator: str, right: ast.Expression) -> bool:
        """Whether the author wrote no space around the operator."""
        return self._around.text[left.span.end : right.span.start] == operator

    def _compare(self, node: ast.Compare, depth: int) -> Fragments:
        fragments = self.print(node.first, UNION, depth + 1)
        left = node.first
        for operator, right in node.rest:
            gap = self.gap(left, right, depth + _OPERATOR)
            fragments += [f" {operator}", gap, *self.print(right, UNION, depth + 1)]
            left = right
        return fragments

    def _logic(self, node: ast.Logic, depth: int) -> Fragments:
        operand_level = level_of(node) + 1
        first, *rest = node.operands
        fragments = self.print(first, operand_level, depth + 1)
        left = first
        for right in rest:
            gap = self.gap(left, right, depth)
            fragments += [f" {node.operator}", gap, *self.print(right, operand_level, depth + 1)]
            left = right
        return fragments

    def _conditional(self, node: ast.Conditional, depth: int) -> Fragments:
        return [
            *self.print(node.then, OR, depth + 1),
            self.gap(node.then, node.condition, depth + 1),
            "if ",
            *self.print(node.condition, OR, depth + 1),
            " else",
            self.gap(node.condition, node.otherwise, depth),
            *self.print(node.otherwise, LOOSEST, depth),
        ]

    def _bracketed(
        self, left: str, items: Sequence[ast.Expression], right: str, start: int, depth: int
    ) -> Fragments:
        """Items between the brackets `left` and `right`; the left bracket stands at `start`."""
        if not items:
            return [f"{left}{right}"]
        printed = [self.print(item, LOOSEST, depth + 1) for item in items]
        opening = self._opening(start, items[0], depth)
        return [Open(left), *opening, *self.joined(items, printed, depth), Close(right)]

    def joined(
        self, items: Sequence[ast.Node], printed: Sequence[Sequence[Fragment]], depth: int
    ) -> Fragments:
        """Printed items with commas between them."""
        fragments: Fragments = []
        for i, item_fragments in enumerate(printed):
            if i > 0:
                fragments += [",", self.gap(items[i - 1], items[i], depth)]
            fragments += item_fragments
        return fragments

    def _built(
        self, element: ast.Expression, clauses: tuple[ast.Clause, ...], depth: int
    ) -> Fragments:
        """`element for x in S where c`: the inside of the brackets."""
        return [
            *self.print(element, LOOSEST, depth + 1),
            *self._clauses(element, clauses, depth),
        ]

    def _clauses(
        self, previous: ast.Node, clauses: tuple[ast.Clause, ...], depth: int
    ) -> Fragments:
        """`for x in S where c`, once for each clause; `previous` is the node before the first."""
        fragments: Fragments = []
        for clause in clauses:
            fragments += [self.gap(previous, clause, depth), f"for {clause.name.text} in "]
            fragments += self.print(clause.domain, LOOSEST, depth + 1)
            if clause.condition is not None:
                fragments += [self.gap(clause.domain, clause.condition, depth + 1), "where "]
                fragments += self.print(clause.condition, LOOSEST, depth + 1)
            previous = clause
        return fragments

    def _pair(self, key: ast.Expression, value: ast.Expression, depth: int) -> Fragments:
        return [*self.print(key, LOOSEST, depth + 1), ": ", *self.print(value, LOOSEST, depth + 1)]

    def _weights(
        self,
        start: int,
        pairs: tuple[tuple[ast.Expression, ast.Expression], ...],
        depth: int,
    ) -> Fragments:
        fragments: Fragments = [Open("{"), *self._opening(start, pairs[0][0], depth)]
        for i, (key, value) in enumerate(pairs):
            if i > 0:
                fragments += [",", self.gap(pairs[i - 1][1], key, depth)]
            fragments += self._pair(key, value, depth)
        return [*fragments, Close("}")]

    def _weights_build(self, node: ast.WeightsBuild, depth: int) -> Fragments:
        return [
            Open("{"),
            *self._opening(node.span.start, node.key, depth),
            *self._pair(node.key, node.weight, depth),
            *self._clauses(node.weight, node.clauses, depth),
            Close("}"),
        ]
