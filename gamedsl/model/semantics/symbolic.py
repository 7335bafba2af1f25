"""Statements carried out on symbols: the order of statements, branches and rounds.

In: a block, and the knowledge before the block. Out: the knowledge behind the block. A subclass
defines conditions, changes and the joining of branches; the order of evaluation, `elif`, `where`
and `while` are defined here alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, TypeVar, assert_never

from gamedsl.model import nodes

S = TypeVar("S")
"""The knowledge at a moment."""
C = TypeVar("C")
"""A condition."""


class NotToldError(Exception):
    """Raised where statements cannot be carried out; callers turn the exception into an
    `Unknown`."""


class SymbolicBodies(ABC, Generic[S, C]):
    """Carries out the statements of a game; `NotToldError` leaves every method."""

    # --- defined by a subclass -------------------------------------------------------------

    @abstractmethod
    def both(self, one: C, other: C) -> C:
        """The conjunction of two conditions."""

    @abstractmethod
    def negated(self, one: C) -> C:
        """The negation of a condition."""

    @abstractmethod
    def is_never(self, one: C) -> bool:
        """Whether a condition certainly fails."""

    @abstractmethod
    def asked(self, node: nodes.Expr, state: S) -> C:
        """A condition of the rules at a moment."""

    @abstractmethod
    def bound(self, slot: int, name: str, node: nodes.Expr, state: S) -> S:
        """The moment after a local is bound to the value of an expression."""

    @abstractmethod
    def rounds(self, domain: nodes.Expr, state: S) -> Iterable[tuple[nodes.Const, C]]:
        """The possible elements of a loop in order, each with the condition of the visit."""

    def put(self, statement: nodes.Put, state: S, guard: C) -> S:
        """The moment after an assignment, carried out where `guard` holds."""
        raise AssertionError("the state cannot change in `end:`")

    def required(self, statement: nodes.Require, state: S, guard: C) -> S:
        """The moment after a condition of legality, asked where `guard` holds."""
        raise AssertionError("every ending is legal")

    def reach(self, outcome: nodes.Outcome, state: S, guard: C) -> None:
        """Note an outcome, reached where `guard` holds and no outcome before."""
        raise AssertionError("outcomes stand in `end:` alone")

    def under(self, test: C, block: nodes.Block, state: S, before: S) -> S:
        """The moment after a block carried out where `test` holds. Between `before`, the moment of
        the test, and `state` stand the other branches, carried out where `test` fails. In `end:`
        blocks change nothing."""
        self.block(block, before, test)
        return state

    # --- the walk --------------------------------------------------------------------------

    def block(self, block: nodes.Block, state: S, guard: C) -> S:
        """The moment after the statements, carried out where `guard` holds."""
        for statement in block:
            match statement:
                case nodes.Let():
                    state = self.bound(statement.slot, statement.name, statement.value, state)
                case nodes.Branch():
                    state = self._branch(statement, state, guard)
                case nodes.Loop():
                    state = self._loop(statement, state, guard)
                case nodes.Ending():
                    self.reach(statement, state, guard)
                case nodes.Greatest():
                    raise NotToldError("only the greatest instances of the move are legal")
                case nodes.Chance():
                    raise NotToldError("chance decides in the body")
                case nodes.Put():
                    state = self.put(statement, state, guard)
                case nodes.Require():
                    state = self.required(statement, state, guard)
                case nodes.Reward():
                    pass  # not part of the state
                case _:
                    assert_never(statement)
        return state

    def _branch(self, statement: nodes.Branch, state: S, guard: C) -> S:
        before, rest = state, guard
        tests: list[tuple[C, nodes.Block]] = []
        for condition, block in statement.branches:
            holds = self.asked(condition, before)
            tests.append((self.both(rest, holds), block))
            rest = self.both(rest, self.negated(holds))
        for test, block in (*tests, (rest, statement.otherwise)):
            if block and not self.is_never(test):
                state = self.under(test, block, state, before)
        return state

    def _loop(self, loop: nodes.Loop, state: S, guard: C) -> S:
        going = guard
        for element, is_in in self.rounds(loop.domain, state):
            state = self.bound(loop.slot, loop.name, element, state)
            test = self.both(going, is_in)
            if loop.condition is not None:
                test = self.both(test, self.asked(loop.condition, state))
            if loop.going is not None:
                still = self.asked(loop.going, state)
                stops = self.both(test, self.negated(still))
                going, test = self.both(going, self.negated(stops)), self.both(test, still)
            if not self.is_never(test):
                state = self.under(test, loop.body, state, state)
        return state
