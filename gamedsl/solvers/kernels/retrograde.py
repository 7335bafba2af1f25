"""Retrograde analysis by kernels: exact values where play can return.

In: a game of one player or two without chance whose engine is compiled, and a state. Out:
`SolvedPositions`: the payoffs and plies of best play for every state that can be reached, by the
conventions of `solvers.exact.retrograde`. What endless play pays must be said in the rules.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.native import Length, SolvedPositions, StoredPositions
from gamedsl.model import State
from gamedsl.solvers.exact.retrograde import endless_forcer
from gamedsl.solvers.graphs.graph import OutOfMemoryError, Progress
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import retrograde_kernel as kernel
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.contents import FINDING, Contents, payoffs_of, payoffs_stored
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.numbering import ROOM, NumberingRun
from gamedsl.solvers.kernels.table_solver import TableSolver
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

BESIDE = 2
"""Numbers for each entry besides its key while states are numbered."""
BEHIND = 4
"""Numbers for each state afterwards, besides the states before it."""


class RetrogradeRun(NumberingRun[SolvedPositions]):
    """One game being solved: the arrays of the kernels."""

    beside = BESIDE
    kept = (
        *NumberingRun.kept, "_predecessors", "_degrees", "_values", "_plies", "_queue",
    )  # fmt: skip

    def __init__(self, table: TranspositionTable) -> None:
        super().__init__(table)
        endless = table.assembly.engine.model.facts.endless
        assert endless is not None, "the rules say what endless play is worth"
        self._endless = endless
        self._predecessors = table.zeros(0)

    def solve(self, state: State, progress: Progress | None) -> SolvedPositions:
        """All that can be reached: numbered, linked backwards, and settled from the end."""
        self.number_states(state, progress)
        self.take_step(self._begin_links, self._link_on, progress)
        self._spread(progress)
        found = self._table
        facts = {
            "positions": found.used,
            "endings": found.notes[codes.ENDINGS],
            "payoffs": payoffs_stored([*found.payoffs, self._endless]),
            "levels": [*self._levels(), 0],
        }
        contents = found.contents
        return positions(
            contents, contents.stored(facts, {"values": self._values, "plies": self._plies})
        )

    def explore(self) -> int:
        """As `NumberingRun.explore`."""
        found = self._table
        return found.call(
            "explore", found.table, found.most, self._keys, self._kinds, self._counts,
            found.actions, found.buckets, found.paid, found.notes, transposition_table.SLICE,
        )  # fmt: skip

    def add_payoff(self) -> None:
        """As `NumberingRun.add_payoff`: endless play has to be opposed as well."""
        super().add_payoff()
        self.refuse_unless_opposed(self._endless)

    def _begin_links(self) -> None:
        """Make room for the states before each, and for how many successors each has."""
        found = self._table
        edges = found.call("prefix_sum", self._counts, found.used)
        held = found.entries * (2 * found.layout.width + BESIDE)
        needed = (held + edges // 2 + 1 + BEHIND * found.used) * NUMBER
        if needed > found.limits.bytes:
            raise OutOfMemoryError(found.used, held * NUMBER)
        self._predecessors, self._degrees = found.zeros(edges // 2 + 1), found.zeros(found.used)
        found.notes[kernel.NODE] = 0

    def _link_on(self) -> bool:
        found = self._table
        status = found.call(
            "fill_csr", found.table, self._keys, self._kinds, self._counts, self._predecessors,
            self._degrees, found.actions, found.buckets, found.notes, transposition_table.SLICE,
        )  # fmt: skip
        return status == codes.DONE

    def _spread(self, progress: Progress | None) -> None:
        """Find values, as levels, and plies + 1 of all states (0: endless)."""
        found = self._table
        if not hasattr(self, "_values"):
            self._keys = found.zeros(0)  # nobody asks for them any more
            self._values, self._plies = found.zeros(found.used), found.zeros(found.used)
            self._queue = found.zeros(found.used // 2 + 1)
        levels = self._levels()
        above = sorted({level for level in levels if level > 0}, reverse=True)
        below = sorted({level for level in levels if level < 0})
        kinds = found.row(levels)
        forces = endless_forcer(self._endless)
        if forces is not None:
            (above if forces else below).append(0)
        together = [0] if forces is None else []
        for wanted, forcer in ((above, 0), (below, 1), (together, kernel.ANYBODY)):
            for level in wanted:
                begin = partial(self._begin_level, level, kinds, is_first=level == wanted[0])
                self.take_step(begin, partial(self._spread_on, level, forcer), progress)

    def _begin_level(self, level: int, kinds: Any, *, is_first: bool) -> None:
        """Settle the endings of a level; `is_first`: of those that the same player forces."""
        found = self._table
        if is_first:
            found.call("unsettle", self._degrees, found.notes)
        found.call(
            "init_frontier", level, self._kinds, kinds, self._values, self._plies, self._queue,
            found.notes,
        )  # fmt: skip

    def _spread_on(self, level: int, forcer: int) -> bool:
        found = self._table
        status = found.call(
            "spread", level, forcer, self._kinds, self._counts, self._predecessors,
            self._degrees, self._values, self._plies, self._queue, found.notes,
            transposition_table.SLICE,
        )  # fmt: skip
        return status == codes.DONE

    def _levels(self) -> list[int]:
        """For each payoff how good it is for the first player, endless play being 0."""
        firsts = [payoff[0] for payoff in self._table.payoffs]
        ordered = sorted({*firsts, self._endless[0]})
        middle = ordered.index(self._endless[0])
        return [ordered.index(first) - middle for first in firsts]


def positions(contents: Contents, stored: StoredPositions) -> SolvedPositions:
    """What has been found, from the table and what is stored with it."""
    facts = stored.facts
    vectors = dict(zip(facts["levels"], payoffs_of(stored), strict=True))
    values, plies = stored.arrays["values"], stored.arrays["plies"]

    def length_of(code: int) -> Length:
        length = plies[code - 1]
        return vectors[values[code - 1]], length - 1 if length else None

    def look_up(state: State) -> Length | None:
        code = contents.code(state)
        return length_of(code) if code else None

    return contents.solved(stored, look_up, length_of=length_of)


class KernelRetrograde(TableSolver[SolvedPositions]):
    """Retrograde analysis of one game."""

    modules = (codes, kernel)
    kernels = (
        kernel.explore,
        codes.rehash,
        kernel.prefix_sum,
        kernel.fill_csr,
        kernel.unsettle,
        kernel.init_frontier,
        kernel.spread,
        codes.code_of,
    )
    inner = (*FINDING, codes.successors_of, kernel.number_successors, kernel.append)
    notes = kernel.ALL_NOTES
    least_room = ROOM
    beside, behind, copies, edges = BESIDE, BEHIND, 2, 0.5
    run = RetrogradeRun

    @classmethod
    def why_not(cls, engine: CompiledEngine) -> str | None:
        """Why the rules alone forbid it; None if they do not."""
        reason = super().why_not(engine)
        if reason is None and engine.model.facts.endless is None:
            return "the rules do not say what endless play is worth"
        return reason
