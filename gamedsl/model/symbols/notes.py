"""What elaboration finds out about the expressions of a text, kept for who asks afterwards.

In: expressions as they are elaborated. Out: by their places, the types that they have, and where
the local names in them are declared. Nothing in the model depends on it.
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
        types: what an expression there may be; all together where it is elaborated several times.
        declared: where a local name that stands there is declared.
        is_paused: whether what is elaborated now is only tried.
    """

    types: dict[Span, Type] = field(default_factory=dict)
    declared: dict[Span, Span] = field(default_factory=dict)
    is_paused: bool = False

    def note(self, span: Span, kind: Type) -> None:
        """An expression, or a name where it is declared, and its type."""
        if self.is_paused or kind == UNKNOWN:
            return
        known = self.types.get(span)
        self.types[span] = kind if known is None or known == kind else join(known, kind)

    def note_local(self, span: Span, declared: Span) -> None:
        """A local name, and where it is declared."""
        if not self.is_paused:
            self.declared[span] = declared

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Inside the block nothing is noted."""
        kept, self.is_paused = self.is_paused, True
        try:
            yield
        finally:
            self.is_paused = kept
