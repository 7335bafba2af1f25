"""The arrays of sweeps along lists of edges, and of the reversal of the lists.

In: a table and its levels. Out: the arguments of the kernels. The lists themselves belong to the
parts of the table (`parts`).
"""

from __future__ import annotations

from gamedsl.compiler.records import Rows
from gamedsl.solvers.kernels.retrograde import edges_kernel
from gamedsl.solvers.kernels.retrograde.levels import Levels, Target, goals_of
from gamedsl.solvers.kernels.retrograde.parts import bits_of, none_of, row_of
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

SIEVE = 128
"""Minimal number of bits of a sieve per settled state."""


class EdgeLists:
    """The arrays of one table.

    Attributes:
        reversal: the reversed lists.
    """

    def __init__(self, table: TranspositionTable, levels: Levels) -> None:
        self._table = table
        self._levels = levels
        self.release()

    def release(self) -> None:
        """Release all arrays."""
        nothing = self._table.zeros(0)
        self._release_sweeps()
        self.reversal = edges_kernel.Reversal(
            ranks=nothing, starts=nothing, predecessors=nothing, nodes=nothing, queue=nothing
        )

    def _release_sweeps(self) -> None:
        nothing = self._table.zeros(0)
        self._settled = self._settling = self._forcers = self._forcing = nothing
        self._listed = self._sieve = nothing

    def sizes(self) -> tuple[int, int]:
        """Sizes of an array with a bit per entry, and of an array with the forcing player per
        entry."""
        entries = self._table.entries
        return (entries >> edges_kernel.PLACES) + 1, (entries >> edges_kernel.SIDES) + 1

    def begin(self) -> None:
        """Allocate the arrays for a sweep that lists edges."""
        settled, forcers = self.sizes()
        self._settling, self._forcing = self._table.zeros(settled), self._table.zeros(forcers)
        self._listed = self._table.zeros(settled)

    def _turn_over(self) -> None:
        """The states settled in this sweep are settled in the previous sweep of the next."""
        self._settled, self._forcers = self._settling, self._forcing

    def begin_sweep(self) -> int:
        """Allocate the arrays for a sweep along the lists; return the mask of the sieve, -1 without
        a sieve. If few states were settled in the previous sweep, a smaller array excludes most
        edges that do not lead to these states."""
        table, width = self._table, SIEVE * self._table.notes.settled
        self._turn_over()
        self._settling = table.zeros(len(self._settled))
        self._forcing = table.zeros(len(self._forcers))
        mask: int = (1 << (max(1, width) - 1 >> edges_kernel.PLACES).bit_length()) - 1
        self._sieve = self._settled
        if mask >= len(self._settled) // 2:
            return -1
        self._sieve = table.zeros(mask + 1)
        table.call("fold", self._settled, self._sieve)
        return mask

    def sweep(self, target: Target) -> edges_kernel.Sweep:
        """The arrays of a sweep, without a list of edges."""
        row = self._table.row
        return edges_kernel.Sweep(
            goals=Rows(edges_kernel.Goal, row(goals_of(target))),
            sides=row(self._levels.sides(target)),
            levels=row(self._levels.ranks),
            listed=self._listed,
            edges=row([]),
            sieve=self._sieve,
            settled=self._settled,
            settling=self._settling,
            forcers=self._forcers,
            forcing=self._forcing,
        )

    # --- the reversal -------------------------------------------------------------------------

    def numbers_of_reversal(self, written: int) -> int:
        """Numbers in the arrays of a reversal of lists with `written` numbers."""
        left: int = self._table.notes.left
        return self._ranks + 3 * left + row_of(written, bits_of(self._table))

    @property
    def _ranks(self) -> int:
        return (self._table.entries >> edges_kernel.BLOCK) + 1

    def begin_reversal(self) -> None:
        """Allocate the arrays for the reversal, and number the open states."""
        table, notes = self._table, self._table.notes
        notes.bits, notes.none = bits_of(table), none_of(table)
        self.reversal = edges_kernel.Reversal(
            ranks=table.zeros(self._ranks),
            starts=table.zeros(notes.left + 1),
            predecessors=table.zeros(0),
            nodes=table.zeros(notes.left),
            queue=table.zeros(row_of(notes.left, notes.bits)),
        )
        table.call("rank_open", table.table, self.reversal.ranks)
        self._turn_over()

    def have_predecessors(self) -> None:
        """Allocate the reversed lists, whose lengths are counted."""
        edges = self._table.call("prefix_sum", self.reversal.starts, len(self.reversal.nodes))
        self.reversal.predecessors = self._table.zeros(row_of(edges, self._table.notes.bits))

    def keep_reversal_only(self) -> None:
        """Release the arrays of sweeps."""
        self._release_sweeps()
