"""Verification of solved layers by the rules, one pass over all positions.

In: batches that verify, and a store of solved layers. Out: the first wrong key, if any, and the
counts of positions. Codes are only compared with the codes of successors, so no part of a solver is
used; codes are looked up as in `backward`, with a bound on memory. Layers are verified from the
first on, so nothing but the rules decides which keys machine code meets.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from gamedsl.game.batches import BLOCK, Answers, Batches, Key, LayerStore, StoredLayer, Worker
from gamedsl.solvers.shards.backward import Settling
from gamedsl.solvers.shards.crew import Crew, together

Wrong = Key | None
"""A wrong key; None for none."""


class OddKeyError(Exception):
    """A layer has a key that cannot be one."""


class Confirming(Settling):
    """Layers being verified; `room`: number of keys in a table."""

    def odd_key(self, level: int) -> Wrong:
        """The first key of a layer that cannot be one."""
        layer = self._store.layer(level)

        def check_block(worker: Worker, number: int) -> Wrong:
            keys, _ = self._room(worker)
            block = layer.keys(number)
            worker.take_keys(block, keys, 0)
            at, last = worker.odd_key(keys, block.count, level), block.count - 1
            if at > last and number + 1 < layer.blocks:
                is_sorted = self._key(keys, last) < layer.first(number + 1)
                at = block.count if is_sorted else last
            return self._key(keys, at) if at < block.count else None

        return self._first(self._crew.ordered(check_block, range(layer.blocks)))

    def has(self, level: int, key: Key) -> bool:
        """Whether a layer has a key."""
        layer, (keys, _) = self._store.layer(level), self._room(self._crew.worker)
        number = bisect_right(range(layer.blocks), key, key=layer.first) - 1
        if number < 0:
            return False
        block = layer.keys(number)
        self._crew.worker.take_keys(block, keys, 0)
        return any(self._key(keys, at) == key for at in range(block.count))

    def wrong_key(self, level: int, later: Sequence[int], tell: Callable[[int], None]) -> Wrong:
        """The first key of a layer whose code is wrong. `later`: the layers with successors, with
        the layer itself where moves can keep the level."""
        layer = self._store.layer(level)
        return self._first(self._confirmed(layer, self._answers(layer, later, 0), tell))

    def _first(self, wrong: Iterator[Wrong]) -> Wrong:
        """The first wrong key, for all processes."""
        ranks = self._crew.ranks
        first = next((key for key in wrong if key is not None), None)
        if ranks.size > 1:
            deque(wrong, maxlen=0)  # every process does all of its blocks
        return ranks.gather(first)[0]

    def _confirmed(
        self,
        layer: StoredLayer,
        answered: Iterator[tuple[range, Answers]],
        tell: Callable[[int], None],
    ) -> Iterator[Wrong]:
        in_turn = is_wrong = False

        def confirm_block(worker: Worker, number: int) -> Wrong:
            nonlocal is_wrong
            keys, codes = self._room(worker)
            count, at = self._load(worker, layer, number), 0
            while at < count and not (in_turn and is_wrong):  # behind, answers are out of step
                self._refill(answers)
                at, is_here = worker.confirm(keys, at, count, codes, answers)
                if is_here:
                    is_wrong = True
                    return self._key(keys, at)
            return None

        for blocks, answers in answered:
            in_turn, is_wrong = answers.parts is not None, False
            for wrong in self._crew.ordered(confirm_block, blocks, in_turn=in_turn):
                tell(BLOCK)
                yield wrong

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
    crew: Crew,
    tell: Callable[[int], None],
) -> Wrong:
    """The first key of some layers whose code is wrong, for all processes; the crew is ended.
    Raises OddKeyError; SolutionFileError if a successor is in no layer, or codes cannot be."""
    with together(crew):
        confirming = Confirming(batches, store, room, crew)
        first, root = batches.root
        if first not in levels or not confirming.has(first, root):
            raise OddKeyError
        for level in levels:
            if confirming.odd_key(level) is not None:
                raise OddKeyError
        for level in levels:
            later = [n for n in levels if n - level in batches.rises]
            if (wrong := confirming.wrong_key(level, later, tell)) is not None:
                return wrong
        return None
