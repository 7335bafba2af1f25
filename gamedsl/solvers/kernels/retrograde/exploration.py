"""Enter all reachable states into a table, by one thread or by several threads.

In: an empty or partly filled table, and a crew. Out: the table and its notes. Several threads give
the same table as a single thread, except for the order of entries in a chain. Their entry has to be
a single number, written in a single step by `exchange`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamedsl.model import State
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.images.fitted_solver import OddStateError, entries_after
from gamedsl.solvers.kernels.retrograde.parts import Part, add
from gamedsl.solvers.kernels.retrograde.retrograde_kernel import RetrogradeArrays
from gamedsl.solvers.kernels.symmetry.orbits import Orbits
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


class Entering:
    """The entering of all states that follow a first state, in slices; `add_payoff` makes the
    payoff in the notes known."""

    def __init__(
        self, table: TranspositionTable, crew: Crew, orbits: Orbits, add_payoff: Callable[[], None]
    ) -> None:
        self._table, self._crew, self._orbits = table, crew, orbits
        self._add_payoff = add_payoff
        self._keys = table.assembly.row((table.room + 1) * table.layout.width)
        self._together: Exploration | None = None
        self.waiting = table.assembly.row(WAITING)

    def begin_at(self, state: State) -> None:
        """Begin with the first state."""
        words = self._table.assembly.engine.words_of(state)
        self._table.put_words(self._orbits.least(words), self._keys)
        has_marks = self._orbits.group.marks > 0
        self._table.notes.first_marks = self._orbits.mark_of(words) if has_marks else 0

    def go_on(self) -> bool:
        """Enter states for a slice, or a round of slices; return whether all states are entered."""
        table = self._table
        if table.is_worth_sharing(self._crew.threads):
            return self._go_on_together()
        arrays = RetrogradeArrays(**table.arrays(self._keys), waiting=self.waiting)
        status = table.call("explore", arrays, table.most, table.notes, transposition_table.SLICE)
        if status == codes.FULL:
            self._grow()
        elif status == codes.NEW_PAYOFF:
            self._add_payoff()
        elif status == codes.ODD:
            raise self._odd_after(table.notes.place)
        return status == codes.DONE

    def _go_on_together(self) -> bool:
        """Enter states for a round by all threads."""
        table = self._table
        if self._together is None:
            self._together = Exploration(table, self._crew)
        self._together.round()
        for place in self._together.odd:
            raise self._odd_after(place)
        for payoff in self._together.new_payoffs:
            if payoff not in zip(*[iter(table.paid)] * len(payoff), strict=True):
                table.notes.payoff = payoff
                self._add_payoff()
        is_done = bool(table.notes.waiting == 0)
        if not is_done and self._together.is_full:
            self._grow()
            self._together.begin()
        return is_done

    def _grow(self) -> None:
        table = self._table
        table.grow()
        table.notes.stack = table.notes.place = 0

    def _odd_after(self, place: int) -> OddStateError:
        """The error for a state with a successor that no key can represent."""
        width = self._table.layout.width
        return OddStateError(entries_after(self._table, self._table.table[place : place + width]))

    def release(self) -> None:
        """Release the arrays of further threads."""
        self._together = None
