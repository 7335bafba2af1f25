"""What a newcomer did wrong: from the place where the parser stopped to a sentence that teaches.

In: a trouble. Out: one diagnostic. The recognisers of known mistakes are asked in order; if none
knows it, the sentence says what was found and what was expected.
"""

from __future__ import annotations

from gamedsl.source import Diagnostic, nearest
from gamedsl.syntax import mistaken_lines, mistaken_signs, mistaken_words
from gamedsl.syntax.scan import Kind
from gamedsl.syntax.trouble import Finding, Recogniser, Trouble
from gamedsl.syntax.vocabulary import accepted_words, expected

RECOGNISERS: tuple[Recogniser, ...] = (
    *mistaken_words.FIRST,
    *mistaken_signs.RECOGNISERS,
    *mistaken_lines.RECOGNISERS,
    *mistaken_words.LAST,
)


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
        near = nearest(trouble.text, accepted_words(trouble.accepts))
        hint = f"did you mean `{near}`?" if near else None
    return Finding("E0100", message, trouble.span, hint)
