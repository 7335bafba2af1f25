"""Retrograde analysis by kernels: exact values where play can return.

In: a game of one player or two without chance whose engine is compiled, and a state. Out:
`SolvedPositions`: the payoffs and plies of best play for every state that can be reached, by the
conventions of `solvers.exact.retrograde`. What endless play pays must be said in the rules.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.packed_state import PackedState
from gamedsl.game.native import Length, LengthsOfPlay, SolvedPositions, StoredPositions
from gamedsl.game.stored_facts import is_count, is_text, many, refuse_odd
from gamedsl.model import State
from gamedsl.solvers.exact.retrograde import endless_forcer
from gamedsl.solvers.graphs.graph import Progress, Vector
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import memory, numbering_kernel, transposition_table
from gamedsl.solvers.kernels.contents import (
    FINDING,
    Contents,
    length_of,
    payoffs_of,
    payoffs_stored,
)
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.returning import retrograde_kernel as kernel
from gamedsl.solvers.kernels.returning import sweeps_kernel, ways_kernel
from gamedsl.solvers.kernels.returning.fitted_solver import FittedSolver, OddStateError
from gamedsl.solvers.kernels.symmetry.orbits import Orbits, named, orbits_of
from gamedsl.solvers.kernels.symmetry.permutations import Words, all_permutations
from gamedsl.solvers.kernels.table_solver import TableRun
from gamedsl.solvers.kernels.transposition_table import (
    CodeOverflowError,
    Limits,
    TranspositionTable,
)
from gamedsl.solvers.memory import usable_bytes

FACTS = {"symmetries": many(is_text), "tallies": many(many(is_count, 3))}
"""What is stored besides."""
WAITING = 1 << 12
"""New states that are kept at hand."""
FAR = 1 << 40
"""A level that no payoff has."""
MOST_LISTED = 1 << 30
"""Tables with more entries have ways that no list has room for."""
TIGHTEST = (17, 20)
"""The part of a table that is in use where no more is entered: what is looked for is there."""
SAVING = 1.25
"""How many times smaller a table has to become by that."""
ALONG = 8
"""States in a slice in which no rules are asked, for each of one in which they are."""
PATIENCE = 64
"""Sweeps along the list of ways before it is turned round: that takes as long as a few dozen."""

Levels = tuple[int | None, int | None]
"""What the first player forces and what the second does; None: nothing."""


class RetrogradeRun(TableRun[SolvedPositions]):
    """One game being solved: the arrays of the kernels."""

    kept = (
        "_keys", "_waiting", "_ways", "_settled", "_settling", "_forcers", "_ranks", "_starts",
        "_predecessors", "_nodes", "_queue",
    )  # fmt: skip

    def __init__(self, table: TranspositionTable, orbits: Orbits) -> None:
        super().__init__(table)
        table.orbits = orbits
        endless = table.assembly.engine.model.facts.endless
        assert endless is not None, "the rules say what endless play is worth"
        self._endless = endless
        self._orbits = orbits
        self._keys = table.assembly.row((table.room + 1) * table.layout.width)
        self._waiting = table.assembly.row(WAITING)
        self._give_back()

    def solve(self, state: State, progress: Progress | None) -> SolvedPositions:
        """All that can be reached: entered, and settled from the end."""
        found = self._table
        self.count(state, progress)
        self.take_step(self._begin_values, self._settle_on, progress)
        facts = {
            **self._tallied(),
            "payoffs": payoffs_stored([*found.payoffs, self._endless]),
            "entries": found.used,
        }
        return positions(found.contents, found.contents.stored(facts, {}))

    def count(self, state: State, progress: Progress | None) -> int:
        """How many entries can be reached: entered, and no more."""
        found = self._table
        self.take_step(lambda: self._begin_at(state), self._explore_on, progress)
        return found.used

    def waiting(self) -> int:
        """As `TableRun.waiting`."""
        count: int = self._table.notes[kernel.WAITING]
        return count

    # --- entering all states ------------------------------------------------------------------

    def _begin_at(self, state: State) -> None:
        words = self._table.assembly.engine.words_of(state)
        self._table.put_words(self._orbits.least(words), self._keys)
        self._table.notes[kernel.FIRST] = self._orbits.mark_of(words) if self._orbits.marks else 0

    def _explore_on(self) -> bool:
        found = self._table
        status = found.call(
            "explore", found.table, found.most, self._keys, self._waiting, found.actions,
            found.buckets, found.paid, found.notes, transposition_table.SLICE,
        )  # fmt: skip
        if status == codes.FULL:
            found.move_to(found.larger_table())
            found.notes[kernel.STACK] = found.notes[kernel.PLACE] = 0
        elif status == codes.NEW_PAYOFF:
            self._add_payoff()
        elif status == kernel.ODD:
            raise OddStateError(self._states_after(found.notes[kernel.PLACE]))
        return status == codes.DONE

    def _states_after(self, place: int) -> list[Words]:
        """The entries of what follows the state of an entry."""
        found, engine = self._table, self._table.assembly.engine
        words = found.layout.words(found.table[place : place + found.layout.width])
        state = PackedState(engine.packing, words, engine.packing.turn_of(words), None)
        return [
            self._orbits.least(engine.words_of(engine.result(state, action)))
            for action in engine.legal_actions(state)
        ]

    def _add_payoff(self) -> None:
        """Make the payoff among the notes known: endless play has to be opposed as well."""
        found = self._table
        found.add_payoff()
        if self._orbits.swaps and found.payoffs[-1][::-1] not in found.payoffs:
            shares = found.notes[codes.FIRST_SHARE], found.notes[codes.SECOND_SHARE]
            found.notes[codes.SECOND_SHARE], found.notes[codes.FIRST_SHARE] = shares
            found.add_payoff()
        if len(found.payoffs) > 1 << found.layout.class_bits:
            raise CodeOverflowError("payoffs do not fit")
        found.refuse_unless_opposed(self._endless)

    # --- finding values -----------------------------------------------------------------------

    def _settle_on(self) -> bool:
        """Do a slice of what is being done, and see what is next; whether all is done."""
        found, notes = self._table, self._table.notes
        targets = self._targets()
        if notes[kernel.LEVEL] == len(targets):
            return True
        status = self._slice(targets[notes[kernel.LEVEL]])
        if status == codes.UNFIT:
            raise CodeOverflowError("plies do not fit")
        if status != codes.DONE:
            return False
        match notes[kernel.PHASE]:
            case kernel.SWEEP | kernel.LIST | kernel.ALONG:
                self._after_sweep()
            case kernel.COUNT:
                ways = found.call("prefix_sum", self._starts, len(self._nodes))
                self._predecessors = found.zeros(ways // 2 + 1)
                self._begin(kernel.TURN)
            case kernel.TURN:
                self._ways = self._settled = self._settling = self._forcers = found.zeros(0)
                self._begin(kernel.SPREAD)
            case kernel.SPREAD:
                sides = self._sides(targets[notes[kernel.LEVEL]])
                if found.call("write_values", found.table, sides, self._nodes) == codes.UNFIT:
                    raise CodeOverflowError("plies do not fit")
                self._next_level()
        return bool(notes[kernel.LEVEL] == len(targets))

    def _slice(self, target: Levels) -> int:
        found, notes, size = self._table, self._table.notes, transposition_table.SLICE
        match notes[kernel.PHASE]:
            case kernel.SWEEP | kernel.LIST:
                return found.call(
                    "go_through", notes[kernel.PHASE], found.table, self._goals(target),
                    self._sides(target), found.row(self._levels()), self._ways, self._settling,
                    self._forcers, self._keys, found.actions, found.buckets, notes, size,
                )  # fmt: skip
            case kernel.ALONG:
                return found.call(
                    "sweep_along", found.table, self._sides(target), self._ways, self._settled,
                    self._settling, self._forcers, notes, ALONG * size,
                )  # fmt: skip
            case kernel.SPREAD:
                return found.call(
                    "spread", self._starts, self._predecessors, self._nodes, self._queue, notes,
                    ALONG * size,
                )  # fmt: skip
        return found.call(
            "turn_round", notes[kernel.PHASE], self._ways, self._settled, self._forcers,
            self._ranks, self._starts, self._predecessors, self._nodes, self._queue,
            notes, ALONG * size,
        )  # fmt: skip

    def _begin(self, phase: int) -> None:
        notes = self._table.notes
        notes[kernel.PHASE] = phase
        notes[kernel.PLACE] = notes[kernel.NODE] = 0
        notes[kernel.READ] = notes[kernel.WRITTEN] = 0

    def _begin_values(self) -> None:
        self._tighten()
        self._begin_level()

    def _tighten(self) -> None:
        """No more states come: put them into a fuller table, where that makes it much smaller."""
        found = self._table
        size = found.used * TIGHTEST[1] // TIGHTEST[0] + found.room
        numbers = size * found.layout.width
        has_room = memory.GIVES_BACK or self._has_room(numbers)
        if size * SAVING < found.entries and has_room:
            found.move_to(found.zeros(numbers))

    def _begin_level(self) -> None:
        self._give_back()
        self._table.notes[kernel.LENGTH] = self._table.notes[kernel.SWEEPS] = 0
        self._table.notes[kernel.LEFT] = self._table.used
        self._begin_by_rules()

    def _begin_by_rules(self) -> None:
        """Begin a sweep by the rules, which lists ways if there is room for all there may be."""
        found, notes = self._table, self._table.notes
        listed = (notes[kernel.LEFT] + notes[kernel.WAYS]) // 2 + 1
        settled = (found.entries >> ways_kernel.PLACES) + 1
        forcers = (found.entries >> ways_kernel.SIDES) + 1
        if found.entries > MOST_LISTED or not self._has_room(listed + 2 * settled + forcers):
            notes[kernel.WAYS] = 0
            self._begin_sweep(kernel.SWEEP)
            return
        self._ways, self._forcers = found.zeros(listed), found.zeros(forcers)
        self._settling = found.zeros(settled)
        self._begin_sweep(kernel.LIST)

    def _has_room(self, more: int) -> bool:
        """Whether there is room for so many numbers besides those that are held."""
        found = self._table
        return (len(found.table) + len(self._ways) + more) * NUMBER <= found.limits.bytes

    def _begin_sweep(self, phase: int) -> None:
        notes = self._table.notes
        self._begin(phase)
        notes[kernel.LENGTH] += 1
        notes[kernel.SETTLED] = notes[kernel.LEFT] = 0

    def _next_level(self) -> None:
        self._table.notes[kernel.LEVEL] += 1
        self._begin_level()

    def _after_sweep(self) -> None:
        """Sweep once more, or turn the list of ways round, if there is room."""
        notes = self._table.notes
        if notes[kernel.SETTLED] == 0 or notes[kernel.LEFT] == 0:
            self._next_level()
        elif notes[kernel.PHASE] == kernel.SWEEP:
            self._begin_by_rules()
        elif notes[kernel.SWEEPS] < PATIENCE or not self._begin_turning():
            notes[kernel.SWEEPS] += 1
            self._settled = self._settling
            self._settling = self._table.zeros(len(self._settled))
            self._begin_sweep(kernel.ALONG)

    def _begin_turning(self) -> bool:
        """Begin to turn the list of ways round, if there is room."""
        found, notes = self._table, self._table.notes
        left, ranks = notes[kernel.LEFT], (found.entries >> ways_kernel.BLOCK) + 1
        if not self._has_room(ranks + 3 * left + notes[kernel.WRITTEN] // 2):
            return False
        self._ranks = found.zeros(ranks)
        found.call("rank_open", found.table, self._ranks)
        self._starts, self._nodes = found.zeros(left + 1), found.zeros(left)
        self._queue = found.zeros(left // 2 + 1)
        self._settled = self._settling
        notes[kernel.HEAD] = notes[kernel.TAIL] = 0
        notes[kernel.LENGTH] += 1
        self._begin(kernel.COUNT)
        return True

    def _give_back(self) -> None:
        """Keep no ways between states any more."""
        nothing = self._table.zeros(0)
        self._ways = self._settled = self._settling = self._forcers = self._ranks = nothing
        self._starts = self._predecessors = self._nodes = self._queue = nothing

    # --- what is looked for -------------------------------------------------------------------

    def _levels(self) -> list[int]:
        """For each payoff how good it is for the first player, endless play being 0."""
        firsts = [payoff[0] for payoff in self._table.payoffs]
        ordered = sorted({*firsts, self._endless[0]})
        middle = ordered.index(self._endless[0])
        return [ordered.index(first) - middle for first in firsts]

    def _targets(self) -> list[Levels]:
        """The levels in the order in which they are looked for. Those of one player need nothing
        of those of the other, so that two are looked for at a time."""
        levels = self._levels()
        above: list[int | None] = [*sorted({one for one in levels if one > 0}, reverse=True)]
        below: list[int | None] = [*sorted({one for one in levels if one < 0})]
        forces = endless_forcer(self._endless)
        if forces is not None and 0 in levels:
            (above if forces else below).append(0)
        found = [*zip_longest(above, below)]
        return [*found, (0, 0)] if forces is None and 0 in levels else found

    def _goals(self, target: Levels) -> Any:
        first, second = target
        if first == second:
            return self._table.row([0, -FAR, 0, -FAR])
        up, down = FAR if first is None else first, -FAR if second is None else second
        return self._table.row([up, down, -down, -up])

    def _sides(self, target: Levels) -> Any:
        levels = self._levels()
        first, second = (0 if one is None else levels.index(one) for one in target)
        return self._table.row([first, second, first])

    def _tallied(self) -> dict[str, Any]:
        """How many states there are of each payoff and plies."""
        found, payoffs = self._table, len(self._table.payoffs)
        lengths = found.call("longest", found.table) + 1
        tallies = found.zeros((payoffs + 1) * lengths)
        mirrored = found.row([*_mirrored(found.payoffs), payoffs])
        total = found.call("tally", found.table, payoffs + 1, mirrored, tallies, self._keys)
        tallied = [
            [*divmod(place, payoffs + 1), count] for place, count in enumerate(tallies) if count
        ]
        endings = sum(count for length, _, count in tallied if length == 1)
        return {"positions": total, "endings": endings, "tallies": tallied}


def positions(contents: Contents, stored: StoredPositions) -> SolvedPositions:
    """What has been found, from the table and what is stored with it."""
    facts = stored.facts
    *payoffs, endless = payoffs_of(stored)
    bits = contents.layout.class_bits
    refuse_odd(facts, FACTS)
    if contents.orbits is None:
        names, kept = facts["symmetries"], facts.get("kept", facts["symmetries"])
        refuse_odd({"kept": kept}, {"kept": many(is_text)})
        orbits = named(contents.assembly.engine, names, kept)
        contents = replace(contents, orbits=orbits)
    contents = replace(contents, payoffs=_mirrored(payoffs))

    def length(code: int) -> Length:
        return length_of(code, bits, payoffs) if code >> bits else (endless, None)

    def look_up(state: State) -> Length | None:
        code = contents.code(state)
        return length(code) if code else None

    def counted() -> Counter[Length]:
        found: Counter[Length] = Counter()
        for plies, payoff, count in facts["tallies"]:
            found[length(plies << bits | payoff)] += count
        return found

    lengths = LengthsOfPlay(counted, lambda one: contents.states_like(length, one))
    return contents.solved(stored, look_up, lengths=lengths)


def _mirrored(payoffs: list[Vector]) -> tuple[int, ...]:
    """For each payoff the number of that in which players are swapped; its own where that is
    none."""
    numbers = {payoff: number for number, payoff in enumerate(payoffs)}
    return tuple(numbers.get(payoff[::-1], number) for number, payoff in enumerate(payoffs))


class KernelRetrograde(FittedSolver[SolvedPositions]):
    """Retrograde analysis of one game."""

    modules = (codes, kernel, ways_kernel)
    kernels = (
        kernel.explore,
        codes.rehash,
        sweeps_kernel.go_through,
        ways_kernel.sweep_along,
        ways_kernel.rank_open,
        ways_kernel.turn_round,
        numbering_kernel.prefix_sum,
        ways_kernel.spread,
        ways_kernel.write_values,
        kernel.longest,
        kernel.tally,
        codes.code_of,
    )
    inner = (
        *FINDING,
        kernel.state_at,
        kernel.images_after,
        kernel.is_swapped,
        kernel.marks_at,
        kernel.write_code,
        kernel.keep_waiting,
        kernel.next_waiting,
        kernel.enter_successors,
        sweeps_kernel.look_around,
        sweeps_kernel.level_of,
        sweeps_kernel.is_borne,
        sweeps_kernel.judge,
        sweeps_kernel.ways_on,
        sweeps_kernel.list_ways,
        ways_kernel.number_in,
        ways_kernel.put_number,
        ways_kernel.settle,
        ways_kernel.forcer_of,
        ways_kernel.number_at,
        ways_kernel.append,
    )
    notes = kernel.ALL_NOTES
    run = RetrogradeRun

    @classmethod
    def bytes_a_state(cls, engine: CompiledEngine, branching: float) -> tuple[int, int]:
        """As `TableSolver.bytes_a_state`: at least the table, where all images are reached; at
        most a list of all ways between states besides, and every state has an entry."""
        least, grown = super().bytes_a_state(engine, branching)
        done = 2 * least + int((1 + branching) / 2 * NUMBER) + 1
        return max(1, least // (len(all_permutations(engine)) + 1)), max(grown, done)

    def solve(self, state: State, *, uses_symmetry: bool = True, **limits: Any) -> SolvedPositions:
        """As `TableSolver.solve`; `uses_symmetry`: images are one entry."""
        orbits = orbits_of(self._engine, state) if uses_symmetry else Orbits(self._engine)
        self._use(orbits, state)
        return super().solve(state, **limits)

    def begin(self, table: TranspositionTable) -> RetrogradeRun:
        """As `TableSolver.begin`."""
        return RetrogradeRun(table, self._orbits)

    @classmethod
    def why_not(cls, engine: CompiledEngine) -> str | None:
        """Why the rules alone forbid it; None if they do not."""
        reason = super().why_not(engine)
        if reason is None and engine.model.facts.endless is None:
            return "the rules do not say what endless play is worth"
        return reason

    def count(
        self,
        state: State,
        *,
        max_positions: int | None = None,
        progress: Progress | None = None,
    ) -> int:
        """How many states can be reached from one that is not over, images counted each; raises as
        `solve`."""
        self._use(Orbits(self._engine), state)
        limits = Limits(max_positions, usable_bytes())
        found: int = self._carried_out(lambda run: run.count(state, progress), limits)
        return found
