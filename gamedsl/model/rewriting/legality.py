"""Legality as a condition: of an instance of a move, of any move, and that no move is legal.

Conditions are expressions over the state before a moment's body. A move whose `require`s cannot be
rewritten makes all conditions unknown.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.effects import Execution
from gamedsl.model.rewriting.moments import Moment, NotToldError
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.types import BOOLEAN, SetType, scalar_of


def stuck_at(model: Model, rewriter: Rewriter, moment: Moment) -> nodes.Expr:
    """Whether the player to move at a moment has no legal move. Raises NotToldError."""
    if any(rule.outcome is None for rule in model.repeats):
        raise NotToldError("what is legal depends on what has occurred")
    held = replace(moment, locals={})
    conditions = [_can(model, move, rewriter, held) for move in model.moves if move.size]
    if not conditions:
        raise NotToldError("there are no moves")
    span = model.moves[0].span
    return rewriter.terms.negation(rewriter.terms.disjunction(span, conditions))


def _can(model: Model, move: nodes.Move, rewriter: Rewriter, moment: Moment) -> nodes.Expr:
    """Whether an instance of a move is legal."""
    execution = Execution(model, move, tuple(rewriter.slot_names))
    effect = execution.effect({})
    rewriter.slot_names = list(effect.slot_names)
    span, terms = move.span, rewriter.terms
    held = Moment(locals=dict[int, nodes.Expr]())
    for slot, value in effect.bindings:
        held = replace(held, locals={**held.locals, slot: rewriter.before(value, held)})
    needs = terms.conjunction(span, (rewriter.before(need, held) for need in effect.needs))
    if not move.parameters:
        return rewriter.before(needs, moment)
    clauses = []
    for parameter in move.parameters:
        values = parameter.values.values
        domain = nodes.Const(span, SetType(scalar_of(values), len(values)), values)
        clauses.append(nodes.Clause(parameter.slot, parameter.name, domain, None))
    some = nodes.Comprehension(span, BOOLEAN, "any", tuple(clauses), needs)
    return rewriter.before(some, moment) if rewriter.is_changed(some, moment) else some
