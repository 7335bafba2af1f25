"""Notes of elaboration for editors: types of expressions and declarations of local names, by place.

The model does not depend on the notes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from gamedsl.model.types import UNKNOWN, Type, join
from gamedsl.source import Span
from gamedsl.source.records import dataclass


@dataclass(slots=True)
class Notes:
    """Types and declarations by place.

    Attributes:
        types: type of the expression at a place; the join of all types after several elaborations.
        declared: place of the declaration of the local name at a place.
        is_paused: whether the present elaboration is a trial.
    """

    types: dict[Span, Type] = field(default_factory=dict)
    declared: dict[Span, Span] = field(default_factory=dict)
    is_paused: bool = False

    def note(self, span: Span, kind: Type) -> None:
        """Record the type of an expression, or of a name at its declaration."""
        if self.is_paused or kind == UNKNOWN:
            return
        known = self.types.get(span)
        self.types[span] = kind if known is None or known == kind else join(known, kind)

    def note_local(self, span: Span, declared: Span) -> None:
        """Record the declaration of a local name."""
        if not self.is_paused:
            self.declared[span] = declared

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Record nothing inside the block."""
        before, self.is_paused = self.is_paused, True
        try:
            yield
        finally:
            self.is_paused = before
