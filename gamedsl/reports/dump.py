"""Frozen dataclasses (syntax tree, typed model) as an indented outline.

The outline is the debugger's view and the format of golden files: one node per line, with
non-default scalar fields, positions as line:column. The code depends on no node type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from typing import Any

from gamedsl.source import SourceFile, Span

INDENT = "    "


def dump(node: object, source: SourceFile | None = None) -> str:
    """The outline of a node and all nodes below; positions only with a source.

    A node inside itself (a recursive `def`) is only named.
    """
    return "\n".join(_Outline(source).lines("", node, 0)) + "\n"


class _Outline:
    """An outline under construction."""

    def __init__(self, source: SourceFile | None) -> None:
        self._source = source
        self._open: set[int] = set()

    def lines(self, label: str, node: object, depth: int) -> Iterator[str]:
        """A node and all nodes below."""
        start = INDENT * depth + (f"{label}: " if label else "")
        if not is_dataclass(node) or _is_leaf(node):
            yield from self._plain(start, node, depth)
            return
        shown = [
            field
            for field in fields(node)
            if field.repr and field.name != "span" and not _is_default(field, node)
        ]
        words = [type(node).__name__]
        words += [f"{field.name}={_text(getattr(node, field.name))}" for field in shown
                  if _is_leaf(getattr(node, field.name))]  # fmt: skip
        if id(node) in self._open:
            yield f"{start}{' '.join(words)} (see above)"
            return
        self._open.add(id(node))
        yield start + " ".join(words) + _place(node, self._source)
        for field in shown:
            value = getattr(node, field.name)
            if not _is_leaf(value):
                yield from self.lines(field.name, value, depth + 1)
        self._open.remove(id(node))

    def _plain(self, start: str, value: object, depth: int) -> Iterator[str]:
        if _is_leaf(value):
            yield start + _text(value)
            return
        yield start.rstrip()
        items: Iterable[tuple[object, object]]
        if isinstance(value, dict):
            items = value.items()
        else:
            assert isinstance(value, tuple | list | frozenset)
            items = enumerate(value, start=1)
        for key, item in items:
            yield from self.lines(str(key), item, depth + 1)


def _is_default(field: Field[Any], node: object) -> bool:
    """Whether a field has the default value."""
    value = getattr(node, field.name)
    return type(value) is type(field.default) and value == field.default


def _is_leaf(value: object) -> bool:
    """Whether the value is written on the node's own line."""
    if isinstance(value, Span | SourceFile | Enum | str):
        return True
    if isinstance(value, tuple | list | frozenset | dict):
        parts = value.values() if isinstance(value, dict) else value
        return all(_is_leaf(part) and not isinstance(part, tuple) for part in parts)
    if is_dataclass(value):
        return type(value).__str__ is not object.__str__
    return True


def _text(value: object) -> str:
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, SourceFile):
        return value.name
    if isinstance(value, tuple | list | frozenset) and not isinstance(value, Span):
        return "(" + ", ".join(_text(part) for part in value) + ")"
    return str(value) if is_dataclass(value) else repr(value)


def _place(node: object, source: SourceFile | None) -> str:
    span = getattr(node, "span", None)
    if source is None or not isinstance(span, Span):
        return ""
    line, column = source.position(span.start)
    file = "" if source.is_own(span) else f"{source.local(span)[0].name}:"
    return f"  @{file}{line}:{column}"
