"""Endings that come one move late, typical of rules whose `end:` asks the wrong player.

`end:` is evaluated after the turn has passed: with two players, the player who just moved is
`opponent`. With `turn` written by mistake, the ending is noticed only at that player's next turn.
Sign of the mistake: whenever play ends, the state before the last move, with the final state's
player to move, would already have ended with the same outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from functools import cached_property

from gamedsl.game.game import LoadedGame
from gamedsl.interpreter import RulesInterpreter, TreeInterpreter
from gamedsl.model import GameRuleError, State, nodes
from gamedsl.model.walk import expressions_of, statements, within
from gamedsl.source import Diagnostic, Label, Severity
from gamedsl.source.records import dataclass

FEWEST_ENDINGS = 20
"""Least number of endings by an outcome for a note that all of them came late."""


@dataclass
class LateEndings:
    """How often outcomes ended play, and how often a move late.

    After one ending in time the search stops, as no note can follow.
    """

    game: LoadedGame
    definition: RulesInterpreter | None
    _all: Counter[int] = field(default_factory=Counter)
    _late: Counter[int] = field(default_factory=Counter)
    _is_in_time: bool = False

    @cached_property
    def _of_stuck(self) -> frozenset[int]:
        return frozenset(_asks_who_is_stuck(self.game.model.end))

    def look_at(self, before: State, end: State) -> None:
        """Examine a terminal state and the state before."""
        if self._is_in_time:
            return
        definition, engine = self.definition, self.game.engine
        if definition is None or isinstance(engine, TreeInterpreter) or len(self.game.players) != 2:
            return
        if before.pending is not None or end.pending is not None or before.turn == end.turn:
            return
        again = State(before.cells, end.turn, None, before.history)
        holding = definition.outcomes_holding(end, engine.can_move)
        payoffs = self.game.utilities(end)
        if not holding or not any(payoffs):
            return
        outcome = holding[0][0]
        self._all[id(outcome)] += 1
        try:
            earlier = definition.outcomes_holding(again, engine.can_move)
            is_late = bool(earlier) and earlier[0][0] is outcome and earlier[0][1]() == payoffs
        except GameRuleError:
            return
        self._late[id(outcome)] += is_late
        self._is_in_time |= not is_late and id(outcome) not in self._of_stuck

    def diagnostics(self, extent: str) -> Iterator[Diagnostic]:
        """A note if all wins came late, except wins against a player without a legal move."""
        outcomes = [
            outcome
            for outcome in _outcomes(self.game.model.end)
            if id(outcome) not in self._of_stuck
        ]
        met = [outcome for outcome in outcomes if self._all[id(outcome)]]
        if any(self._late[id(outcome)] < self._all[id(outcome)] for outcome in met):
            return
        for outcome in met:
            times = self._all[id(outcome)]
            if times >= FEWEST_ENDINGS:
                yield Diagnostic(
                    "W3113",
                    f"this outcome came a move late, {times:,} times of {times:,}, in {extent}",
                    Label(outcome.span),
                    self.game.source,
                    severity=Severity.NOTE,
                    hint="`end:` is asked after the turn has passed: who has just moved is "
                    "`opponent`, not `turn`",
                )
                return


def _outcomes(block: nodes.Block) -> Iterator[nodes.Outcome]:
    return (statement for statement in statements(block) if isinstance(statement, nodes.Ending))


def _asks_who_is_stuck(block: nodes.Block) -> Iterator[int]:
    """The outcomes below a condition about a player without a legal move."""
    for statement in statements(block):
        if isinstance(statement, nodes.Branch) and any(
            part.asks == "moves"
            for expression in expressions_of(statement)
            for part in within(expression)
        ):
            for _, body in statement.branches:
                yield from map(id, _outcomes(body))
