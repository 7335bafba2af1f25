"""What a message proposes, carried out: changes that make a finding go away.

In: an `Analysis` and a finding about it. Out: `Fix`es. A hint proposes code in backquotes; each is
tried in the place of what is wrong, and offered only if the finding is gone and no other error has
come. So nothing is offered that does not work, and a new message needs nothing here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from gamedsl.game.including import find_included
from gamedsl.services.analysis import Analysis, analyse
from gamedsl.services.changes import Edit, applied
from gamedsl.services.findings import Finding
from gamedsl.services.lines import locals_at
from gamedsl.source import Diagnostic, Span, nearest
from gamedsl.source.records import dataclass
from gamedsl.source.text import source_from_text
from gamedsl.syntax.including.expand import Loader
from gamedsl.syntax.scan import Kind, lexemes_of

MOST_TRIED = 6
"""Proposals of one finding that are tried."""

_CODE = re.compile(r"`([^`]+)`")
_WRITTEN = re.compile(r"write `([^`]+)`")
_MEANT = re.compile(r"did you mean `([^`]+)`")


@dataclass(frozen=True, slots=True)
class Fix:
    """A change with its name in a menu."""

    title: str
    edits: tuple[Edit, ...]


def fixes(analysis: Analysis, finding: Finding, load: Loader = find_included) -> tuple[Fix, ...]:
    """The proposals of a finding that remove it, each once."""
    found: dict[str, Fix] = {}
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
        if after[code] < before[code] and not any(after[one] > before[one] for one in after):
            found[text] = Fix(_title(source.text, edit), (edit,))
    return tuple(found.values())


def _count(found: tuple[Diagnostic, ...]) -> Counter[str]:
    return Counter(one.code for one in found)


def _title(text: str, edit: Edit) -> str:
    old = " ".join(text[edit.span.start : edit.span.end].split())
    new = " ".join(edit.text.split())
    if not new:
        return f"Delete `{old}`"
    return f"Replace `{old}` with `{new}`" if old else f"Insert `{new}`"


def _proposed(analysis: Analysis, finding: Finding) -> Iterator[Edit]:
    """Changes that the words of a finding may mean, likely ones first."""
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
    for code in [*_WRITTEN.findall(diagnostic.message), *_CODE.findall(hint)]:
        if "..." in code:
            continue
        yield Edit(span, code)
        for place in _places(text, span):
            yield Edit(place, code)


def _misspelt(text: str, span: Span, meant: str) -> Iterator[Span]:
    """The words in a stretch that may be another one mistyped."""
    words = [one for one in lexemes_of(text, *span) if one.kind is Kind.NAME]
    near = nearest(meant, [one.text for one in words], 0.3)
    for one in words:
        if one.text == near:
            yield one.span
    if len(words) != 1:
        yield span
    for one in words:
        yield one.span


def _places(text: str, span: Span) -> Iterator[Span]:
    """What a proposal may stand for besides what is underlined: the words there, and from there to
    the end of the line, and the line."""
    start = text.rfind("\n", 0, span.start) + 1
    line_end = text.find("\n", span.start)
    end = len(text) if line_end < 0 else line_end
    behind = text[span.start : end].partition("#")[0].rstrip()
    yield Span(span.start, span.start + len(behind))
    solid = start + len(text[start:]) - len(text[start:].lstrip(" \t"))
    whole = text[solid:end].partition("#")[0].rstrip()
    yield Span(solid, solid + len(whole))
    yield Span(span.end, span.end)
