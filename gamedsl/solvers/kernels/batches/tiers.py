"""The set of keys that grows while a tier is expanded, and the parts of a tier being settled.

In: the code and the payoffs of a game's batches. Out: `KernelKeys` and `KernelTier`, which
`KernelBatches` offers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gamedsl.game.accelerator import Payoffs
from gamedsl.game.batches import Parts, Span
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.solvers.exact.retrograde import endless_forcer
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.batches import tier_kernel as kernel
from gamedsl.solvers.kernels.batches.batch_kernel import PartArrays
from gamedsl.solvers.kernels.memory import NUMBER, give_back, zeros
from gamedsl.solvers.kernels.retrograde.levels import levels_of
from gamedsl.solvers.kernels.retrograde.parts import row_of

FULLEST = (2, 3)
"""The load factor of slots."""
LEAST_KEYS = 1 << 14
SLICE = 1 << 16
"""Positions of a slice of work."""
EACH = 5
"""Numbers of a position of a tier besides its ways: `TierArrays`."""


def slots_for(count: int) -> int:
    """Number of slots for so many keys."""
    return count * FULLEST[1] // FULLEST[0] + 1


def tier_bytes(width: int, span: Span, ways: int) -> int:
    """Bytes of a part of a tier with so many ways: with keys, or with ways."""
    keys = width * span.count + slots_for(span.count) + 2 * span.count
    linked = EACH * span.count + row_of(ways, span.total.bit_length())
    return max(keys, linked) * NUMBER


class KernelKeys:
    """Like `KeySet`."""

    def __init__(self, assembly: Assembly, width: int, room: int) -> None:
        self._assembly, self._width = assembly, width
        self.count, self._room = 0, max(LEAST_KEYS, room)
        self.keys = zeros(self._room * width)
        self.slots = zeros(slots_for(self._room))

    def enter(self, keys: Any, begin: int, end: int) -> None:
        """Like `KeySet.enter`."""
        new = memoryview(keys)[begin * self._width : end * self._width]
        if self.count + end - begin > self._room:
            self._room = 2 * (self.count + end - begin)
            held, self.keys = self.keys, zeros(self._room * self._width)
            self.keys[: self.count * self._width] = held[: self.count * self._width]
            self.slots = zeros(slots_for(self._room))
            for place in range(0, self.count, SLICE):
                behind = min(self.count, place + SLICE)
                self._assembly.call("fill_slots", place, behind, self.keys, self.slots)
        self.count = self._assembly.call(
            "enter_keys", end - begin, new, self.count, self.keys, self.slots
        )

    def look_up(self, first: int, keys: Any, count: int, numbers: Any) -> None:
        """Like `KeySet.look_up`."""
        if self._assembly.call("find_keys", count, keys, self.keys, self.slots, first, numbers):
            raise SolutionFileError("a layer lacks a position")

    def bytes_for(self, count: int) -> int:
        """Like `KeySet.bytes_for`."""
        if count <= self._room:
            return (self._room * self._width + slots_for(self._room)) * NUMBER
        return ((2 * count + self._room) * self._width + slots_for(2 * count)) * NUMBER


class KernelTier:
    """Like `Tier`, besides its values: `bits` of a code for the payoff.

    Attributes:
        arrays: as the kernels know them.
    """

    def __init__(
        self,
        assembly: Assembly,
        span: Span,
        waves: int,
        bits: int,
        preferences: Any,
        make: Callable[[str, int], Any],
    ) -> None:
        """`waves`: a bound above the lengths of the best codes of higher levels, one ply on."""
        self._assembly, self._preferences, self._make = assembly, preferences, make
        self.span, self.ways = span, 0
        nothing, count = zeros(0), span.count
        links = make(f"links_{span.number}", 2 * count)
        self._rows = [links]
        self.arrays = kernel.TierArrays(
            keys=nothing,
            slots=nothing,
            best=links[:count],
            nodes=links[count:],
            following=nothing,
            queue=nothing,
            starts=nothing,
            before=nothing,
            heads=zeros(waves + 1),
            inside=span.inside,
        )
        self.notes: kernel.TierNotes = assembly.record(kernel.TierNotes)
        self.notes.bits, self.notes.narrow = bits, max(1, span.total.bit_length())

    def hold_keys(self, keys: KernelKeys | None) -> None:
        """Like `Tier.hold_keys`."""
        nothing = zeros(0)
        if keys is None:
            self.arrays = self.arrays.but(keys=nothing, slots=nothing)
        else:
            self.arrays = self.arrays.but(keys=keys.keys, slots=keys.slots)

    def give_back(self) -> None:
        """Like `Tier.give_back`."""
        for row in self._rows:
            give_back(row, 0, len(row))

    # --- ways ---------------------------------------------------------------------------------

    def links(self, begin: int, end: int) -> tuple[bytes, bytes]:
        """Like `Tier.links`."""
        best, nodes = memoryview(self.arrays.best), memoryview(self.arrays.nodes)
        return bytes(best[begin:end]), bytes(nodes[begin:end])

    def take_links(self, begin: int, links: tuple[bytes, bytes]) -> None:
        """Like `Tier.take_links`."""
        for row, link in zip((self.arrays.best, self.arrays.nodes), links, strict=True):
            numbers = memoryview(link).cast("q")
            memoryview(row)[begin : begin + len(numbers)] = numbers

    def reverse(self, ways: Callable[[], Iterator[tuple[int, Any, int]]]) -> None:
        """Like `Tier.reverse`."""
        count, notes = self.span.count, self.notes
        size = 2 * count + 1 + row_of(self.ways, notes.narrow)
        lists = self._make(f"lists_{self.span.number}", size)
        self._rows.append(lists)
        self.arrays = self.arrays.but(
            following=lists[:count],
            starts=lists[count : 2 * count + 1],
            before=lists[2 * count + 1 :],
        )
        for _, row, size in ways():
            self._assembly.call("count_ways", size, row, self.arrays)
        for place in range(0, count, SLICE):
            self._assembly.call("sum_starts", place, min(count, place + SLICE), self.arrays)
        for origin, row, size in ways():
            self._assembly.call("reverse_ways", size, row, origin, self.arrays, notes)

    # --- values -------------------------------------------------------------------------------

    def begin_level(self, value: int, forcer: int, queue: Any) -> None:
        """Like `Tier.begin_level`."""
        notes = self.notes
        notes.value, notes.forcer, notes.length = value, forcer, 0
        notes.head, notes.tail, notes.end = 0, 0, 0
        self.arrays = self.arrays.but(queue=queue)
        for place in range(0, self.span.count, SLICE):
            behind = min(self.span.count, place + SLICE)
            self._assembly.call("begin_level", place, behind, self.arrays, notes)

    def begin_wave(self, length: int) -> None:
        """Like `Tier.begin_wave`."""
        notes = self.notes
        notes.length, notes.head, notes.tail, notes.sent = length, 0, 0, 0
        while self.is_awaited(length):
            self._assembly.call("settle_waiting", self.arrays, notes, SLICE)

    def is_awaited(self, length: int) -> bool:
        """Like `Tier.is_awaited`."""
        heads = self.arrays.heads
        return length < len(heads) and heads[length] != 0

    def reach(self, row: Any, count: int) -> None:
        """Like `Tier.reach`."""
        self._assembly.call("reach", count, row, self.arrays, self._preferences, self.notes)

    def spread(self, reached: Parts) -> bool:
        """Like `Tier.spread`."""
        return self._assembly.call("spread", self.arrays, arrays_of(reached), self.notes, SLICE) > 0

    def spread_alone(self) -> int:
        """Like `Tier.spread_alone`."""
        arrays, notes = self.arrays, self.notes
        while self._assembly.call("spread_alone", arrays, self._preferences, notes, SLICE):
            pass
        last = notes.tail - 1
        return arrays.best[arrays.queue[last]] >> notes.bits if last >= 0 else 0


def arrays_of(parts: Parts) -> PartArrays:
    """Parts as kernels know them."""
    return PartArrays(
        firsts=parts.firsts,
        rows=parts.rows,
        fill=parts.fill,
        ends=parts.ends,
        more=parts.more,
        room=parts.room,
    )


def levels_in_order(payoffs: Sequence[Payoffs], neutral: Payoffs) -> list[tuple[int, int]]:
    """The numbers of payoffs in the order in which they are settled, each with the player who
    forces the payoff, or `TOGETHER`; as in `solvers.exact.retrograde`. `neutral`: the payoff of
    endless play, or an equal share where the rules do not say what endless play is worth."""
    levels = [*enumerate(levels_of(payoffs, neutral))]
    above = sorted((number for number, level in levels if level > 0), key=lambda n: -levels[n][1])
    below = sorted((number for number, level in levels if level < 0), key=lambda n: levels[n][1])
    middle = {True: 0, False: 1, None: kernel.TOGETHER}[endless_forcer(neutral)]
    order = [*((number, 0) for number in above), *((number, 1) for number in below)]
    return [*order, *((number, middle) for number, level in levels if level == 0)]
