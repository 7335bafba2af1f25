"""Legal actions picked at random.

In: the moves of a game and whose turn it is. Out: `pick`, for games that have a walk: it picks out
of the sets in which the legal actions are. For others `candidates`, which writes down a superset of
the legal actions without running bodies, and `allowed`, which runs the body of one of them: who
wants a legal action at random need not ask about all others. Where asking may fail, it is asked
at once, so that no error is missed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from gamedsl.compiler.moves import Found, Instance
from gamedsl.compiler.walking import Source, Walking


class Picking(Walking):
    """What picks in one game."""

    def write_pick(self) -> None:
        """`pick`."""
        more = ["stream", "position", "out"]
        for player in range(len(self.model.players)):
            self.state_function(f"pick_{player}", more, partial(self._write_pick, player))
        self._dispatch("pick", more)

    def _write_pick(self, player: int) -> None:
        writer = self.program.writer
        writer.assign("first", "0")
        writer.assign("n", "0")
        sources = self.sources_of_all(player)
        writer.assign("many", " + ".join(source.count for source in sources) or "0")
        with writer.block("if many == 0"):
            writer.line(f"fault(NO_MOVES, {player}, 0)")
        writer.assign("number", "mixed(stream, position) * many >> 31")
        place = self.program.named("place")
        for number, source in enumerate(sources):
            is_last = number == len(sources) - 1
            if is_last:
                self._write_picked(source, place)
                continue
            with writer.block(f"if number < {source.count}"):
                self._write_picked(source, place)
            writer.line(f"number -= {source.count}")
        if not sources:
            writer.line(f"return ({', '.join(self.word_names)},), position")

    def _write_picked(self, source: Source, place: str) -> None:
        writer = self.program.writer
        writer.assign(place, f"nth_bit({source.word}, number)" if source.word else "number")
        writer.line(f"return {source.done(place)}, position + 1")

    def write_picking(self, listing: Found) -> bool:
        """Both functions; False, and nothing, where they gain nothing."""
        forbids = any(rule.outcome is None for rule in self.model.repeats)
        if self.can_walk or len(self.groups) != 1 or forbids:
            return False
        if self.has_draws or self.model.facts.is_simultaneous:
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
