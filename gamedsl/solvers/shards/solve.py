"""Solving by layers, in a store: by backward induction for games of any size whose every move goes
one way, by retrograde analysis within layers where moves can keep the level.

In: the batches of a game and a store, which may hold earlier work. Out: the facts of the solution,
kept in the store with all layers. Work goes on from the layers that are kept: first the layers of
keys, from the first position on; then their codes, from the last layer back. The same layers and
facts come of it, byte by byte, however often the work was cut off, and for any number of threads
and any room.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

from gamedsl.game.accelerator import Progress
from gamedsl.game.batches import BLOCK, Batches, LayerStore
from gamedsl.game.stored_facts import is_count, is_number, many, refuse_odd
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError
from gamedsl.solvers.shards.backward import Settling
from gamedsl.solvers.shards.crew import Crew, together
from gamedsl.solvers.shards.forward import Frontier
from gamedsl.solvers.shards.tiers import TierSettling
from gamedsl.source.records import dataclass

MOST_ROOM = 1 << 22
"""Keys that a thread sorts at a time; more save no time."""
LEAST_ROOM = 1 << 16
"""Keys that a thread must have room for."""
NUMBER = 8
"""Bytes of a number."""

FACTS = {
    "layers": many(many(is_count, 3)),
    "paid": many(many(is_number)),
    "tallies": many(many(is_count, 3)),
}
"""The facts of work: [level, number of keys, whether codes are known] of each layer; payoffs met;
[plies + 1, payoff, positions] of all settled positions."""


@dataclass(frozen=True, slots=True)
class Room:
    """How many keys are held at a time.

    Attributes:
        sorted: keys that a thread sorts.
        table: keys of a table.
        tier: bytes of a tier, or of a part of a larger tier.
    """

    sorted: int
    table: int
    tier: int = 1 << 62

    @classmethod
    def within(cls, size: int, batches: Batches, threads: int) -> Room:
        """The room in `size` bytes of memory. Raises OutOfMemoryError if `size` is too small."""
        each = 2 * batches.width * NUMBER * threads
        least = max(LEAST_ROOM, 2 * batches.most_successors)
        room = min(MOST_ROOM, size // each)
        table = size // (batches.table_bytes(BLOCK) // BLOCK + 1)
        if room < least or table < BLOCK:
            raise OutOfMemoryError(0, size)
        return cls(room, table, size)


class LayeredSolver:
    """The work on one game."""

    def __init__(
        self,
        batches: Batches,
        store: LayerStore,
        room: Room,
        crew: Crew,
        *,
        max_keys: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        """`crew`: ended with the work; `max_keys`: greatest number of keys in all layers."""
        self._batches, self._store, self._room = batches, store, room
        self._crew, self._ranks = crew, crew.ranks
        self._max_keys, self._progress = max_keys, progress
        self._layers: list[list[int]] = []
        self._tallies: dict[tuple[int, int], int] = {}

    def solve(self) -> None:
        """Do all work that is left, in all processes. Raises OSError where the store fails;
        CodesTooWideError, UnmergedError; OutOfBudgetError, GameRuleError, and the errors of
        `progress`: the layers kept so far stay."""
        with together(self._crew):
            self._take_up()
            self._find_layers()
            first, last = self._layers[0][0], self._layers[-1][0]
            self._batches.agree(last - first)
            self._settle_layers()

    def _take_up(self) -> None:
        """Take up the facts of earlier work."""
        facts = self._store.facts
        if facts:
            refuse_odd(facts, FACTS)
            self._layers = [[*layer] for layer in facts["layers"]]
            self._batches.know(facts["paid"])
            self._tallies = {(length, n): held for length, n, held in facts["tallies"]}

    def _keep(self) -> None:
        tallies = [[*place, held] for place, held in sorted(self._tallies.items())]
        self._store.keep_facts(
            {"layers": self._layers, "paid": sorted(self._batches.paid), "tallies": tallies}
        )

    # --- forward ------------------------------------------------------------------------------

    def _find_layers(self) -> None:
        """Keep the keys of all layers. A layer is kept with the payoffs met in it; so the last
        layers that are kept are expanded once more after an interruption."""
        batches, store = self._batches, self._store
        if any(settled for *_, settled in self._layers):
            return
        frontier = Frontier(batches, store, self._room.sorted, self._crew)
        if not self._layers:
            level, key = batches.root
            row = batches.zeros(batches.width)
            row[:] = memoryview(batches.row(key))
            if self._ranks.rank == 0:
                frontier.add(level, row)
        above = self._layers[-1][0] if self._layers else batches.root[0] - 1
        for level, *_ in self._layers:
            if level + batches.high > above:
                frontier.expand(level, self._told(), above=above)
        while (next_level := frontier.next_level()) is not None:
            blocks = (
                frontier.blocks(next_level)
                if batches.low
                else frontier.grow(next_level, self._room.tier, self._told_limited())
            )
            count = self._ranks.gather(store.keep_keys(next_level, blocks))[0]
            if batches.low:
                frontier.expand(next_level, self._told(), above=next_level)
            for paid in self._ranks.gather(batches.paid):
                batches.know(paid)
            self._layers.append([next_level, count, 0])
            self._keep()
            self._keep_to_limit()

    def _told_limited(self) -> Callable[[int], None]:
        """Like `_told`, and raises OutOfBudgetError with too many keys."""
        tell, done = self._told(), self._keys

        def tell_limited(count: int) -> None:
            nonlocal done
            done += count
            if self._max_keys is not None and done > self._max_keys:
                raise OutOfBudgetError(self._max_keys, done, 0)
            tell(count)

        return tell_limited

    @property
    def _keys(self) -> int:
        return sum(count for _, count, _ in self._layers)

    def _keep_to_limit(self) -> None:
        if self._max_keys is not None and self._keys > self._max_keys:
            raise OutOfBudgetError(self._max_keys, self._keys, 0)

    def _told(self, begin: int | None = None) -> Callable[[int], None]:
        """Reports of progress: keys done of all, and keys known to be left."""
        done = self._keys if begin is None else begin

        def tell(count: int) -> None:
            nonlocal done
            done += count
            if self._progress is not None:
                self._progress(done, 0 if begin is None else max(0, self._keys - done))

        return tell

    # --- backward -----------------------------------------------------------------------------

    def _settle_layers(self) -> None:
        """Keep the codes of all layers, the last first."""
        batches = self._batches
        table, most = self._room.table, self._room.tier
        settling = Settling(batches, self._store, table, self._crew)
        tiers = TierSettling(batches, self._store, table, most, self._crew)
        levels = self.levels
        done = sum(count for _, count, settled in self._layers if settled)
        for layer in reversed(self._layers):
            level, count, settled = layer
            if settled:
                continue
            later = [n for n in levels if n > level and n - level in batches.rises]
            if batches.low:
                settling.settle(level, later, self._told(done))
            else:
                longest = max((length for length, *_ in self._tallies), default=0)
                tiers.settle_tier(level, later, longest, self._told(done))
            done += count
            for length, payoff, held in chain.from_iterable(self._ranks.gather(batches.tallies())):
                place = length, payoff
                self._tallies[place] = self._tallies.get(place, 0) + held
            layer[2] = 1
            self._keep()

    @property
    def levels(self) -> list[int]:
        """The levels of all layers, ascending."""
        return [level for level, *_ in self._layers]

    @property
    def facts(self) -> dict[str, Any]:
        """The facts of the finished work."""
        tallies = [[*place, held] for place, held in sorted(self._tallies.items())]
        endings = sum(held for (length, _), held in self._tallies.items() if length == 1)
        return {
            **self._batches.facts,
            "payoffs": [[str(share) for share in each] for each in self._batches.payoffs],
            "bits": self._batches.bits,
            "positions": sum(self._tallies.values()),
            "endings": endings,
            "counts_plies": self._batches.counts_plies,
            "tallies": tallies,
        }
