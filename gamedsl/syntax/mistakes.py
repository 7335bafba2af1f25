"""What a newcomer did wrong: from the place where the parser stopped to a sentence that teaches.

In: a trouble. Out: one diagnostic. The recognisers of known mistakes are asked in order; if none
knows it, the sentence says what was found and what was expected.
"""

from __future__ import annotations

from gamedsl.source import Diagnostic, nearest
from gamedsl.syntax import mistaken_forms, mistaken_lines, mistaken_signs, mistaken_words
from gamedsl.syntax.scan import Kind
from gamedsl.syntax.trouble import Finding, Recogniser, Trouble
from gamedsl.syntax.vocabulary import accepted_words, expected

RECOGNISERS: tuple[Recogniser, ...] = (
    *mistaken_words.FIRST,
    *mistaken_forms.RECOGNISERS,
    *mistaken_signs.RECOGNISERS,
    *mistaken_lines.RECOGNISERS,
    *mistaken_words.LAST,
)

_THINGS = frozenset({Kind.NAME, Kind.NUMBER})


def explain(trouble: Trouble) -> Diagnostic:
    """The diagnostic for an error of the parser."""
    for recognise in RECOGNISERS:
        finding = recognise(trouble)
        if finding is not None:
            return finding.diagnostic(trouble.source)
    return _unrecognised(trouble).diagnostic(trouble.source)


def _unrecognised(trouble: Trouble) -> Finding:
    """Found and expected."""
    found = "the end of the line" if trouble.is_at_end else f"`{trouble.text}`"
    message = f"found {found}, expected {expected(trouble.accepts)}"
    hint = None
    if trouble.kind_at(0) is Kind.NAME:
        words = [word for word in accepted_words(trouble.accepts) if len(word) > 3]
        near = nearest(trouble.text, words)
        hint = f"did you mean `{near}`?" if near else None
    if hint is None and "_NL" in trouble.accepts and trouble.text_at(1) in {"=", "+=", "-="}:
        hint = "each statement stands on its own line"
    is_list = trouble.open_brackets() or trouble.starter in {"players", "directions"}
    if hint is None and is_list and "COMMA" in trouble.accepts and trouble.kind_at(0) in _THINGS:
        hint = "separate the parts of a list with `,`"
    return Finding("E0100", message, trouble.span, hint)
