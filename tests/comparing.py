"""Comparison of AST nodes: equality except for spans and sources.

In: two nodes, tuples of nodes or programs. Out: a truth value. Meanings are not compared: `a + b`
and `b + a` differ.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from gamedsl.source import SourceFile, Span


def same(a: object, b: object) -> bool:
    """Whether `a` and `b` are equal when spans and sources are left out."""
    pending: list[tuple[object, object]] = [(a, b)]
    while pending:
        left, right = pending.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, Span | SourceFile):
            continue
        if isinstance(left, tuple) and isinstance(right, tuple):
            if len(left) != len(right):
                return False
            pending.extend(zip(left, right, strict=True))
        elif is_dataclass(left) and not isinstance(left, type):
            names = [field.name for field in fields(left)]
            pending.extend((getattr(left, name), getattr(right, name)) for name in names)
        elif left != right:
            return False
    return True
