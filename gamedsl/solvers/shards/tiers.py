"""The values of tiers: layers among whose positions play may return.

A tier that fits in memory with its moves is one part. A larger tier is cut into ranges of positions
that fit, as later layers are (`backward`): the keys of successors are written to files by part, and
each part answers, with codes, or with numbers where the part is of the tier itself. Moves inside
the tier are written to the file of the part of the successor, and reversed part by part. Then
values spread payoff by payoff and wave by wave. In a wave one of several parts is worked on if
positions of the part wait for the wave, or predecessors of the wave before are sent to the part.
Between two waves the numbers of a part are in files, mapped to memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product

from gamedsl.game.batches import (
    BLOCK,
    Answers,
    Batches,
    Block,
    KeySet,
    LayerStore,
    Numbers,
    Parts,
    Span,
    StoredLayer,
    Tier,
    Worker,
)
from gamedsl.solvers.graphs.graph import OutOfMemoryError
from gamedsl.solvers.shards.backward import Part, Settling, Tell
from gamedsl.solvers.shards.crew import Crew

Linked = tuple[int, tuple[bytes, bytes], list[tuple[int, Block]]]
"""Positions of a tier whose successors are taken in: the number of the block, their links, and
their ways by part."""
HEAD = 4
"""Numbers in front of some ways in a file: the number of the first position of their block, the
number of ways, of planes, and of the numbers that hold the planes."""
WAYS, WAVES = "ways", ("even", "odd")
"""The names of numbers by part: moves inside a tier; predecessors of a wave."""
OF_PARTS = (WAYS, *WAVES, "links", "lists")
MOST_INSIDE = 30
"""Greatest bits of a place in a part: a way has twice as many, and some."""
USUAL_WAYS = 4
"""Moves of a position inside a tier, as parts are cut at first."""


class _LargePartError(Exception):
    """A part does not fit with its ways; `each`: as many to a position."""

    def __init__(self, each: int) -> None:
        super().__init__(each)
        self.each = each


class TierSettling(Settling):
    """Tiers being settled; `room`: number of keys in a table; `most`: bytes of a part."""

    def __init__(
        self, batches: Batches, store: LayerStore, room: int, most: int, crew: Crew
    ) -> None:
        super().__init__(batches, store, room, crew)
        self._most, self._level = most, -1

    def settle_tier(self, level: int, later: list[int], longest: int, tell: Tell) -> None:
        """Like `settle`, for a tier. `longest`: the greatest plies + 1 of the later layers. Raises
        OutOfMemoryError where not even a block of positions fits."""
        total, each = self._store.layer(level).count, USUAL_WAYS
        inside = min(MOST_INSIDE, max(total, BLOCK - 1).bit_length())
        while True:
            spans = _spans(total, inside)
            if self._batches.tier_bytes(spans[0], each * spans[0].count) <= self._most:
                try:
                    return self._settle_parts(level, later, longest, spans, tell)
                except _LargePartError as error:
                    each, tell = error.each, _nothing
            inside -= 1
            if 1 << inside < BLOCK:
                raise OutOfMemoryError(total, self._most)

    def _settle_parts(
        self, level: int, later: list[int], longest: int, spans: list[Span], tell: Tell
    ) -> None:
        """Like `settle_tier`, in parts. Raises _LargePartError."""
        batches, store = self._batches, self._store
        layer, self._level = store.layer(level), level
        make = store.numbers if len(spans) > 1 else _in_memory(batches)
        tiers = [batches.tier(span, longest, make) for span in spans]
        try:
            self._link(layer, tiers, later, tell)
            ways = self._crew.ranks.gather([tier.ways for tier in tiers])[0]
            for span, many in zip(spans, ways, strict=True):
                if batches.tier_bytes(span, many) > self._most:
                    raise _LargePartError(-(-many // span.count))
            with self._crew.alone() as is_first:
                if is_first:
                    for tier in tiers:
                        tier.reverse(partial(self._ways_to, tier.span.number))
                        store.drop(_ways(tier.span.number))
                        _leave(tier)
                    self._spread(tiers, batches.waves(longest))
                    store.keep_codes(level, self._finished(layer, tiers))
        finally:
            tiers.clear()  # arrays in files are closed
            for span, name in product(spans, OF_PARTS):
                store.drop(f"{name}_{span.number}")

    # --- ways ---------------------------------------------------------------------------------

    def _link(
        self, layer: StoredLayer, tiers: list[Tier], later: Sequence[int], tell: Tell
    ) -> None:
        """Take in the successors of all positions."""
        first = tiers[0]
        if len(tiers) == 1:
            first.hold_keys(self._keys_of(Part(self._level, layer, 0, layer.blocks)))
            codes = self._answers(layer, later)
        else:
            own = self._parts([self._level], -(-(1 << first.span.inside) // BLOCK))
            codes = self._asked(layer, [*own, *self._parts(later, self._blocks)], 0)
        for number, links, chunks in self._linked(layer, tiers, codes):
            tier, place = _place_of(number, tiers)
            tier.take_links(place, links)
            for part, chunk in chunks:
                tiers[part].ways += chunk.count
                self._write_ways(part, number, chunk)
            if _is_last(number, tier):
                _leave(tier)
            tell(BLOCK)
        first.hold_keys(None)

    def _linked(
        self, layer: StoredLayer, tiers: list[Tier], answered: Iterator[tuple[range, Answers]]
    ) -> Iterator[Linked]:
        """The blocks of a tier, whose successors are taken in."""
        made: dict[Worker, Parts] = {}

        def link_block(worker: Worker, number: int) -> Linked:
            if worker not in made:
                made[worker] = self._place_rows(len(tiers))
            (keys, _), ways, chunks = self._room(worker), made[worker], list[tuple[int, Block]]()
            block, at, (tier, place) = layer.keys(number), 0, _place_of(number, tiers)
            worker.take_keys(block, keys, 0)
            while at < block.count:
                self._refill(answers)
                at = worker.link(tier, keys, (at, block.count, number * BLOCK), answers, ways)
                for part, used in enumerate(ways.fill):
                    begin = part * ways.room
                    for there in range(begin, begin + used, BLOCK):
                        count = min(BLOCK, begin + used - there)
                        row = ways.rows[there : there + count]
                        chunks.append((part, worker.put_codes(row, count)))
                    ways.fill[part] = 0
            return number, tier.links(place, place + block.count), chunks

        for blocks, answers in answered:
            in_turn = answers.parts is not None
            yield from self._crew.ordered(link_block, blocks, in_turn=in_turn)

    def _place_rows(self, parts: int) -> Parts:
        """Rows of ways, or of places, by part."""
        room = max(BLOCK, 2 * (self._batches.most_successors + 1))
        return self._batches.parts([self._batches.root] * parts, room, 1)

    def _keys_of(self, part: Part) -> KeySet:
        """The keys of a part in a table; their numbers begin with 0."""
        keys, (row, _) = self._batches.key_set(part.count), self._room(self._crew.worker)
        for number in range(part.begin, part.end):
            block = part.layer.keys(number)
            self._crew.worker.take_keys(block, row, 0)
            keys.enter(row, 0, block.count)
        return keys

    def _answering(self, parts: list[Part]) -> Callable[[Numbers, int, Numbers], None]:
        """Like `Settling._answering`; a part of the tier answers with numbers, plus 1."""
        if all(part.level != self._level for part in parts):
            return super()._answering(parts)
        (part,) = parts
        return partial(self._keys_of(part).look_up, part.begin * BLOCK)

    def _write_ways(self, part: int, number: int, ways: Block) -> None:
        """Write ways of a block to the file of a part."""
        planes = memoryview(ways.content).cast("q")
        head = self._batches.zeros(HEAD)
        for place, each in enumerate((number * BLOCK, ways.count, *ways.sizes, len(planes))):
            head[place] = each
        self._store.append(_ways(part), head[:HEAD])
        self._store.append(_ways(part), planes)

    def _ways_to(self, part: int) -> Iterator[tuple[int, Numbers, int]]:
        """The ways to a part, as `Tier.reverse` takes them."""
        head, planes, row = (self._batches.zeros(size) for size in (HEAD, BLOCK, BLOCK))
        name, at = _ways(part), 0
        while self._store.read(name, at, head[:HEAD]):
            first, count, size, words = head[:HEAD]
            self._store.read(name, at + HEAD, planes[:words])
            block = Block(count, (), (size,), bytes(planes[:words]))
            self._crew.worker.take_numbers(block, row)
            yield first, row, count
            at += HEAD + words

    # --- values -------------------------------------------------------------------------------

    def _spread(self, tiers: list[Tier], waves: int) -> None:
        """Settle the positions of all parts, level of payoff by level of payoff, wave by wave."""
        batches, queue = self._batches, self._batches.zeros(tiers[0].span.count)
        for value, forcer in batches.payoffs_in_order:
            for tier in tiers:
                tier.begin_level(value, forcer, queue)
                _leave(tier)
            if len(tiers) == 1:
                batches.refuse_length(tiers[0].spread_alone())
            else:
                self._spread_waves(tiers, waves)

    def _spread_waves(self, tiers: list[Tier], waves: int) -> None:
        """Settle the positions of several parts with a payoff, wave by wave."""
        reached, beyond = (
            _Places(self._store, name, self._place_rows(len(tiers))) for name in WAVES
        )
        length = 0
        while length < waves or reached.parts:
            length += 1
            for part, tier in enumerate(tiers):
                if part not in reached.parts and not tier.is_awaited(length):
                    continue
                self._batches.refuse_length(length)
                tier.begin_wave(length)
                for row, count in reached.taken(part):
                    tier.reach(row, count)
                while tier.spread(beyond.rows):
                    beyond.write()
                beyond.write()
                _leave(tier)
            reached, beyond = beyond, reached

    def _finished(self, layer: StoredLayer, tiers: list[Tier]) -> Iterator[Block]:
        """The codes of a settled tier."""

        def finish_block(worker: Worker, number: int) -> Block:
            keys, codes = self._room(worker)
            block, (tier, place) = layer.keys(number), _place_of(number, tiers)
            worker.take_keys(block, keys, 0)
            worker.finish(tier, keys, place, block.count, codes)
            return self._store.packed(worker.put_codes(codes, block.count))

        for number, block in enumerate(self._crew.ordered(finish_block, range(layer.blocks))):
            yield block
            tier, _ = _place_of(number, tiers)
            if _is_last(number, tier):
                _leave(tier)


class _Places:
    """Places of predecessors by part: in rows, and in files where the row of a part was full."""

    def __init__(self, store: LayerStore, name: str, rows: Parts) -> None:
        self.rows, self._store, self._name = rows, store, name
        self._written = set[int]()

    @property
    def parts(self) -> set[int]:
        """The parts with places."""
        return self._written | {part for part, used in enumerate(self.rows.fill) if used}

    def write(self) -> None:
        """Write full rows to files."""
        for part, used in enumerate(self.rows.fill):
            if used == self.rows.room:
                self._store.append(f"{self._name}_{part}", self._row(part))
                self._written.add(part)

    def _row(self, part: int) -> Numbers:
        """The places of a part in the rows, which are forgotten."""
        begin, used = part * self.rows.room, self.rows.fill[part]
        self.rows.fill[part] = 0
        return self.rows.rows[begin : begin + used]

    def taken(self, part: int) -> Iterator[tuple[Numbers, int]]:
        """The places of a part, some at a time, and how many; they are forgotten."""
        row = self._row(part)
        yield row, len(row)
        if part in self._written:
            name, at = f"{self._name}_{part}", 0
            whole = self.rows.rows[part * self.rows.room : (part + 1) * self.rows.room]
            while count := self._store.read(name, at, whole):
                yield whole, count
                at += count
            self._store.drop(name)
            self._written.discard(part)


def _spans(total: int, inside: int) -> list[Span]:
    """A tier in parts of so many bits."""
    firsts = range(0, total, 1 << inside)
    return [
        Span(number, min(total - first, 1 << inside), total, inside)
        for number, first in enumerate(firsts)
    ]


def _place_of(block: int, tiers: Sequence[Tier]) -> tuple[Tier, int]:
    """The part with a block of the layer, and the place of the block's first position."""
    tier = tiers[block * BLOCK >> tiers[0].span.inside]
    return tier, block * BLOCK - tier.span.first


def _is_last(block: int, tier: Tier) -> bool:
    """Whether a block is the last of its part."""
    return (block + 1) * BLOCK >= tier.span.first + tier.span.count


def _leave(tier: Tier) -> None:
    """End the work on a part for now."""
    if tier.span.count < tier.span.total:
        tier.give_back()


def _in_memory(batches: Batches) -> Callable[[str, int], Numbers]:
    return lambda _, count: batches.zeros(count)


def _nothing(_: int) -> None:
    """Progress that is told already."""


def _ways(part: int) -> str:
    return f"{WAYS}_{part}"
