"""The standard layout of a text, as changes: the output of `gamedsl fmt`."""

from __future__ import annotations

from gamedsl.services.analysis import Analysis
from gamedsl.services.changes import Edit, whole_text
from gamedsl.syntax.parse import parse
from gamedsl.syntax.printers.program import format_program


def formatting(analysis: Analysis) -> tuple[Edit, ...]:
    """The changes that bring a text into the standard layout; none for a text with syntax
    errors."""
    if analysis.program.broken or any(
        diagnostic.is_error for diagnostic in parse(analysis.source)[1]
    ):
        return ()
    return whole_text(analysis.source.text, format_program(analysis.program))
