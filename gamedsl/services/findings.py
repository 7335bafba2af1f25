"""Findings about a text for an editor: every finding has a place in the text itself.

In: an `Analysis`. Out: `Finding`s. A mistake in an included file is shown at the `include` line,
together with its place in the included file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gamedsl.services.analysis import Analysis
from gamedsl.source import Diagnostic, Label, Severity, SourceFile, Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast

if TYPE_CHECKING:
    from gamedsl.solvers.expectations import Verdict


@dataclass(frozen=True, slots=True)
class Related:
    """A further place that matters for a finding."""

    file: SourceFile
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A diagnostic with its place in the text.

    Attributes:
        span: the place at which the finding is shown; in the analysed text, and never empty unless
            the text is empty.
        message: the message with the notes and the hint.
        is_unused: whether the code at the place has no effect, so that an editor can draw the code
            pale.
    """

    span: Span
    code: str
    severity: Severity
    message: str
    related: tuple[Related, ...]
    diagnostic: Diagnostic
    is_unused: bool = False


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """The result of a claim of the text, to be shown behind the claim's line.

    Attributes:
        offset: the end of the claim in the text.
        words: the result in a few words: `holds`, `found: draw`, `not decided`.
        explanation: the reason, or empty.
    """

    offset: int
    words: str
    explanation: str


def claim_results(analysis: Analysis, verdicts: Iterable[Verdict]) -> tuple[ClaimResult, ...]:
    """The results of the claims that stand in the text itself."""
    results = []
    for verdict in verdicts:
        file, place = analysis.whole.source.local(verdict.expectation.span)
        if analysis.is_own(file):
            end = place.start + len(analysis.source.text[place.start : place.end].rstrip())
            results.append(ClaimResult(end, _result_words(verdict), verdict.reason))
    return tuple(results)


def _result_words(verdict: Verdict) -> str:
    match verdict.ok:
        case True:
            return "holds"
        case False:
            return f"found: {verdict.observed}" if verdict.observed else "does not hold"
        case None:
            return "not decided"


UNUSED = frozenset({"W1001", "W1002"})


def findings(analysis: Analysis) -> tuple[Finding, ...]:
    """All findings about a text, in order of place."""
    return placed(analysis, analysis.diagnostics)


def placed(analysis: Analysis, diagnostics: Iterable[Diagnostic]) -> tuple[Finding, ...]:
    """Findings for diagnostics of reading or of playing, in order of place; diagnostics of another
    process fit too."""
    unsorted = (_finding(analysis, diagnostic) for diagnostic in diagnostics)
    return tuple(sorted(unsorted, key=lambda finding: (finding.span, finding.code)))


def _finding(analysis: Analysis, diagnostic: Diagnostic) -> Finding:
    source = diagnostic.source or analysis.source
    related = [_related(source, label) for label in diagnostic.secondary]
    message = "\n".join([diagnostic.message, *diagnostic.notes])
    span = _whole(analysis)
    if diagnostic.primary is not None:
        file, place = source.local(diagnostic.primary.span)
        if analysis.is_own(file):
            span = _visible(analysis.source.text, place)
        else:
            span = _include_of(analysis) or span
            line, _ = file.position(place.start)
            message = f"{file.name}, line {line}: {message}"
            related.insert(0, Related(file, place, diagnostic.message))
        if diagnostic.primary.text:
            message = f"{message} ({diagnostic.primary.text})"
    if diagnostic.hint:
        message = f"{message}\nhint: {diagnostic.hint}"
    related_places = tuple(related)
    return Finding(
        span,
        diagnostic.code,
        diagnostic.severity,
        message,
        related_places,
        diagnostic,
        diagnostic.code in UNUSED,
    )


def _related(source: SourceFile, label: Label) -> Related:
    file, place = source.local(label.span)
    return Related(file, place, label.text or "here")


def _whole(analysis: Analysis) -> Span:
    """The place of findings about the game as a whole: the title, else the `include` line, else the
    whole text."""
    declared = analysis.program.declarations
    titles = (
        declaration.span for declaration in declared if isinstance(declaration, ast.GameTitle)
    )
    span = next(titles, None) or _include_of(analysis) or Span(0, len(analysis.source.text))
    return _visible(analysis.source.text, span)


def _include_of(analysis: Analysis) -> Span | None:
    declared = analysis.program.declarations
    return next(
        (declaration.span for declaration in declared if isinstance(declaration, ast.IncludeDecl)),
        None,
    )


def _visible(text: str, span: Span) -> Span:
    """A place to underline: within the text, on one line, at least one character."""
    start = min(max(span.start, 0), len(text))
    end = min(max(span.end, start), _end_of_line(text, start))
    if end > start:
        return Span(start, end)
    if start < len(text) and text[start] != "\n":
        return Span(start, start + 1)
    return Span(max(start - 1, text.rfind("\n", 0, start) + 1), start)


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
