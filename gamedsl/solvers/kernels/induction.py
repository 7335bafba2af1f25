"""Backward induction by a kernel: exact values of millions of positions, kept in one table.

In: a game without chance, with a compiled engine, and a state. Out: `SolvedPositions`: the payoffs,
and for opposed interests the plies, of best play for every reachable state, by the conventions of
`solvers.exact.backward_induction`: rewards and a discount count, and among equal actions the first
decides. Raises an error if play can return; only play shows this, and then a different solver has
to be used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.records import Rows
from gamedsl.game.accelerator import (
    NO_LIMITS,
    Checkpoints,
    Length,
    SearchLimits,
    SolvedPositions,
    StoredPositions,
)
from gamedsl.game.stored_facts import (
    either,
    is_fraction,
    is_nothing,
    is_text,
    many,
    refuse_odd,
)
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graphs.graph import Progress
from gamedsl.solvers.kernels import induction_kernel as kernel
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.contents import (
    Contents,
    length_of,
    payoffs_of,
    payoffs_stored,
)
from gamedsl.solvers.kernels.functions.payoffs import payoff_definitions, reward_function
from gamedsl.solvers.kernels.images import tallies, tally_kernel
from gamedsl.solvers.kernels.images.fitted_solver import FittedSolver, OddStateError, entries_after
from gamedsl.solvers.kernels.images.tallies import tallied
from gamedsl.solvers.kernels.order import ordering
from gamedsl.solvers.kernels.order.ordering import put_in_order, renumber
from gamedsl.solvers.kernels.symmetry.orbits import Orbits, orbits_keeping
from gamedsl.solvers.kernels.symmetry.permutations import Permutation, Words, permutations
from gamedsl.solvers.kernels.table_layout import EntryLayout
from gamedsl.solvers.kernels.table_records import TableNotes
from gamedsl.solvers.kernels.table_solver import LEAST_SHARES, TableRun
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import (
    CodeOverflowError,
    TranspositionTable,
)
from gamedsl.solvers.kernels.values import (
    KINDS,
    ManyTiesError,
    PairedValues,
    RankedValues,
    UnopposedError,
    Values,
)

FIRST_FRAMES = 64
"""Number of frames of the first stack."""


UNKNOWN = frozenset({kernel.NEW_PAYOFF, kernel.NEW_REWARD, kernel.NEW_SUM, kernel.NEW_PAIR})
"""Statuses for values that the caller has to add."""


class ReturningPlayError(UnsupportedGameError):
    """Play can return, so backward induction has no last move to start with."""


class Search:
    """One depth-first search in a table.

    Attributes:
        stack, keys: its frames, and the keys of waiting states.
        notes: as the kernel knows them; asked: what the kernel asks for.
        actions, buckets: working space for the successors of a state.
        status: the kernel's last status.
    """

    def __init__(self, table: TranspositionTable, order: int, shares: int) -> None:
        """`order`: the order in which successors are visited; `shares`: numbers in a row of
        payoffs."""
        self.stack = table.assembly.rows(kernel.Frame, FIRST_FRAMES)
        self.keys = table.assembly.row((table.room + FIRST_FRAMES) * (table.layout.width + 1))
        self.actions = table.assembly.row(table.room)
        self.buckets = table.assembly.row(2 * table.room)
        self.asked = table.assembly.row(shares)
        self.notes = table.assembly.record(kernel.InductionNotes)
        self.notes.top, self.notes.order = kernel.FRESH, order
        self.status = kernel.SLICED


class InductionRun(TableRun[SolvedPositions]):
    """Solving one game: a table, and one search per thread.

    Searches start again when work is resumed: states that earlier searches left open are visited
    again.
    """

    steps = 1

    def __init__(
        self, table: TranspositionTable, orbits: Orbits, values: Values, threads: int = 1
    ) -> None:
        super().__init__(table)
        self._crew = Crew(threads, at_once=table.assembly.native)
        table.orbits = self._orbits = orbits
        table.notes.top = kernel.FRESH
        self._searches = [Search(table, 0, values.shares)]
        self._values, self.shares = values, values.shares
        table.payoffs = values.vectors

    def solve(self, state: State, progress: Progress | None) -> SolvedPositions:
        """Solve all reachable states; the kernel is called until the work is done."""
        table = self._table
        words = self._orbits.least(table.assembly.engine.words_of(state))
        keys = self._searches[0].keys
        self.take_step(lambda: table.put_words(words, keys), self._go_on, progress)
        more = {} if self._values.is_ranked else {"possible": self._possible(words)}
        put_in_order(table, table.usual_entries, self._crew)
        counted = tallied(table, self._crew)
        used = sorted({payoff for _, payoff, _ in counted["tallies"]})
        if len(used) < len(table.payoffs):  # values of actions that nobody takes
            renumber(table, [table.payoffs[payoff] for payoff in used], self._crew)
            counted = tallied(table, self._crew)
        facts = {
            **counted,
            "payoffs": payoffs_stored(table.payoffs),
            "entries": table.used,
            **more,
        }
        return positions(table.contents, table.contents.stored(facts, {}))

    def _possible(self, words: Words) -> list[list[str]] | None:
        """The payoffs of the first state under any way to break ties, as JSON."""
        assert isinstance(self._values, PairedValues)
        table = self._table
        row = table.assembly.row(table.layout.width)
        table.put_words(words, row)
        code = table.call("code_of", row, table.table)
        possible = self._values.possible(code & (1 << table.layout.class_bits) - 1)
        return None if possible is None else payoffs_stored(list(possible))

    def take_up(self, work: StoredPositions) -> None:
        """Like `TableRun.take_up`."""
        self._values.restore(work.facts)
        self._make_known()
        self.take_up_table(work, kernel.OPEN)

    def work(self) -> StoredPositions:
        """Like `TableRun.work`."""
        work = super().work()
        return StoredPositions({**work.facts, **self._values.stored}, work.arrays)

    # --- going on -----------------------------------------------------------------------------

    def _go_on(self) -> bool:
        """Do a slice, or a round of slices by all threads, and handle the statuses; return whether
        the work is done."""
        table = self._table
        if len(self._searches) == 1 and table.is_worth_sharing(self._crew.threads):
            self._begin_further_searches()
        statuses = self._round_with_known_values()
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

    def _round_with_known_values(self) -> set[int]:
        """Do a round, and do it again while values are unknown; return the statuses. A missing
        value is no slice: what a checkpoint does not hold is found again before the next."""
        while True:
            self._round()
            asking = [search for search in self._searches if search.status in UNKNOWN]
            for search in asking:
                self._add_value(search)
            if len(asking) < len(self._searches):
                return {search.status for search in self._searches}

    def _round(self) -> None:
        table, count = self._table, len(self._searches)
        room = table.most if count == 1 else table.used + table.room_each(count)
        values = self._values
        for search in self._searches:
            search.notes.used = table.used
            search.notes.payoffs = len(values.vectors)
            search.notes.rewards = values.rewards_known
            search.notes.room = values.room
        self._searches[0].notes.top = table.notes.top

        def run_search(search: Search) -> int:
            arrays = kernel.InductionArrays(
                table=table.table,
                keys=search.keys,
                actions=search.actions,
                buckets=search.buckets,
                payoffs=values.payoffs,
                stack=search.stack,
                preferences=values.preferences,
                rewards=values.rewards,
                sums=values.sums,
                asked=search.asked,
            )
            return table.call("induce", room, arrays, search.notes, transposition_table.SLICE)

        jobs = [partial(run_search, search) for search in self._searches]
        statuses = self._crew.round(jobs, kernel.SLICED)
        used = table.used
        for search, status in zip(self._searches, statuses, strict=True):
            search.status = status
            table.notes.used += search.notes.used - used
        table.notes.top = self._searches[0].notes.top

    def _begin_further_searches(self) -> None:
        """Start the searches of the further threads at the first state."""
        table, width = self._table, self._table.layout.width
        for number in range(1, self._crew.threads):
            search = Search(table, number, self.shares)
            search.keys[:width] = self._searches[0].keys[:width]
            self._searches.append(search)

    def _see_to(self, search: Search) -> None:
        """Handle the status of a search before its next slice."""
        if search.status == kernel.HIGH:
            search.stack = Rows(kernel.Frame, self._table.assembly.doubled(search.stack.row))
            search.keys = self._table.assembly.doubled(search.keys)
        elif search.status == kernel.ODD:
            at = search.stack[search.notes.top].at
            row = search.keys[at : at + self._table.layout.width]
            raise OddStateError(entries_after(self._table, row))

    def _enlarge_table(self) -> None:
        table = self._table
        table.grow()
        for search in self._searches:
            top = search.notes.top
            if top >= 0:
                table.call("find_frames", search.stack, top, search.keys, table.table)

    def _add_value(self, search: Search) -> None:
        """Add the missing entry of a table of values."""
        values = self._values
        asked = list(search.asked)
        if search.status == kernel.NEW_PAYOFF:
            values.add_payoffs(asked)
        elif search.status == kernel.NEW_REWARD:
            values.add_reward(asked)
        elif search.status == kernel.NEW_SUM:
            values.add_sum(*asked[:2])
        else:
            values.add_pair(*asked[:3])
        self._make_known()

    def _make_known(self) -> None:
        """Pass the values to the table."""
        table, values = self._table, self._values
        if len(values.vectors) > 1 << table.layout.class_bits:
            raise CodeOverflowError("payoffs do not fit")
        table.paid = values.payoffs
        table.notes.payoffs = len(values.vectors)


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
    solved = tallies.positions(contents, stored, payoffs, length)
    if "possible" not in stored.facts:
        return solved
    refuse_odd(stored.facts, {"possible": either(is_nothing, many(many(is_fraction)))})
    possible = stored.facts["possible"]
    ties = None if possible is None else tuple(tuple(map(Fraction, each)) for each in possible)
    return replace(
        solved, lengths=None, counts_plies=False, possible=ties, values=frozenset(payoffs)
    )


class KernelInduction(FittedSolver[SolvedPositions]):
    """Backward induction on one game."""

    kernels = (
        kernel.induce,
        kernel.rehash,
        kernel.find_frames,
        tally_kernel.longest,
        tally_kernel.tally,
        *ordering.KERNELS,
        kernel.code_of,
    )
    notes = TableNotes
    any_values = True
    run = InductionRun
    _threads = 1
    _kind: type[Values] = RankedValues

    def solve(
        self, state: State, limits: SearchLimits = NO_LIMITS, checkpoints: Checkpoints | None = None
    ) -> SolvedPositions:
        """Like `TableSolver.solve`; images share one entry if symmetry is used and interests are
        opposed."""
        self._threads = limits.threads
        self._kind = self._first_kind(checkpoints)
        while True:
            is_used = limits.uses_symmetry and self._kind.is_ranked
            self._use(
                orbits_keeping(self._engine, state) if is_used else Orbits(self._engine), state
            )
            try:
                return super().solve(state, limits, checkpoints)
            except (UnopposedError, ManyTiesError) as error:
                self._kind = error.other_kind
                if checkpoints is not None:
                    checkpoints.forget()

    def _first_kind(self, checkpoints: Checkpoints | None) -> type[Values]:
        """The kind of values that saved work has, or that is tried first."""
        if checkpoints is not None and checkpoints.latest is not None:
            facts = checkpoints.latest.facts
            refuse_odd({"kind": facts.get("kind", "")}, {"kind": is_text})
            for kind in KINDS:
                if kind.__name__ == facts.get("kind"):
                    return kind
        return RankedValues if max(self._engine.model.facts.sides) <= 1 else PairedValues

    @property
    def shares(self) -> int:
        """Like `TableSolver.shares`."""
        return max(LEAST_SHARES, len(self._engine.players) + 1)

    @classmethod
    def symmetries(cls, engine: CompiledEngine) -> Sequence[Permutation]:
        """Like `FittedSolver.symmetries`: no symmetry swaps players and fixes a first position."""
        return permutations(engine)

    def definitions(self, layout: EntryLayout) -> Definitions:
        """Like `TableSolver.definitions`."""
        pays, is_ranked = not self._engine.model.facts.pays_at_the_end, self._kind.is_ranked
        key_row = layout.width + (pays or not is_ranked)
        constants = {"IS_RANKED": is_ranked, "PAYS": pays, "KEY_ROW": key_row}
        movers = {"mover_of": "side_of" if is_ranked else "turn_of"}
        rewards = Definitions(constants, (reward_function(self._engine),), movers)
        return payoff_definitions(self._engine, self.shares) | rewards

    def begin(self, table: TranspositionTable) -> InductionRun:
        """Like `TableSolver.begin`."""
        values = self._kind(table.row, self._engine.model.facts, self.shares)
        return InductionRun(table, self._orbits, values, self._threads)
