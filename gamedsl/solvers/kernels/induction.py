"""Backward induction by a kernel: exact values of millions of positions, kept in one table.

In: a game of one player or two players without chance, with a compiled engine, and a state. Out:
`SolvedPositions`: the payoffs and plies of best play for every reachable state, by the conventions
of `solvers.exact.backward_induction`. Raises an error if play can return or interests are not
opposed; only play shows these properties, and then a different solver has to be used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import Length, SolvedPositions, StoredPositions
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.exact.constant_sum import delays, neutral_payoff
from gamedsl.solvers.graphs.graph import Progress, Vector
from gamedsl.solvers.kernels import induction_kernel as kernel
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.contents import (
    FINDING,
    Contents,
    length_of,
    payoffs_of,
    payoffs_stored,
)
from gamedsl.solvers.kernels.images import tallies, tally_kernel
from gamedsl.solvers.kernels.images.fitted_solver import FittedSolver, OddStateError, entries_after
from gamedsl.solvers.kernels.images.tallies import tallied
from gamedsl.solvers.kernels.order import order_kernel, ordering
from gamedsl.solvers.kernels.order.ordering import put_in_order
from gamedsl.solvers.kernels.symmetry.orbits import Orbits, orbits_keeping
from gamedsl.solvers.kernels.symmetry.permutations import Permutation, permutations
from gamedsl.solvers.kernels.table_records import TableNotes
from gamedsl.solvers.kernels.table_solver import TableRun
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import CodeOverflowError, TranspositionTable

FIRST_FRAMES = 64
"""Number of frames of the first stack."""
RANK = 1 << 43
"""A number greater than all plies."""
NOTED = (kernel.PER, kernel.FIRST_SHARE, kernel.SECOND_SHARE)
"""The notes of an unknown payoff."""


class ReturningPlayError(UnsupportedGameError):
    """Play can return, so backward induction has no last move to start with."""


class Search:
    """One depth-first search in a table.

    Attributes:
        stack, keys: its frames, and the keys of waiting states.
        notes: as the kernel knows them.
        actions, buckets: working space for the successors of a state.
        status: the kernel's last status.
    """

    def __init__(self, table: TranspositionTable, order: int) -> None:
        """`order`: the order in which successors are visited."""
        self.stack = table.assembly.row(FIRST_FRAMES * kernel.FRAME)
        self.keys = table.assembly.row((table.room + FIRST_FRAMES) * table.layout.width)
        self.actions = table.assembly.row(table.room)
        self.buckets = table.assembly.row(2 * table.room)
        self.notes = table.assembly.row(kernel.NOTES)
        self.notes[kernel.TOP], self.notes[kernel.ORDER] = kernel.FRESH, order
        self.status = kernel.SLICED


class InductionRun(TableRun[SolvedPositions]):
    """Solving one game: a table, and one search per thread.

    Searches start again when work is resumed: states that earlier searches left open are visited
    again.
    """

    steps = 1

    def __init__(self, table: TranspositionTable, orbits: Orbits, threads: int = 1) -> None:
        super().__init__(table)
        self._crew = Crew(threads, at_once=table.assembly.native)
        table.orbits = self._orbits = orbits
        table.notes[kernel.TOP] = kernel.FRESH
        self._searches = [Search(table, 0)]
        self._preferences = table.assembly.row(0)

    def solve(self, state: State, progress: Progress | None) -> SolvedPositions:
        """Solve all reachable states; the kernel is called until the work is done."""
        table = self._table
        words = self._orbits.least(table.assembly.engine.words_of(state))
        keys = self._searches[0].keys
        self.take_step(lambda: table.put_words(words, keys), self._go_on, progress)
        put_in_order(table, table.usual_entries, self._crew)
        facts = {
            **tallied(table, self._crew),
            "payoffs": payoffs_stored(table.payoffs),
            "entries": table.used,
        }
        return positions(table.contents, table.contents.stored(facts, {}))

    def take_up(self, work: StoredPositions) -> None:
        """Like `TableRun.take_up`."""
        self.take_up_table(work, kernel.OPEN)

    # --- going on -----------------------------------------------------------------------------

    def _go_on(self) -> bool:
        """Do a slice, or a round of slices by all threads, and handle the statuses; return whether
        the work is done."""
        table = self._table
        if len(self._searches) == 1 and table.is_worth_sharing(self._crew.threads):
            self._begin_further_searches()
        self._round()
        statuses = {search.status for search in self._searches}
        if kernel.RETURNS in statuses:
            raise ReturningPlayError(
                "play can return to an earlier position", "use retrograde analysis"
            )
        if kernel.UNFIT in statuses:
            raise CodeOverflowError("plies do not fit")
        if kernel.DONE in statuses:  # the first state is settled
            return True
        for search in self._searches:
            self._see_to(search)
        if kernel.FULL in statuses and table.is_full_for(len(self._searches)):
            self._enlarge_table()
        return False

    def _round(self) -> None:
        table, count = self._table, len(self._searches)
        room = table.most if count == 1 else table.used + table.room_each(count)
        for search in self._searches:
            search.notes[kernel.USED] = table.used
            search.notes[kernel.PAYOFFS] = len(table.payoffs)
        self._searches[0].notes[kernel.TOP] = table.notes[kernel.TOP]

        def run_search(search: Search) -> int:
            return table.call(
                "induce", table.table, room, search.stack, search.keys, search.actions,
                search.buckets, table.paid, self._preferences, search.notes,
                transposition_table.SLICE,
            )  # fmt: skip

        jobs = [partial(run_search, search) for search in self._searches]
        statuses = self._crew.round(jobs, kernel.SLICED)
        used = table.used
        for search, status in zip(self._searches, statuses, strict=True):
            search.status = status
            table.notes[kernel.USED] += search.notes[kernel.USED] - used
        table.notes[kernel.TOP] = self._searches[0].notes[kernel.TOP]

    def _begin_further_searches(self) -> None:
        """Start the searches of the further threads at the first state."""
        table, width = self._table, self._table.layout.width
        for number in range(1, self._crew.threads):
            search = Search(table, number)
            search.keys[:width] = self._searches[0].keys[:width]
            self._searches.append(search)

    def _see_to(self, search: Search) -> None:
        """Handle the status of a search before its next slice."""
        if search.status == kernel.HIGH:
            search.stack, search.keys = self._doubled(search.stack), self._doubled(search.keys)
        elif search.status == kernel.NEW_PAYOFF:
            self._add_payoff(search)
        elif search.status == kernel.ODD:
            at = search.stack[search.notes[kernel.TOP] * kernel.FRAME + kernel.AT]
            row = search.keys[at : at + self._table.layout.width]
            raise OddStateError(entries_after(self._table, row))

    def _enlarge_table(self) -> None:
        table = self._table
        table.grow()
        for search in self._searches:
            top = search.notes[kernel.TOP]
            if top >= 0:
                table.call("find_frames", search.stack, top, search.keys, table.table)

    def _doubled(self, row: Any) -> Any:
        larger = self._table.assembly.row(2 * len(row))
        larger[: len(row)] = row
        return larger

    def _add_payoff(self, search: Search) -> None:
        table, met = self._table, tuple(search.notes[n] for n in NOTED)
        if met in zip(*[iter(table.paid)] * len(met), strict=True):
            return  # another thread has added the payoff in this round
        table.notes.payoff = met
        self.add_payoff()

    def add_payoff(self) -> None:
        """Like `TableRun.add_payoff`; updates the preferences as well."""
        table = self._table
        table.add_payoff()
        if len(table.payoffs) > 1 << table.layout.class_bits:
            raise CodeOverflowError("payoffs do not fit")
        endless = table.assembly.engine.model.facts.endless
        break_even = neutral_payoff(set(table.payoffs), endless, len(table.payoffs[0]))
        assert break_even is not None, "interests are opposed"
        self._preferences = table.row(preferences(table.payoffs, break_even))


def positions(contents: Contents, stored: StoredPositions) -> SolvedPositions:
    """The solved positions, from the table and its stored facts."""
    payoffs, bits = payoffs_of(stored), contents.layout.class_bits

    @cache
    def length(code: int) -> Length:
        return length_of(code, bits, payoffs)

    def look_up(state: State) -> Length | None:
        code = contents.code(state)
        return length(code) if code else None

    if "tallies" not in stored.facts:  # of an earlier version: every state has its own entry
        return contents.solved(stored, look_up, lengths=contents.lengths(length))
    return tallies.positions(contents, stored, payoffs, length)


def preferences(payoffs: list[Vector], break_even: Vector) -> list[int]:
    """For each payoff and player, the rank of the payoff and the sign of plies."""
    firsts = sorted({payoff[0] for payoff in payoffs})
    ranking = []
    for payoff in payoffs:
        rank = firsts.index(payoff[0]) * RANK
        for mover, sign in enumerate((1, -1)):
            waits = mover < len(payoff) and delays(payoff, mover, break_even)
            ranking += [sign * rank, 1 if waits else -1]
    return ranking


class KernelInduction(FittedSolver[SolvedPositions]):
    """Backward induction on one game."""

    modules = (kernel, order_kernel)
    kernels = (
        kernel.induce,
        kernel.rehash,
        kernel.find_frames,
        tally_kernel.longest,
        tally_kernel.tally,
        *ordering.KERNELS,
        kernel.code_of,
    )
    inner = (
        *FINDING,
        *ordering.INNER,
        tally_kernel.state_at,
        tally_kernel.marks_at,
        kernel.better,
        kernel.place_in,
        kernel.list_successors,
        kernel.claim,
        kernel.is_on_stack,
        kernel.expand,
        kernel.begin,
        kernel.finish,
    )
    notes = TableNotes
    run = InductionRun
    _threads = 1

    def solve(
        self, state: State, *, uses_symmetry: bool = True, threads: int = 1, **limits: Any
    ) -> SolvedPositions:
        """Like `TableSolver.solve`; `uses_symmetry`: images share one entry; `threads`: number of
        threads."""
        self._threads = threads
        self._use(
            orbits_keeping(self._engine, state) if uses_symmetry else Orbits(self._engine), state
        )
        return super().solve(state, **limits)

    @classmethod
    def symmetries(cls, engine: CompiledEngine) -> Sequence[Permutation]:
        """Like `FittedSolver.symmetries`: no symmetry swaps players and fixes a first position."""
        return permutations(engine)

    def begin(self, table: TranspositionTable) -> InductionRun:
        """Like `TableSolver.begin`."""
        return InductionRun(table, self._orbits, self._threads)
