"""The limits on nesting: a declaration nested too deep is refused.

In: AST nodes. Out: the first node beyond the limit. The passes behind the parser may therefore walk
an AST by recursion.
"""

from __future__ import annotations

from dataclasses import fields

from gamedsl.source import Span
from gamedsl.syntax.ast import Node

DEEPEST_BRACKETS = 60
"""Most levels of nested brackets."""

DEEPEST_TREE = 100
"""Levels of nodes in one declaration."""


def too_deep(root: Node) -> Node | None:
    """A node that is nested more than `DEEPEST_TREE` levels deep, or None."""
    pending: list[tuple[object, int]] = [(root, 1)]
    while pending:
        part, depth = pending.pop()
        if isinstance(part, Node):
            if depth > DEEPEST_TREE:
                return part
            names = (field.name for field in fields(part))
            pending.extend((getattr(part, name), depth + 1) for name in names)
        elif isinstance(part, tuple) and not isinstance(part, Span):
            pending.extend((item, depth) for item in part)
    return None
