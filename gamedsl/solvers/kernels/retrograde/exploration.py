"""Explore states with several threads that insert into one table.

In: a partly filled table, and a crew. Out: the table and its notes as after exploration by a single
thread, except for the order of entries in a chain. An entry has to be a single number, written in a
single step by `exchange`.
"""

from __future__ import annotations

from typing import Any

from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.retrograde.parts import Part, add
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

WAITING = 1 << 12
"""Capacity of a thread's buffer of new states."""
TOLD = ("used", "waiting", "edges", "entered")
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
        table, count = self._table, len(self._threads)
        table.notes.stack = table.notes.place = 0
        for number, thread in enumerate(self._threads):
            thread.notes.shared = 1
            thread.notes.stack = 0
            thread.notes.place = table.entries * number // count

    def round(self) -> None:
        """Enter states for a round."""
        table = self._table
        for thread in self._threads:
            thread.notes.payoffs = table.notes.payoffs
            thread.notes.put_numbers(TOLD, [0] * len(TOLD))
        room = table.room_each(len(self._threads))

        def job(thread: Part, waiting: Any) -> int:
            arrays = thread.arrays(table, waiting)
            return table.call("explore", arrays, room, thread.notes, transposition_table.SLICE)

        jobs = [
            lambda thread=thread, waiting=waiting: job(thread, waiting)
            for thread, waiting in zip(self._threads, self._waiting, strict=True)
        ]
        statuses = self._crew.round(jobs, codes.SLICED)
        for thread, status in zip(self._threads, statuses, strict=True):
            thread.status = status
            add(thread.notes, TOLD, table.notes)

    @property
    def is_full(self) -> bool:
        """Whether the table has to grow."""
        return self._table.is_full_for(len(self._threads))

    @property
    def new_payoffs(self) -> list[tuple[int, ...]]:
        """Unknown payoffs met by threads, in the form of notes."""
        met = [thread for thread in self._threads if thread.status == codes.NEW_PAYOFF]
        return [*dict.fromkeys(thread.notes.payoff for thread in met)]

    @property
    def odd(self) -> list[int]:
        """Entries of states with a successor that no key can represent."""
        met = [thread for thread in self._threads if thread.status == codes.ODD]
        return [thread.notes.place for thread in met]
