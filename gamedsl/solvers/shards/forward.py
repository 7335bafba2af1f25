"""The layers of a game, from the first position on: all positions that can be reached, by level.

A layer is expanded block by block. The keys of successors are sorted as often as the room for keys
is full, and appended as a sorted run to the numbers of their level. When no layer below is left,
the runs of a level are merged: read in ranges of keys that fit the room, and sorted once more
(delayed duplicate detection; R. E. Korf, AAAI 2004). Layers are sorted and without repetition, so
their bytes depend neither on the room nor on the number of threads.

Where moves can keep the level, a layer is a tier: expanded as many generations as it takes. The new
keys of a generation are merged like the keys of a level, and make a sorted run, less the known keys
of the tier. Known keys are a set in memory; where the set does not fit, runs in a file, one for
each generation, and every generation is compared with all runs.

Several processes share the blocks of a layer, and each keeps the runs that come of its blocks. When
runs are merged, each process takes a range of keys at a time, which the others send. Every process
has all keys of a tier: the keys of a generation are sent to all.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from threading import Lock

from gamedsl.game.batches import BLOCK, Batches, Block, Key, KeySet, LayerStore, Numbers, Worker
from gamedsl.solvers.shards.crew import Crew
from gamedsl.source.records import dataclass

KNOWN = ("known_0", "known_1")
"""The names of the keys of a tier, before and after their runs are merged."""
MOST_RUNS = 32
"""Runs of a tier that are compared with a generation; more are merged."""
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


@dataclass(frozen=True, slots=True)
class Runs:
    """Sorted runs in the numbers of a name, one behind the other."""

    name: str
    runs: list[Run]

    @property
    def end(self) -> int:
        """Number of keys."""
        return self.runs[-1].end if self.runs else 0


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
        self._runs: dict[int, Runs] = {}
        self._lock = Lock()
        self._made: dict[Worker, Successors] = {}

    def next_level(self) -> int | None:
        """The least level with keys, of any process."""
        least = self._crew.ranks.gather(min(self._runs, default=None))
        return min((level for level in least if level is not None), default=None)

    def add(self, level: int, keys: Numbers) -> None:
        """Add a sorted run of keys of a level."""
        with self._lock:
            held = self._runs.get(level)
            if held is None:
                held = self._runs[level] = Runs(f"keys_{level}", [])
                self._store.drop(held.name)
            self._add(held, keys)

    def _add(self, held: Runs, keys: Numbers) -> None:
        self._store.append(held.name, keys)
        held.runs.append(Run(held.end, held.end + len(keys) // self._batches.width))

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
        them, generation by generation; the successors of higher levels are added. `most`: bytes of
        the set of keys."""
        tier, width = _Grown(self._batches.key_set(), most), self._batches.width

        def expand_block(worker: Worker, begin: int) -> int:
            room, size = self._successors(worker), min(BLOCK, tier.held.end - begin)
            if tier.keys is None:
                with self._lock:
                    self._store.read(tier.held.name, begin * width, room.block[: size * width])
            else:
                room.block[: size * width] = tier.keys.keys[begin * width : (begin + size) * width]
            at = 0
            while at < size:
                at, room.used = worker.expand(room.block, at, size, room.keys, room.used)
                if at < size:
                    self._sort(room, level, level - 1)
            return size

        while self._take_generation(tier, level):
            begin, end = tier.held.runs[-1].begin, tier.held.end
            for done in self._crew.ordered(expand_block, range(begin, end, BLOCK)):
                tell(done)
            for room in self._made.values():
                self._sort(room, level, level - 1)
            if tier.keys is None and len(tier.held.runs) > MOST_RUNS:
                self._merge(tier, level)
        if tier.keys is None:
            yield from self.blocks(level, tier.held)
        else:
            yield from self._sorted_blocks(tier.keys)

    def _take_generation(self, tier: _Grown, level: int) -> bool:
        """Add the keys of a level that are new to a tier, as a run; return whether there are
        some."""
        begin = end = tier.held.end
        for keys, size in self._merged(level, self._runs.pop(level, None)):
            keys, size = self._shared(keys, size)
            if tier.keys is not None and tier.keys.bytes_for(end + size) > tier.most:
                self._store.drop(tier.held.name)
                self._store.append(tier.held.name, tier.keys.keys[: end * self._batches.width])
                tier.keys = None
            if tier.keys is not None:
                tier.keys.enter(keys, 0, size)
                end = tier.keys.count
            else:
                size = self._unknown(tier.held, keys, size)
                self._store.append(tier.held.name, keys[: size * self._batches.width])
                end += size
        if end > begin:
            tier.held.runs.append(Run(begin, end))
        return end > begin

    def _unknown(self, held: Runs, keys: Numbers, count: int) -> int:
        """Leave the sorted keys that are in no run; return their number."""
        worker, width = self._crew.worker, self._batches.width
        other = self._other(keys)
        if not count:
            return 0
        first, last = (tuple(keys[at * width : (at + 1) * width]) for at in (0, count - 1))
        for run in held.runs:
            place, end = self._place(held, run, first), self._place(held, run, last) + 1
            for at in range(place, min(end, run.end), self._room):
                size = min(self._room, min(end, run.end) - at) * width
                self._store.read(held.name, at * width, other[:size])
                count = worker.leave_out(count, keys, size // width, other)
        return count

    def _merge(self, tier: _Grown, level: int) -> None:
        """Merge the runs of a tier in files."""
        merged = Runs(KNOWN[KNOWN.index(tier.held.name) - 1], [])
        end = 0
        for keys, size in self._merged(level, self._dealt(tier.held)):
            keys, size = self._shared(keys, size)
            self._store.append(merged.name, keys[: size * self._batches.width])
            end += size
        merged.runs.append(Run(0, end))
        tier.held = merged

    def _dealt(self, shared: Runs) -> Runs | None:
        """Runs that every process holds, as runs of process 0 alone."""
        if self._crew.ranks.rank == 0:
            return shared
        self._store.drop(shared.name)
        return None

    def _other(self, keys: Numbers) -> Numbers:
        """The room for keys that does not hold some keys."""
        room = self._successors(self._crew.worker)
        return room.other if keys is room.keys else room.keys

    def _shared(self, keys: Numbers, count: int) -> tuple[Numbers, int]:
        """The sorted keys of a range of each process, at every process, and their number."""
        ranks, size = self._crew.ranks, count * self._batches.width
        if ranks.size == 1:
            return keys, count
        other = self._other(keys)
        for rank in range(ranks.size):
            other[rank * size : (rank + 1) * size] = keys[:size]
        keys, counts = ranks.exchange(other, [size] * ranks.size, keys)
        return keys, sum(counts) // self._batches.width

    def _sorted_blocks(self, tier: KeySet) -> Iterator[Block]:
        width, worker = self._batches.width, self._crew.worker
        keys = worker.sorted(tier.keys, self._batches.zeros(tier.count * width), tier.count)

        def put_block(worker: Worker, begin: int) -> Block:
            return self._packed(worker, keys, begin, min(BLOCK, tier.count - begin))

        yield from self._crew.ordered(put_block, range(0, tier.count, BLOCK))

    def _packed(self, worker: Worker, keys: Numbers, begin: int, count: int) -> Block:
        return self._store.packed(worker.put_keys(keys, begin, count))

    def _successors(self, worker: Worker) -> Successors:
        with self._lock:
            if worker not in self._made:
                self._made[worker] = Successors(self._batches, worker, self._room)
            return self._made[worker]

    def _sort(self, room: Successors, level: int, above: int) -> None:
        """Add successors of a layer to their levels above a level."""
        keys, spans = room.worker.absorb(room.keys, room.other, room.used, level)
        width = self._batches.width
        for there, begin, end in spans:
            if there > above:
                self.add(there, keys[begin * width : end * width])
        room.used = 0

    # --- merging ------------------------------------------------------------------------------

    def blocks(self, level: int, shared: Runs | None = None) -> Iterator[Block]:
        """The keys of a level, or those that every process holds, sorted and without repetition, as
        the blocks of a layer; the runs are dropped afterwards. Each range of keys makes whole
        blocks of its own; the keys before and behind them come together at process 0."""
        width, worker, ranks = self._batches.width, self._crew.worker, self._crew.ranks
        held, done = bytearray(), 0

        def put_block(worker: Worker, begin: int) -> Block:
            return self._packed(worker, keys, begin, BLOCK)

        def put_held() -> Block:
            row = self._batches.zeros(len(held) // NUMBER)
            memoryview(row).cast("B")[:] = held
            return self._packed(worker, row, 0, len(row) // width)

        runs = self._runs.pop(level, None) if shared is None else self._dealt(shared)
        for keys, size in self._merged(level, runs):
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

    def _merged(self, level: int, held: Runs | None) -> Iterator[tuple[Numbers, int]]:
        """Sorted keys of a level without repetition, a range of keys at a time, and their number;
        the runs are dropped afterwards. Ranges go to the processes in turn; each process comes to
        as many, the last of them perhaps empty."""
        ranks, width = self._crew.ranks, self._batches.width
        room = self._successors(self._crew.worker)
        held = held or Runs("", [])
        many = sum(ranks.gather(len(held.runs)))
        ranges = [*pairwise(self._cuts(held, many))]
        for first in range(0, len(ranges), ranks.size):
            used, counts = 0, [0] * ranks.size
            for rank, (begins, ends) in enumerate(ranges[first : first + ranks.size]):
                for begin, end in zip(begins, ends, strict=True):
                    size = (end - begin) * width
                    self._store.read(held.name, begin * width, room.keys[used : used + size])
                    used, counts[rank] = used + size, counts[rank] + size
            keys, received = ranks.exchange(room.keys, counts, room.other)
            count = sum(received) // width
            if many > 1:
                other = room.other if keys is room.keys else room.keys
                keys, spans = room.worker.absorb(keys, other, count, level - self._batches.low)
                count = sum(end - begin for _, begin, end in spans)
            yield keys, count
        if held.name:
            self._store.drop(held.name)

    def _cuts(self, held: Runs, many: int) -> Iterator[list[int]]:
        """The places in the runs of this process, of `many` of all, between ranges of keys. A range
        for each process at a time fits the room of one."""
        ranks, runs = self._crew.ranks, held.runs
        total = sum(ranks.gather(sum(run.count for run in runs)))
        most = self._room // ranks.size
        yield [run.begin for run in runs]
        if total > most:
            step = max(1, most // (2 * (many + SAMPLES)))
            own = [
                self._key(held, place) for run in runs for place in range(run.begin, run.end, step)
            ]
            samples = sorted(chain.from_iterable(ranks.gather(own)))
            every = max(1, most // step - 2 * many)
            for first in samples[every::every]:
                yield [self._place(held, run, first) for run in runs]
        yield [run.end for run in runs]

    def _key(self, held: Runs, place: int) -> Key:
        row = array("q", bytes(8 * self._batches.width))
        self._store.read(held.name, place * self._batches.width, row)
        return tuple(row)

    def _place(self, held: Runs, run: Run, key: Key) -> int:
        """The first place of a run with at least a key."""
        low, high = run.begin, run.end
        while low < high:
            middle = (low + high) // 2
            if self._key(held, middle) < key:
                low = middle + 1
            else:
                high = middle
        return low


class _Grown:
    """The keys of a tier that are known, generation by generation.

    Attributes:
        keys: the set of all keys, of at most `most` bytes; None where the keys are in a file.
        held: the runs of the keys, a sorted run for each generation, in the set or in the file.
    """

    def __init__(self, keys: KeySet | None, most: int) -> None:
        self.keys, self.most, self.held = keys, most, Runs(KNOWN[0], [])
