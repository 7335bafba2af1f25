"""Number all reachable states breadth first, as the first step of several algorithms.

In: a table and a kernel `explore`. Out: `NumberingRun`, with the key and the kind of each state by
number, and a further number per state for the kernel's own use.
"""

from __future__ import annotations

from abc import abstractmethod

from gamedsl.game.accelerator import Progress
from gamedsl.model import State
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels.table_solver import Output, TableRun
from gamedsl.solvers.kernels.transposition_table import CodeOverflowError, TranspositionTable

ROOM = 28
"""Bits that the number of a state may need."""


class NumberingRun(TableRun[Output]):
    """Solving one game: its states by number.

    Attributes:
        extra_width: numbers per entry of the table besides its key, while states are numbered.
    """

    extra_width: int

    def __init__(self, table: TranspositionTable) -> None:
        super().__init__(table)
        self._keys, self._kinds, self._counts = map(table.zeros, self._sizes())

    @abstractmethod
    def explore(self) -> int:
        """Number a slice of states; return the kernel's status."""

    def add_payoff(self) -> None:
        """Make the payoff in the notes known."""
        self._table.add_payoff()

    def see_to(self, status: int) -> None:
        """Handle the kernel's remaining statuses."""
        if status == codes.UNFIT:
            raise CodeOverflowError("numbers of states do not fit")

    def number_states(self, state: State, progress: Progress | None) -> None:
        """Number all states reachable from a state."""
        self.take_step(lambda: self._table.put_key(state, self._keys), self._explore_on, progress)

    def _explore_on(self) -> bool:
        status = self.explore()
        if status == codes.FULL:
            self._enlarge()
        elif status == codes.NEW_PAYOFF:
            self.add_payoff()
        else:
            self.see_to(status)
        return status == codes.DONE

    def waiting(self) -> int:
        """Like `TableRun.waiting`, while states are numbered."""
        return self._table.used - self._table.notes.node if self._step == 1 else 0

    def _sizes(self) -> tuple[int, int, int]:
        """The sizes of the arrays of keys, kinds and counts for the present table."""
        table = self._table
        keys = (table.most + 2 * table.room) * table.layout.width
        return keys, table.most + 1, table.most + 1

    def _enlarge(self) -> None:
        table = self._table
        table.move_to(table.larger_table(table.layout.width + self.extra_width))
        smaller = self._keys, self._kinds, self._counts
        self._keys, self._kinds, self._counts = map(table.enlarged, smaller, self._sizes())
