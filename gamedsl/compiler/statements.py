"""Statements of bodies: assignments, branches, loops, effects, guards.

In: a typed block and a scope. Out: lines in the function being written, which works on the fields
of the state by name. Chance is the business of `flow`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import BOOL, FALSE, TRUE, Value, name, not_
from gamedsl.compiler.joined_loops import JoinedLoops
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.scope import Code, Known, Later, Meaning, Scope
from gamedsl.compiler.sets import conjuncts
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import Scalar, element_of, scalar_of
from gamedsl.model.values import NONE, text_of
from gamedsl.model.walk import blocks_of, statements
from gamedsl.source import Span

KEPT = name("kept__", BOOL)
"""Whether the mover keeps the turn."""


Stop = nodes.Require | nodes.Ensure | nodes.Loop
"""The last guard of a body, or the loop it stands in."""


@dataclass(frozen=True, slots=True)
class Guarding:
    """How `require` and `ensure` are written.

    Attributes:
        stop: the last of them; None where the action is known to be legal and they are left out.
        established: those that are known to hold, the action having been found by them.
    """

    stop: Stop | None = None
    established: tuple[nodes.Require | nodes.Ensure, ...] = ()


class Statements(JoinedLoops):
    """The bodies of one game."""

    guarding: Guarding = Guarding()

    def block(self, block: nodes.Block, scope: Scope) -> bool:
        """The statements in order; True if a `return` cuts off what would follow."""
        for statement in block:
            found = self._statement(statement, scope)
            if found is None:
                return True
            scope = found
        return False

    def _statement(self, statement: nodes.Statement, scope: Scope) -> Scope | None:
        """The scope of what follows; None if nothing does."""
        self.comment(statement.span.start)
        match statement:
            case nodes.SetCell():
                self.write(statement, scope)
            case nodes.SetTurn():
                self._set_turn(statement, scope)
            case nodes.Again():
                self.builder.assign(KEPT, TRUE)
            case nodes.Let():
                return self._let(statement, scope)
            case nodes.Branch():
                return self._branch(statement, scope)
            case nodes.Loop():
                self._loop_statement(statement, scope)
                if statement is self.guarding.stop:
                    self.builder.give(TRUE)
                    return None
            case nodes.Perform():
                return scope if not self._perform(statement, scope) else None
            case nodes.Require() | nodes.Ensure():
                return self._guard(statement, scope)
            case nodes.Chance():
                return self.chance(statement, scope)
            case nodes.Win() | nodes.Pay():
                self.outcome(statement, scope)
                return None
        return scope

    def chance(self, statement: nodes.Chance, scope: Scope) -> Scope | None:
        """A chance event."""
        raise CannotCompileError("a chance event", statement.span)

    def outcome(self, statement: nodes.Outcome, scope: Scope) -> None:
        """An outcome, in `end:`."""
        raise CannotCompileError("an outcome in a body", statement.span)

    def _set_turn(self, statement: nodes.SetTurn, scope: Scope) -> None:
        value = self.lower(statement.value, scope)
        players = self.model.players
        if isinstance(value, Known) and value.value not in players:
            raise CannotCompileError("`turn` set to no player", statement.span)
        if isinstance(value, Code) and value.type.kinds != {"player"}:
            value = self._surely_to_move(value, statement.span)
        self.builder.assign(self.field(TURN), self.value(value))
        self.builder.assign(KEPT, TRUE)

    def _surely_to_move(self, value: Code, span: Span) -> Code:
        """The player whose turn it becomes, guarded where that may be none."""
        kind = value.type

        def message(found: int, _: int) -> tuple[str, str | None]:
            whom = text_of(self.codes.value(found, kind))
            return f"`turn` would be {whom}, which is no player", None

        chosen = self.program.hold(value.expr, "next")
        site = self.site("E3001", span, message, (kind,))
        codes = [self.codes.code(player) for player in self.model.players]
        with self.builder.when(not_(self.among(chosen, codes))):
            self.builder.fault(site, chosen)
        return Code(chosen, scalar_of(self.model.players))

    def _let(self, statement: nodes.Let, scope: Scope) -> Scope:
        return scope.having(
            statement.slot, self.held_value(statement.value, scope, statement.name, statement.slot)
        )

    def held_value(self, node: nodes.Expr, scope: Scope, stem: str, slot: int) -> Meaning:
        """A value worked out now: a local of the generated code, unless it is known or no part
        of the state decides it."""
        if not isinstance(node.type, Scalar):
            return self._held_collection(node, scope, stem)
        low = self.lower(node, scope)
        if isinstance(low, Known) or self.is_fixed_value(low.expr):
            return low
        local = name(f"{stem}_{slot}", low.expr.type)
        self.builder.assign(local, low.expr)
        return Code(local, low.type, low.per)

    def _held_collection(self, node: nodes.Expr, scope: Scope, stem: str) -> Meaning:
        found = self.meaning_of(node, scope)
        if found is None or (isinstance(found, Later) and not self.is_fixed(node, scope)):
            return self.hold_collection(node, scope, stem)
        return found

    def is_fixed_value(self, value: Value) -> bool:
        """Whether a value is a constant or a local that stays as it is."""
        return value.is_atom and value.names.isdisjoint(self.program.fields)

    def is_fixed(self, node: nodes.Expr, scope: Scope) -> bool:
        """Whether the state has no part in an expression, only locals that stay as they are."""
        free: dict[Value, Code] = {}
        if not self.free_codes(node, scope, set(), free):
            return False
        return all(value.names.isdisjoint(self.program.fields) for value in free)

    def _branch(self, statement: nodes.Branch, scope: Scope) -> Scope | None:
        """Nested `if`s. Where the last guard stands in one of the blocks, an action that comes
        out of any of them, or into a later one, is legal."""
        pending = list(statement.branches)

        def write(is_past: bool) -> bool:
            """What is left of the branches; True if a `return` cuts off what would follow."""
            if not pending:
                return self._one_block(statement.otherwise, scope, is_past)
            condition, block = pending.pop(0)
            low = self.lower(condition, scope)
            if isinstance(low, Known):
                if low.value is True:
                    return self._one_block(block, scope, is_past)
                return write(is_past or self._holds_stop(block))
            with self.builder.when(low.expr):
                ended = self._one_block(block, scope, is_past)
            with self.builder.otherwise():
                return write(is_past or self._holds_stop(block)) and ended

        ended = write(False)
        holds_stop = self._holds_stop((statement,))
        if holds_stop and not ended:
            self.builder.give(TRUE)
        return None if ended or holds_stop else scope

    def _one_block(self, block: nodes.Block, scope: Scope, is_past: bool) -> bool:
        """One block of a branch; nothing of it is asked if all guards lie behind."""
        if is_past:
            self.builder.give(TRUE)
            return True
        return self.block(block, scope)

    def _holds_stop(self, block: nodes.Block) -> bool:
        stop = self.guarding.stop
        return stop is not None and any(inner is stop for inner in statements(block))

    def _loop_statement(self, statement: nodes.Loop, scope: Scope) -> None:
        if self.lifted_loop(statement, scope):
            return
        changes = any(
            isinstance(s, nodes.SetCell | nodes.SetTurn | nodes.Chance)
            for s in statements(statement.body)
        )
        if changes and not self.is_fixed(statement.domain, scope):
            self._loop_over_held(statement, scope)
            return
        self._loop_with(
            statement,
            scope,
            lambda each: self.go_through(statement.domain, scope, each, statement.name),
        )

    def _loop_with(
        self,
        statement: nodes.Loop,
        scope: Scope,
        loop: Callable[[Callable[[Low], None]], None],
    ) -> None:
        going = None
        if statement.going is not None:
            going = self.program.hold(TRUE, "going")

        def round_with(element: Low) -> None:
            inner = scope.having(statement.slot, element)

            def body() -> None:
                self.block(statement.body, inner)

            def go_on() -> None:
                if statement.going is None or going is None:
                    body()
                    return
                self.builder.assign(going, self.condition(statement.going, inner))
                with self.builder.when(going):
                    body()

            if going is None:
                self.only_if(statement.condition, inner, go_on)
                return
            with self.builder.when(going):
                self.only_if(statement.condition, inner, go_on)

        loop(round_with)

    def _loop_over_held(self, statement: nodes.Loop, scope: Scope) -> None:
        """The domain depends on the state, which the body changes: it is worked out first."""
        squares = self.set_of_squares(statement.domain, scope)
        if squares is None:
            items = self.hold_collection(statement.domain, scope, statement.name)
            self._loop_with(
                statement, scope, lambda each: self.go_through_held(items, each, statement.name)
            )
            return
        held = self.program.hold(squares, f"{statement.name}s")
        self._loop_with(
            statement, scope, lambda each: self.go_through_bits(held, each, statement.name)
        )

    def _perform(self, statement: nodes.Perform, scope: Scope) -> bool:
        """The body of an effect; True if a `return` cuts off what would follow."""
        inner = Scope(scope.turn, scope.me, {}, scope.stuck)
        for slot, argument in zip(statement.slots, statement.arguments, strict=True):
            held = self.held_value(argument, scope, f"{statement.name}_{slot}", slot)
            inner = inner.having(slot, held)
        return self.block(statement.body, inner)

    def _guard(self, statement: nodes.Require | nodes.Ensure, scope: Scope) -> Scope | None:
        is_established = any(one is statement for one in self.guarding.established)
        if self.guarding.stop is None or is_established:
            return self.narrowed(statement.condition, scope)
        low = self.lower(statement.condition, scope)
        if statement is self.guarding.stop:
            self.builder.give(self.value(low))
            return None
        if isinstance(low, Known):
            if low.value is True:
                return scope
            self.builder.give(FALSE)
            return None
        with self.builder.when(not_(low.expr)):
            self.builder.give(FALSE)
        return self.narrowed(statement.condition, scope)

    def narrowed(self, condition: nodes.Expr, scope: Scope) -> Scope:
        """What follows for locals from `x != none`, and from a cell at `x` that holds a value:
        they are not `none`."""
        for part in conjuncts(condition):
            match part:
                case nodes.Compare(operator="!=", left=nodes.Local() as place, right=other):
                    places = [place] if self.known_value(other, scope) is NONE else []
                case nodes.Compare(operator="==", left=nodes.Cell() as cell, right=other):
                    places = _places_in(cell) if _is_something(other) else []
                case nodes.Compare(operator="==", left=other, right=nodes.Cell() as cell):
                    places = _places_in(cell) if _is_something(other) else []
                case nodes.Member(element=nodes.Cell() as cell, collection=other):
                    places = _places_in(cell) if _is_of_something(other) else []
                case _:
                    places = []
            for local in places:
                meaning = scope.slots.get(local.slot)
                if isinstance(meaning, Code):
                    plain = replace(meaning, type=meaning.type.without_none())
                    scope = scope.having(local.slot, plain)
        return scope

    # --- what a body does --------------------------------------------------------------------

    @staticmethod
    def sets_turn(block: nodes.Block) -> bool:
        """Whether a body may assign `turn`."""
        return any(isinstance(s, nodes.SetTurn) for s in statements(block))

    @staticmethod
    def keeps_turn(block: nodes.Block) -> bool:
        """Whether a body may run `again` or assign `turn`."""
        return any(isinstance(s, nodes.SetTurn | nodes.Again) for s in statements(block))

    @staticmethod
    def last_guard(block: nodes.Block) -> Stop | None:
        """The last `require` or `ensure` of a body, or the outermost loop in which it stands."""
        last: Stop | None = None
        pending = list(reversed(block))
        while pending:
            statement = pending.pop()
            is_loop = isinstance(statement, nodes.Loop)
            if isinstance(statement, nodes.Require | nodes.Ensure):
                last = statement
            elif isinstance(statement, nodes.Loop):
                last = statement if _has_guard(statement) else last
            if not is_loop:
                for inner in reversed(blocks_of(statement)):
                    pending.extend(reversed(inner))
        return last

    def guarded_by(self, guarding: Guarding) -> Guarding:
        """Set how guards are written; gives back how they were."""
        before, self.guarding = self.guarding, guarding
        return before


def _has_guard(statement: nodes.Statement) -> bool:
    return any(isinstance(s, nodes.Require | nodes.Ensure) for s in statements((statement,)))


def _places_in(cell: nodes.Cell) -> list[nodes.Local]:
    """The locals that are indices of a cell: where one of them is `none`, so is the cell."""
    return [index for index in cell.indices if isinstance(index, nodes.Local)]


def _is_something(node: nodes.Expr) -> bool:
    return isinstance(node.type, Scalar) and not node.type.can_be_none


def _is_of_something(node: nodes.Expr) -> bool:
    kind = element_of(node.type)
    return isinstance(kind, Scalar) and not kind.can_be_none
