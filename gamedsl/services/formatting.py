"""The standard layout of a text, as changes: what `gamedsl fmt` writes."""

from __future__ import annotations

from gamedsl.services.analysis import Analysis
from gamedsl.services.changes import Edit, whole_text
from gamedsl.syntax import format_program, parse


def formatting(analysis: Analysis) -> tuple[Edit, ...]:
    """What brings a text into the standard layout; nothing for one with mistakes in its syntax."""
    if analysis.program.broken or any(one.is_error for one in parse(analysis.source)[1]):
        return ()
    return whole_text(analysis.source.text, format_program(analysis.program))
