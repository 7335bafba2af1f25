"""Tiers in memory: the set of keys that grows while a tier is expanded, and the tier being settled.

In: the code and the payoffs of a game's batches. Out: `KernelKeys` and `KernelTier`, which
`KernelBatches` offers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gamedsl.game.accelerator import Payoffs
from gamedsl.game.batches import CodesTooWideError
from gamedsl.solvers.exact.retrograde import endless_forcer
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.batches import tier_kernel as kernel
from gamedsl.solvers.kernels.memory import NUMBER, zeros
from gamedsl.solvers.kernels.retrograde.levels import levels_of
from gamedsl.solvers.kernels.retrograde.parts import row_of

FULLEST = (2, 3)
"""The load factor of slots."""
LEAST_KEYS = 1 << 14
SLICE = 1 << 16
"""Positions of a slice of work."""
EACH = 6
"""Numbers of a position of a tier besides key and slot: `TierArrays`."""


def slots_for(count: int) -> int:
    """Number of slots for so many keys."""
    return count * FULLEST[1] // FULLEST[0] + 1


def tier_bytes(width: int, count: int, ways: int) -> int:
    """Bytes of a tier of so many positions and ways."""
    numbers = (width + EACH) * count + slots_for(count) + row_of(ways, count.bit_length())
    return numbers * NUMBER


class KernelKeys:
    """Like `KeySet`."""

    def __init__(self, assembly: Assembly, width: int) -> None:
        self._assembly, self._width = assembly, width
        self.count, self._room = 0, LEAST_KEYS
        self.keys = zeros(self._room * width)
        self._slots = zeros(slots_for(self._room))

    def enter(self, keys: Any, begin: int, end: int) -> None:
        """Like `KeySet.enter`."""
        new = memoryview(keys)[begin * self._width : end * self._width]
        if self.count + end - begin > self._room:
            self._room = 2 * (self.count + end - begin)
            held, self.keys = self.keys, zeros(self._room * self._width)
            self.keys[: self.count * self._width] = held[: self.count * self._width]
            self._slots = zeros(slots_for(self._room))
            for place in range(0, self.count, SLICE):
                behind = min(self.count, place + SLICE)
                self._assembly.call("fill_slots", place, behind, self.keys, self._slots)
        self.count = self._assembly.call(
            "enter_keys", end - begin, new, self.count, self.keys, self._slots
        )

    def bytes_for(self, count: int) -> int:
        """Like `KeySet.bytes_for`."""
        if count <= self._room:
            return (self._room * self._width + slots_for(self._room)) * NUMBER
        return ((2 * count + self._room) * self._width + slots_for(2 * count)) * NUMBER


class KernelTier:
    """Like `Tier`, besides its values: `bits` of a code for the payoff, and `lengths` of play."""

    def __init__(
        self,
        assembly: Assembly,
        width: int,
        keys: Any,
        count: int,
        waves: int,
        lengths: int,
        bits: int,
    ) -> None:
        """`waves`: a bound above the lengths of the best codes of higher levels, one ply on."""
        self._assembly, self._width = assembly, width
        self.count, self.ways = count, 0
        nothing = zeros(0)
        slots = zeros(slots_for(count))
        self.arrays = kernel.TierArrays(
            keys=keys,
            slots=slots,
            best=zeros(count),
            nodes=zeros(count),
            codes=zeros(count),
            queue=zeros(count),
            starts=zeros(count + 1),
            before=nothing,
            heads=zeros(waves + 1),
            following=zeros(count),
        )
        self.notes: kernel.TierNotes = assembly.record(kernel.TierNotes)
        self.notes.bits, self.notes.lengths = bits, lengths
        self.notes.narrow = max(1, count.bit_length())
        for place in range(0, count, SLICE):
            self._assembly.call("fill_slots", place, min(count, place + SLICE), keys, slots)

    def keys_between(self, begin: int, end: int) -> Any:
        """The keys of a range of numbers."""
        return memoryview(self.arrays.keys)[begin * self._width : end * self._width]

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

    def count_ways(self, ways: Any, count: int) -> None:
        """Like `Tier.count_ways`."""
        self._assembly.call("count_ways", count, ways, self.arrays)
        self.ways += count

    def begin_reversal(self) -> None:
        """Like `Tier.begin_reversal`."""
        for place in range(0, self.count, SLICE):
            self._assembly.call("sum_starts", place, min(self.count, place + SLICE), self.arrays)
        self.arrays = self.arrays.but(before=zeros(row_of(self.ways, self.notes.narrow)))
        self.notes.node, self.notes.left = -1, 0

    def reverse_ways(self, ways: Any, count: int) -> None:
        """Like `Tier.reverse_ways`."""
        self._assembly.call("reverse_ways", count, ways, self.arrays, self.notes)

    # --- values -------------------------------------------------------------------------------

    def settle(self, order: Sequence[tuple[int, int]], preferences: Any) -> None:
        """Settle the levels of payoffs in an order: `levels_in_order`. Raises CodesTooWideError."""
        for value, forcer in order:
            notes = self.notes
            notes.value, notes.forcer = value, forcer
            notes.length, notes.head, notes.end = 0, notes.tail, notes.tail
            for place in range(0, self.count, SLICE):
                behind = min(self.count, place + SLICE)
                self._assembly.call("begin_level", place, behind, self.arrays, notes)
            status = kernel.SPREADING
            while status == kernel.SPREADING:
                status = self._assembly.call("spread", self.arrays, preferences, notes, SLICE)
            if status == kernel.TOO_LONG:
                raise CodesTooWideError("plies do not fit beside a key")


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
