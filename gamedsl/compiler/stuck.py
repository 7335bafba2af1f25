"""How many actions are legal, and `stuck`: whether there are none.

In: the moves of a game and whose turn it is. Out: code that counts, or that looks for one.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.compiler.faults import BOTH_KINDS, idle_message
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.moves import Found
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.words import WordFunctions, padding
from gamedsl.model import nodes
from gamedsl.model.types import Scalar
from gamedsl.model.walk import all_expressions


class Stuck(WordFunctions):
    """The counts of legal actions of one game."""

    def _count(self, player: int) -> None:
        """How many legal instances there are."""
        writer = self.program.writer
        writer.assign("n", "0")
        counted = Found(
            lambda _: self.program.writer.line("n += 1"),
            lambda bits: self.program.writer.line(f"n += count_bits({bits})"),
        )
        for number, group in enumerate(self.groups):
            if number:
                with writer.block("if n > 0"):
                    writer.line("return n")
            for move in group:
                self.instances(move, self.scope_of(player, move.body), counted)
        writer.line("return n")

    @property
    def asks_stuck(self) -> bool:
        """Whether `end:` asks `stuck`."""
        return any(isinstance(e, nodes.Stuck) for e in all_expressions(self.model.end))

    @property
    def is_stuck_by_history(self) -> bool:
        """Whether the answer to `stuck` depends on what has occurred before."""
        return self.asks_stuck and any(rule.outcome is None for rule in self.model.repeats)

    def _stuck_now(self) -> str:
        """A question to whoever knows what has occurred."""
        words = [self.program.named(f"w{n}") for n in range(self.layout.words)]
        saved = f", 0{padding(0)}" if self.has_draws else ""
        more = ", ".join(self.program.named(name) for name in ("past", "length"))
        return f"stuck_now({', '.join(words)}{saved}, {more})"

    def _may_fail(self, moves: Iterable[nodes.Move]) -> bool:
        """Whether asking which of these moves are legal may be an error in the game."""
        return any(not self.is_safe(move) for move in moves)

    def _joint_stuck_call(self, player: int) -> str:
        """Whether nobody can do anything: neither the player to move nor all at once. That only
        some can choose, or both kinds of moves are legal, is an error as in `legal_actions`."""
        idle = [
            self.site("E3003", None, idle_message(player.name)) for player in self.model.players
        ]
        both = self.site("E3009", None, lambda _, __: BOTH_KINDS)
        turn = Code(TURN, Scalar(atoms=frozenset(self.model.players)))

        def count(moves: list[nodes.Move], scope: Scope) -> str:
            return self.program.call("instances", lambda: self._write_number(moves, scope))

        def write() -> None:
            writer = self.program.writer
            for group in self.groups:
                alone = [move for move in group if not move.is_simultaneous]
                joint = [move for move in group if move.is_simultaneous]
                own = self.program.fresh("own")
                writer.assign(own, count(alone, self.scope_of(player)))
                if joint:
                    names = [self.program.fresh("choices") for _ in self.model.players]
                    for name, atom in zip(names, self.model.players, strict=True):
                        writer.assign(name, count(joint, Scope(turn, Known(atom))))
                    with writer.block(f"if {' or '.join(f'{name} > 0' for name in names)}"):
                        for name, site in zip(names, idle, strict=True):
                            with writer.block(f"if {name} == 0"):
                                writer.line(f"fault({site}, 0, 0)")
                        with writer.block(f"if {own} > 0"):
                            writer.line(f"fault({both}, 0, 0)")
                        writer.line("return False")
                with writer.block(f"if {own} > 0"):
                    writer.line("return False")
            writer.line("return True")

        return self.program.call("stuck", write)

    def _write_number(self, moves: list[nodes.Move], scope: Scope) -> None:
        writer = self.program.writer
        writer.assign("n", "0")
        for move in moves:
            own = scope if not self.sets_turn(move.body) else self.scope_of(0, move.body)
            self.instances(move, own, Found(lambda _: self.program.writer.line("n += 1")))
        writer.line("return n")

    def _stuck_call(self, player: int) -> str:
        if self._may_fail(self.model.moves):
            return f"({self.program.call('instances', lambda: self._count(player))} == 0)"

        def write() -> None:
            some = Found(lambda _: self.program.writer.line("return False"), self._if_any)
            for move in self.model.moves:
                self.instances(move, self.scope_of(player, move.body), some)
            self.program.writer.line("return True")

        return self.program.call("stuck", write)

    def _if_any(self, bits: str) -> None:
        with self.program.writer.block(f"if {bits} != 0"):
            self.program.writer.line("return False")
