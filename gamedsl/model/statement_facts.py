"""The facts of a statement that analyses ask for: a row for each class of statements.

In: typed statements. Out: `StatementFacts`. An analysis that needs no more than facts names no
class of statement; a new class is known to all these analyses by the row of the class.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from gamedsl.model import nodes
from gamedsl.model.walk import statements
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class StatementFacts:
    """Facts of a statement; the blocks below the statement are left out.

    Attributes:
        writes: the variable of the written cell; None if no cell is written.
        binds: the slots of the bound locals.
        sets_turn: whether the statement assigns `turn`.
        keeps_turn: whether the turn stays as the body leaves it: `again`, or `turn` is assigned.
        draws: whether play stops here for a chance event.
        forbids: whether the statement may make a move illegal.
        ends: whether the statement is an outcome.
        may_not_fit: whether a written value may lie outside the domain of the written cell.
    """

    writes: nodes.Variable | None = None
    binds: tuple[int, ...] = ()
    sets_turn: bool = False
    keeps_turn: bool = False
    draws: bool = False
    forbids: bool = False
    ends: bool = False
    may_not_fit: bool = False


PLAIN = StatementFacts()
GUARD = StatementFacts(forbids=True)
OUTCOME = StatementFacts(ends=True)


def facts_of(statement: nodes.Statement) -> StatementFacts:
    """The row of a statement."""
    match statement:
        case nodes.SetCell():
            return StatementFacts(writes=statement.variable, may_not_fit=not statement.proved)
        case nodes.SetTurn():
            return StatementFacts(sets_turn=True, keeps_turn=True)
        case nodes.Again():
            return StatementFacts(keeps_turn=True)
        case nodes.Let() | nodes.Loop():
            return StatementFacts(binds=(statement.slot,))
        case nodes.Chance():
            slots = () if statement.slot is None else (statement.slot,)
            turn = statement.sets_turn
            return StatementFacts(statement.variable, slots, turn, turn, draws=True)
        case nodes.Require() | nodes.Greatest():
            return GUARD
        case nodes.Win() | nodes.Pay():
            return OUTCOME
        case nodes.Branch() | nodes.Reward():
            return PLAIN
        case _:
            assert_never(statement)


def facts_in(block: nodes.Block) -> Iterator[StatementFacts]:
    """The rows of every statement of a block, nested statements included, in order."""
    return map(facts_of, statements(block))


def written_in(block: nodes.Block) -> frozenset[int]:
    """The variables that a block writes, by offset."""
    return frozenset(facts.writes.offset for facts in facts_in(block) if facts.writes is not None)


def sets_turn(block: nodes.Block) -> bool:
    """Whether a block may assign `turn`."""
    return any(facts.sets_turn for facts in facts_in(block))


def keeps_turn(block: nodes.Block) -> bool:
    """Whether a block may run `again` or assign `turn`."""
    return any(facts.keeps_turn for facts in facts_in(block))


def draws_in(block: nodes.Block) -> bool:
    """Whether a block may stop for a chance event."""
    return any(facts.draws for facts in facts_in(block))
