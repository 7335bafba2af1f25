"""The limits on nesting: a declaration nested too deep is refused.

In: AST nodes. Out: the first node beyond the limit. The passes behind the parser may therefore walk
an AST by recursion.
"""

from __future__ import annotations

from gamedsl.syntax.ast import Node, children

DEEPEST_BRACKETS = 60
"""Most levels of nested brackets."""

DEEPEST_TREE = 100
"""Levels of nodes in one declaration."""


def too_deep(root: Node) -> Node | None:
    """A node that is nested more than `DEEPEST_TREE` levels deep, or None."""
    pending = [(root, 1)]
    while pending:
        node, depth = pending.pop()
        if depth > DEEPEST_TREE:
            return node
        pending.extend((child, depth + 1) for child in children(node))
    return None
