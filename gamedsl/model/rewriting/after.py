"""Ask before a move what will be after it: any expression about a state, told by the state before.

In: a move's effect, and an expression without free locals. Out: the expression to evaluate in the
state before, the move's parameters and bindings free; or `Unknown` with the reason.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.effects import Effect
from gamedsl.model.rewriting.legality import stuck_at
from gamedsl.model.rewriting.moments import NotToldError, Unknown
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """An expression over the state before a legal move, and the locals that it uses."""

    expression: nodes.Expr
    slot_names: tuple[str, ...]


def after(model: Model, effect: Effect, expression: nodes.Expr) -> Asked | Unknown:
    """What an expression will be after a move; where the move errs in play it says nothing."""
    rewriter = Rewriter(Terms(model.board, model.players), effect.slot_names)
    rewriter.stuck = lambda at: stuck_at(model, rewriter, at)
    try:
        told = rewriter.before(expression, effect.after)
    except NotToldError as error:
        return Unknown(str(error))
    return Asked(told, tuple(rewriter.slot_names))
