"""The rule of `end:` as conditions with outcomes, in a state or after a move.

The endings are in order: the first ending whose condition holds applies. Endings after a move are
expressed in the state before the move. Loops over known sets are expanded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.effects import Effect
from gamedsl.model.rewriting.legality import stuck_at
from gamedsl.model.rewriting.moments import Moment, NotToldError, Unknown
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms, constant, is_known
from gamedsl.model.types import BOOLEAN
from gamedsl.model.walk import with_parts
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Ending:
    """An outcome of `end:` and its condition."""

    condition: nodes.Expr
    outcome: nodes.Outcome


@dataclass(frozen=True, slots=True)
class Endings:
    """Endings in order, and the locals of their expressions."""

    endings: tuple[Ending, ...]
    slot_names: tuple[str, ...]


def endings_of(model: Model) -> Endings | Unknown:
    """The endings of a state."""
    return _told(model, Moment(), model.slot_names)


def endings_after(model: Model, effect: Effect) -> Endings | Unknown:
    """The endings of the state after a move, expressed in the state before, which is not over.

    Parameters of the move and the slots of `effect.bindings` are free; the move is legal.
    """
    before = endings_of(model)
    if isinstance(before, Unknown):
        return before
    told = _told(model, effect.after, effect.slot_names)
    if isinstance(told, Unknown):
        return told
    terms = Terms(model.board, model.players)
    false = {terms.key(ending.condition) for ending in before.endings}
    possible = []
    for ending in told.endings:
        condition = _without(ending.condition, false, terms)
        if not is_known(condition, False):
            possible.append(replace(ending, condition=condition))
    return replace(told, endings=tuple(possible))


def _without(node: nodes.Expr, false: set[object], terms: Terms) -> nodes.Expr:
    """A condition simplified by conditions known to be false."""
    if node.type == BOOLEAN and terms.key(node) in false:
        return terms.truth(node.span, False)
    if not isinstance(node, nodes.Logic | nodes.Not | nodes.Conditional):
        return node
    return terms.made(with_parts(node, lambda part: _without(part, false, terms)))


def _told(model: Model, moment: Moment, slot_names: tuple[str, ...]) -> Endings | Unknown:
    terms = Terms(model.board, model.players)
    rewriter = Rewriter(terms, slot_names)
    rewriter.stuck = lambda at: stuck_at(model, rewriter, at)
    reader = _Reader(terms, rewriter)
    try:
        endings = tuple(reader.block(model.end, moment, ()))
    except NotToldError as error:
        return Unknown(str(error))
    return Endings(endings, tuple(rewriter.slot_names))


class _Reader:
    """Reads the statements of `end:`."""

    def __init__(self, terms: Terms, rewriter: Rewriter) -> None:
        self.terms = terms
        self.rewriter = rewriter

    def block(
        self, block: nodes.Block, moment: Moment, under: tuple[nodes.Expr, ...]
    ) -> Iterator[Ending]:
        """The endings of a block that is reached under the conditions `under`."""
        for statement in block:
            match statement:
                case nodes.Let():
                    value = self.rewriter.before(statement.value, moment)
                    moment = replace(moment, locals={**moment.locals, statement.slot: value})
                case nodes.Branch():
                    yield from self._branch(statement, moment, under)
                case nodes.Loop():
                    yield from self._loop(statement, moment, under)
                case nodes.Win() | nodes.Pay():
                    condition = self.terms.conjunction(statement.span, under)
                    yield Ending(condition, self._outcome(statement, moment))
                case _:
                    raise AssertionError("the state cannot change in `end:`")

    def _branch(
        self, statement: nodes.Branch, moment: Moment, under: tuple[nodes.Expr, ...]
    ) -> Iterator[Ending]:
        for condition, block in statement.branches:
            holds = self.rewriter.before(condition, moment)
            if not is_known(holds, False):
                yield from self.block(block, moment, (*under, holds))
            under = (*under, self.terms.negation(holds))
        if statement.otherwise and not any(is_known(test, False) for test in under):
            yield from self.block(statement.otherwise, moment, under)

    def _loop(
        self, statement: nodes.Loop, moment: Moment, under: tuple[nodes.Expr, ...]
    ) -> Iterator[Ending]:
        domain = self.rewriter.before(statement.domain, moment)
        if not isinstance(domain, nodes.Const) or not isinstance(domain.value, tuple):
            raise NotToldError("`end:` goes through a set that depends on the state")
        for value in domain.value:
            element = constant(statement.span, value)
            inner = replace(moment, locals={**moment.locals, statement.slot: element})
            round_under = under
            if statement.condition is not None:
                where = self.rewriter.before(statement.condition, inner)
                round_under = (*round_under, where)
            if statement.going is not None:
                still = self.rewriter.before(statement.going, inner)
                where = self.terms.conjunction(statement.span, round_under[len(under) :])
                stops = self.terms.conjunction(statement.span, (where, self.terms.negation(still)))
                under = (*under, self.terms.negation(stops))
                round_under = (*round_under, still)
            if not any(is_known(test, False) for test in round_under):
                yield from self.block(statement.body, inner, round_under)

    def _outcome(self, outcome: nodes.Outcome, moment: Moment) -> nodes.Outcome:
        if isinstance(outcome, nodes.Pay):
            payoffs = tuple(self.rewriter.before(payoff, moment) for payoff in outcome.payoffs)
            return replace(outcome, payoffs=payoffs)
        amount = outcome.amount and self.rewriter.before(outcome.amount, moment)
        return replace(outcome, player=self.rewriter.before(outcome.player, moment), amount=amount)
