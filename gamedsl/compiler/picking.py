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

from gamedsl.compiler.dispatch import NEXT, OUT
from gamedsl.compiler.ir.values import FALSE, INT, TRUE, ZERO, Value, call, name, state
from gamedsl.compiler.moves import ACTION, ActionSink, Instance
from gamedsl.compiler.walking import FIRST, PLACE, ActionSource, Walking

STREAM, POSITION = name("stream", INT), name("position", INT)
"""A stream of random numbers, and where in it to go on, as parameters."""
RANDOM_BITS = 31
"""Bits of a random number."""


class Picking(Walking):
    """What picks in one game."""

    def write_pick(self) -> None:
        """`pick`."""
        more = (STREAM, POSITION, OUT)
        for player in range(len(self.model.players)):
            self.state_function(f"pick_{player}", more, partial(self._write_pick, player))
        self._dispatch("pick", more)

    def _write_pick(self, player: int) -> None:
        builder = self.builder
        builder.assign(FIRST, 0)
        builder.assign(NEXT, 0)
        sources = self.sources_of_all(player)
        total = ZERO
        for source in sources:
            total = total + source.count
        total = self.program.hold(total, "many")
        with builder.when(total.eq(0)):
            builder.fault(self.no_moves_site, player)
        random = call("mixed", (STREAM, POSITION), INT, can_fail=False)
        number = self.program.hold(random * total >> RANDOM_BITS, "number")
        for source in sources[:-1]:
            with builder.when(number.lt(source.count)):
                self._write_picked(source, number)
            builder.assign(number, number - source.count)
        if sources:
            self._write_picked(sources[-1], number)
        else:
            builder.give(state(), POSITION)

    def _write_picked(self, source: ActionSource, number: Value) -> None:
        place = number
        if source.bits is not None:
            place = call("nth_bit", (source.bits, number), INT, can_fail=False)
        self.builder.assign(PLACE, place)
        self.builder.give(source.apply(PLACE), POSITION + 1)

    def write_picking(self, listing: ActionSink) -> bool:
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
                (OUT, NEXT),
                partial(self._write_candidates, player, replace(listing, is_unchecked=True)),
            )
            self.state_function(
                f"allowed_{player}", (ACTION,), partial(self._write_allowed, player)
            )
        self._dispatch("candidates", (OUT, NEXT))
        self._dispatch("allowed", (ACTION,))
        return True

    def _write_candidates(self, player: int, listing: ActionSink) -> None:
        for move in self.model.moves:
            self.instances(move, self.scope_of(player, move.body), listing)
        self.builder.give(NEXT)

    def _write_allowed(self, player: int) -> None:
        """Whether a candidate is legal."""
        sink = ActionSink(lambda _: self.builder.give(TRUE))
        for move in self.model.moves:
            with self.builder.when(ACTION.lt(move.first_id + move.size)):
                if self.is_safe(move):
                    self.builder.give(TRUE)
                    continue
                scope = self.arguments(move, self.scope_of(player, move.body))
                self.if_allowed(Instance(move, (), ACTION), scope, sink)
                self.builder.give(FALSE)
        self.builder.give(FALSE)
