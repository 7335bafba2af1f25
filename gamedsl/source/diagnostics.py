"""Diagnostics: a finding with its place and at most one hint. Rendering lives elsewhere."""

from __future__ import annotations

from enum import StrEnum

from gamedsl.source.records import dataclass
from gamedsl.source.text import SourceFile, Span


class Severity(StrEnum):
    """The severity of a finding: an error makes the file unusable, a warning does not, and a note
    is worth knowing although the file may be right."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Label:
    """A stretch of the source, with words on its part in the finding."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding.

    `code` names the page in the catalogue (E0102); `primary` is the place of the caret (None: the
    whole file); `secondary` are other places that matter; `notes` are whole lines of explanation;
    `hint` is the first thing to try. `source` is the text of the spans.
    """

    code: str
    message: str
    primary: Label | None = None
    source: SourceFile | None = None
    secondary: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    hint: str | None = None
    severity: Severity = Severity.ERROR
    file: str = ""

    @property
    def file_name(self) -> str:
        """The name of the file with the finding."""
        if self.source is None:
            return self.file
        if self.primary is None:
            return self.source.name
        return self.source.local(self.primary.span)[0].name

    @property
    def position(self) -> tuple[int, int] | None:
        """Line and column, both from 1, or None for a finding about a whole file."""
        if self.source is None or self.primary is None:
            return None
        return self.source.position(self.primary.span.start)

    @property
    def is_error(self) -> bool:
        """Whether the finding makes the file unusable."""
        return self.severity is Severity.ERROR
