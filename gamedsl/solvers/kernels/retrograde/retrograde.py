"""Retrograde analysis by kernels: exact values of games in which play can return.

In: a game of one player or two players without chance, with a compiled engine, and a state. Out:
`SolvedPositions`: the payoffs and plies of best play for every reachable state, by the conventions
of `solvers.exact.retrograde`. The rules must state the payoff of endless play.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import (
    NO_LIMITS,
    Checkpoints,
    Refusal,
    SearchLimits,
    SolvedPositions,
    StoredPositions,
)
from gamedsl.game.stored_facts import (
    SolutionFileError,
    is_count,
    is_number,
    is_truth,
    many,
    refuse_odd,
)
from gamedsl.model import State
from gamedsl.solvers.graphs.graph import Progress
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import (
    numbering_kernel,
    transposition_table,
)
from gamedsl.solvers.kernels.contents import (
    payoffs_stored,
)
from gamedsl.solvers.kernels.images import tally_kernel
from gamedsl.solvers.kernels.images.fitted_solver import FittedSolver
from gamedsl.solvers.kernels.images.tallies import tallied
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.order import ordering
from gamedsl.solvers.kernels.order.ordering import put_in_order
from gamedsl.solvers.kernels.resuming.entries import Counted
from gamedsl.solvers.kernels.retrograde import edges_kernel, endings, endings_kernel, sweeps_kernel
from gamedsl.solvers.kernels.retrograde import retrograde_kernel as kernel
from gamedsl.solvers.kernels.retrograde.edge_lists import EdgeLists
from gamedsl.solvers.kernels.retrograde.endings import tightest
from gamedsl.solvers.kernels.retrograde.exploration import Entering
from gamedsl.solvers.kernels.retrograde.levels import Levels, Target
from gamedsl.solvers.kernels.retrograde.parts import (
    TOLD,
    Part,
    Places,
    add,
    are_places,
    give_lists,
    parts_from,
    parts_of,
    places_of,
    room_for,
    round_of,
)
from gamedsl.solvers.kernels.retrograde.positions import positions
from gamedsl.solvers.kernels.symmetry.orbits import Orbits, orbits_of
from gamedsl.solvers.kernels.table_solver import TableRun
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.kernels.transposition_table import (
    CodeOverflowError,
    TranspositionTable,
)

MOST_LISTED = 1 << 30
"""Maximal number of entries of a table for lists of edges: the number of an edge has to fit."""
ALONG = 8
"""Size of a slice without calls of the rules, relative to a slice with calls."""
EXPLORING = 1
"""The step in which states are entered."""
FACTS = {
    "level": is_count,
    "length": is_count,
    "settled": is_truth,
    "ways": is_number,
    "aside": is_count,
    "places": many(many(is_count, 3)),
}
"""Further facts of a checkpoint: the level, and the progress of a sweep."""
PATIENCE = 64
"""Number of sweeps along the list of edges before its reversal, which takes as long as a few dozen
sweeps."""


class RetrogradeRun(TableRun[SolvedPositions]):
    """Solving one game: the arrays of the kernels."""

    steps = 3
    _places: Places = ()

    def __init__(self, table: TranspositionTable, orbits: Orbits, threads: int = 1) -> None:
        super().__init__(table)
        endless = table.assembly.engine.model.facts.endless
        assert endless is not None, "the rules say what endless play is worth"
        self._crew = Crew(threads, at_once=table.assembly.native)
        self._entering = Entering(table, self._crew, orbits, self.add_payoff)
        self._levels = Levels(table, endless)
        self._lists = EdgeLists(table, self._levels)
        self._parts: list[Part] = []
        table.orbits = self._orbits = orbits

    def solve(self, state: State, progress: Progress | None) -> SolvedPositions:
        """Solve all reachable states: enter all states, and settle them from the end."""
        table = self._table
        self.count(state, progress)
        self.take_step(self._begin_values, self._settle_on, progress)
        self.take_step(self._begin_endings, self._endings_on, progress)
        put_in_order(table, tightest(table, table.used), self._crew)
        facts = {
            **tallied(table, self._crew),
            "payoffs": payoffs_stored([*table.payoffs, self._levels.endless]),
            "entries": table.used,
        }
        return positions(table.contents, table.contents.stored(facts, {}))

    def count(self, state: State, progress: Progress | None) -> int:
        """Number of reachable entries, without solving."""
        table = self._table
        entering = self._entering
        self.take_step(lambda: entering.begin_at(state), entering.go_on, progress)
        return table.used

    def waiting(self) -> int:
        """Like `TableRun.waiting`."""
        count: int = self._table.notes.waiting
        return count

    def take_up(self, work: StoredPositions) -> None:
        """Like `TableRun.take_up`: an interrupted sweep continues as a sweep by the rules."""
        facts, table, notes = work.facts, self._table, self._table.notes
        refuse_odd(facts, FACTS)
        counted = self.take_up_table(work, kernel.UNSETTLED, facts["aside"])
        notes.level, notes.length = facts["level"], facts["length"]
        _refuse_disagreement(facts, counted, table, self._levels)
        notes.aside = facts["aside"]
        notes.edges = max(0, min(facts["ways"], counted.used * table.room))
        notes.waiting, notes.entered = counted.new, counted.open + counted.settled
        notes.settled, self._places = int(facts["settled"]), facts["places"]

    def work(self) -> StoredPositions:
        """Like `TableRun.work`."""
        work, notes = super().work(), self._table.notes
        sweeps = notes.phase in kernel.SWEEPING or self._step == self.steps
        parts = self._parts if sweeps else []
        facts = {
            "level": notes.level,
            "length": notes.length,
            "settled": any(of.settled for of in (notes, *(part.notes for part in parts))),
            "ways": notes.edges + sum(part.notes.edges for part in parts),
            "aside": notes.aside,
            "places": places_of(parts),
        }
        return StoredPositions({**work.facts, **facts}, work.arrays)

    def add_payoff(self) -> None:
        """Make the payoff in the notes known; endless play has to be opposed as well."""
        table = self._table
        table.add_payoff()
        if self._orbits.group.swaps and table.payoffs[-1][::-1] not in table.payoffs:
            shares = table.notes.first_share, table.notes.second_share
            table.notes.second_share, table.notes.first_share = shares
            table.add_payoff()
        if len(table.payoffs) > 1 << table.layout.class_bits:
            raise CodeOverflowError("payoffs do not fit")
        table.refuse_unless_opposed(self._levels.endless)

    # --- finding values -----------------------------------------------------------------------

    def _settle_on(self) -> bool:
        """Do a slice of the current phase, and choose the next phase; return whether all is
        done."""
        table, notes = self._table, self._table.notes
        if self._levels.is_done:
            return True
        target = self._levels.targets[notes.level]
        status = self._slice(target)
        if status == codes.UNFIT:
            raise CodeOverflowError("plies do not fit")
        if status != codes.DONE:
            return False
        match notes.phase:
            case kernel.SWEEP | kernel.LIST | kernel.ALONG:
                self._after_sweep()
            case kernel.COUNT:
                self._lists.have_predecessors()
                self._begin(kernel.REVERSE)
            case kernel.REVERSE:
                self._parts = []
                self._lists.keep_reversal_only()
                self._begin(kernel.SPREAD)
            case kernel.SPREAD:
                sides, nodes = table.row(self._levels.sides(target)), self._lists.reversal.nodes
                if table.call("write_values", table.table, sides, nodes) == codes.UNFIT:
                    raise CodeOverflowError("plies do not fit")
                self._next_level()
        return self._levels.is_done

    def _slice(self, target: Target) -> int:
        table, notes, size = self._table, self._table.notes, ALONG * transposition_table.SLICE
        match notes.phase:
            case kernel.SWEEP | kernel.LIST | kernel.ALONG:
                return self._sweep_on(target)
            case kernel.SPREAD:
                return table.call("spread", self._lists.reversal, notes, size)
        part = self._parts[notes.part]
        last = sum(earlier.notes.left for earlier in self._parts[: notes.part + 1])
        status = table.call(
            "reverse_edges",
            notes.phase,
            last,
            self._lists.sweep(target).but(edges=part.edges),
            self._lists.reversal,
            notes,
            size,
        )
        if status == codes.DONE and part is not self._parts[-1]:
            notes.part += 1
            notes.read = 0
            return codes.SLICED
        return status

    def _sweep_on(self, target: Target) -> int:
        """Sweep the unfinished parts of the table, for a slice or a round of slices."""
        table, phase = self._table, self._table.notes.phase
        sweep, size = self._lists.sweep(target), transposition_table.SLICE

        def by_rules(part: Part) -> int:
            arrays, edges = part.arrays(table, self._entering.waiting), sweep.but(edges=part.edges)
            return table.call("sweep_by_rules", phase, arrays, edges, part.notes, size)

        def by_edges(part: Part) -> int:
            edges = sweep.but(edges=part.edges)
            return table.call("sweep_edges", table.table, edges, part.notes, ALONG * size)

        work = by_edges if phase == kernel.ALONG else by_rules
        left = round_of(self._parts, work, self._crew)
        for part in left:
            if part.status == codes.FULL:
                part.enlarge(table)
        if any(part.status == codes.LOST for part in left):
            raise SolutionFileError("it has not all positions that follow those that it has")
        if any(part.status == codes.UNFIT for part in left):
            return codes.UNFIT
        if left:
            return codes.SLICED
        for part in self._parts:
            add(part.notes, TOLD, table.notes)
        return codes.DONE

    def _begin(self, phase: int) -> None:
        notes = self._table.notes
        notes.phase = phase
        notes.place = notes.node = 0
        notes.read = notes.part = 0

    def _begin_values(self) -> None:
        self._entering.release()
        if self._step > self._first_step:
            endings.tighten(self._table)
            self._begin_level()
        else:  # continue an interrupted sweep; all earlier states may be open
            notes = self._table.notes
            self._begin(kernel.SWEEP)
            notes.left = notes.entered
            self._parts = self._parts_again() or parts_of(self._table, self._crew.threads)
            for part in self._parts:
                part.notes.length = notes.length

    def _parts_again(self) -> list[Part]:
        """The saved parts at their places, if the restored work is in the current step."""
        return parts_from(self._places if self._step == self._first_step else [], self._table)

    def _begin_level(self) -> None:
        self._parts = []
        self._lists.release()
        if not self._levels.is_done:
            self._table.notes.length = self._table.notes.sweeps = 0
            self._table.notes.left = self._entered
            self._begin_by_rules()

    @property
    def _entered(self) -> int:
        """Upper bound of the number of states with successors."""
        notes = self._table.notes
        entered: int = min(self._table.used, notes.entered)
        return entered

    def _begin_by_rules(self) -> None:
        """Begin a sweep by the rules, which lists edges if there is room for the largest possible
        list."""
        table, notes = self._table, self._table.notes
        self._parts = []
        if not self._has_room_for_list():
            endings.put_aside(table, self._entered)
        has_room = self._has_room_for_list()
        self._parts = parts_of(table, self._crew.threads)
        if not has_room:
            notes.edges = 0
            self._begin_sweep(kernel.SWEEP)
            return
        give_lists(self._parts, table, notes.left + notes.edges)
        self._lists.begin()
        self._begin_sweep(kernel.LIST)

    def _has_room_for_list(self) -> bool:
        """Whether there is room for the largest possible list of edges."""
        table, notes = self._table, self._table.notes
        settled, forcers = self._lists.sizes()
        parts = table.parts_for(self._crew.threads)
        numbers = room_for(notes.left + notes.edges, parts, table)
        more = numbers + 3 * settled + 2 * forcers
        return table.entries <= MOST_LISTED and self._has_room(more)

    # --- endings that are put aside -----------------------------------------------------------

    def _begin_endings(self) -> None:
        self._parts = self._parts_again() or endings.begin_to_enter(self._table, self._crew)

    def _endings_on(self) -> bool:
        return endings.enter_on(self._table, self._parts, self._crew, self._entering.waiting)

    def _has_room(self, more: int) -> bool:
        """Whether there is room for `more` numbers besides the present arrays."""
        table = self._table
        listed = sum(len(part.edges) for part in self._parts)
        return (len(table.table) + listed + more) * NUMBER <= table.limits.bytes

    def _begin_sweep(self, phase: int) -> None:
        notes = self._table.notes
        self._begin(phase)
        notes.length += 1
        notes.settled = notes.left = 0
        for part in self._parts:
            part.begin(phase, notes.length)

    def _next_level(self) -> None:
        self._table.notes.level += 1
        self._begin_level()

    def _after_sweep(self) -> None:
        """Sweep once more, or reverse the list of edges, if there is room."""
        notes = self._table.notes
        if notes.settled == 0 or notes.left == 0:
            self._next_level()
        elif notes.phase == kernel.SWEEP:
            self._begin_by_rules()
        elif notes.sweeps < PATIENCE or not self._begin_reversal():
            notes.sweeps += 1
            mask = self._lists.begin_sweep()
            self._begin_sweep(kernel.ALONG)
            for part in self._parts:
                part.notes.sieved = mask

    def _begin_reversal(self) -> bool:
        """Begin to reverse the list of edges, if there is room."""
        notes = self._table.notes
        written = sum(part.notes.written for part in self._parts)
        if not self._has_room(self._lists.numbers_of_reversal(written)):
            return False
        self._lists.begin_reversal()
        notes.head = notes.tail = 0
        notes.length += 1
        self._begin(kernel.COUNT)
        return True


def _refuse_disagreement(
    facts: Mapping[str, Any], counted: Counted, table: TranspositionTable, levels: Levels
) -> None:
    """Reject facts that contradict the entries or the sweep."""
    most = counted.used + facts["aside"] + 1
    refuse_odd(
        {"new": counted.new, "settled": counted.settled, "ended": counted.ended, **facts},
        {
            "new": lambda count: count == 0 or facts["step"] == EXPLORING,
            "settled": lambda count: count == 0 or facts["step"] > EXPLORING,
            "aside": lambda count: count == 0 or facts["step"] > EXPLORING,
            "level": lambda level: level <= len(levels.targets),
            "length": lambda length: (
                0 < length <= most or facts["step"] == EXPLORING or levels.is_done
            ),
            "places": lambda places: are_places(places, table),
        },
    )  # fmt: skip


class KernelRetrograde(FittedSolver[SolvedPositions]):
    """Retrograde analysis of one game."""

    kernels = (
        kernel.explore,
        codes.rehash,
        endings_kernel.leave_endings,
        endings_kernel.enter_endings,
        sweeps_kernel.sweep_by_rules,
        edges_kernel.sweep_edges,
        edges_kernel.fold,
        edges_kernel.rank_open,
        edges_kernel.reverse_edges,
        numbering_kernel.prefix_sum,
        edges_kernel.spread,
        edges_kernel.write_values,
        tally_kernel.longest,
        tally_kernel.tally,
        *ordering.KERNELS,
        codes.code_of,
    )
    notes = kernel.RetrogradeNotes
    run = RetrogradeRun
    _threads = 1

    @classmethod
    def bytes_a_state(cls, engine: CompiledEngine, branching: float) -> tuple[int, int]:
        """Like `FittedSolver.bytes_a_state`; at most plus a list of all edges between states."""
        least, grown = super().bytes_a_state(engine, branching)
        return least, grown + int((1 + branching) / 2 * NUMBER) + 1

    def solve(
        self, state: State, limits: SearchLimits = NO_LIMITS, checkpoints: Checkpoints | None = None
    ) -> SolvedPositions:
        """Like `TableSolver.solve`; images share one entry if symmetry is used."""
        self._threads = limits.threads
        orbits = orbits_of(self._engine, state) if limits.uses_symmetry else Orbits(self._engine)
        self._use(orbits, state)
        return super().solve(state, limits, checkpoints)

    def begin(self, table: TranspositionTable) -> RetrogradeRun:
        """Like `TableSolver.begin`."""
        return RetrogradeRun(table, self._orbits, self._threads)

    @classmethod
    def refusal(cls, engine: CompiledEngine) -> Refusal | None:
        """Why the rules alone exclude the algorithm; None if the rules do not."""
        reason = super().refusal(engine)
        if reason is None and engine.model.facts.endless is None:
            return Refusal("the rules do not say what endless play is worth")
        return reason

    def count(self, state: State, limits: SearchLimits = NO_LIMITS) -> int:
        """Number of states reachable from a state that is not terminal, with images counted
        separately; raises like `solve`."""
        self._threads = limits.threads
        self._use(Orbits(self._engine), state)
        states: int = self._execute(lambda run: run.count(state, limits.progress), limits)
        return states
