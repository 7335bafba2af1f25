"""The rule of `end:` as conditions with outcomes, in a state or after a move.

The endings are in order: the first ending whose condition holds applies. Endings after a move are
expressed in the state before the move. Loops over known sets are expanded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.effects import Effect, RewritingBodies
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


def endings_after(
    model: Model, effect: Effect, before: Endings | Unknown | None = None
) -> Endings | Unknown:
    """The endings of the state after a move, expressed in the state before, which is not over.

    Parameters of the move and the slots of `effect.bindings` are free; the move is legal. `before`:
    `endings_of` the model, if worked out already.
    """
    before = before or endings_of(model)
    if isinstance(before, Unknown):
        return before
    told = _told(model, effect.after, effect.slot_names)
    if isinstance(told, Unknown):
        return told
    terms = Terms(model.board, model.players)
    false = {terms.keys.of(ending.condition) for ending in before.endings}
    possible = []
    for ending in told.endings:
        condition = _without(ending.condition, false, terms)
        if not is_known(condition, False):
            possible.append(replace(ending, condition=condition))
    return replace(told, endings=tuple(possible))


def _without(node: nodes.Expr, false: set[int], terms: Terms) -> nodes.Expr:
    """A condition simplified by conditions known to be false."""
    if node.type == BOOLEAN and terms.keys.of(node) in false:
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
        if model.end:
            reader.block(model.end, moment, terms.truth(model.end[0].span, True))
    except NotToldError as error:
        return Unknown(str(error))
    return Endings(tuple(reader.endings), tuple(rewriter.slot_names))


class _Reader(RewritingBodies):
    """Reads the statements of `end:`, which change nothing."""

    def __init__(self, terms: Terms, rewriter: Rewriter) -> None:
        super().__init__(terms, rewriter)
        self.endings: list[Ending] = []

    def reach(self, outcome: nodes.Outcome, state: Moment, guard: nodes.Expr) -> None:
        """Note the outcome with its condition."""
        before = with_parts(outcome, lambda part: self.rewriter.before(part, state))
        self.endings.append(Ending(guard, before))

    def rounds(self, domain: nodes.Expr, state: Moment) -> Iterator[tuple[nodes.Const, nodes.Expr]]:
        """The elements of a constant collection."""
        values = self.rewriter.before(domain, state).known
        if not isinstance(values, tuple):
            raise NotToldError("`end:` goes through a set that depends on the state")
        for value in values:
            yield constant(domain.span, value), self.terms.truth(domain.span, True)
