"""Explore states with several threads that insert into one table.

In: a partly filled table, and a crew. Out: the table and its notes as after exploration by a single
thread, except for the order of entries in a chain. An entry has to be a single number, written in a
single step by `exchange`.
"""

from __future__ import annotations

from typing import Any

from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.returning import retrograde_kernel as kernel
from gamedsl.solvers.kernels.returning.parts import Part
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

WAITING = 1 << 12
"""Capacity of a thread's buffer of new states."""
TOLD = (codes.USED, kernel.WAITING, kernel.WAYS, kernel.ENTERED)
"""The notes counted by each thread separately in a round."""


class Exploration:
    """The threads of one table. Unexpanded states are found by a scan of the table."""

    def __init__(self, table: TranspositionTable, crew: Crew) -> None:
        self._table = table
        self._crew = crew
        self._threads = [Part(table) for _ in range(crew.threads)]
        self._waiting = [table.assembly.row(WAITING) for _ in self._threads]
        self.begin()

    def begin(self) -> None:
        """Continue in a new table; the threads start at different places."""
        found, count = self._table, len(self._threads)
        found.notes[kernel.STACK] = found.notes[kernel.PLACE] = 0
        for number, one in enumerate(self._threads):
            one.notes[kernel.SHARED] = 1
            one.notes[kernel.STACK] = 0
            one.notes[kernel.PLACE] = found.entries * number // count

    def round(self) -> None:
        """Enter states for a round."""
        found = self._table
        for one in self._threads:
            one.notes[codes.PAYOFFS] = found.notes[codes.PAYOFFS]
            for number in TOLD:
                one.notes[number] = 0
        room = found.room_each(len(self._threads))

        def job(one: Part, waiting: Any) -> int:
            return found.call(
                "explore", found.table, room, one.keys, waiting, one.actions, one.buckets,
                found.paid, one.notes, transposition_table.SLICE,
            )  # fmt: skip

        jobs = [
            lambda one=one, waiting=waiting: job(one, waiting)
            for one, waiting in zip(self._threads, self._waiting, strict=True)
        ]
        statuses = self._crew.round(jobs, codes.SLICED)
        for one, status in zip(self._threads, statuses, strict=True):
            one.status = status
            for number in TOLD:
                found.notes[number] += one.notes[number]

    @property
    def is_full(self) -> bool:
        """Whether the table has to grow."""
        return self._table.is_full_for(len(self._threads))

    @property
    def new_payoffs(self) -> list[tuple[int, ...]]:
        """Unknown payoffs met by threads, in the form of notes."""
        first, behind = codes.PER, codes.SECOND_SHARE + 1
        met = [one for one in self._threads if one.status == codes.NEW_PAYOFF]
        return [*dict.fromkeys(tuple(one.notes[first:behind]) for one in met)]

    @property
    def odd(self) -> list[int]:
        """Entries of states with a successor that no key can represent."""
        met = [one for one in self._threads if one.status == codes.ODD]
        return [one.notes[kernel.PLACE] for one in met]
