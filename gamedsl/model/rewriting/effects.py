"""Execute a move's body symbolically: the move's effect as data.

An `Effect` holds the writes, the next player and the conditions of legality, as expressions over
the state before the move; parameters may have given values. `Unknown` gives the reason of a
failure. An `if` becomes guards. Loops over known elements are unrolled, and so are loops over
numbers of a known range, with a guard for each round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.knowledge import Reasoning
from gamedsl.model.rewriting.moments import Knowledge, Moment, NotToldError, Unknown, Write
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms, constant, is_known
from gamedsl.model.semantics.symbolic import SymbolicBodies
from gamedsl.model.types import BOOLEAN, Scalar, element_of, scalar_of
from gamedsl.model.values import Value
from gamedsl.model.walk import parts
from gamedsl.source import Span
from gamedsl.source.records import dataclass

MOST_ROUNDS = 64
"""Limit on the rounds of a loop that is unrolled."""


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of a move, as expressions over the state before the move.

    Attributes:
        bindings: `let`s of the body that the other parts refer to, in order: slot and value.
        needs: conditions on the state before that hold if the move is legal, in order.
        after: the moment at the end of the body, after the turn has passed.
        slot_names: the game's locals and further locals of the expressions.
    """

    move: nodes.Move
    bindings: tuple[tuple[int, nodes.Expr], ...]
    needs: tuple[nodes.Expr, ...]
    after: Moment
    slot_names: tuple[str, ...]

    @property
    def writes(self) -> tuple[Write, ...]:
        """The writes, in order."""
        return self.after.writes


def effect_of(
    model: Model, move: nodes.Move, arguments: Mapping[int, Value] | None = None
) -> Effect | Unknown:
    """The effect of a move; `arguments` are values of some parameters by slot."""
    execution = Execution(model, move)
    try:
        return execution.effect(arguments or {})
    except NotToldError as error:
        return Unknown(str(error))


class RewritingBodies(SymbolicBodies[Moment, nodes.Expr]):
    """Statements rewritten to the state before: conditions are expressions over that state."""

    def __init__(self, terms: Terms, rewriter: Rewriter) -> None:
        self.terms = terms
        self.rewriter = rewriter

    def both(self, one: nodes.Expr, other: nodes.Expr) -> nodes.Expr:
        """`one and other`."""
        return self.terms.conjunction(one.span, (one, other))

    def negated(self, one: nodes.Expr) -> nodes.Expr:
        """`not one`."""
        return self.terms.negation(one)

    def is_never(self, one: nodes.Expr) -> bool:
        """Whether a condition is the constant `false`."""
        return is_known(one, False)

    def asked(self, node: nodes.Expr, state: Moment) -> nodes.Expr:
        """The condition over the state before."""
        return self.rewriter.before(node, state)

    def bound(self, slot: int, name: str, node: nodes.Expr, state: Moment) -> Moment:
        """The local stands for the expression over the state before."""
        value = self.rewriter.before(node, state)
        return replace(state, locals={**state.locals, slot: value})


class Execution(RewritingBodies):
    """The symbolic execution of a body."""

    def __init__(
        self, model: Model, move: nodes.Move, slot_names: tuple[str, ...] | None = None
    ) -> None:
        terms = Terms(model.board, model.players)
        super().__init__(terms, Rewriter(terms, slot_names or model.slot_names))
        self.reasoning = Reasoning(self.rewriter)
        self.model = model
        self.move = move
        self.bindings: list[tuple[int, nodes.Expr]] = []
        self.needs: list[nodes.Expr] = []
        self._bound_once = {let.slot for let in move.body if isinstance(let, nodes.Let)}

    def effect(self, arguments: Mapping[int, Value]) -> Effect:
        """The effect. Raises NotToldError."""
        if self.move.is_simultaneous:
            raise NotToldError("all players choose at once")
        span = self.move.span
        held = {slot: constant(span, value) for slot, value in arguments.items()}
        moment = Moment(locals=held, known=Knowledge(self.terms.keys))
        for parameter in self.move.parameters:
            moment = self._chosen(parameter, moment)
        moment = self.block(self.move.body, moment, self.terms.truth(span, True))
        cells = tuple(write for write in moment.writes if write.variable.offset >= 0)
        after = replace(moment, writes=cells, turn=self._next_turn(moment, span))
        names = tuple(self.rewriter.slot_names)
        return Effect(self.move, tuple(self.bindings), tuple(self.needs), after, names)

    def _chosen(self, parameter: nodes.Parameter, moment: Moment) -> Moment:
        """The moment after the choice of a parameter: the value lies in the set, and `where`
        holds."""
        span = self.move.span
        kind = scalar_type(parameter)
        argument = moment.locals.get(parameter.slot) or nodes.Local(
            span, kind, parameter.name, parameter.slot
        )
        if parameter.choices is not None:
            member = nodes.Member(
                span, BOOLEAN, argument, self.rewriter.before(parameter.choices, moment)
            )
            moment = self._need(self.terms.made(member), moment)
        if parameter.condition is not None:
            moment = self._need(self.rewriter.before(parameter.condition, moment), moment)
        return moment

    def _next_turn(self, moment: Moment, span: Span) -> nodes.Expr:
        players = Scalar(atoms=frozenset(self.model.players))
        turn = self.rewriter.before(nodes.Mover(span, players, "turn"), moment)
        marks = (write for write in moment.writes if write.variable.offset == nodes.KEPT)
        kept = self.terms.disjunction(span, (write.guard for write in marks))
        return self.terms.choice(kept, turn, self.terms.following(turn))

    def _need(self, condition: nodes.Expr, moment: Moment) -> Moment:
        self.needs.append(condition)
        return self._pinned(condition, moment)

    def _pinned(self, condition: nodes.Expr, moment: Moment) -> Moment:
        known = self.reasoning.assume(condition, True, moment.known)
        return moment if known is None else replace(moment, known=known)

    # --- statements ------------------------------------------------------------------------

    def put(self, statement: nodes.Put, state: Moment, guard: nodes.Expr) -> Moment:
        """The moment with one more write."""
        indices = tuple(self.rewriter.before(index, state) for index in statement.place.indices)
        value = self.rewriter.before(statement.value, state)
        write = Write(statement.place.variable, indices, value, guard)
        return replace(state, writes=(*state.writes, write))

    def required(self, statement: nodes.Require, state: Moment, guard: nodes.Expr) -> Moment:
        """The condition joins the needs."""
        condition = self.rewriter.before(statement.condition, state)
        if is_known(guard, True):
            return self._need(condition, state)
        allowed = (self.terms.negation(guard), condition)
        self.needs.append(self.terms.disjunction(statement.span, allowed))
        return state

    def bound(self, slot: int, name: str, node: nodes.Expr, state: Moment) -> Moment:
        """The moment with a local, named in later expressions if bound exactly once to a compound
        value."""
        value = self.rewriter.before(node, state)
        is_name = value.local is not None or value.asks == "turn"
        if is_name or value.known is not None or slot not in self._bound_once:
            return replace(state, locals={**state.locals, slot: value})
        self.bindings.append((slot, value))
        local = nodes.Local(value.span, value.type, name, slot)
        held = {other: told for other, told in state.locals.items() if other != slot}
        rebound = replace(state, locals=held)
        condition = self.rewriter.condition_of_first(value, local)
        if condition is None:
            return rebound
        return self._pinned(condition, rebound)

    def under(self, test: nodes.Expr, block: nodes.Block, state: Moment, before: Moment) -> Moment:
        """The changes of a branch, added to the changes of the branches before.

        Guards exclude each other, so that a read through the writes of another branch finds the
        value before that branch; a branch is carried out as if alone.
        """
        alone = self.block(block, before, test)
        if state is before:
            return alone
        return replace(state, writes=(*state.writes, *alone.writes[len(before.writes) :]))

    def rounds(self, domain: nodes.Expr, state: Moment) -> Iterator[tuple[nodes.Const, nodes.Expr]]:
        """The elements of a constant set, or of a range of bounded numbers."""
        domain = self.rewriter.before(domain, state)
        span = domain.span
        if isinstance(domain.known, tuple):
            values: tuple[Value, ...] = domain.known
        elif domain.called == "..":
            element = element_of(domain.type)
            numbers = element.enumerate() if isinstance(element, Scalar) else None
            if numbers is None:
                raise NotToldError("a loop over a range without bounds")
            values = numbers
        else:
            raise NotToldError("a loop over a set that depends on the state or a parameter")
        if len(values) > MOST_ROUNDS:
            raise NotToldError(f"a loop of more than {MOST_ROUNDS} rounds")
        for value in values:
            item = constant(span, value)
            is_in: nodes.Expr = self.terms.truth(span, True)
            if domain.called == "..":
                low, high = parts(domain)
                is_in = self.terms.conjunction(
                    span,
                    (
                        self.terms.made(nodes.Compare(span, BOOLEAN, "<=", low, item)),
                        self.terms.made(nodes.Compare(span, BOOLEAN, "<=", item, high)),
                    ),
                )
            yield item, is_in


def scalar_type(parameter: nodes.Parameter) -> Scalar:
    """The type of a parameter."""
    return scalar_of(parameter.values.values)
