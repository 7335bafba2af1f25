"""The parts of a table that threads go through side by side, each with what its thread writes to.

In: a table, and how many threads there are. Out: `Part`s. Each is a range of entries that begins
where a number of the bits that sweeps write begins, so that no two threads write to one number.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels.returning import retrograde_kernel as kernel
from gamedsl.solvers.kernels.returning import ways_kernel
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

ROOMIER = (21, 20)
"""How many times its share of a list each of several parts has room for."""
TOLD = (kernel.SETTLED, kernel.LEFT, kernel.WAYS, kernel.WRITTEN)
"""What is known after a sweep when all of its parts are told together."""


class Part:
    """A range of the table, or one of the threads that enter states into all of it.

    Attributes:
        notes: as the kernels know them, for this part.
        ways: its list of ways.
        status: what the kernel has said last.
        keys, actions, buckets: room for the successors of a state.
    """

    def __init__(self, table: TranspositionTable, notes: Sequence[int] = ()) -> None:
        assembly = table.assembly
        self.notes = table.row([*notes] or [0] * kernel.ALL_NOTES)
        self.ways = table.zeros(0)
        self.status = codes.SLICED
        self.keys = assembly.row((table.room + 1) * table.layout.width)
        self.actions = assembly.row(table.room)
        self.buckets = assembly.row(2 * table.room)

    def begin(self, length: int) -> None:
        """Be at the first entry, in a sweep that settles what is so far from the end."""
        notes = self.notes
        notes[kernel.PLACE] = notes[kernel.BEGIN]
        notes[kernel.LENGTH] = length
        for number in (kernel.READ, *TOLD):
            notes[number] = 0
        self.status = codes.SLICED

    def enlarge(self, table: TranspositionTable) -> None:
        """Make more room for the list of ways."""
        used = (self.notes[kernel.WRITTEN] + 1) // 2
        larger = table.zeros(len(self.ways) * 5 // 4 + table.room)
        larger[:used] = self.ways[:used]
        self.ways = larger


def parts_of(table: TranspositionTable, threads: int) -> list[Part]:
    """The table in as many parts as there are threads, if it is large enough."""
    count = table.parts_for(threads)
    width, blocks = table.layout.width, (table.entries >> ways_kernel.PLACES) + 1
    bounds = [(blocks * n // count << ways_kernel.PLACES) * width for n in range(count)]
    found = []
    for begin, end in zip(bounds, [*bounds[1:], len(table.table)], strict=True):
        if begin < end:
            part = Part(table)
            part.notes[kernel.BEGIN], part.notes[kernel.END] = begin, end
            found.append(part)
    return found


def give_lists(parts: Sequence[Part], table: TranspositionTable, numbers: int) -> None:
    """Give parts room for their lists of ways, which have so many numbers in all, at most."""
    for part in parts:
        part.ways = table.zeros(room_for(numbers, parts, table) // len(parts))


def room_for(numbers: int, parts: Sequence[Part], table: TranspositionTable) -> int:
    """The numbers of 64 bits in all these lists. Entries lie at random, so that parts are alike;
    one that is not is enlarged."""
    if len(parts) > 1:
        numbers = numbers * ROOMIER[0] // ROOMIER[1] + len(parts) * 2 * table.room
    return numbers // 2 + len(parts)
