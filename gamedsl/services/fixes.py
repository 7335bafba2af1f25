"""Quick fixes: changes of the text that remove a finding.

In: an `Analysis` and a finding. Out: `Fix`es. A message proposes code in backquotes behind words
such as "did you mean", "write" and "add". The code is tried at every place the message may mean. A
fix is offered only if the finding disappears and no new finding appears (corrected syntax may
reveal errors in meanings), so every fix offered works. New messages need no new code in this
module.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from gamedsl.game.including import find_included
from gamedsl.model.builtins import BUILTINS
from gamedsl.model.operations import REDUCTIONS
from gamedsl.model.symbols.keywords import KEYWORDS
from gamedsl.services.analysis import Analysis, analyse
from gamedsl.services.changes import Edit, applied
from gamedsl.services.findings import Finding
from gamedsl.services.lines import locals_at
from gamedsl.source import Diagnostic, Span, nearest
from gamedsl.source.records import dataclass
from gamedsl.source.text import source_from_text
from gamedsl.syntax.including.expand import Loader
from gamedsl.syntax.scan import Kind, lexemes_of
from gamedsl.syntax.vocabulary import literals

MOST_TRIED = 6
"""Most proposals tried for a finding."""

_WRITTEN = re.compile(r"\b(?:write|written|use)\b(?:(?!such as|as in|example)[^`;])*`([^`]+)`")
"""Code to be written, not an example."""
_ADDED = re.compile(r"\badd `([^`]+)`")
_DECIMAL = re.compile(r"\d+\.\d+")
_FRACTION = re.compile(r"\d+(?:/\d+)?")
_MEANT = re.compile(r"did you mean `([^`]+)`")


@dataclass(frozen=True, slots=True)
class Fix:
    """A change with a title for a menu."""

    title: str
    edits: tuple[Edit, ...]


def fixes(analysis: Analysis, finding: Finding, load: Loader = find_included) -> tuple[Fix, ...]:
    """The proposals that remove a finding, without repeats."""
    fixes_by_text: dict[str, Fix] = {}
    tried: set[str] = set()
    before = _count(analysis.diagnostics)
    for edit in _proposed(analysis, finding):
        source = analysis.source
        text = applied(source.text, (edit,))
        if text in tried or text == source.text:
            continue
        if len(tried) == MOST_TRIED:
            break
        tried.add(text)
        after = _count(analyse(source_from_text(text, source.name, source.path), load).diagnostics)
        code = finding.code
        # Corrected syntax lets meanings be checked: errors in meanings existed before the fix.
        worse = [error_code for error_code in after if after[error_code] > before[error_code]]
        is_worse = any(error_code[:2] == "E0" or code[:2] != "E0" for error_code in worse)
        if after[code] < before[code] and not is_worse:
            fixes_by_text[text] = Fix(_title(source.text, edit), (edit,))
    return tuple(fixes_by_text.values())


def _count(diagnostics: tuple[Diagnostic, ...]) -> Counter[str]:
    return Counter(diagnostic.code for diagnostic in diagnostics)


def _title(text: str, edit: Edit) -> str:
    old = " ".join(text[edit.span.start : edit.span.end].split())
    new = " ".join(edit.text.split())
    if not new:
        return f"Delete `{old}`"
    return f"Replace `{old}` with `{new}`" if old else f"Insert `{new}`"


def _proposed(analysis: Analysis, finding: Finding) -> Iterator[Edit]:
    """Changes that the words of a finding may mean, likely changes first."""
    diagnostic, text, span = finding.diagnostic, analysis.source.text, finding.span
    hint = diagnostic.hint or ""
    if hint.startswith("delete it"):
        yield Edit(span, "")
    for code in _MEANT.findall(f"{diagnostic.message} {hint}"):
        for place in _misspelt(text, span, code):
            yield Edit(place, code)
    if diagnostic.code == "E1001" and analysis.symbols is not None:
        word = text[span.start : span.end]
        near = nearest(
            word, [*analysis.symbols.names(), *locals_at(analysis.lines, span.start, 99)]
        )
        if near is not None:
            yield Edit(span, near)
    said = f"{diagnostic.message}; {hint}"
    for code in _WRITTEN.findall(said):
        for place in (span, *_places(text, span)):
            if _says_the_same(analysis, text[place.start : place.end], code):
                yield Edit(place, code)
    for code in _ADDED.findall(said):
        end = _solid_line(text, span.start).end
        colons = [at for at in range(span.end, end) if text[at] == ":"]
        for at in (*colons, end, span.end):
            yield Edit(Span(at, at), code)


def _says_the_same(analysis: Analysis, old: str, new: str) -> bool:
    """Whether the proposed code is made of the code in the text, and is not an example: every name
    is known, and no number is new except for the other end of a range."""
    if "..." in new:
        return False
    known = [lexeme.text for lexeme in lexemes_of(old, 0, len(old))]
    fresh = [lexeme for lexeme in lexemes_of(new, 0, len(new)) if lexeme.text not in known]
    names = {lexeme.text for lexeme in fresh if lexeme.kind is Kind.NAME}
    numbers = [
        lexeme.text for lexeme in fresh if lexeme.kind is Kind.NUMBER and lexeme.text not in old
    ]
    is_equal = _DECIMAL.fullmatch(old) is not None and _FRACTION.fullmatch(new) is not None
    if len(numbers) > old.isdecimal() and not is_equal:
        return False
    words = {word for word in literals().values() if word.isalpha()}
    return names <= words | KEYWORDS | BUILTINS.keys() | REDUCTIONS.keys() | analysis.words


def _misspelt(text: str, span: Span, meant: str) -> Iterator[Span]:
    """The words in a stretch that may be `meant` mistyped."""
    words = [word for word in lexemes_of(text, *span) if word.kind is Kind.NAME]
    near = nearest(meant, [word.text for word in words], 0.3)
    for word in words:
        if word.text == near:
            yield word.span
    if len(words) != 1:
        yield span
    for word in words:
        yield word.span


def _places(text: str, span: Span) -> Iterator[Span]:
    """The places that a proposal may replace besides the underlined stretch: from the start of the
    stretch to the end of the line, and the whole line."""
    line = _solid_line(text, span.start)
    yield Span(span.start, max(span.start, line.end))
    yield line


def _solid_line(text: str, offset: int) -> Span:
    """The line of a place without indentation and comment."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : len(text) if end < 0 else end].partition("#")[0]
    return Span(start + len(line) - len(line.lstrip()), start + len(line.rstrip()))
