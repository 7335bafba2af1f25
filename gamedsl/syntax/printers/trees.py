"""Explicit game trees as text: arrows aligned, payoffs of sibling nodes in columns.

In: the `tree:` of a program and the formatter's page. Out: lines on the page. A node stays on the
line of its branch, or below, as the author chose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from gamedsl.syntax import ast
from gamedsl.syntax.printers.comments import Surroundings
from gamedsl.syntax.printers.expressions import ExpressionPrinter
from gamedsl.syntax.printers.fragments import STEP, WIDTH, flat
from gamedsl.syntax.printers.page import Page, followed
from gamedsl.syntax.printers.statements import Parts

CHANCE = "chance"


class TreePrinter:
    """Prints trees."""

    def __init__(self, expressions: ExpressionPrinter, page: Page, around: Surroundings) -> None:
        self._expressions = expressions
        self._page = page
        self._around = around

    def write(self, node: ast.TreeDecl, end: int) -> None:
        """Write the section `tree:`, which ends before `end`."""
        self._page.write(["tree:"], node.span.start, node.span.start)
        self._page.begin_block()
        root = node.root
        if self._is_inline(root):
            self._page.write(self._inline(root), root.span.start, root.span.end)
        else:
            self._block([], root.span.start, root, end)
        self._page.end_block(root.span.start, end)

    def _block(self, head: Parts, start: int, choice: ast.TreeChoice, end: int) -> None:
        """Write a node with its branches on the lines below."""
        self._page.write([*head, _header(choice)], start, _header_end(choice))
        self._page.begin_block()
        by_line = groupby(followed(choice.branches, end), lambda pair: self._is_line(pair[0]))
        for is_line, group in by_line:
            pairs = list(group)
            if is_line:
                self._lines([branch for branch, _ in pairs])
            else:
                for branch, stop in pairs:
                    self._branch_with_block(branch, stop)
        self._page.end_block(choice.branches[0].span.start, end)

    def _branch_with_block(self, branch: ast.TreeBranch, end: int) -> None:
        if isinstance(branch.subtree, ast.TreeChoice):
            head: Parts = [*self._label(branch), " -> "]
            self._block(head, branch.span.start, branch.subtree, end)

    def _lines(self, branches: list[ast.TreeBranch]) -> None:
        """Write branches without blocks: labels padded, and payoffs in columns if the branches
        match."""
        if any(self._around.begins_line(*branch.span) for branch in branches):
            for branch in branches:
                self._page.write(self._branch(branch), branch.span.start, branch.span.end)
            return
        labels = [flat(self._label(branch)) for branch in branches]
        width = max(map(len, labels))
        columns = self._columns(branches)
        for i, branch in enumerate(branches):
            parts: Parts = [f"{labels[i]:<{width}} -> "]
            if columns and len(flat([*parts, columns[i]])) + STEP * self._page.depth <= WIDTH:
                parts.append(columns[i])
            else:
                parts += self._subtree(branch)
            self._page.write(parts, branch.span.start, branch.span.end)

    def _columns(self, branches: list[ast.TreeBranch]) -> list[str]:
        """The subtrees as rows of a table, or an empty list if the subtrees differ in form."""
        rows = [self._cells(branch.subtree) for branch in branches]
        if len({len(row) for row in rows}) != 1 or not rows[0]:
            return []
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return [
            " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]

    def _cells(self, subtree: ast.TreeChoice | ast.TreeLeaf) -> list[str]:
        if isinstance(subtree, ast.TreeLeaf):
            return []
        if any(isinstance(branch.subtree, ast.TreeChoice) for branch in subtree.branches):
            return []
        texts = [flat(self._branch(branch)) for branch in subtree.branches]
        return [_header(subtree), *(f"{text}," for text in texts[:-1]), texts[-1]]

    def _branch(self, branch: ast.TreeBranch) -> Parts:
        return [*self._label(branch), " -> ", *self._subtree(branch)]

    def _subtree(self, branch: ast.TreeBranch) -> Parts:
        if isinstance(branch.subtree, ast.TreeLeaf):
            return self._leaf(branch.subtree.value)
        return self._inline(branch.subtree)

    def _inline(self, choice: ast.TreeChoice) -> Parts:
        """A node with its branches on a single line."""
        parts: Parts = [_header(choice)]
        pending: list[Iterator[ast.TreeBranch]] = [iter(choice.branches)]
        separator = " "
        while pending:
            branch = next(pending[-1], None)
            if branch is None:
                pending.pop()
                continue
            parts += [separator, *self._label(branch), " -> "]
            separator = ", "
            if isinstance(branch.subtree, ast.TreeChoice):
                parts.append(_header(branch.subtree))
                pending.append(iter(branch.subtree.branches))
                separator = " "
            else:
                parts += self._leaf(branch.subtree.value)
        return parts

    def _label(self, branch: ast.TreeBranch) -> Parts:
        if branch.weight is None:
            return [branch.label.text]
        return [*self._rational(branch.weight), f" {branch.label.text}"]

    def _leaf(self, value: ast.Expression) -> Parts:
        if isinstance(value, ast.TupleLiteral):
            return [*self._expressions.print(value)]
        return self._rational(value)

    def _rational(self, value: ast.Expression) -> Parts:
        plain = _plain(value)
        return [plain] if plain else ["(", *self._expressions.print(value), ")"]

    def _is_line(self, branch: ast.TreeBranch) -> bool:
        return isinstance(branch.subtree, ast.TreeLeaf) or self._is_inline(branch.subtree)

    def _is_inline(self, choice: ast.TreeChoice) -> bool:
        return not self._around.begins_line(_header_end(choice), choice.branches[0].span.start)


def _header(choice: ast.TreeChoice) -> str:
    name = choice.player.text if choice.player else CHANCE
    infoset = f" [{choice.information_set.text}]" if choice.information_set else ""
    return f"{name}{infoset}:"


def _header_end(choice: ast.TreeChoice) -> int:
    last: Sequence[ast.Name | None] = (choice.information_set, choice.player)
    known = next((name for name in last if name), None)
    return known.span.end if known else choice.span.start + len(CHANCE)


def _plain(value: ast.Expression) -> str:
    """`-1/2` and similar numbers as written without parentheses; "" for expressions of any other
    form."""
    match value:
        case ast.Number(value=number):
            return str(number)
        case ast.Decimal(text=text):
            return text
        case ast.Unary(operator="-", operand=ast.Number() | ast.Decimal() as inner):
            return f"-{_plain(inner)}"
        case ast.Binary(
            operator="/",
            left=ast.Number() | ast.Unary(operator="-", operand=ast.Number()) as above,
            right=ast.Number(value=below),
        ):
            return f"{_plain(above)}/{below}"
    return ""
