"""Verification of solved layers by the rules, one pass over all positions.

In: batches that verify, and a store of solved layers. Out: the first wrong key, if any, and the
counts of positions. Codes are only compared with the codes of successors, so no part of a solver is
used; codes are looked up as in `backward`, with a bound on memory. Layers are verified from the
first on, so nothing but the rules decides which keys machine code meets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gamedsl.game.batches import BLOCK, Batches, Key, LayerStore, StoredLayer, Worker
from gamedsl.solvers.shards.backward import Part, Settling
from gamedsl.solvers.shards.crew import Crew

Wrong = Key | None
"""A wrong key; None for none."""


class OddKeyError(Exception):
    """A layer has a key that cannot be one."""


class Confirming(Settling):
    """Layers being verified; `room`: number of keys in a table."""

    def __init__(self, batches: Batches, store: LayerStore, room: int, crew: Crew) -> None:
        super().__init__(batches, store, room, crew)
        self._least = 0

    def odd_key(self, level: int) -> Wrong:
        """The first key of a layer that cannot be one."""
        layer = self._store.layer(level)
        worker, width = self._crew.worker, self._batches.width
        keys, _ = self._room(worker)
        last: Key | None = None
        for number in range(layer.blocks):
            block = layer.keys(number)
            worker.take_keys(block, keys, 0)
            at = worker.odd_key(keys, block.count, level)
            if last is not None and not last < tuple(keys[:width]):
                at = 0
            if at < block.count:
                return tuple(keys[at * width : (at + 1) * width])
            last = tuple(keys[(block.count - 1) * width : block.count * width])
        return None

    def wrong_key(self, level: int, later: Sequence[int], tell: Callable[[int], None]) -> Wrong:
        """The first key of a layer whose code is wrong. `later`: the layers with successors, with
        the layer itself where moves can keep the level."""
        layer, whole = self._store.layer(level), self._whole(later)
        if whole is not None:
            found = self._by_whole(layer, whole, tell)
            return next((key for key in found if key is not None), None)
        parts = self._answered(layer, later)
        key = self._by_parts(layer, parts, tell)
        self._forget(parts)
        return key

    def _by_whole(
        self, layer: StoredLayer, whole: list[Part], tell: Callable[[int], None]
    ) -> Iterator[Wrong]:
        table = self._table(whole)

        def confirm_block(worker: Worker, number: int) -> Wrong:
            keys, codes = self._room(worker)
            count = self._load(worker, layer, number)
            at, is_wrong = worker.confirm(keys, 0, count, codes, table, None)
            return self._key(keys, at) if is_wrong else None

        for wrong in self._crew.ordered(confirm_block, range(layer.blocks)):
            tell(BLOCK)
            yield wrong

    def _by_parts(
        self, layer: StoredLayer, parts: list[Part], tell: Callable[[int], None]
    ) -> Wrong:
        worker = self._crew.worker
        keys, codes = self._room(worker)
        rows, read = self._rows(parts, 1), [0] * len(parts)
        for number in range(layer.blocks):
            count, at = self._load(worker, layer, number), 0
            while at < count:
                self._read(rows, read)
                at, is_wrong = worker.confirm(keys, at, count, codes, None, rows)
                if is_wrong:
                    return self._key(keys, at)
            tell(count)
        return None

    def _load(self, worker: Worker, layer: StoredLayer, number: int) -> int:
        keys, codes = self._room(worker)
        block = layer.keys(number)
        worker.take_keys(block, keys, 0)
        worker.take_codes(layer.codes(number), codes)
        return block.count

    def _key(self, keys: Sequence[int], at: int) -> Key:
        width = self._batches.width
        return tuple(keys[at * width : (at + 1) * width])


def first_wrong(
    batches: Batches,
    store: LayerStore,
    levels: Sequence[int],
    room: int,
    threads: int,
    tell: Callable[[int], None],
) -> Wrong:
    """The first key of some layers whose code is wrong. Raises OddKeyError; SolutionFileError if a
    successor is in no layer, or codes cannot be."""
    crew = Crew(threads, batches.worker)
    try:
        confirming = Confirming(batches, store, room, crew)
        for level in levels:
            if confirming.odd_key(level) is not None:
                raise OddKeyError
        for level in levels:
            later = [n for n in levels if level + batches.low <= n <= level + batches.high]
            if (wrong := confirming.wrong_key(level, later, tell)) is not None:
                return wrong
        return None
    finally:
        crew.close()
