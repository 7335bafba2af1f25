"""Beginnings of the variables of quantifiers: `i in 2..4` for `2 + i` with i in 0..2.

In: a part of a program whose quantifiers begin with 0. Out: the part, in which a variable begins
with the number to which all uses add the variable.
"""

from __future__ import annotations

from gamedsl.source import Span
from gamedsl.syntax import ast


def sum_of(name: ast.Expression, factor: int, rest: int) -> ast.Expression:
    """`name + rest`, or `rest - name`."""
    if factor == -1:
        return ast.Binary(name.span, "-", number_of(name.span, rest), name)
    if rest == 0:
        return name
    return ast.Binary(name.span, "+" if rest > 0 else "-", name, ast.Number(name.span, abs(rest)))


def number_of(span: Span, value: int) -> ast.Expression:
    """A number, negative or not."""
    size = ast.Number(span, abs(value))
    return size if value >= 0 else ast.Unary(span, "-", size)


def shifted(value: object) -> object:
    """A node whose variables begin with the number to which all uses add the variable, instead of
    with 0: `i in 2..4` for `2 + i` with i in 0..2."""
    if isinstance(value, ast.Quantifier):
        for place, clause in enumerate(value.clauses):
            value = _begun(value, place, clause)
    return ast.rebuilt(value, shifted)


def _begun(node: ast.Quantifier, place: int, clause: ast.Clause) -> ast.Quantifier:
    domain, name = clause.domain, clause.name
    if not isinstance(domain, ast.Binary) or not isinstance(name, ast.Name):
        return node
    low, high = domain.left, domain.right
    if not isinstance(low, ast.Number) or not isinstance(high, ast.Number):
        return node  # a union, or a range that ends with an outer variable
    uses = [
        use
        for use in ast.nodes_in((node.element, node.clauses))
        if isinstance(use, ast.Binary)
        and isinstance(use.right, ast.Name)
        and use.right.text == name.text
    ]
    is_sum = all(use.operator in {"+", "-"} for use in uses)
    firsts = [use.left.value for use in uses if isinstance(use.left, ast.Number) and is_sum]
    if len(firsts) < len(uses) or not firsts:
        return node
    signs = [use.operator for use in uses]
    first = next((low for low, sign in zip(firsts, signs, strict=True) if sign == "+"), 1)
    span = node.span

    places = {*map(id, uses)}

    def moved(value: object) -> object:
        if id(value) in places:
            assert isinstance(value, ast.Binary)
            assert isinstance(value.left, ast.Number)
            if value.operator == "+":
                return sum_of(name, 1, value.left.value - first)
            return sum_of(name, -1, value.left.value + first)
        return ast.rebuilt(value, moved)

    begun = ast.Binary(
        span, "..", ast.Number(span, low.value + first), ast.Number(span, high.value + first)
    )
    clauses: list[ast.Clause] = list(moved(node.clauses))  # type: ignore[call-overload]
    clauses[place] = ast.Clause(span, name, begun, None)
    element: ast.Expression = moved(node.element)  # type: ignore[assignment]
    return ast.Quantifier(span, node.function, element, tuple(clauses))
