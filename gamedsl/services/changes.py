"""Edits of a text, and a function to apply edits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gamedsl.source import Span


class Edit(NamedTuple):
    """A stretch of a text, and its new text."""

    span: Span
    text: str


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text with all changes applied at once; changes must not overlap."""
    parts: list[str] = []
    start = 0
    for edit in sorted(edits, key=lambda change: change.span):
        parts += text[start : edit.span.start], edit.text
        start = edit.span.end
    return "".join([*parts, text[start:]])


def whole_text(before: str, after: str) -> tuple[Edit, ...]:
    """A single change from `before` to `after`, covering the first to the last differing line."""
    if before == after:
        return ()
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    start = sum(map(len, old[:first]))
    end = len(before) - sum(map(len, old[len(old) - last :]))
    return (Edit(Span(start, end), "".join(new[first : len(new) - last])),)
