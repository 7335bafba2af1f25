"""The parts of a table that threads go through side by side, each with what its thread writes to.

In: a table, and how many threads there are. Out: `Part`s. Each is a range of entries that begins
where a number of the bits that sweeps write begins, so that no two threads write to one number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels.returning import retrograde_kernel as kernel
from gamedsl.solvers.kernels.returning import ways_kernel
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

ROOMIER = (21, 20)
"""How many times its share of a list each of several parts has room for."""
IN_VAIN = 3
"""A list of ways is written again when one number of so many is in vain."""
TOLD = (kernel.SETTLED, kernel.LEFT, kernel.WAYS)
"""What is known after a sweep when all of its parts are told together."""

ENDS = (kernel.BEGIN, kernel.PLACE, kernel.END)
Places = Sequence[Sequence[int]]
"""Where each part begins, has got to, and ends."""


class Part:
    """A range of the table, or one of the threads that enter states into all of it.

    Attributes:
        notes: as the kernels know them, for this part.
        ways: its list of ways.
        status: what the kernel has said last.
        keys, actions, buckets: room for the successors of a state.
    """

    def __init__(self, table: TranspositionTable) -> None:
        assembly = table.assembly
        self.notes = table.row([0] * kernel.ALL_NOTES)
        self.notes[codes.PAYOFFS] = len(table.payoffs)
        self.notes[kernel.ASIDE] = table.notes[kernel.ASIDE]
        self.ways = table.zeros(0)
        self.status = codes.SLICED
        self.keys = assembly.row((table.room + 1) * table.layout.width)
        self.actions = assembly.row(table.room)
        self.buckets = assembly.row(2 * table.room)

    def begin(self, phase: int, length: int) -> None:
        """Be at the first entry, in a sweep that settles what is so far from the end. If much of
        the list is in vain, it is written again."""
        notes = self.notes
        notes[kernel.PLACE] = notes[kernel.BEGIN]
        notes[kernel.LENGTH] = length
        for number in (kernel.READ, *TOLD):
            notes[number] = 0
        if notes[kernel.SHORTENS] or phase != kernel.ALONG:
            notes[kernel.VAIN] = 0
        shortens = notes[kernel.VAIN] * IN_VAIN > notes[kernel.WRITTEN]
        notes[kernel.SHORTENS] = int(phase == kernel.ALONG and shortens)
        if notes[kernel.SHORTENS] or phase != kernel.ALONG:
            notes[kernel.WRITTEN] = 0
        self.status = codes.SLICED

    def enlarge(self, table: TranspositionTable) -> None:
        """Make more room for the list of ways."""
        used = row_of(self.notes[kernel.WRITTEN], self.notes[kernel.BITS])
        larger = table.zeros(len(self.ways) * 5 // 4 + table.room)
        larger[:used] = self.ways[:used]
        self.ways = larger


def parts_of(table: TranspositionTable, threads: int) -> list[Part]:
    """The table in as many parts as there are threads, if it is large enough."""
    count = table.parts_for(threads)
    width, blocks = table.layout.width, (table.entries >> ways_kernel.PLACES) + 1
    bounds = [(blocks * n // count << ways_kernel.PLACES) * width for n in range(count)]
    ends = zip(bounds, [*bounds[1:], len(table.table)], strict=True)
    return parts_from([[begin, begin, end] for begin, end in ends if begin < end], table)


def parts_from(places: Places, table: TranspositionTable) -> list[Part]:
    """The parts that begin, have got to, and end at such places."""
    found = []
    for begin, place, end in places:
        part = Part(table)
        for number, noted in zip(ENDS, (begin, place, end), strict=True):
            part.notes[number] = noted
        found.append(part)
    return found


def places_of(parts: Sequence[Part]) -> Places:
    """Where parts begin, have got to, and end."""
    noted = ([part.notes[number] for number in ENDS] for part in parts)
    return [[begin, min(place, end), end] for begin, place, end in noted]


def are_places(places: Places, table: TranspositionTable) -> bool:
    """Whether parts can begin, have got to, and end there: they are the table, one behind the
    other, each of whole numbers of the bits that sweeps write. None at all: none has begun."""
    width, behind = table.layout.width, 0
    for begin, place, end in places:
        is_part = begin == behind <= place <= end and begin < end and place % width == 0
        if not is_part or begin % (width << ways_kernel.PLACES):
            return False
        behind = end
    return not places or behind == len(table.table)


def round_of(parts: Sequence[Part], work: Callable[[Part], int], crew: Crew) -> list[Part]:
    """Do a slice or a round of work on parts that are not done; those that are still not."""
    left = [one for one in parts if one.status != codes.DONE]
    jobs = [partial(work, one) for one in left[: crew.threads]]
    for one, status in zip(left, crew.round(jobs, codes.SLICED), strict=False):
        one.status = status
    return [one for one in left if one.status != codes.DONE]


def give_lists(parts: Sequence[Part], table: TranspositionTable, numbers: int) -> None:
    """Give parts room for their lists of ways, which have so many numbers in all, at most."""
    for part in parts:
        part.notes[kernel.BITS], part.notes[kernel.NONE] = bits_of(table), none_of(table)
        part.ways = table.zeros(room_for(numbers, len(parts), table) // len(parts))


def room_for(numbers: int, parts: int, table: TranspositionTable) -> int:
    """The numbers of 64 bits in the lists of all parts. Entries lie at random, so that parts are
    alike; one that is not is enlarged."""
    if parts > 1:
        numbers = numbers * ROOMIER[0] // ROOMIER[1] + parts * 2 * table.room
    return row_of(numbers, bits_of(table)) + 2 * parts


def none_of(table: TranspositionTable) -> int:
    """The number in a list that is no way: beyond all entries."""
    return table.entries << 1


def bits_of(table: TranspositionTable) -> int:
    """The bits of a number in a list, which is a way or says how many ways there are."""
    return max(none_of(table), table.room + 1 << ways_kernel.COUNTED).bit_length()


def row_of(numbers: int, bits: int) -> int:
    """How many numbers of 64 bits so many of fewer take; one more is read with the last."""
    return numbers * bits // ways_kernel.HELD + 2
