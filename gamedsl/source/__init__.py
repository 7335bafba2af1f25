"""Floor 0: files, spans and diagnostics. Knows nothing of games."""

from gamedsl.source.diagnostics import Diagnostic, Label, Severity
from gamedsl.source.files import read_source
from gamedsl.source.nearest import nearest
from gamedsl.source.slips import is_slip
from gamedsl.source.text import SourceFile, Span

__all__ = [
    "Diagnostic",
    "Label",
    "Severity",
    "SourceFile",
    "Span",
    "is_slip",
    "nearest",
    "read_source",
]
