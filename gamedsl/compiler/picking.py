"""Candidates: actions of which one is picked before it is asked whether it is legal.

In: the moves of a game and whose turn it is. Out: `candidates`, which writes down a superset of
the legal actions without running bodies, and `allowed`, which runs the body of one of them. Who
wants a legal action at random need not ask about all others. Where asking may fail, it is asked
at once, so that no error is missed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from gamedsl.compiler.moves import Found, Instance
from gamedsl.compiler.walking import Walking


class Picking(Walking):
    """The candidates of one game."""

    def write_picking(self, listing: Found) -> bool:
        """Both functions; False, and nothing, where they gain nothing."""
        forbids = any(rule.outcome is None for rule in self.model.repeats)
        if self.has_draws or self.model.facts.is_simultaneous or forbids or len(self.groups) != 1:
            return False
        if all(self.is_safe(move) or () in self.risks(move) for move in self.model.moves):
            return False
        for player in range(len(self.model.players)):
            self.state_function(
                f"candidates_{player}",
                ["out", "n"],
                partial(self._write_candidates, player, replace(listing, is_unchecked=True)),
            )
            self.state_function(
                f"allowed_{player}", ["action"], partial(self._write_allowed, player)
            )
        self._dispatch("candidates", ["out", "n"])
        self._dispatch("allowed", ["action"])
        return True

    def _write_candidates(self, player: int, listing: Found) -> None:
        for move in self.model.moves:
            self.instances(move, self.scope_of(player, move.body), listing)
        self.program.writer.line("return n")

    def _write_allowed(self, player: int) -> None:
        """Whether a candidate is legal."""
        writer = self.program.writer
        found = Found(lambda _: self.program.writer.line("return True"))
        for move in self.model.moves:
            with writer.block(f"if action < {move.first_id + move.size}"):
                if self.is_safe(move):
                    writer.line("return True")
                    continue
                scope = self.arguments(move, self.scope_of(player, move.body))
                self.if_allowed(Instance(move, (), "action"), scope, found)
                writer.line("return False")
        writer.line("return False")
