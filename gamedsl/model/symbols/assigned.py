"""Find the variables that a file assigns; the rest keep their initial values and are tables.

A variable that is passed to an `effect` counts as assigned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from gamedsl.syntax import ast


def assigned_names(program: ast.Program) -> frozenset[str]:
    """The names that are assigned, drawn, or passed to an `effect`."""
    names: set[str] = set()
    for node in _nodes(program.declarations):
        match node:
            case ast.Assign(target=target) | ast.Chance(target=target):
                names.add(_base(target))
            case ast.AssignAll(targets=targets):
                names.update(map(_base, targets))
            case ast.CallEffect(arguments=arguments):
                names.update(map(_base, arguments))
    return frozenset(names)


def _base(written: ast.Expression) -> str:
    while isinstance(written, ast.Index):
        written = written.base
    return written.text if isinstance(written, ast.Name) else ""


def _nodes(value: object) -> Iterator[ast.Node]:
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending.extend(node)
        elif isinstance(node, ast.Node):
            yield node
            pending.extend(getattr(node, field.name) for field in fields(node))
