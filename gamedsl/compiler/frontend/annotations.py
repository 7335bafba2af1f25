"""Classes of records and structures in a function: which class an expression has.

In: the annotations of parameters and fields. A local has the annotation of the value assigned to
the local.
"""

from __future__ import annotations

import ast

from gamedsl.compiler.frontend.text import RecordClass, SubsetError, Text


class Annotations:
    """The annotations of one function's locals."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._of_locals: dict[str, ast.expr] = {}

    def put(self, title: str, annotation: ast.expr | None) -> None:
        """Give a local an annotation, if there is an annotation."""
        if annotation is not None:
            self._of_locals[title] = annotation

    def of(self, node: ast.expr) -> ast.expr | None:
        """The annotation of an expression: of a local, a field, or a record in a row."""
        match node:
            case ast.Name(id=title):
                return self._of_locals.get(title)
            case ast.Attribute(value=value, attr=field):
                owner = self.record(value)
                return None if owner is None else owner.fields.get(field)
            case ast.Subscript(value=value):
                return self.of_rows(value)
        return None

    def record(self, node: ast.expr) -> RecordClass | None:
        """The class of an expression; None if the expression is no record and no structure."""
        return self._text.record(self.of(node))

    def of_rows(self, node: ast.expr) -> ast.Name | None:
        """The name of the class of an expression's records: `Rows[Name]`."""
        match self.of(node):
            case ast.Subscript(value=ast.Name(id="Rows"), slice=ast.Name() as title):
                return title
        return None

    def width(self, title: ast.Name) -> int:
        """Numbers in a record of a class."""
        record = self._text.record(title)
        if record is None:
            raise SubsetError("a record that is not known", title, self._text.name)
        return len(record.fields)
