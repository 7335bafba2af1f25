"""Check the order in bodies: `require` before the first change, no decision after chance.

In `setup:` rewards stand after a chance event: a reward before would belong to no step of play.
Findings are reported as diagnostics.
"""

from __future__ import annotations

from operator import and_

from gamedsl.model import nodes
from gamedsl.model.dataflow import forward
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.symbols.reporter import Reporter
from gamedsl.source import Label, Span
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class _Past:
    """The events up to a statement on some path: the first change and the first chance event."""

    change: Span | None = None
    chance: Span | None = None

    def joined(self, alternative: _Past) -> _Past:
        return _Past(self.change or alternative.change, self.chance or alternative.chance)


def check_order(block: nodes.Block, reporter: Reporter) -> None:
    """Report a `require` after a change, and a `require` or `ensure` after a chance event."""

    def step(statement: nodes.Statement, past: _Past) -> _Past:
        facts = facts_of(statement)
        if facts.forbids and past.change is not None and not _is_late(statement):
            reporter.report(
                "E1301",
                statement.span,
                "`require` must come before the first change",
                secondary=(Label(past.change, "the state changes here"),),
                hint="move it up; to test the state after a change write `ensure`",
            )
        elif facts.forbids and past.chance is not None:
            reporter.report(
                "E1301",
                statement.span,
                "whether a move is legal cannot depend on chance",
                secondary=(Label(past.chance, "chance decides here"),),
                hint="put the condition before `chance`",
            )
        changes = facts.changes
        return past.joined(
            _Past(statement.span if changes else None, statement.span if facts.draws else None)
        )

    forward(block, _Past(), step, _Past.joined)


def _is_late(statement: nodes.Statement) -> bool:
    return isinstance(statement, nodes.Require) and statement.is_late


def check_rewards_of_setup(setup: nodes.Block, reporter: Reporter) -> None:
    """Report rewards in `setup:` without a certain chance event before."""

    def step(statement: nodes.Statement, drawn: bool) -> bool:
        if isinstance(statement, nodes.Reward) and not drawn:
            reporter.report(
                "E1308",
                statement.span,
                "in `setup:` a reward stands after a `chance`: nothing has happened here yet",
                hint="put it after the `chance`, or add it to the payoffs in `end:`",
            )
        return drawn or facts_of(statement).draws

    forward(setup, False, step, and_)
