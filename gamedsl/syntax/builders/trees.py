"""Parse tree to AST: explicit game trees, and the complete builder.

In: the children of a rule, all tokens kept. Out: AST nodes. A node on a single line owns the rest
of the line, so the grammar lists branches to the right; the builder makes tuples of them.
"""

from __future__ import annotations

from typing import Any

from lark import Token

from gamedsl.source import Span
from gamedsl.syntax import ast
from gamedsl.syntax.builders.declarations import DeclarationBuilder
from gamedsl.syntax.builders.expressions import decimal_of, number_of
from gamedsl.syntax.builders.extent import BuildError, extent
from gamedsl.syntax.builders.rules import Children, at, built, name_at, name_of, nodes, taken

CHANCE = "chance"
"""The mover at a chance node of a tree."""


class Builder(DeclarationBuilder):
    """Builds everything: one method for each rule of the grammar."""

    def tree_decl(self, children: Children) -> ast.TreeDecl | None:
        roots = nodes(children)
        if len(roots) > 1:
            raise BuildError(
                Span(roots[1].span.start, roots[1].span.start + len(_player(roots[1]))),
                "E0126",
                "a tree has one root, and this is a second one",
                "branches are indented below the node that they start from",
            )
        return ast.TreeDecl(extent(children), roots[0]) if roots else None

    def choice(self, children: Children) -> ast.TreeChoice:
        word, infoset, *rest = children
        branches = nodes(rest)
        name = name_of(word)
        if name.text == CHANCE:
            if infoset is not None:
                raise BuildError(infoset.span, "E0122", "a chance node has no information set")
            _check_weights(branches, is_chance=True)
            return ast.TreeChoice(extent(children), None, None, branches)
        _check_weights(branches, is_chance=False)
        return ast.TreeChoice(extent(children), name, infoset, branches)

    inline_choice = choice

    infoset = taken(at(1))
    branch = built(ast.TreeBranch, at(0), at(1), at(3))
    label = taken(name_at(0))
    weight = taken(lambda children: _rational(children))
    leaf = built(ast.TreeLeaf, lambda children: _rational(children))

    def leaf_payoffs(self, children: Children) -> ast.TreeLeaf:
        span = extent(children)
        values = nodes(children)
        if len(values) > 1:
            return ast.TreeLeaf(span, ast.TupleLiteral(span, values))
        return ast.TreeLeaf(span, values[0])


def _player(choice: ast.TreeChoice) -> str:
    return choice.player.text if choice.player else CHANCE


def _rational(children: Children) -> Any:
    """`[-] n [/ m]`, a decimal, or an expression in parentheses."""
    parts = [child for child in children if child is not None]
    inside = nodes(parts)
    if inside:
        return inside[0]
    value: Any = None
    for i, token in enumerate(parts):
        if token.type == "DECIMAL":
            value = decimal_of(token)
        elif token.type == "NUMBER":
            number = number_of(token)
            value = number if value is None else ast.Binary(
                extent([parts[0], number]), "/", value, number
            )  # fmt: skip
        if i == 1 and _is_minus(parts[0]):
            value = ast.Unary(extent([parts[0], value]), "-", value)
    return value


def _is_minus(part: Any) -> bool:
    return isinstance(part, Token) and part.type == "MINUS"


def _check_weights(branches: tuple[ast.TreeBranch, ...], *, is_chance: bool) -> None:
    for branch in branches:
        if is_chance and branch.weight is None:
            raise BuildError(
                branch.label.span,
                "E0122",
                f"how likely is `{branch.label.text}`? Every branch of `chance:` has a weight",
                f"write, for example, `1/2 {branch.label.text} -> ...`",
            )
        if not is_chance and branch.weight is not None:
            raise BuildError(
                branch.weight.span,
                "E0122",
                "only the branches of `chance:` have weights; a player chooses freely",
            )
