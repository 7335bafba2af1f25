"""The word `included`: reuse of a replaced declaration inside the new declaration.

In: a declaration and the replaced declaration. Out: edits; an edit writes the statements of the
included body, or the included expression, in place of the word. Impossible reuse is a diagnostic.
The checker handles `included` in a declaration without a replaced declaration.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from gamedsl.source import Diagnostic, Label, SourceFile, Span
from gamedsl.syntax import ast
from gamedsl.syntax.including.declared import Replaceable, parameters_of
from gamedsl.syntax.including.weaving import Edit, Weaver, column_of, line_end, line_start

INCLUDED = "included"

Bodied = ast.MoveDecl | ast.EffectDecl | ast.SetupDecl | ast.EndDecl


class Taken:
    """The edits of a declaration, and of the replaced declaration if the latter stays."""

    def __init__(self, variant: SourceFile, included: SourceFile) -> None:
        self._variant = variant
        self._included = included
        self.diagnostics: list[Diagnostic] = []

    def edits(self, declared: Replaceable, replaced: Replaceable) -> tuple[list[Edit], list[Edit]]:
        """Edits of a declaration, and of the replaced declaration, which stays if the second list
        is not empty."""
        if isinstance(declared, Bodied) and isinstance(replaced, Bodied):
            is_alike = type(declared) is type(replaced)
            return list(self._statements(declared, replaced)) if is_alike else [], []
        if isinstance(declared, ast.DefDecl) and isinstance(replaced, ast.DefDecl):
            return self._definition(declared, replaced)
        if isinstance(declared, ast.EvaluateDecl) and isinstance(replaced, ast.EvaluateDecl):
            return list(self._evaluation(declared, replaced)), []
        return [], []

    # --- bodies ----------------------------------------------------------------------------

    def _statements(self, declared: Bodied, replaced: Bodied) -> Iterator[Edit]:
        uses = [node.span for node in ast.nodes_in(declared.body) if isinstance(node, ast.Included)]
        missing = set(parameters_of(replaced)) - set(parameters_of(declared))
        if uses and missing:
            names = ", ".join(parameters_of(replaced))
            message = f"the included body needs its parameters: {names}"
            self._refuse(uses[0], message, "give this declaration parameters of these names")
            return
        for span in uses:
            text = self._variant.text
            before = text[line_start(text, span.start) : span.start]
            after = text[span.end : line_end(text, span.end)].strip()
            if before.strip() or (after and not after.startswith("#")):
                self._refuse(span, "`included` stands on a line of its own")
            else:
                yield Edit(span, partial(self._write_body, replaced.body, span))

    def _write_body(self, body: ast.Block, span: Span, weaver: Weaver) -> None:
        """Write the lines of an included body, the first line in place of the word."""
        text = self._included.text
        start, end = body[0].span.start, body[-1].span.end
        by = column_of(self._variant.text, span.start) - column_of(text, start)
        first = min(line_end(text, start) + 1, end)
        weaver.copy(self._included, Span(start, first))
        if first < end:
            weaver.copy_lines(self._included, Span(first, end), by=by)

    # --- formulas --------------------------------------------------------------------------

    def _definition(
        self, declared: ast.DefDecl, replaced: ast.DefDecl
    ) -> tuple[list[Edit], list[Edit]]:
        """Keep the included `def` under a new name, for calls from the new `def`."""
        uses = _names_in(declared.value)
        if not uses:
            return [], []
        fresh = f"{INCLUDED}_{declared.name.text}"
        while fresh in self._variant.text or fresh in self._included.text:
            fresh += "_"
        old = replaced.name.span
        keep = Edit(old, lambda weaver: weaver.put(fresh, self._included, old))
        return [Edit(span, partial(self._write_name, fresh, span)) for span in uses], [keep]

    def _write_name(self, name: str, span: Span, weaver: Weaver) -> None:
        weaver.put(name, self._variant, span)

    def _evaluation(self, declared: ast.EvaluateDecl, replaced: ast.EvaluateDecl) -> Iterator[Edit]:
        uses = [*_names_in(declared.value), *_names_in(declared.condition)]
        if uses and declared.player.text != replaced.player.text:
            name = replaced.player.text
            self._refuse(uses[0], f"the included `evaluate` calls the player `{name}`", f"`{name}`")
            return
        for span in uses:
            yield Edit(span, partial(self._write_value, replaced.value, span))

    def _write_value(self, value: ast.Expression, span: Span, weaver: Weaver) -> None:
        weaver.put("(", self._variant, span)
        weaver.copy(self._included, value.span)
        weaver.put(")", self._variant, span)

    def _refuse(self, span: Span, message: str, hint: str | None = None) -> None:
        self.diagnostics.append(Diagnostic("E0008", message, Label(span), self._variant, hint=hint))


def _names_in(root: ast.Expression | None) -> list[Span]:
    names = (node for node in ast.nodes_in(root) if isinstance(node, ast.Name))
    return [node.span for node in names if node.text == INCLUDED]
