"""Divide a table into parts that threads process in parallel, each with its own notes and list.

In: a table, and the number of threads. Out: `Part`s. Each part is a range of entries that begins at
a word boundary of the bit arrays written by sweeps, so two threads never write to one word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels.retrograde import edges_kernel
from gamedsl.solvers.kernels.retrograde import retrograde_kernel as kernel
from gamedsl.solvers.kernels.retrograde.retrograde_kernel import RetrogradeArrays, RetrogradeNotes
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

ROOMIER = (21, 20)
"""Extra room of a part's list, as a factor of the part's share, for several parts."""
IN_VAIN = 3
"""A list of edges is rewritten when more than one number in `IN_VAIN` is obsolete."""
TOLD = ("settled", "left", "edges")
"""Notes of a sweep that are summed over all parts."""

ENDS = ("begin", "place", "end")
Places = Sequence[Sequence[int]]
"""The begin, the current place and the end of each part."""


class Part:
    """A range of the table, or one of the threads that enter states into the whole table.

    Attributes:
        notes: as the kernels know them, for this part.
        edges: its list of edges.
        status: the kernel's last status.
        keys, actions, buckets: working space for the successors of a state.
    """

    def __init__(self, table: TranspositionTable) -> None:
        assembly = table.assembly
        self.notes = assembly.record(RetrogradeNotes)
        self.notes.payoffs = len(table.payoffs)
        self.notes.aside = table.notes.aside
        self.edges = table.zeros(0)
        self.status = codes.SLICED
        self.keys = assembly.row((table.room + 1) * table.layout.width)
        self.actions = assembly.row(table.room)
        self.buckets = assembly.row(2 * table.room)

    def begin(self, phase: int, length: int) -> None:
        """Start a sweep, at the first entry, that settles states at a distance of `length` from the
        end. If a large part of the list is obsolete, the sweep rewrites the list."""
        notes = self.notes
        notes.place = notes.begin
        notes.length = length
        notes.read = 0
        notes.put_numbers(TOLD, [0] * len(TOLD))
        if notes.shortens or phase != kernel.ALONG:
            notes.vain = 0
        shortens = notes.vain * IN_VAIN > notes.written
        notes.shortens = int(phase == kernel.ALONG and shortens)
        if notes.shortens or phase != kernel.ALONG:
            notes.written = 0
        self.status = codes.SLICED

    def arrays(self, table: TranspositionTable, waiting: Any) -> RetrogradeArrays:
        """The arrays of the kernels, with the working space of the part."""
        return RetrogradeArrays(
            table=table.table,
            keys=self.keys,
            actions=self.actions,
            buckets=self.buckets,
            payoffs=table.paid,
            waiting=waiting,
        )

    def enlarge(self, table: TranspositionTable) -> None:
        """Make more room for the list of edges."""
        used = row_of(self.notes.written, self.notes.bits)
        larger = table.zeros(len(self.edges) * 5 // 4 + table.room)
        larger[:used] = self.edges[:used]
        self.edges = larger


def add(notes: RetrogradeNotes, names: Sequence[str], total: RetrogradeNotes) -> None:
    """Add the numbers with these names to the numbers of further notes."""
    sums = map(int.__add__, total.numbers(names), notes.numbers(names))
    total.put_numbers(names, sums)


def parts_of(table: TranspositionTable, threads: int) -> list[Part]:
    """The table in as many parts as threads, if the table is large enough."""
    count = table.parts_for(threads)
    width, blocks = table.layout.width, (table.entries >> edges_kernel.PLACES) + 1
    bounds = [(blocks * n // count << edges_kernel.PLACES) * width for n in range(count)]
    ends = zip(bounds, [*bounds[1:], len(table.table)], strict=True)
    return parts_from([[begin, begin, end] for begin, end in ends if begin < end], table)


def parts_from(places: Places, table: TranspositionTable) -> list[Part]:
    """The parts with the given begins, current places and ends."""
    parts = []
    for begin, place, end in places:
        part = Part(table)
        part.notes.put_numbers(ENDS, (begin, place, end))
        parts.append(part)
    return parts


def places_of(parts: Sequence[Part]) -> Places:
    """The begins, current places and ends of parts."""
    noted = (part.notes.numbers(ENDS) for part in parts)
    return [[begin, min(place, end), end] for begin, place, end in noted]


def are_places(places: Places, table: TranspositionTable) -> bool:
    """Whether places are valid: consecutive parts that cover the table, each starting at a word
    boundary of the bit arrays of sweeps. No parts: the sweeps have not begun."""
    width, behind = table.layout.width, 0
    for begin, place, end in places:
        is_part = begin == behind <= place <= end and begin < end and place % width == 0
        if not is_part or begin % (width << edges_kernel.PLACES):
            return False
        behind = end
    return not places or behind == len(table.table)


def round_of(parts: Sequence[Part], work: Callable[[Part], int], crew: Crew) -> list[Part]:
    """Do a slice or a round of work on unfinished parts; return the parts still unfinished."""
    left = [part for part in parts if part.status != codes.DONE]
    jobs = [partial(work, part) for part in left[: crew.threads]]
    for part, status in zip(left, crew.round(jobs, codes.SLICED), strict=False):
        part.status = status
    return [part for part in left if part.status != codes.DONE]


def give_lists(parts: Sequence[Part], table: TranspositionTable, numbers: int) -> None:
    """Allocate the parts' lists of edges, with at most `numbers` numbers in total."""
    for part in parts:
        part.notes.bits, part.notes.none = bits_of(table), none_of(table)
        part.edges = table.zeros(room_for(numbers, len(parts), table) // len(parts))


def room_for(numbers: int, parts: int, table: TranspositionTable) -> int:
    """The 64-bit numbers in the lists of all parts. Entries lie at random, so parts are about
    equal; an exceptional part is enlarged."""
    if parts > 1:
        numbers = numbers * ROOMIER[0] // ROOMIER[1] + parts * 2 * table.room
    return row_of(numbers, bits_of(table)) + 2 * parts


def none_of(table: TranspositionTable) -> int:
    """The number for "no edge" in a list: beyond all entries."""
    return table.entries << 1


def bits_of(table: TranspositionTable) -> int:
    """Bits of a number in a list: enough for an edge and for the head of a record."""
    return max(none_of(table), table.room + 1 << edges_kernel.COUNTED).bit_length()


def row_of(numbers: int, bits: int) -> int:
    """Number of 64-bit numbers that hold `numbers` narrow numbers; the last read takes one more."""
    return numbers * bits // edges_kernel.HELD + 2
