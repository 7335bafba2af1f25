"""The facts of a statement that analyses ask for: a row for each class of statements.

In: typed statements. Out: `StatementFacts`. An analysis that needs no more than facts names no
class of statement; a new class is known to all these analyses by the row of the class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import assert_never

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.values import Atom
from gamedsl.model.walk import statements
from gamedsl.source.records import dataclass

Shares = tuple[int, int]
"""Payoffs of the first and of the second player."""


@dataclass(frozen=True, slots=True)
class StatementFacts:
    """Facts of a statement; the blocks below the statement are left out.

    Attributes:
        place: the place of the stored value; None if no value is stored, or in a local.
        value: the stored value, in a place or a local; None if chance decides.
        binds: the slots of the bound locals.
        over: the range whose elements the block below is carried out for; None if a block below is
            carried out once at most.
        teaches: the condition that holds behind the statement, asked after its change.
        draws: whether play stops here for a chance event.
        forbids: whether the statement may make a move illegal.
        ends: whether the statement is an outcome.
        may_not_fit: whether a stored value may lie outside the domain of the place.
    """

    place: nodes.Place | None = None
    value: nodes.Expr | None = None
    binds: tuple[int, ...] = ()
    over: nodes.Ranging | None = None
    teaches: nodes.Expr | None = None
    draws: bool = False
    forbids: bool = False
    ends: bool = False
    may_not_fit: bool = False

    @property
    def writes(self) -> nodes.Variable | None:
        """The variable of the written cell; None if no cell is written."""
        return None if self.place is None else self.place.cell_variable

    @property
    def sets_turn(self) -> bool:
        """Whether the statement assigns `turn`."""
        return self.place is not None and self.place.variable.offset == nodes.TURN

    @property
    def keeps_turn(self) -> bool:
        """Whether the turn stays where the body leaves it."""
        return self.place is not None and self.place.variable.offset == nodes.KEPT

    @property
    def changes(self) -> bool:
        """Whether the cells or the turn may change here, or chance decides."""
        return self.draws or (self.place is not None and not self.keeps_turn)


PLAIN = StatementFacts()
OUTCOME = StatementFacts(ends=True)


def facts_of(statement: nodes.Statement) -> StatementFacts:
    """The row of a statement."""
    match statement:
        case nodes.Put(place=place, value=value):
            return StatementFacts(place, value, may_not_fit=not statement.proved)
        case nodes.Let(value=value):
            return StatementFacts(value=value, binds=(statement.slot,))
        case nodes.Loop():
            return StatementFacts(binds=(statement.slot,), over=statement)
        case nodes.Chance(place=place, condition=condition):
            if isinstance(place, int):
                return StatementFacts(binds=(place,), teaches=condition, draws=True)
            return StatementFacts(place, teaches=condition, draws=True)
        case nodes.Require(condition=condition):
            return StatementFacts(teaches=condition, forbids=True)
        case nodes.Greatest():
            return StatementFacts(forbids=True)
        case nodes.Ending():
            return OUTCOME
        case nodes.Branch() | nodes.Reward():
            return PLAIN
        case _:
            assert_never(statement)


def events_of(model: Model) -> Iterator[nodes.Chance]:
    """The chance events of the rules, in order of the text."""
    for body in (model.setup, *(move.body for move in model.moves)):
        yield from (event for event in statements(body) if isinstance(event, nodes.Chance))


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


def amount_of(outcome: nodes.Win) -> int | None:
    """The amount of a win, if known and whole."""
    if outcome.amount is None:
        return 1
    amount = outcome.amount.known
    return amount if isinstance(amount, int) and not isinstance(amount, bool) else None


def shares_of(outcome: nodes.Outcome, players: Sequence[Atom]) -> Shares | None:
    """The payoffs of two players by an outcome, if known and whole."""
    if isinstance(outcome, nodes.Win):
        amount, named = amount_of(outcome), outcome.player.known
        if amount is None or named is None:
            return None
        first = amount * outcome.sign * (1 if named == players[0] else -1)
        return first, -first
    paid = tuple(payoff.known for payoff in outcome.payoffs)
    is_whole = all(isinstance(share, int) for share in paid)
    return paid if is_whole and len(paid) == 2 and not outcome.named else None  # type: ignore[return-value]


def wins_of(model: Model) -> tuple[Shares, Shares]:
    """The payoffs of two players where the first has won, and where the second has won.

    Where `end:` names winners, the amount of all wins, if known and the same for all, else 1. Where
    `end:` pays whole numbers alone, the extremes, if their sums are the same.
    """
    outcomes = [node for node in statements(model.end) if isinstance(node, nodes.Outcome)]
    amounts = {amount_of(node) for node in outcomes if isinstance(node, nodes.Win)}
    paid = [shares for node in outcomes if (shares := shares_of(node, model.players)) is not None]
    if not amounts and paid:
        first, second = max(paid), max(paid, key=itemgetter(1))
        if sum(first) == sum(second) and first[0] > second[0]:
            return first, second
    amount = amounts.pop() if len(amounts) == 1 else None
    stake = amount if amount is not None and amount > 0 else 1
    return (stake, -stake), (-stake, stake)
