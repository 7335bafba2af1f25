"""Declarations of one line, and headers of longer declarations, as parts of a logical line.

In: AST nodes. Out: parts. Blocks, comments and blank lines are left to the formatter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from gamedsl.syntax import ast
from gamedsl.syntax.printers.expressions import LOOSEST, UNION
from gamedsl.syntax.printers.fragments import HEAD, Close, Fragment, Open, in_head
from gamedsl.syntax.printers.statements import Parts, StatementPrinter

SingleLine = (
    ast.IncludeDecl | ast.WithoutDecl | ast.GameTitle | ast.ParamDecl | ast.PlayersDecl
    | ast.TypeDecl | ast.BoardGrid | ast.DirectionsDecl | ast.Otherwise | ast.DefDecl
    | ast.EndlessDecl | ast.RepeatDecl | ast.EvaluateDecl | ast.DiscountDecl
    | ast.ExpectDecl
)  # fmt: skip
"""Declarations of a single logical line."""


class DeclarationPrinter(StatementPrinter):
    """Prints declarations without a block, and headers of declarations with a block."""

    def line(self, node: SingleLine) -> Parts:
        """A declaration without a block."""
        match node:
            case ast.IncludeDecl(file=file):
                return [f'include "{file}"']
            case ast.WithoutDecl(kind=kind, names=names):
                return [f"without {kind}", f" {_listed(names)}" if names else ""]
            case ast.GameTitle(title=title):
                return [f'game "{title}"']
            case ast.ParamDecl(name=name, value=value):
                return [f"param {name.text} = ", self.slot(value)]
            case ast.PlayersDecl(names=names, count=count):
                of_all: Parts = [] if count is None else [self.slot(count), " of "]
                return ["players ", *of_all, _listed(names)]
            case ast.TypeDecl(name=name, value=value, owner=owner):
                return [f"type {name.text} = ", self.slot(value), *self.option(" of ", owner)]
            case ast.BoardGrid(width=width, height=height, condition=condition):
                size: Parts = ["board ", self.slot(width), " wide ", self.slot(height), " high"]
                return [*size, *_wrap(node.wraps), *self.option(" where ", condition)]
            case ast.DirectionsDecl(names=names):
                return ["directions ", _listed(names)]
            case ast.Otherwise():
                return ["otherwise"]
            case ast.DefDecl(name=name, parameters=parameters, value=value):
                printed = [
                    self._bounded(parameter, bound)
                    for parameter, bound in zip(parameters, node.bounds, strict=True)
                ]
                parameter_list = self._list("(", parameters, printed, ")")
                return [f"def {name.text}", *parameter_list, " = ", self.slot(value)]
            case ast.EndlessDecl(outcome=outcome):
                return ["endless: ", *self.outcome(outcome)]
            case ast.RepeatDecl():
                return self._repeat(node)
            case ast.EvaluateDecl(player=player, condition=condition, value=value):
                where = self.option(" where ", condition)
                return [f"evaluate {player.text}", *where, ": ", self.slot(value)]
            case ast.DiscountDecl(value=value):
                return ["discount = ", self.slot(value)]
            case ast.ExpectDecl():
                return self._expect(node)
            case _:
                assert_never(node)

    def graph_line(self, node: ast.Chain | ast.Joined | ast.Placed) -> Parts:
        """A line of `board graph:`."""
        match node:
            case ast.Chain(points=points):
                return ["-".join(name.text for name in points)]
            case ast.Joined(point=point, neighbours=neighbours):
                return [f"{point.text}: ", _listed(neighbours)]
            case ast.Placed(point=point, across=across, up=up):
                return [f"{point.text} at (", self.slot(across), ", ", self.slot(up), ")"]

    def shown(self, node: ast.Shown) -> Parts:
        """A line of `show:`."""
        text = node.look.text
        return [
            _listed(node.names),
            " as ",
            text if isinstance(node.look, ast.Name) else f'"{text}"',
        ]

    def move_header(self, node: ast.MoveDecl) -> Parts:
        """`move name(p in S, ...) [secret]:`"""
        word = "simultaneous" if node.is_simultaneous else "move"
        tail = " secret:" if node.is_secret else ":"
        printed = [self._parameter(parameter) for parameter in node.parameters]
        return [f"{word} {node.name.text}", *self._list("(", node.parameters, printed, ")"), tail]

    def _bounded(self, name: ast.Name, bound: ast.Bound | None) -> list[Fragment]:
        if bound is None:
            return [name.text]
        return self._within(name, bound)

    def _within(self, name: ast.Name, bound: ast.Bound | ast.Parameter) -> list[Fragment]:
        """A name and its range."""
        word = "subset of" if bound.is_subset else "in"
        return [f"{name.text} {word} ", *self.expressions.print(bound.domain)]

    def names(self, names: Sequence[ast.Name]) -> Parts:
        """The parameters of an `effect`."""
        return self._list("(", names, [[name.text] for name in names], ")")

    def variable(self, node: ast.VariableDecl) -> Parts:
        """A line of `state:`; for a diagram, the first line."""
        printed = [self._index(index) for index in node.indices]
        indices = self._list("[", node.indices, printed, "]")
        parts: Parts = [node.name.text, *indices, ": ", self.slot(node.domain)]
        if isinstance(node.initial, ast.Diagram):
            parts.append(" = diagram")
        elif isinstance(node.initial, ast.Always):
            parts += [" always ", self.slot(node.initial.value)]
        else:
            parts += self.option(" = ", node.initial)
        if node.secret is not None:
            parts += [" secret", *self.option(" to ", node.secret.owner)]
        return parts

    def _list(
        self,
        left: str,
        items: Sequence[ast.Node],
        printed: Sequence[Sequence[Fragment]],
        right: str,
    ) -> Parts:
        if not items:
            return []
        parts = [[in_head(fragment) for fragment in part] for part in printed]
        return [Open(left), *self.expressions.joined(items, parts, HEAD), Close(right)]

    def _parameter(self, node: ast.Parameter) -> list[Fragment]:
        parts = self._within(node.name, node)
        if node.condition is not None:
            parts += [" where ", *self.expressions.print(node.condition)]
        return parts

    def _index(self, node: ast.IndexDecl) -> list[Fragment]:
        if node.name is None:
            parts = self.expressions.print(node.domain)
        else:
            parts = [f"{node.name.text} in ", *self.expressions.print(node.domain, UNION)]
        if node.condition is not None:
            parts = [*parts, " where ", *self.expressions.print(node.condition)]
        return parts

    def _repeat(self, node: ast.RepeatDecl) -> Parts:
        head: Parts = [f"repeat {', '.join(name.text for name in node.names)}"]
        if node.left_out:
            head.append(f" without {', '.join(name.text for name in node.left_out)}")
        if node.times is not None:
            head += [" ", self.slot(node.times), " times"]
        outcome = ["illegal"] if node.outcome is None else self.outcome(node.outcome)
        return [*head, ": ", *outcome]

    def _expect(self, node: ast.ExpectDecl) -> Parts:
        parts: Parts = [f"expect {node.fact.text}"]
        parts += [] if node.number is None else [f" {node.number}"]
        parts += [" turns"] if node.in_turns else []
        parts += [] if node.after is None else [f' after "{node.after}"']
        for i, (name, value) in enumerate(node.settings):
            parts += [", " if i else " with ", f"{name.text} = ", self.slot(value)]
        parts.append(":")
        for i, claim in enumerate(node.claims):
            parts.append(", " if i else " ")
            if isinstance(claim, ast.Wins | ast.Loses | ast.Draw | ast.Payoff):
                parts += self.outcome(claim)
            else:
                parts.append(self.slot(claim, LOOSEST))
        return parts


def _wrap(sides: tuple[str, ...]) -> Parts:
    """` wrap` if both sides wrap, else `wrap` with the side that wraps."""
    return [] if not sides else [" wrap"] if len(sides) > 1 else [f" wrap {sides[0]}"]


def _listed(names: Sequence[ast.Name]) -> str:
    return ", ".join(name.text for name in names)
