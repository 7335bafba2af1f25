"""How many actions are legal, and `stuck`: whether there are none.

In: the moves of a game and whose turn it is. Out: code that counts, or that looks for one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from gamedsl.compiler.faults import BOTH_KINDS, idle_message
from gamedsl.compiler.ir.values import (
    BOOL,
    FALSE,
    INT,
    ROW,
    TRUE,
    ZERO,
    Value,
    any_of,
    call,
    count,
    name,
    state,
)
from gamedsl.compiler.moves import ActionSink
from gamedsl.compiler.scope import Known, Scope
from gamedsl.compiler.words import StateFunctions
from gamedsl.model import nodes
from gamedsl.model.walk import all_expressions

PAST, LENGTH = name("past", ROW), name("length", INT)
"""The states that have occurred, and how many they are, as parameters."""


class Stuck(StateFunctions):
    """The counts of legal actions of one game."""

    def _count(self, player: int) -> None:
        """How many legal instances there are."""
        total = self.program.hold(ZERO, "n")
        counted = ActionSink(
            lambda _: self.builder.assign(total, total + 1),
            lambda bits: self.builder.assign(total, total + count(bits)),
        )
        for number, group in enumerate(self.groups):
            if number:
                with self.builder.when(total.gt(0)):
                    self.builder.give(total)
            for move in group:
                self.instances(move, self.scope_of(player, move.body), counted)
        self.builder.give(total)

    @property
    def asks_stuck(self) -> bool:
        """Whether `end:` asks `stuck`."""
        return any(isinstance(e, nodes.Stuck) for e in all_expressions(self.model.end))

    @property
    def is_stuck_by_history(self) -> bool:
        """Whether the answer to `stuck` depends on what has occurred before."""
        return self.asks_stuck and any(rule.outcome is None for rule in self.model.repeats)

    @staticmethod
    def _stuck_now() -> Value:
        """A question to whoever knows what has occurred."""
        return call("stuck_now", (state(), PAST, LENGTH), BOOL)

    def _may_fail(self, moves: Iterable[nodes.Move]) -> bool:
        """Whether asking which of these moves are legal may be an error in the game."""
        return any(not self.is_safe(move) for move in moves)

    def _joint_stuck_call(self, player: int) -> Value:
        """Whether nobody can do anything: neither the player to move nor all at once. That only
        some can choose, or both kinds of moves are legal, is an error as in `legal_actions`."""
        idle = [
            self.site("E3003", None, idle_message(player.name), ("idle", player.name))
            for player in self.model.players
        ]
        both = self.site("E3009", None, lambda _, __: BOTH_KINDS)

        def number(moves: list[nodes.Move], scope: Scope, stem: str) -> Value:
            write = partial(self._write_number, moves, scope)
            return self.program.hold(self.program.call("instances", write), stem)

        def write() -> None:
            builder = self.builder
            for group in self.groups:
                alone = [move for move in group if not move.is_simultaneous]
                joint = [move for move in group if move.is_simultaneous]
                own = number(alone, self.scope_of(player), "own")
                if joint:
                    counts = [
                        number(joint, Scope(self.anybody, Known(atom)), "choices")
                        for atom in self.model.players
                    ]
                    with builder.when(any_of([one.gt(0) for one in counts])):
                        for one, site in zip(counts, idle, strict=True):
                            with builder.when(one.eq(0)):
                                builder.fault(site)
                        with builder.when(own.gt(0)):
                            builder.fault(both)
                        builder.give(FALSE)
                with builder.when(own.gt(0)):
                    builder.give(FALSE)
            builder.give(TRUE)

        return self.program.call("stuck", write)

    def _write_number(self, moves: list[nodes.Move], scope: Scope) -> None:
        total = self.program.hold(ZERO, "n")
        sink = ActionSink(lambda _: self.builder.assign(total, total + 1))
        for move in moves:
            own = scope if not self.sets_turn(move.body) else self.scope_of(0, move.body)
            self.instances(move, own, sink)
        self.builder.give(total)

    def _stuck_call(self, player: int) -> Value:
        if self._may_fail(self.model.moves):
            return self.program.call("instances", lambda: self._count(player)).eq(0)

        def write() -> None:
            some = ActionSink(lambda _: self.builder.give(FALSE), self._if_any)
            for move in self.model.moves:
                self.instances(move, self.scope_of(player, move.body), some)
            self.builder.give(TRUE)

        return self.program.call("stuck", write)

    def _if_any(self, bits: Value) -> None:
        with self.builder.when(bits.ne(0)):
            self.builder.give(FALSE)
