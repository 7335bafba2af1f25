"""Explanations of syntax errors: from the place where the parser stopped to a sentence that
teaches.

In: an error context. Out: one diagnostic. The rules for known mistakes are tried in order; if no
rule applies, the sentence lists the actual and the expected terminals.
"""

from __future__ import annotations

from gamedsl.source import Diagnostic, nearest
from gamedsl.syntax.hints import (
    constructs,
    dealing,
    declarations,
    including,
    keywords,
    lines,
    operators,
    rulebook,
    subsets,
)
from gamedsl.syntax.hints.error_context import ErrorContext, HintRule, Mistake
from gamedsl.syntax.scan import Kind
from gamedsl.syntax.vocabulary import accepted_words, expected

RULES: tuple[HintRule, ...] = (
    *dealing.RULES,
    *rulebook.RULES,
    *keywords.FIRST,
    *declarations.RULES,
    *constructs.RULES,
    *including.RULES,
    *subsets.RULES,
    *operators.RULES,
    *lines.RULES,
    *keywords.LAST,
)

_THINGS = frozenset({Kind.NAME, Kind.NUMBER})


def explain(context: ErrorContext) -> Diagnostic:
    """The diagnostic for an error of the parser."""
    for rule in RULES:
        finding = rule(context)
        if finding is not None:
            return finding.diagnostic(context.source)
    return _unrecognised(context).diagnostic(context.source)


def _unrecognised(context: ErrorContext) -> Mistake:
    """The mistake that no rule knows: the actual text, and the terminals expected."""
    actual = "the end of the line" if context.is_at_end else f"`{context.text}`"
    message = f"found {actual}, expected {expected(context.accepts)}"
    hint = None
    if context.kind_at(0) is Kind.NAME:
        words = [word for word in accepted_words(context.accepts) if len(word) > 3]
        near = nearest(context.text, words)
        hint = f"did you mean `{near}`?" if near else None
    if hint is None and "_NL" in context.accepts and context.text_at(1) in {"=", "+=", "-="}:
        hint = "each statement stands on its own line"
    if context.is_at_end and context.text_at(-1) == "," and not context.open_brackets():
        hint = "a line continues on the next line only inside brackets"
    is_list = context.open_brackets() or context.starter in {"players", "directions"}
    if hint is None and is_list and "COMMA" in context.accepts and context.kind_at(0) in _THINGS:
        hint = "separate the parts of a list with `,`"
    return Mistake("E0100", message, context.span, hint)
