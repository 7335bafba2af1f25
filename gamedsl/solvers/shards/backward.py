"""The values of layers, from the last to the first.

If the later layers with successors of a layer fit in a table, each block of keys is settled by
lookup of the successors. If not, the later layers are cut into parts that fit: first the keys of
all successors are written, each key to the file of a part; then the parts are loaded in turn, and
answer with codes; then the keys are settled from the codes, in the order of writing.

Several processes share the blocks of a layer, and the parts of the later layers: each process asks
and settles for its blocks, and answers all others from the table of its part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from gamedsl.game.batches import (
    BLOCK,
    Answers,
    Batches,
    Block,
    Key,
    LayerStore,
    Numbers,
    Parts,
    StoredLayer,
    Worker,
)
from gamedsl.solvers.shards.crew import Crew
from gamedsl.source.records import dataclass

Tell = Callable[[int], None]
TIER_SHARES = 4
"""Shares of a tier that are asked for one after the other. More take less room on the disk, and
load all parts more often."""


@dataclass(frozen=True, slots=True)
class Part:
    """Blocks of a later layer whose keys and codes fit in a table."""

    level: int
    layer: StoredLayer
    begin: int
    end: int

    @property
    def count(self) -> int:
        """Number of keys."""
        return min(self.layer.count, self.end * BLOCK) - self.begin * BLOCK

    @property
    def start(self) -> tuple[int, Key]:
        """The level and the first key."""
        return self.level, self.layer.first(self.begin)


class Settling:
    """Layers being settled; `room`: number of keys in a table."""

    def __init__(self, batches: Batches, store: LayerStore, room: int, crew: Crew) -> None:
        self._batches, self._store, self._crew = batches, store, crew
        self._blocks = max(1, room // BLOCK)
        self._rooms: dict[Worker, tuple[Numbers, Numbers]] = {}
        self._places: list[int] = []

    def settle(self, level: int, later: list[int], tell: Tell) -> None:
        """Keep the codes of a layer, whose successors are in some `later` layers."""
        layer = self._store.layer(level)
        self._store.keep_codes(level, self._settled(layer, self._answers(layer, later), tell))

    def _answers(
        self, layer: StoredLayer, later: Sequence[int], least: int = 1
    ) -> Iterator[tuple[range, Answers]]:
        """The codes of later layers for the blocks of a layer: of all blocks, in a table of each
        process, if the codes fit; else in parts, for successors at least `least` levels higher."""
        layers = [(there, self._store.layer(there)) for there in later]
        if sum(each.blocks for _, each in layers) <= self._blocks:
            whole = [Part(there, each, 0, each.blocks) for there, each in layers]
            yield range(layer.blocks), Answers(self._table(whole))
        else:
            yield from self._asked(layer, self._parts(later, self._blocks), least)

    def _parts(self, levels: Sequence[int], blocks: int) -> list[Part]:
        """Layers in parts of so many blocks."""
        return [
            Part(level, layer, begin, min(begin + blocks, layer.blocks))
            for level in levels
            for layer in (self._store.layer(level),)
            for begin in range(0, layer.blocks, blocks)
        ]

    def _asked(
        self, layer: StoredLayer, parts: list[Part], least: int
    ) -> Iterator[tuple[range, Answers]]:
        """The answers of parts for all successors of the blocks of a layer that are at least
        `least` levels higher. A tier is asked for share by share, since its moves lie on the disk
        besides the answers."""
        size, shares = self._crew.ranks.size, 1 if self._batches.low else TIER_SHARES
        for blocks in _shares(layer.blocks, min(shares, len(parts))):
            self._ask(layer, blocks, parts, least)
            for first in range(0, len(parts), size):
                self._answer(first, parts[first : first + size])
            self._places = [0] * len(parts)
            yield blocks, Answers(None, self._rows(parts, 1))
            for number in range(len(parts)):
                self._store.drop(_codes(number))

    def _room(self, worker: Worker) -> tuple[Numbers, Numbers]:
        """Room of a thread for a block of keys and a block of codes."""
        if worker not in self._rooms:
            zeros, width = self._batches.zeros, self._batches.width
            self._rooms[worker] = (zeros(BLOCK * width), zeros(BLOCK))
        return self._rooms[worker]

    # --- codes of later layers ----------------------------------------------------------------

    def _table(self, parts: list[Part]) -> Numbers:
        """A table of the keys and codes of parts."""
        table = self._batches.table(sum(part.count for part in parts))
        worker = self._crew.worker
        keys, codes = self._room(worker)
        for part in parts:
            for number in range(part.begin, part.end):
                block = part.layer.keys(number)
                worker.take_keys(block, keys, 0)
                worker.take_codes(part.layer.codes(number), codes)
                worker.load(keys, codes, block.count, table)
        return table

    def _settled(
        self, layer: StoredLayer, answered: Iterator[tuple[range, Answers]], tell: Tell
    ) -> Iterator[Block]:
        def settle_block(worker: Worker, number: int) -> Block:
            keys, codes = self._room(worker)
            block = layer.keys(number)
            worker.take_keys(block, keys, 0)
            at = 0
            while at < block.count:
                self._refill(answers)
                at = worker.settle(keys, at, block.count, codes, answers)
            return self._store.packed(worker.put_codes(codes, block.count))

        for blocks, answers in answered:
            in_turn = answers.parts is not None
            for block in self._crew.ordered(settle_block, blocks, in_turn=in_turn):
                tell(block.count)
                yield block

    def _ask(self, layer: StoredLayer, blocks: range, parts: list[Part], least: int) -> None:
        """Write the keys of all successors of blocks of a layer, a key to the numbers of the key's
        part."""
        worker, width = self._crew.worker, self._batches.width
        keys, _ = self._room(worker)
        rows = self._rows(parts, width)
        for number in range(len(parts)):
            self._store.drop(_keys(number))

        def ask_block(worker: Worker, number: int) -> None:
            block = layer.keys(number)
            worker.take_keys(block, keys, 0)
            at = 0
            while at < block.count:
                at = worker.ask(keys, at, block.count, rows, least)
                if at < block.count:
                    self._write(rows, width)

        for _ in self._crew.ordered(ask_block, blocks, in_turn=True):
            pass
        self._write(rows, width)

    def _rows(self, parts: list[Part], width: int) -> Parts:
        room = max(BLOCK, 2 * self._batches.most_successors)
        return self._batches.parts([part.start for part in parts], room, width)

    def _write(self, rows: Parts, width: int) -> None:
        for number, used in enumerate(rows.fill):
            begin = number * rows.room * width
            self._store.append(_keys(number), rows.rows[begin : begin + used * width])
            rows.fill[number] = 0

    def _answer(self, first: int, parts: list[Part]) -> None:
        """Write the code of each key of the numbers of some parts, from the part `first` on, one
        for each process. The keys go to the process of the part, which sends the codes back."""
        width, ranks = self._batches.width, self._crew.ranks
        look_up = self._answering(parts[ranks.rank : ranks.rank + 1])
        keys, codes = self._room(self._crew.worker)
        asked, answers = self._batches.zeros(BLOCK * width), self._batches.zeros(BLOCK)
        share, places = BLOCK // ranks.size * width, [0] * ranks.size
        numbers = range(first, first + len(parts))
        for number in numbers:
            self._store.drop(_codes(number))
        while True:
            counts, used = [0] * ranks.size, 0
            for rank, number in enumerate(numbers):
                row = keys[used : used + share]
                counts[rank] = self._store.read(_keys(number), places[rank], row)
                places[rank], used = places[rank] + counts[rank], used + counts[rank]
            if not any(chain.from_iterable(ranks.gather(counts))):
                break
            questions, received = ranks.exchange(keys, counts, asked)
            look_up(questions, sum(received) // width, answers)
            back, sizes = ranks.exchange(answers, [n // width for n in received], codes)
            used = 0
            for number, size in zip(numbers, sizes, strict=False):
                self._store.append(_codes(number), back[used : used + size])
                used += size
        for number in numbers:
            self._store.drop(_keys(number))

    def _answering(self, parts: list[Part]) -> Callable[[Numbers, int, Numbers], None]:
        """Writes the answers of parts to a number of keys."""
        table = self._table(parts)
        return lambda keys, count, codes: self._crew.worker.look_up(keys, count, codes, table)

    def _refill(self, answers: Answers) -> None:
        """Fill the rows of all parts, if any, with further codes."""
        rows = answers.parts
        if rows is None:
            return
        for number, place in enumerate(rows.fill):
            begin, left = number * rows.room, rows.ends[number] - place
            row = rows.rows[begin : begin + rows.room]
            row[:left] = row[place : place + left]
            got = self._store.read(_codes(number), self._places[number], row[left:])
            self._places[number] += got
            rows.fill[number], rows.ends[number] = 0, left + got
            rows.more[number] = got == rows.room - left


def _keys(number: int) -> str:
    return f"asked_{number}"


def _codes(number: int) -> str:
    return f"answers_{number}"


def _shares(blocks: int, many: int) -> Iterator[range]:
    """Blocks in at most so many shares of equal size."""
    size = -(-blocks // many) or 1
    return (range(begin, min(begin + size, blocks)) for begin in range(0, blocks, size))
