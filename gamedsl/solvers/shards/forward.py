"""The layers of a game, from the first position on: all positions that can be reached, by level.

A layer is expanded block by block. The keys of successors are sorted as often as the room for keys
is full, and appended as a sorted run to the numbers of their level. When no layer below is left,
the runs of a level are merged: read in ranges of keys that fit the room, and sorted once more
(delayed duplicate detection; R. E. Korf, AAAI 2004). Layers are sorted and without repetition, so
their bytes depend neither on the room nor on the number of threads.

Where moves can keep the level, a layer is a tier: its keys are in memory while it is expanded, as
many generations as it takes, and sorted at last.

Several processes share the blocks of a layer, and each keeps the runs that come of its blocks. When
runs are merged, each process takes a range of keys at a time, which the others send. A tier is in
the memory of every process: the keys of a generation are sent to all.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from threading import Lock

from gamedsl.game.batches import BLOCK, Batches, Block, Key, KeySet, LayerStore, Numbers, Worker
from gamedsl.solvers.graphs.graph import OutOfMemoryError
from gamedsl.solvers.shards.crew import Crew
from gamedsl.source.records import dataclass

BESIDE = "beside_0"
"""The name of the successors inside a tier."""
NUMBER = 8
"""Bytes of a number."""
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

    def next_level(self) -> int | None:
        """The least level with keys, of any process."""
        least = self._crew.ranks.gather(min(self._runs, default=None))
        return min((level for level in least if level is not None), default=None)

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
        for keys, size in self._merged(level):
            self._append(BESIDE, keys[: size * self._batches.width])
        self._enter_beside(tier, most)

        def expand_block(worker: Worker, begin: int) -> int:
            room, width = self._successors(worker), self._batches.width
            size = min(BLOCK, generation - begin)
            room.block[: size * width] = tier.keys[begin * width : (begin + size) * width]
            at = 0
            while at < size:
                at, room.used = worker.expand(room.block, at, size, room.keys, room.used)
                if at < size:
                    self._sort(room, level, level, grows=True)
            return size

        expanded = 0
        while expanded < tier.count:
            generation = tier.count
            for done in self._crew.ordered(expand_block, range(expanded, generation, BLOCK)):
                tell(done)
            for room in self._made.values():
                self._sort(room, level, level, grows=True)
            self._enter_beside(tier, most)
            expanded = generation
        yield from self._sorted_blocks(tier)

    def _enter_beside(self, tier: KeySet, most: int) -> None:
        """Add the successors inside a tier that all processes have found."""
        ranks, width, read = self._crew.ranks, self._batches.width, 0
        room = self._successors(self._crew.worker)
        part = self._room // ranks.size * width
        while True:
            got = self._store.read(BESIDE, read, room.keys[:part])
            read += got
            for rank in range(1, ranks.size):
                room.keys[rank * got : (rank + 1) * got] = room.keys[:got]
            keys, counts = ranks.exchange(room.keys, [got] * ranks.size, room.other)
            if not any(counts):
                break
            count = sum(counts) // width
            if tier.bytes_for(tier.count + count) > most:
                raise OutOfMemoryError(tier.count, most)
            tier.enter(keys, 0, count)
        self._store.drop(BESIDE)

    def _sorted_blocks(self, tier: KeySet) -> Iterator[Block]:
        width, worker = self._batches.width, self._crew.worker
        keys = worker.sorted(tier.keys, self._batches.zeros(tier.count * width), tier.count)

        def put_block(worker: Worker, begin: int) -> Block:
            return self._packed(worker, keys, begin, min(BLOCK, tier.count - begin))

        yield from self._crew.ordered(put_block, range(0, tier.count, BLOCK))

    def _packed(self, worker: Worker, keys: Numbers, begin: int, count: int) -> Block:
        return self._store.packed(worker.put_keys(keys, begin, count))

    def _append(self, name: str, keys: Numbers) -> None:
        with self._lock:
            self._store.append(name, keys)

    def _successors(self, worker: Worker) -> Successors:
        with self._lock:
            if worker not in self._made:
                self._made[worker] = Successors(self._batches, worker, self._room)
            return self._made[worker]

    def _sort(self, room: Successors, level: int, above: int, *, grows: bool = False) -> None:
        """Add successors to their levels above a level, and to the tier of their origins, if it
        grows."""
        keys, spans = room.worker.absorb(room.keys, room.other, room.used, level)
        width = self._batches.width
        for there, begin, end in spans:
            if there > above:
                self.add(there, keys[begin * width : end * width])
            elif grows:
                self._append(BESIDE, keys[begin * width : end * width])
        room.used = 0

    # --- merging ------------------------------------------------------------------------------

    def blocks(self, level: int) -> Iterator[Block]:
        """The keys of a level, sorted and without repetition, as the blocks of a layer; the runs of
        the level are dropped afterwards. Each range of keys makes whole blocks of its own; the keys
        before and behind them come together at process 0."""
        width, worker, ranks = self._batches.width, self._crew.worker, self._crew.ranks
        held, done = bytearray(), 0

        def put_block(worker: Worker, begin: int) -> Block:
            return self._packed(worker, keys, begin, BLOCK)

        def put_held() -> Block:
            row = self._batches.zeros(len(held) // NUMBER)
            memoryview(row).cast("B")[:] = held
            return self._packed(worker, row, 0, len(row) // width)

        for keys, size in self._merged(level):
            sizes = ranks.gather(size)
            before = done + sum(sizes[: ranks.rank])
            done += sum(sizes)
            head = min(size, -before % BLOCK)
            behind = size - (size - head) % BLOCK
            middle = [*self._crew.here(put_block, range(head, behind, BLOCK))]
            begin, end = (
                bytes(memoryview(keys)[a * width : b * width])
                for a, b in ((0, head), (behind, size))
            )
            for first, blocks, last in ranks.hand_in((begin, middle, end)):
                held += first
                if len(held) == BLOCK * width * NUMBER:
                    yield put_held()
                    held.clear()
                yield from blocks
                held += last
        if held:
            yield put_held()

    def _merged(self, level: int) -> Iterator[tuple[Numbers, int]]:
        """Sorted keys without repetition, a range of keys at a time, and their number. Ranges go to
        the processes in turn; each process comes to as many, the last of them perhaps empty."""
        ranks, width, name = self._crew.ranks, self._batches.width, _name(level)
        room = self._successors(self._crew.worker)
        runs = self._runs.pop(level, [])
        many = sum(ranks.gather(len(runs)))
        ranges = [*pairwise(self._cuts(level, runs, many))]
        for first in range(0, len(ranges), ranks.size):
            used, counts = 0, [0] * ranks.size
            for rank, (begins, ends) in enumerate(ranges[first : first + ranks.size]):
                for begin, end in zip(begins, ends, strict=True):
                    size = (end - begin) * width
                    self._store.read(name, begin * width, room.keys[used : used + size])
                    used, counts[rank] = used + size, counts[rank] + size
            keys, received = ranks.exchange(room.keys, counts, room.other)
            count = sum(received) // width
            if many > 1:
                other = room.other if keys is room.keys else room.keys
                keys, spans = room.worker.absorb(keys, other, count, level - self._batches.low)
                count = sum(end - begin for _, begin, end in spans)
            yield keys, count
        self._store.drop(name)

    def _cuts(self, level: int, runs: list[Run], many: int) -> Iterator[list[int]]:
        """The places in the runs of this process, of `many` of all, between ranges of keys. A range
        for each process at a time fits the room of one."""
        ranks = self._crew.ranks
        total = sum(ranks.gather(sum(run.count for run in runs)))
        most = self._room // ranks.size
        yield [run.begin for run in runs]
        if total > most:
            step = max(1, most // (2 * (many + SAMPLES)))
            own = [
                self._key(level, place) for run in runs for place in range(run.begin, run.end, step)
            ]
            samples = sorted(chain.from_iterable(ranks.gather(own)))
            every = max(1, most // step - 2 * many)
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


def _name(level: int) -> str:
    return f"keys_{level}"
