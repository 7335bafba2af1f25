"""The diagnostics gathered while a file is elaborated.

In: findings, in any order. Out: `Diagnostic`s in order of place, each one once. How they are drawn
is known to `gamedsl.source.render`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field, replace

from gamedsl.source import Diagnostic, Label, Severity, SourceFile, Span
from gamedsl.source.records import dataclass

FindingKey = tuple[str, Span | None, str]
"""What makes a finding the same as another: its code, its place and, without one, its message."""

VALUE_ERRORS = frozenset({"E1102", "E1110", "E1201", "E1202", "E1204"})
"""What is wrong with a value, and so is nothing where it is never worked out."""

MOST_PLACES = 3
"""Where else an unknown name stands is shown so often."""


@dataclass
class Reporter:
    """Collects diagnostics; the same finding at the same place counts once."""

    source: SourceFile
    broken: frozenset[str] = frozenset()
    found: dict[FindingKey, Diagnostic] = field(default_factory=dict)
    unknown: dict[str, FindingKey] = field(default_factory=dict)
    """Names that mean nothing and the findings about them."""
    is_unreachable: bool = False
    passed_over: int = 0
    """Errors in values that are never worked out."""

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
        """Add a finding; one about a value that is never worked out is counted alone."""
        if self.is_unreachable and code in VALUE_ERRORS:
            self.passed_over += 1
            return
        key = (code, span, message if span is None else "")
        if key not in self.found:
            primary = None if span is None else Label(span, label)
            self.found[key] = Diagnostic(
                code, message, primary, self.source, secondary, notes, hint, severity
            )

    def report_unknown(
        self, name: str, code: str, span: Span, message: str, hint: str | None = None
    ) -> None:
        """Add a finding about a name that means nothing; where else it stands is shown with it."""
        first = self.found.get(self.unknown.get(name, (code, span, "")))
        if first is None or first.primary is None:
            self.unknown[name] = (code, span, "")
            self.report(code, span, message, hint=hint)
            return
        places = {first.primary.span, *(label.span for label in first.secondary)}
        if span not in places and len(first.secondary) < MOST_PLACES:
            labels = (*first.secondary, Label(span, "and here"))
            self.found[self.unknown[name]] = replace(first, secondary=labels)

    @contextmanager
    def unreachable(self, is_unreachable: bool = True) -> Iterator[None]:
        """Inside the block nothing is ever carried out, or (False) it is after all."""
        kept = self.is_unreachable
        self.is_unreachable = is_unreachable
        try:
            yield
        finally:
            self.is_unreachable = kept

    @contextmanager
    def apart(self, source: SourceFile | None = None) -> Iterator[Reporter]:
        """Inside the block findings go to the reporter that it is given, and nowhere else.

        They may be about another text than the file's: about `source`.
        """
        kept = (self.source, self.broken, self.found, self.unknown)
        if source is not None:
            self.source, self.broken = source, frozenset()
        self.found, self.unknown = {}, {}
        try:
            yield Reporter(self.source, self.broken, self.found)
        finally:
            self.source, self.broken, self.found, self.unknown = kept

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings, in order of place."""
        return tuple(
            sorted(
                self.found.values(),
                key=lambda found: found.primary.span if found.primary else Span(0, 0),
            )
        )

    @property
    def has_errors(self) -> bool:
        """Whether any finding makes the file unusable."""
        return any(found.is_error for found in self.found.values())
