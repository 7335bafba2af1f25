"""Merging of a file with the included program: declarations of the file replace included
declarations in place.

In: the program of a file, and the expanded program of the included file. Out: one text, and
diagnostics. All declarations are included except the title and the claims. A declaration of the
file takes the place of the included declaration with the same key; a new declaration stands behind
the included declarations, except for moves above a last `otherwise`, which stand above the included
moves.
"""

from __future__ import annotations

from gamedsl.source import Diagnostic, Label, Severity, SourceFile, Span, nearest
from gamedsl.source.nearest import MISSPELT, SIMILAR
from gamedsl.syntax import ast
from gamedsl.syntax.including.declared import (
    NAMED,
    Chunk,
    Key,
    Replaceable,
    chunks,
    key_of,
    lined,
    name_of,
    parameters_of,
    replaceable,
)
from gamedsl.syntax.including.leaving_out import LeftOut
from gamedsl.syntax.including.replacing import Taken
from gamedsl.syntax.including.weaving import Edit, Weaver, column_of, line_end, line_start

_STAYS_BEHIND = (ast.GameTitle, ast.ExpectDecl, ast.IncludeDecl, ast.WithoutDecl)
"""Declarations that are not included."""

_CONSUMED = (ast.IncludeDecl, ast.WithoutDecl)
"""Declarations about the merge, which are absent from the merged text."""


class Difference:
    """The merge of a file with the included program."""

    def __init__(self, variant: ast.Program, included: ast.Program) -> None:
        self.variant = variant
        self.included = included
        self._left_out = LeftOut(variant.source, included)
        self._taken = Taken(variant.source, included.source)
        self._weaver = Weaver(variant.source, included.source)
        self._old = {
            key: declaration
            for declaration in replaceable(included)
            if (key := key_of(declaration))
        }
        self._new: dict[Key, Chunk] = {}
        self._edits: dict[Key, list[Edit]] = {}
        self._old_edits: dict[Key, list[Edit]] = {}
        self._placed: set[Key] = set()
        self._mine = chunks(variant.source, variant)

    def run(self) -> tuple[SourceFile, frozenset[str], tuple[Diagnostic, ...]]:
        """The merged text, the names left out, and the diagnostics."""
        for declared in self.variant.declarations:
            if isinstance(declared, ast.WithoutDecl):
                self._left_out.read(declared)
        self._compare()
        self._write()
        diagnostics = (*self._left_out.diagnostics, *self._taken.diagnostics, *self._misspelt())
        return self._weaver.finish(), self._left_out.names(), diagnostics

    def _compare(self) -> None:
        """Match the declarations of the file with the included declarations, and find the edits for
        `included`."""
        for chunk in self._variant_chunks():
            key = key_of(chunk.declared)
            if key is None or key in self._new:
                continue
            self._new[key] = chunk
            if key in self._old and key not in self._left_out.keys:
                self._edits[key], old_edits = self._taken.edits(chunk.declared, self._old[key])
                if old_edits:
                    self._old_edits[key] = old_edits

    def _variant_chunks(self) -> list[Chunk]:
        """The declarations of the file, with variables in place of their sections."""
        variant_chunks: list[Chunk] = []
        for chunk in self._mine:
            if isinstance(chunk.declared, ast.StateDecl):
                variant_chunks += _variables(self.variant.source, chunk.declared)
            else:
                variant_chunks.append(chunk)
        return variant_chunks

    # --- writing ---------------------------------------------------------------------------

    def _write(self) -> None:
        source, mine = self.variant.source, self._mine
        self._weaver.copy(source, Span(0, mine[0].span.start))
        for chunk in mine:
            if isinstance(chunk.declared, ast.GameTitle):
                self._weaver.copy_chunk(source, chunk.span)
        rest = [chunk for chunk in mine if not isinstance(chunk.declared, ast.GameTitle)]
        first = self._moves_before()
        for chunk in first:
            self._weaver.copy_chunk(source, chunk.span, self._edits_of(chunk))
        self._write_included()
        for chunk in rest:
            if chunk not in first:
                self._write_new(chunk)
        self._weaver.copy(source, Span(mine[-1].span.end, len(source.text)))

    def _moves_before(self) -> list[Chunk]:
        """New moves, and `otherwise` lines, if the included moves belong below them."""
        moves = [
            chunk
            for chunk in self._mine
            if isinstance(chunk.declared, ast.Otherwise)
            or (
                isinstance(chunk.declared, ast.MoveDecl) and key_of(chunk.declared) not in self._old
            )
        ]
        is_above = len(moves) > 1 and isinstance(moves[-1].declared, ast.Otherwise)
        return moves if is_above else []

    def _write_included(self) -> None:
        all_chunks = chunks(self.included.source, self.included)
        needless = self._needless(all_chunks)
        for chunk in all_chunks:
            if isinstance(chunk.declared, ast.StateDecl):
                self._write_state(chunk.declared, chunk.span)
            elif not isinstance(chunk.declared, _STAYS_BEHIND) and chunk not in needless:
                self._write_old(chunk, 0)

    def _needless(self, included: tuple[Chunk, ...]) -> list[Chunk]:
        """The included `otherwise` lines that are left out, or no longer separate any moves."""
        lines = [chunk for chunk in included if isinstance(chunk.declared, ast.Otherwise)]
        if ("otherwise", "") in self._left_out.keys:
            return lines
        remaining: list[Chunk] = []
        for chunk in included:
            is_move = isinstance(chunk.declared, ast.MoveDecl) and not self._is_gone(chunk.declared)
            parts = chunk in lines and remaining and remaining[-1] not in lines
            if is_move or parts:
                remaining.append(chunk)
        if remaining and remaining[-1] in lines and not self._has_new_moves_below():
            del remaining[-1]
        return [chunk for chunk in lines if chunk not in remaining]

    def _has_new_moves_below(self) -> bool:
        above = self._moves_before()
        return not above and any(
            isinstance(chunk.declared, ast.MoveDecl) and key_of(chunk.declared) not in self._old
            for chunk in self._mine
        )

    def _write_state(self, declared: ast.StateDecl, span: Span) -> None:
        source = self.included.source
        variables = _variables(source, declared)
        column = column_of(source.text, declared.variables[0].span.start)
        if all(self._is_gone(variable.declared) for variable in variables):
            return
        self._weaver.copy_chunk(source, Span(span.start, variables[0].span.start))
        for variable in variables:
            self._write_old(variable, column)

    def _is_gone(self, declared: Replaceable) -> bool:
        """Whether an included declaration is dropped and no declaration takes its place."""
        key = key_of(declared)
        if key is None or (key not in self._new and key not in self._left_out.keys):
            return False
        return key not in self._new or not _fits(self._new[key].declared, declared)

    def _write_old(self, chunk: Chunk, column: int) -> None:
        """Write an included declaration, or its replacement."""
        key = key_of(chunk.declared)
        if key is None or (key not in self._new and key not in self._left_out.keys):
            self._weaver.copy_chunk(self.included.source, chunk.span)
            return
        if key in self._old_edits:
            self._weaver.copy_chunk(self.included.source, chunk.span, self._old_edits[key])
        if not self._is_gone(chunk.declared) and key not in self._placed:
            self._placed.add(key)
            new = self._new[key]
            by = column - column_of(self.variant.source.text, new.declared.span.start)
            self._weaver.copy_chunk(self.variant.source, new.span, self._edits_of(new), by=by)

    def _write_new(self, chunk: Chunk) -> None:
        """Write a declaration of the file, unless it has been written in place of an included
        declaration."""
        declared = chunk.declared
        if isinstance(declared, ast.StateDecl):
            variables = _variables(self.variant.source, declared)
            new = [variable for variable in variables if not self._is_placed(variable)]
            if new:
                start = Span(chunk.span.start, variables[0].span.start)
                self._weaver.copy_chunk(self.variant.source, start)
            for variable in new:
                self._weaver.copy_chunk(self.variant.source, variable.span)
        elif not isinstance(declared, _CONSUMED) and not self._is_placed(chunk):
            self._weaver.copy_chunk(self.variant.source, chunk.span, self._edits_of(chunk))

    def _is_placed(self, chunk: Chunk) -> bool:
        key = key_of(chunk.declared)
        return key in self._placed and self._new[key] == chunk

    def _edits_of(self, chunk: Chunk) -> list[Edit]:
        key = key_of(chunk.declared)
        is_first = key is not None and self._new.get(key) == chunk
        return self._edits.get(key, []) if key is not None and is_first else []

    # --- near names ------------------------------------------------------------------------

    def _misspelt(self) -> list[Diagnostic]:
        """Warnings about new declarations whose name is similar to the name of an included
        declaration."""
        warnings = []
        for key, chunk in self._new.items():
            declared = chunk.declared
            if type(declared) not in NAMED or key in self._old:
                continue
            like = [
                name_of(old).text
                for old_key, old in self._old.items()
                if type(old) is type(declared) and old_key not in self._new
                and old_key not in self._left_out.keys
                and len(parameters_of(old)) == len(parameters_of(declared))
            ]  # fmt: skip
            name = name_of(declared)
            is_to_replace = any(isinstance(node, ast.Included) for node in ast.nodes_in(declared))
            near = nearest(name.text, like, SIMILAR if is_to_replace else MISSPELT)
            if near is not None:
                warnings.append(_near(self.variant.source, name, near))
        return warnings


def _near(source: SourceFile, name: ast.Name, near: str) -> Diagnostic:
    message = f"`{name.text}` replaces nothing, and `{near}` is included"
    hint = f"to replace it, write `{near}`"
    label = Label(name.span)
    return Diagnostic("W0009", message, label, source, hint=hint, severity=Severity.WARNING)


def _fits(new: Replaceable, old: Replaceable) -> bool:
    """Whether the new declaration can take the place of the old: both in `state:`, or both not."""
    return isinstance(new, ast.VariableDecl) == isinstance(old, ast.VariableDecl)


def _variables(source: SourceFile, declared: ast.StateDecl) -> tuple[Chunk, ...]:
    first = line_start(source.text, declared.variables[0].span.start)
    header = line_end(source.text, declared.span.start) + 1
    return lined(source, declared.variables, min(first, header))
