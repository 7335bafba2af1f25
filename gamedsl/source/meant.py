"""Marks of intention: `# meant: W3101` in a line silences the remark W3101 about the line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gamedsl.source.diagnostics import Diagnostic
from gamedsl.source.text import SourceFile, Span

MARK = re.compile(r"#.*\bmeant:\s*(W\d{4}(?:[,\s]\s*W\d{4})*)")


def unmarked(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings, less warnings and notes with a mark of the code in the line."""
    return tuple(
        finding
        for finding in diagnostics
        if finding.is_error
        or finding.source is None
        or finding.primary is None
        or not is_meant(finding.source, finding.primary.span, finding.code)
    )


def is_meant(source: SourceFile, span: Span, code: str) -> bool:
    """Whether the first line of a stretch of text has a mark with the code."""
    file, place = source.local(span)
    start = file.text.rfind("\n", 0, place.start) + 1
    mark = MARK.search(file.text[start:].partition("\n")[0])
    return mark is not None and code in mark.group(1)
