"""Analysis of `end:` by play: outcomes that clash, and outcomes that never happen.

The explorer chooses the states to visit; the module only records and reports outcomes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import field
from functools import cached_property

from gamedsl.conformance.tied_comparisons import TiedComparisons
from gamedsl.game.game import LoadedGame
from gamedsl.interpreter import RulesInterpreter, TreeInterpreter
from gamedsl.interpreter.expressions import RuledOutError
from gamedsl.model import GameRuleError, State, nodes
from gamedsl.model.engine import Payoffs
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.walk import blocks_of, statements, within
from gamedsl.source import Diagnostic, Label, Severity
from gamedsl.source.meant import is_meant
from gamedsl.source.records import dataclass

MOST_ALIKE = 50
"""Once every outcome has been met, so many endings with equal payoffs are examined, every
second of the next so many, every third, and so on: early and late endings alike."""


@dataclass(frozen=True, slots=True)
class _Clash:
    """Two outcomes with different payoffs that hold in one state, and a play to the state."""

    first: nodes.Outcome
    second: nodes.Outcome
    notes: tuple[str, ...]


@dataclass
class OutcomeLog:
    """The outcomes met so far."""

    game: LoadedGame
    definition: RulesInterpreter | None
    ties: TiedComparisons | None = None
    _applied: set[int] = field(default_factory=set)
    _alike: Counter[Payoffs] = field(default_factory=Counter)
    _clashes: dict[tuple[int, int], _Clash] = field(default_factory=dict)

    def look_at(self, state: State, notes: Callable[[], tuple[str, ...]]) -> None:
        """Record the outcomes that hold in a state; `notes` returns the play to the state."""
        definition, engine = self.definition, self.game.engine
        if definition is None or isinstance(engine, TreeInterpreter) or state.pending is not None:
            return
        ended_with = self.game.utilities(state)
        alike = self._alike[ended_with]
        self._alike[ended_with] += 1
        if alike % (1 + alike // MOST_ALIKE) and not self.are_missing():
            return
        if self.ties is not None:
            self.ties.begin()
        holding = definition.outcomes_holding(state, engine.can_move)
        if not holding:
            return  # ended by a repetition rule
        first, interpreted = holding[0]
        self._applied.add(id(first))
        if self.ties is not None and self.ties.comparisons:
            self.ties.end(interpreted())
        if len(holding) == 1:
            return
        payoffs = interpreted()
        for second, paid_by in holding[1:]:
            key = (first.span.start, second.span.start)
            try:
                paid = paid_by()
            except (GameRuleError, RuledOutError):
                return  # code behind the outcome that applies is not evaluated in play
            is_reached = len(payoffs) == 1 and payoffs > paid  # a goal, above a way to fail
            if paid != payoffs and any(paid) and not is_reached and key not in self._clashes:
                self._clashes[key] = _Clash(first, second, notes())

    def are_missing(self) -> bool:
        """Whether an outcome possible under the parameters has not been met."""
        return not self._applied.issuperset(map(id, self._outcomes))

    @cached_property
    def _outcomes(self) -> tuple[nodes.Outcome, ...]:
        """The outcomes possible under the parameters."""
        return tuple(_allowed(self.game.model.end)[0])

    def clash(self) -> Diagnostic | None:
        """A note about the first pair of clashing outcomes.

        A single note per file suffices, as clashes are rarely mistakes.
        """
        source = self.game.source
        clashes = [
            clash
            for clash in self._clashes.values()
            if not is_meant(source, clash.first.span, "W3101")
        ]
        if not clashes:
            return None
        clash, more = clashes[0], len(clashes) - 1
        also = f" ({more} more pair{'s' if more > 1 else ''} like this)" if more else ""
        return Diagnostic(
            "W3101",
            f"{self._quoted(clash.first)} and {self._quoted(clash.second)} can hold at once, "
            f"with different payoffs: the first applies{also}",
            Label(clash.first.span),
            self.game.source,
            (Label(clash.second.span, "this one holds too"),),
            clash.notes,
            severity=Severity.NOTE,
        )

    def idle(self) -> Iterator[Diagnostic]:
        """Warnings about outcomes that never happen although the parameters allow them.

        Valid only after a visit to all states.
        """
        return self._missing("this outcome never happens: no play reaches it", Severity.WARNING)

    def not_met(self, extent: str) -> Iterator[Diagnostic]:
        """Notes about outcomes not met in a partial exploration.

        Exempt as legitimately rare: outcomes for a player without a legal move, and the wins of
        single-player games.
        """
        rare = set(map(id, _if_stuck(self.game.model.end)))
        if len(self.game.players) == 1:
            rare |= {
                id(outcome)
                for outcome in self._outcomes
                if isinstance(outcome, nodes.Win) and outcome.sign > 0
            }
        return self._missing(f"this outcome was not met, in {extent}", Severity.NOTE, rare)

    def _missing(
        self, message: str, severity: Severity, rare: Collection[int] = ()
    ) -> Iterator[Diagnostic]:
        for outcome in self._outcomes:
            if id(outcome) not in self._applied and id(outcome) not in rare:
                label = Label(outcome.span)
                yield Diagnostic("W3102", message, label, self.game.source, severity=severity)

    def _quoted(self, outcome: nodes.Outcome) -> str:
        source, span = self.game.source, outcome.span
        text = " ".join(source.text[span.start : span.end].split())
        return f"`{text}` on {source.place(span.start)}"


def _if_stuck(block: nodes.Block) -> Iterator[nodes.Outcome]:
    """The outcomes below a condition about a player without a legal move."""
    for statement in statements(block):
        if isinstance(statement, nodes.Branch):
            for condition, body in statement.branches:
                if any(part.asks == "moves" for part in within(condition)):
                    yield from _allowed(body)[0]


def _allowed(block: nodes.Block) -> tuple[list[nodes.Outcome], bool]:
    """The outcomes that no constant condition excludes, and whether constants force an outcome.

    Example of a constant condition: `if misere:` with a parameter for variants.
    """
    outcomes: list[nodes.Outcome] = []
    for statement in block:
        match statement:
            case nodes.Ending():
                outcomes.append(statement)
            case nodes.Branch():
                inner, is_chosen = _allowed_in_branches(statement)
                outcomes += inner
                if is_chosen:
                    return outcomes, True
            case _:
                for block in blocks_of(statement):
                    outcomes += _allowed(block)[0]
    return outcomes, any(facts_of(statement).ends for statement in block)


def _allowed_in_branches(statement: nodes.Branch) -> tuple[list[nodes.Outcome], bool]:
    outcomes: list[nodes.Outcome] = []
    is_open = False
    for condition, body in statement.branches:
        constant = condition.known
        if constant is False:
            continue
        inner, is_chosen = _allowed(body)
        outcomes += inner
        if constant is True:
            return outcomes, is_chosen and not is_open
        is_open = True
    inner, is_chosen = _allowed(statement.otherwise)
    return outcomes + inner, is_chosen and not is_open
