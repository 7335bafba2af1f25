"""Mistakes about `include` and `without`: variants of other files.

In: an error context. Out: a finding, or None.
"""

from __future__ import annotations

from gamedsl.syntax.hints.error_context import ErrorContext, HintRule, Mistake
from gamedsl.syntax.scan import Kind

_REPLACED = {
    "players": "the players", "board": "the board", "end": "`end:`", "game": "the title",
    "tree": "the tree",
}  # fmt: skip
"""Sections that a game needs -> their names in sentences."""


def left_out(context: ErrorContext) -> Mistake | None:
    """`without castle`, `without board`"""
    if context.starter != "without" or context.at != 1 or context.kind_at(0) is not Kind.NAME:
        return None
    word = context.text
    if word in _REPLACED:
        message = f"{_REPLACED[word]} cannot be left out"
        return Mistake("E0124", message, context.span, "declare another; it takes its place")
    message = f"say what `{word}` is: a move, param, type, variable of the state, def or effect"
    hint = f"as in `without move {word}`, `without state {word}`, `without def {word}`"
    return Mistake("E0124", message, context.span, hint)


def import_of_another_language(context: ErrorContext) -> Mistake | None:
    """`import chess`, `extends chess`"""
    if context.at != 0 or context.starter not in {"import", "extends", "use", "from", "inherit"}:
        return None
    message = f"`{context.starter}` begins no section"
    hint = 'a variant of another file begins with `include "chess.game"`'
    return Mistake("E0109", message, context.span, hint)


RULES: tuple[HintRule, ...] = (left_out, import_of_another_language)
