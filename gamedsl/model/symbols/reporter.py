"""Gather the diagnostics of an elaboration.

Findings arrive in any order; `Diagnostic`s come out in order of place, without duplicates. Drawing
is done by `gamedsl.source.render`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field, replace

from gamedsl.source import Diagnostic, Label, Severity, SourceFile, Span
from gamedsl.source.records import dataclass

FindingKey = tuple[str, Span | None, str]
"""Identity of a finding: code, place and, if the finding has no place, message."""

VALUE_ERRORS = frozenset({"E1102", "E1110", "E1201", "E1202", "E1204"})
"""Errors in values; no errors in code that is never evaluated."""

MOST_PLACES = 3
"""Number of further places shown for an unknown name."""


@dataclass
class Reporter:
    """Collects diagnostics; findings with equal code and place count once."""

    source: SourceFile
    broken: frozenset[str] = frozenset()
    findings: dict[FindingKey, Diagnostic] = field(default_factory=dict)
    unknown: dict[str, FindingKey] = field(default_factory=dict)
    """Unknown names and the findings about them."""
    is_unreachable: bool = False
    passed_over: int = 0
    """Number of errors in values that are never evaluated."""

    def report(
        self,
        code: str,
        span: Span | None,
        message: str,
        *,
        label: str = "",
        hint: str | None = None,
        secondary: tuple[Label, ...] = (),
        notes: tuple[str, ...] = (),
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Add a finding; a finding about a value that is never evaluated is only counted."""
        if self.is_unreachable and code in VALUE_ERRORS:
            self.passed_over += 1
            return
        key = (code, span, message if span is None else "")
        if key not in self.findings:
            primary = None if span is None else Label(span, label)
            self.findings[key] = Diagnostic(
                code, message, primary, self.source, secondary, notes, hint, severity
            )

    def report_unknown(
        self, name: str, code: str, span: Span, message: str, hint: str | None = None
    ) -> None:
        """Add a finding about an unknown name; further places of the name are shown in the first
        finding."""
        first = self.findings.get(self.unknown.get(name, (code, span, "")))
        if first is None or first.primary is None:
            self.unknown[name] = (code, span, "")
            self.report(code, span, message, hint=hint)
            return
        places = {first.primary.span, *(label.span for label in first.secondary)}
        if span not in places and len(first.secondary) < MOST_PLACES:
            labels = (*first.secondary, Label(span, "and here"))
            self.findings[self.unknown[name]] = replace(first, secondary=labels)

    @contextmanager
    def unreachable(self, is_unreachable: bool = True) -> Iterator[None]:
        """Inside the block, code counts as never carried out; with False, as carried out after
        all."""
        before = self.is_unreachable
        self.is_unreachable = is_unreachable
        try:
            yield
        finally:
            self.is_unreachable = before

    @contextmanager
    def apart(self, source: SourceFile | None = None) -> Iterator[Reporter]:
        """Inside the block, findings go only to the reporter that the block is given.

        The findings may be about a text other than the file's: about `source`.
        """
        before = (self.source, self.broken, self.findings, self.unknown)
        if source is not None:
            self.source, self.broken = source, frozenset()
        self.findings, self.unknown = {}, {}
        try:
            yield Reporter(self.source, self.broken, self.findings)
        finally:
            self.source, self.broken, self.findings, self.unknown = before

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings, in order of place."""
        return tuple(
            sorted(
                self.findings.values(),
                key=lambda finding: finding.primary.span if finding.primary else Span(0, 0),
            )
        )

    @property
    def has_errors(self) -> bool:
        """Whether any finding makes the file unusable."""
        return any(finding.is_error for finding in self.findings.values())
