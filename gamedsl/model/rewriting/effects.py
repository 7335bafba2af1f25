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
from gamedsl.model.rewriting.moments import Moment, NotToldError, Unknown, Write
from gamedsl.model.rewriting.pins import pinned_by
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.rewriting.terms import Terms, constant, is_known
from gamedsl.model.types import BOOLEAN, Scalar, element_of, scalar_of
from gamedsl.model.values import Value
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


class Execution:
    """The symbolic execution of a body."""

    def __init__(
        self, model: Model, move: nodes.Move, slot_names: tuple[str, ...] | None = None
    ) -> None:
        self.model = model
        self.move = move
        self.terms = Terms(model.board, model.players)
        self.rewriter = Rewriter(self.terms, slot_names or model.slot_names)
        self.bindings: list[tuple[int, nodes.Expr]] = []
        self.needs: list[nodes.Expr] = []

    def effect(self, arguments: Mapping[int, Value]) -> Effect:
        """The effect. Raises NotToldError."""
        if self.move.is_simultaneous:
            raise NotToldError("all players choose at once")
        span = self.move.span
        held = {slot: constant(span, value) for slot, value in arguments.items()}
        moment = Moment(locals=held)
        for parameter in self.move.parameters:
            moment = self._chosen(parameter, moment)
        moment = self._block(self.move.body, moment, self.terms.truth(span, True), True)
        after = replace(moment, turn=self._next_turn(moment, span))
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
        turn = moment.turn or nodes.Turn(span, players)
        passed = self.terms.following(turn)
        if moment.keeps_turn is None:
            return passed
        return self.terms.choice(moment.keeps_turn, turn, passed)

    def _need(self, condition: nodes.Expr, moment: Moment) -> Moment:
        self.needs.append(condition)
        return self._pinned(condition, moment)

    def _pinned(self, condition: nodes.Expr, moment: Moment) -> Moment:
        pins = pinned_by(condition, moment.pins, self.rewriter.opened)
        return replace(moment, pins={**moment.pins, **pins})

    # --- statements ------------------------------------------------------------------------

    def _block(
        self, block: nodes.Block, moment: Moment, guard: nodes.Expr, is_plain: bool
    ) -> Moment:
        """The moment after a block; `is_plain`: the block is carried out exactly once, in every
        state."""
        for statement in block:
            moment = self._statement(statement, moment, guard, is_plain)
        return moment

    def _statement(
        self, statement: nodes.Statement, moment: Moment, guard: nodes.Expr, is_plain: bool
    ) -> Moment:
        match statement:
            case nodes.Put():
                return self._put(statement, moment, guard)
            case nodes.Let():
                value = self.rewriter.before(statement.value, moment)
                return self._bound(statement.slot, statement.name, value, moment, is_plain)
            case nodes.Branch():
                return self._branch(statement, moment, guard)
            case nodes.Loop():
                return self._loop(statement, moment, guard)
            case nodes.Require():
                condition = self.rewriter.before(statement.condition, moment)
                if is_known(guard, True):
                    return self._need(condition, moment)
                allowed = (self.terms.negation(guard), condition)
                self.needs.append(self.terms.disjunction(statement.span, allowed))
                return moment
            case nodes.Reward():
                return moment  # not part of the state
            case nodes.Greatest():
                raise NotToldError("only the greatest instances of the move are legal")
            case nodes.Chance():
                raise NotToldError("chance decides in the body")
            case nodes.Win() | nodes.Pay():
                raise AssertionError("outcomes stand in `end:` alone")

    def _keeps_turn(self, moment: Moment, guard: nodes.Expr) -> nodes.Expr:
        if moment.keeps_turn is None:
            return guard
        return self.terms.disjunction(guard.span, (moment.keeps_turn, guard))

    def _put(self, statement: nodes.Put, moment: Moment, guard: nodes.Expr) -> Moment:
        variable = statement.place.variable
        indices = tuple(self.rewriter.before(index, moment) for index in statement.place.indices)
        value = self.rewriter.before(statement.value, moment)
        if variable.offset == nodes.TURN:
            before = moment.turn or nodes.Turn(statement.span, value.type)
            return replace(moment, turn=self.terms.choice(guard, value, before))
        if variable.offset == nodes.KEPT:
            return replace(moment, keeps_turn=self._keeps_turn(moment, guard))
        if is_known(guard, False):
            return moment
        write = Write(variable, indices, value, guard)
        return replace(moment, writes=(*moment.writes, write))

    def _bound(
        self, slot: int, name: str, value: nodes.Expr, moment: Moment, is_plain: bool
    ) -> Moment:
        """Bind a local. The local is named in later expressions if bound exactly once to a compound
        value."""
        if not is_plain or isinstance(value, nodes.Const | nodes.Local | nodes.Turn):
            return replace(moment, locals={**moment.locals, slot: value})
        self.bindings.append((slot, value))
        local = nodes.Local(value.span, value.type, name, slot)
        held = {
            bound_slot: node for bound_slot, node in moment.locals.items() if bound_slot != slot
        }
        rebound = replace(moment, locals=held)
        condition = self.rewriter.condition_of_first(value, local)
        if condition is None:
            return rebound
        return self._pinned(condition, rebound)

    def _branch(self, statement: nodes.Branch, moment: Moment, guard: nodes.Expr) -> Moment:
        span = statement.span
        at_once, rest = moment, guard
        for condition, block in statement.branches:
            holds = self.rewriter.before(condition, at_once)
            taken = self.terms.conjunction(span, (rest, holds))
            if not is_known(taken, False):
                moment = self._in_branch(block, moment, at_once, taken)
            rest = self.terms.conjunction(span, (rest, self.terms.negation(holds)))
        if not is_known(rest, False):
            moment = self._in_branch(statement.otherwise, moment, at_once, rest)
        return moment

    def _in_branch(
        self, block: nodes.Block, moment: Moment, at_once: Moment, guard: nodes.Expr
    ) -> Moment:
        """The changes of a branch, added to the changes of the branches before.

        Guards exclude each other, so that a read through the writes of another branch finds the
        value before that branch; a branch is carried out as if alone.
        """
        alone = self._block(block, at_once, guard, False)
        writes = (*moment.writes, *alone.writes[len(at_once.writes) :])
        turn, keeps_turn = moment.turn, moment.keeps_turn
        if alone.turn is not at_once.turn:
            assert alone.turn is not None
            before = turn or nodes.Turn(guard.span, alone.turn.type)
            turn = self.terms.choice(guard, alone.turn, before)
        if alone.keeps_turn is not at_once.keeps_turn:
            assert alone.keeps_turn is not None
            keeps_turn = self._keeps_turn(moment, alone.keeps_turn)
        return replace(moment, writes=writes, turn=turn, keeps_turn=keeps_turn)

    # --- loops -----------------------------------------------------------------------------

    def _loop(self, statement: nodes.Loop, moment: Moment, guard: nodes.Expr) -> Moment:
        domain = self.rewriter.before(statement.domain, moment)
        going = guard
        for value, is_in in self._rounds(domain):
            element = constant(statement.span, value)
            moment = replace(moment, locals={**moment.locals, statement.slot: element})
            taken = self.terms.conjunction(statement.span, (going, is_in))
            if statement.condition is not None:
                where = self.rewriter.before(statement.condition, moment)
                taken = self.terms.conjunction(statement.span, (taken, where))
            if statement.going is not None:
                still = self.rewriter.before(statement.going, moment)
                stopped = self.terms.conjunction(
                    statement.span, (taken, self.terms.negation(still))
                )
                going = self.terms.conjunction(
                    statement.span, (going, self.terms.negation(stopped))
                )
                taken = self.terms.conjunction(statement.span, (taken, still))
            if not is_known(taken, False):
                moment = self._block(statement.body, moment, taken, False)
        return moment

    def _rounds(self, domain: nodes.Expr) -> Iterator[tuple[Value, nodes.Expr]]:
        """The possible elements of a loop, in order, each with the condition that the loop visits
        it."""
        span = domain.span
        if isinstance(domain, nodes.Const) and isinstance(domain.value, tuple):
            values: tuple[Value, ...] = domain.value
        elif isinstance(domain, nodes.Range):
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
            is_in: nodes.Expr = self.terms.truth(span, True)
            if isinstance(domain, nodes.Range):
                item = constant(span, value)
                is_in = self.terms.conjunction(
                    span,
                    (
                        self.terms.made(nodes.Compare(span, BOOLEAN, "<=", domain.low, item)),
                        self.terms.made(nodes.Compare(span, BOOLEAN, "<=", item, domain.high)),
                    ),
                )
            yield value, is_in


def scalar_type(parameter: nodes.Parameter) -> Scalar:
    """The type of a parameter."""
    return scalar_of(parameter.values.values)
