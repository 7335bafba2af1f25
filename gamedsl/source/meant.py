"""Remarks that the author means so: `# meant: W3101` behind the line that a remark is about."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gamedsl.source.diagnostics import Diagnostic
from gamedsl.source.text import SourceFile, Span

MARK = re.compile(r"#.*\bmeant:\s*(W\d{4}(?:,\s*W\d{4})*)")


def unmarked(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings without the warnings and notes that are marked as meant in their line."""
    return tuple(
        finding
        for finding in diagnostics
        if finding.is_error
        or finding.source is None
        or finding.primary is None
        or not is_meant(finding.source, finding.primary.span, finding.code)
    )


def is_meant(source: SourceFile, span: Span, code: str) -> bool:
    """Whether the line where a stretch begins is marked with the code."""
    file, place = source.local(span)
    start = file.text.rfind("\n", 0, place.start) + 1
    mark = MARK.search(file.text[start:].partition("\n")[0])
    return mark is not None and code in mark.group(1)
