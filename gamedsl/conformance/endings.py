"""What play shows about `end:`: outcomes that clash, and outcomes that never happen.

In: states, one after another, each with a way to tell the play that led there. Out: diagnostics.
It decides nothing about the game; which states are visited is the explorer's affair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from gamedsl.game.game import LoadedGame
from gamedsl.model import State, nodes
from gamedsl.model.walk import statements
from gamedsl.source import Diagnostic, Label, Severity


@dataclass(frozen=True, slots=True)
class _Clash:
    """Two outcomes with different payoffs that hold in one state, and a play to there."""

    first: nodes.Outcome
    other: nodes.Outcome
    notes: tuple[str, ...]


@dataclass(slots=True)
class Endings:
    """The outcomes met so far."""

    game: LoadedGame
    _applied: set[int] = field(default_factory=set)
    _clashes: dict[tuple[int, int], _Clash] = field(default_factory=dict)

    def look_at(self, state: State, notes: Callable[[], tuple[str, ...]]) -> None:
        """Remember which outcomes hold in a state; `notes` tell the play to it."""
        definition = self.game.definition
        if definition is None or state.pending is not None:
            return
        holding = definition.outcomes_holding(state)
        if not holding:
            return
        first, payoffs = holding[0]
        self._applied.add(id(first))
        for other, others in holding[1:]:
            key = (first.span.start, other.span.start)
            if others != payoffs and key not in self._clashes:
                self._clashes[key] = _Clash(first, other, notes())

    def clash(self) -> Diagnostic | None:
        """One note a file, about the first pair of outcomes that clash: it is rarely a mistake."""
        if not self._clashes:
            return None
        found = next(iter(self._clashes.values()))
        more = len(self._clashes) - 1
        also = f" ({more} more pair{'s' if more > 1 else ''} like this)" if more else ""
        return Diagnostic(
            "W3101",
            f"{self._quoted(found.first)} and {self._quoted(found.other)} can hold at once, "
            f"with different payoffs: the first applies{also}",
            Label(found.first.span),
            self.game.source,
            (Label(found.other.span, "this one holds too"),),
            found.notes,
            severity=Severity.NOTE,
        )

    def idle(self) -> Iterator[Diagnostic]:
        """Outcomes that no state met so far has ended with."""
        for statement in statements(self.game.model.end):
            if isinstance(statement, nodes.Win | nodes.Pay) and id(statement) not in self._applied:
                yield Diagnostic(
                    "W3102",
                    "this outcome never happens: no play reaches it",
                    Label(statement.span),
                    self.game.source,
                    severity=Severity.WARNING,
                )

    def _quoted(self, outcome: nodes.Outcome) -> str:
        source, span = self.game.source, outcome.span
        text = " ".join(source.text[span.start : span.end].split())
        return f"`{text}` on line {source.position(span.start)[0]}"
