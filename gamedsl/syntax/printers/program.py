"""AST to text: the standard layout of a file.

In: a program read without errors, and the source for comments, blank lines and line breaks. Out:
the text: the same AST, all comments, four spaces a step, at most 100 columns if a line can be
broken. The printer changes the layout, never the content.
"""

from __future__ import annotations

from gamedsl.source import Span
from gamedsl.syntax import ast
from gamedsl.syntax.parse import foreign_kind
from gamedsl.syntax.printers.comments import Surroundings, Unwritten
from gamedsl.syntax.printers.declarations import DeclarationPrinter
from gamedsl.syntax.printers.expressions import ExpressionPrinter
from gamedsl.syntax.printers.page import Page, followed
from gamedsl.syntax.printers.statements import Parts
from gamedsl.syntax.printers.trees import TreePrinter


def format_program(program: ast.Program) -> str:
    """The text of a program in the standard layout. Formatting is idempotent."""
    is_text = foreign_kind(program.source) is None
    around = Surroundings(program.source.text) if is_text else Unwritten()
    return _Formatter(around).run(program.declarations)


class _Formatter:
    """Walks over the declarations and writes lines to a page."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._page = Page(around)
        expressions = ExpressionPrinter(around)
        self._printer = DeclarationPrinter(expressions)
        self._trees = TreePrinter(expressions, self._page, around)

    def run(self, declarations: tuple[ast.Declaration, ...]) -> str:
        for node, end in followed(declarations, len(self._around.text)):
            self._declaration(node, end)
        return self._page.finish()

    def _declaration(self, node: ast.Declaration, end: int) -> None:
        start = node.span.start
        match node:
            case ast.StateDecl():
                self._state(node, end)
            case ast.BoardGraph():
                self._graph(node, end)
            case ast.ShowDecl():
                self._show(node, end)
            case ast.SetupDecl():
                self._with_suite(["setup:"], start, start, node.body, end)
            case ast.EndDecl():
                self._with_suite(["end:"], start, start, node.body, end)
            case ast.EffectDecl():
                last = (node.name, *node.parameters)[-1].span.end
                names = self._printer.names(node.parameters)
                header: Parts = [f"effect {node.name.text}", *names, ":"]
                self._with_suite(header, start, last, node.body, end)
            case ast.MoveDecl():
                last = (node.name, *node.parameters)[-1].span.end
                self._with_suite(self._printer.move_header(node), start, last, node.body, end)
            case ast.TreeDecl():
                self._trees.write(node, end)
            case _:
                hangs = isinstance(node, ast.DefDecl)
                self._page.write(self._printer.line(node), start, node.span.end, hangs=hangs)

    def _state(self, node: ast.StateDecl, end: int) -> None:
        self._page.begin_section()
        self._page.write(["state:"], node.span.start, node.span.start)
        self._page.begin_block()
        for variable, stop in followed(node.variables, end):
            self._variable(variable, stop)
        self._page.end_block(node.variables[0].span.start, end)

    def _variable(self, node: ast.VariableDecl, end: int) -> None:
        parts = self._printer.variable(node)
        if not isinstance(node.initial, ast.Diagram):
            self._page.write(parts, node.span.start, node.span.end)
            return
        rows = node.initial.rows
        last = node.secret or node.domain
        self._page.write(parts, node.span.start, last.span.end)
        self._page.begin_block()
        for row, line in zip(rows, _aligned(rows), strict=True):
            self._page.write([line], row[0].span.start, row[-1].span.end)
        self._page.end_block(rows[0][0].span.start, end)

    def _graph(self, node: ast.BoardGraph, end: int) -> None:
        self._page.write(["board graph:"], node.span.start, node.span.start)
        self._page.begin_block()
        for line in node.lines:
            self._page.write(self._printer.graph_line(line), line.span.start, line.span.end)
        self._page.end_block(node.lines[0].span.start, end)

    def _show(self, node: ast.ShowDecl, end: int) -> None:
        self._page.write(["show:"], node.span.start, node.span.start)
        self._page.begin_block()
        for line in node.lines:
            self._page.write(self._printer.shown(line), line.span.start, line.span.end)
        self._page.end_block(node.lines[0].span.start, end)

    def _with_suite(
        self, header: Parts, start: int, header_end: int, body: ast.Block, end: int
    ) -> None:
        """Write a header and its statements, on a single line if the author chose so."""
        if self._is_inline(header_end, body):
            self._page.write([*header, " ", *self._inline(body[0])], start, body[-1].span.end)
            return
        self._page.begin_section()
        self._page.write(header, start, header_end)
        self._page.begin_block()
        self._block(body, end)
        self._page.end_block(body[0].span.start, end)

    def _is_inline(self, header_end: int, body: ast.Block) -> bool:
        return not self._around.begins_line(header_end, body[0].span.start)

    def _inline(self, node: ast.Statement) -> Parts:
        match node:
            case ast.For(body=(inner,)):
                return [*self._printer.for_header(node), " ", *self._inline(inner)]
            case ast.If(branches=((condition, (inner,)),)):
                return ["if ", self._printer.slot(condition), ": ", *self._inline(inner)]
            case ast.If() | ast.For():
                raise ValueError("this statement cannot stand on one line")
        return self._printer.simple(node)

    def _block(self, body: ast.Block, end: int) -> None:
        for statement, stop in followed(body, end):
            self._statement(statement, stop)

    def _statement(self, node: ast.Statement, end: int) -> None:
        match node:
            case ast.If():
                self._if(node, end)
            case ast.For():
                last = node.going or node.condition or node.domain
                header = self._printer.for_header(node)
                self._with_suite(header, node.span.start, last.span.end, node.body, end)
            case ast.Payoff():
                self._payoffs(node)
            case _:
                self._page.write(self._printer.simple(node), node.span.start, node.span.end)

    def _payoffs(self, node: ast.Payoff) -> None:
        """Payoffs on as many lines as the author chose."""
        start, first = node.span.start, 0
        for place, (key, _) in enumerate(node.entries):
            before = node.entries[place - 1][1].span.end
            word = self._around.find_word("payoff", before, key.span.start) if place else start
            if place and word < key.span.start:
                line = ast.Payoff(Span(start, before), node.entries[first:place])
                self._page.write(self._printer.simple(line), start, before)
                start, first = word, place
        rest = ast.Payoff(Span(start, node.span.end), node.entries[first:])
        self._page.write(self._printer.simple(rest), start, node.span.end)

    def _if(self, node: ast.If, end: int) -> None:
        blocks = [block for _, block in node.branches]
        blocks += [node.otherwise] if node.otherwise else []
        words = ["if", *["elif"] * (len(node.branches) - 1), *["else"] * bool(node.otherwise)]
        start = node.span.start
        for i, (word, block) in enumerate(zip(words, blocks, strict=True)):
            stop = end
            if i + 1 < len(blocks):
                stop = self._around.find_word(
                    words[i + 1], block[-1].span.end, blocks[i + 1][0].span.start
                )
            if word == "else":
                self._with_suite(["else:"], start, start, block, stop)
            else:
                condition = node.branches[i][0]
                header: Parts = [f"{word} ", self._printer.slot(condition), ":"]
                self._with_suite(header, start, condition.span.end, block, stop)
            start = stop


def _aligned(rows: tuple[tuple[ast.Name, ...], ...]) -> list[str]:
    """The rows of a diagram with aligned columns."""
    longest = max(len(row) for row in rows)
    widths = [max(len(row[i].text) for row in rows if i < len(row)) for i in range(longest)]
    return [
        " ".join(name.text.ljust(width) for name, width in zip(row, widths, strict=False)).rstrip()
        for row in rows
    ]
