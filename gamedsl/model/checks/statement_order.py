"""Check the order in bodies: `require` before the first change, no decision after chance.

In `setup:` rewards stand after a chance event: a reward before would belong to no step of play.
Findings are reported as diagnostics.
"""

from __future__ import annotations

from gamedsl.model import nodes
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
    _order(block, _Past(), reporter)


def _order(block: nodes.Block, past: _Past, reporter: Reporter) -> _Past:
    for statement in block:
        match statement:
            case nodes.Require(is_late=False) | nodes.Greatest() if past.change is not None:
                reporter.report(
                    "E1301",
                    statement.span,
                    "`require` must come before the first change",
                    secondary=(Label(past.change, "the state changes here"),),
                    hint="move it up; to test the state after a change write `ensure`",
                )
            case nodes.Require() | nodes.Greatest() if past.chance is not None:
                reporter.report(
                    "E1301",
                    statement.span,
                    "whether a move is legal cannot depend on chance",
                    secondary=(Label(past.chance, "chance decides here"),),
                    hint="put the condition before `chance`",
                )
            case nodes.SetCell() | nodes.SetTurn():
                past = past.joined(_Past(change=statement.span))
            case nodes.Chance():
                past = past.joined(_Past(statement.span, statement.span))
            case nodes.Branch():
                ends = [_order(body, past, reporter) for _, body in statement.branches]
                ends.append(_order(statement.otherwise, past, reporter))
                for end in ends:
                    past = past.joined(end)
            case nodes.Loop():
                after = _order(statement.body, past, reporter)
                past = after if after == past else _order(statement.body, after, reporter)
            case _:
                pass
    return past


def check_rewards_of_setup(setup: nodes.Block, reporter: Reporter) -> None:
    """Report rewards in `setup:` without a certain chance event before."""
    _drawn(setup, False, reporter)


def _drawn(block: nodes.Block, drawn: bool, reporter: Reporter) -> bool:
    """Whether a chance event certainly occurs before the end of a block."""
    for statement in block:
        match statement:
            case nodes.Reward() if not drawn:
                reporter.report(
                    "E1308",
                    statement.span,
                    "in `setup:` a reward stands after a `chance`: nothing has happened here yet",
                    hint="put it after the `chance`, or add it to the payoffs in `end:`",
                )
            case nodes.Chance():
                drawn = True
            case nodes.Branch():
                blocks = (*(body for _, body in statement.branches), statement.otherwise)
                ends = [_drawn(body, drawn, reporter) for body in blocks]
                drawn = all(ends)
            case nodes.Loop():
                _drawn(statement.body, drawn, reporter)
            case _:
                pass
    return drawn
