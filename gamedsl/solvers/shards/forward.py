"""The layers of a game, from the first position on: all positions that can be reached, by level.

A layer is expanded block by block. The keys of successors are sorted as often as the room for keys
is full, and appended as a sorted run to the numbers of their level. When no layer below is left,
the runs of a level are merged: read in ranges of keys that fit the room, and sorted once more
(delayed duplicate detection; R. E. Korf, AAAI 2004). Layers are sorted and without repetition, so
their bytes depend neither on the room nor on the number of threads.

Where moves can keep the level, a layer is a tier: its keys are in memory while it is expanded, as
many generations as it takes, and sorted at last.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from itertools import count
from threading import Lock

from gamedsl.game.batches import BLOCK, Batches, Block, Key, KeySet, LayerStore, Numbers, Worker
from gamedsl.solvers.graphs.graph import OutOfMemoryError
from gamedsl.solvers.shards.crew import Crew
from gamedsl.source.records import dataclass

SAMPLES = 64
"""Keys of each run that are looked at for a range that fills the room, at least."""


@dataclass(frozen=True, slots=True)
class Run:
    """Sorted keys in the numbers of a level: the first key, and the key behind the last."""

    begin: int
    end: int

    @property
    def count(self) -> int:
        """Number of keys."""
        return self.end - self.begin


class Successors:
    """Room for the keys of successors of one thread."""

    def __init__(self, batches: Batches, worker: Worker, room: int) -> None:
        self.worker = worker
        self.keys = batches.zeros(room * batches.width)
        self.other = batches.zeros(room * batches.width)
        self.block = batches.zeros(BLOCK * batches.width)
        self.used = 0


class Frontier:
    """Keys of levels that are not layers yet, as sorted runs in a store."""

    def __init__(self, batches: Batches, store: LayerStore, room: int, crew: Crew) -> None:
        """`room`: number of keys that a thread may hold, twice."""
        self._batches, self._store, self._room, self._crew = batches, store, room, crew
        self._runs: dict[int, list[Run]] = {}
        self._lock = Lock()
        self._made: dict[Worker, Successors] = {}

    @property
    def next_level(self) -> int | None:
        """The least level with keys."""
        return min(self._runs, default=None)

    def add(self, level: int, keys: Numbers) -> None:
        """Add a sorted run of keys of a level."""
        with self._lock:
            runs = self._runs.setdefault(level, [])
            begin = runs[-1].end if runs else 0
            if not runs:
                self._store.drop(_name(level))
            self._store.append(_name(level), keys)
            runs.append(Run(begin, begin + len(keys) // self._batches.width))

    # --- expanding ----------------------------------------------------------------------------

    def expand(self, level: int, tell: Callable[[int], None], *, above: int) -> None:
        """Add the successors of all keys of a layer, of levels above a level. `tell` is called with
        the number of keys expanded."""
        layer = self._store.layer(level)

        def expand_block(worker: Worker, number: int) -> int:
            room = self._successors(worker)
            block = layer.keys(number)
            worker.take_keys(block, room.block, 0)
            at = 0
            while at < block.count:
                at, room.used = worker.expand(room.block, at, block.count, room.keys, room.used)
                if at < block.count:
                    self._sort(room, level, above)
            return block.count

        for done in self._crew.ordered(expand_block, range(layer.blocks)):
            tell(done)
        for room in self._made.values():
            self._sort(room, level, above)

    def grow(self, level: int, most: int, tell: Callable[[int], None]) -> Iterator[Block]:
        """The blocks of a tier: the keys of a level, and all keys of the level that follow from
        them, generation by generation; the successors of higher levels are added. Raises
        OutOfMemoryError if the keys take more than `most` bytes."""
        tier = self._batches.key_set()
        for keys, size in self._merged(level, self._successors(self._crew.worker)):
            _enter(tier, keys, 0, size, most)
        del self._runs[level]
        self._store.drop(_name(level))

        def expand_block(worker: Worker, begin: int) -> int:
            room, width = self._successors(worker), self._batches.width
            with self._lock:
                size = min(tier.count - begin, BLOCK, generation - begin)
                part = tier.keys[begin * width : (begin + size) * width]
                room.block[: size * width] = part
            at = 0
            while at < size:
                at, room.used = worker.expand(room.block, at, size, room.keys, room.used)
                if at < size:
                    self._sort_beside(room, level, tier, most)
            return size

        expanded = 0
        while expanded < tier.count:
            generation = tier.count
            for done in self._crew.ordered(expand_block, range(expanded, generation, BLOCK)):
                tell(done)
            for room in self._made.values():
                self._sort_beside(room, level, tier, most)
            expanded = generation
        yield from self._sorted_blocks(tier)

    def _sort_beside(self, room: Successors, level: int, tier: KeySet, most: int) -> None:
        """Add successors to the tier of their origins, or to their levels."""
        keys, spans = room.worker.absorb(room.keys, room.other, room.used, level)
        width = self._batches.width
        for there, begin, end in spans:
            if there > level:
                self.add(there, keys[begin * width : end * width])
            else:
                with self._lock:
                    _enter(tier, keys, begin, end, most)
        room.used = 0

    def _sorted_blocks(self, tier: KeySet) -> Iterator[Block]:
        worker, width = self._crew.worker, self._batches.width
        keys = worker.sorted(tier.keys, self._batches.zeros(tier.count * width), tier.count)
        for begin in range(0, tier.count, BLOCK):
            yield worker.put_keys(keys, begin, min(BLOCK, tier.count - begin))

    def _successors(self, worker: Worker) -> Successors:
        with self._lock:
            if worker not in self._made:
                self._made[worker] = Successors(self._batches, worker, self._room)
            return self._made[worker]

    def _sort(self, room: Successors, level: int, above: int) -> None:
        keys, spans = room.worker.absorb(room.keys, room.other, room.used, level)
        width = self._batches.width
        for there, begin, end in spans:
            if there > above:
                self.add(there, keys[begin * width : end * width])
        room.used = 0

    # --- merging ------------------------------------------------------------------------------

    def blocks(self, level: int, worker: Worker) -> Iterator[Block]:
        """The keys of a level, sorted and without repetition, as the blocks of a layer; the runs of
        the level are dropped afterwards."""
        room, width = self._successors(worker), self._batches.width
        held = 0  # keys of an unfinished block, at the beginning of `room.block`
        for keys, size in self._merged(level, room):
            at = 0
            while at < size:
                if held == 0 and size - at >= BLOCK:
                    yield worker.put_keys(keys, at, BLOCK)
                    at += BLOCK
                    continue
                taken = min(BLOCK - held, size - at)
                part = keys[at * width : (at + taken) * width]
                room.block[held * width : (held + taken) * width] = part
                at, held = at + taken, held + taken
                if held == BLOCK:
                    yield worker.put_keys(room.block, 0, BLOCK)
                    held = 0
        if held:
            yield worker.put_keys(room.block, 0, held)
        del self._runs[level]
        self._store.drop(_name(level))

    def _merged(self, level: int, room: Successors) -> Iterator[tuple[Numbers, int]]:
        """Sorted keys without repetition, a range of keys at a time, and their number."""
        runs, width = self._runs[level], self._batches.width
        for ends in self._ranges(level):
            used = 0
            for number, (run, end) in enumerate(zip(runs, ends, strict=True)):
                size = end - run.begin
                part = room.keys[used * width : (used + size) * width]
                self._store.read(_name(level), run.begin * width, part)
                used += size
                runs[number] = Run(end, run.end)
            if len(runs) == 1:
                yield room.keys, used
            else:
                keys, spans = room.worker.absorb(
                    room.keys, room.other, used, level - self._batches.low
                )
                yield keys, sum(end - begin for _, begin, end in spans)

    def _ranges(self, level: int) -> Iterator[list[int]]:
        """For each range of keys, the place in every run behind the keys of the range. The keys of
        a range fit the room."""
        runs = [*self._runs[level]]
        total = sum(run.count for run in runs)
        if total > self._room:
            if len(runs) == 1:
                for begin in count(runs[0].begin + self._room, self._room):
                    if begin >= runs[0].end:
                        break
                    yield [begin]
            else:
                step = max(1, self._room // (2 * (len(runs) + SAMPLES)))
                samples = sorted(
                    self._key(level, place)
                    for run in runs
                    for place in range(run.begin, run.end, step)
                )
                every = max(1, self._room // step - 2 * len(runs))
                for first in samples[every::every]:
                    yield [self._place(level, run, first) for run in runs]
        yield [run.end for run in runs]

    def _key(self, level: int, place: int) -> Key:
        row = array("q", bytes(8 * self._batches.width))
        self._store.read(_name(level), place * self._batches.width, row)
        return tuple(row)

    def _place(self, level: int, run: Run, key: Key) -> int:
        """The first place of a run with at least a key."""
        low, high = run.begin, run.end
        while low < high:
            middle = (low + high) // 2
            if self._key(level, middle) < key:
                low = middle + 1
            else:
                high = middle
        return low


def _enter(tier: KeySet, keys: Numbers, begin: int, end: int, most: int) -> None:
    """Add keys to a tier. Raises OutOfMemoryError if there may be too many."""
    if tier.bytes_for(tier.count + end - begin) > most:
        raise OutOfMemoryError(tier.count, most)
    tier.enter(keys, begin, end)


def _name(level: int) -> str:
    return f"keys_{level}"
