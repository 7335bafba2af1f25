"""Retrograde analysis by kernels: exact values where play can return.

In: a game of one player or two without chance whose engine is compiled, and a state. Out:
`SolvedPositions`: the payoffs and plies of best play for every state that can be reached, by the
conventions of `solvers.exact.retrograde`. What endless play pays must be said in the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.native import SolvedPositions
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.exact.constant_sum import constant_sum
from gamedsl.solvers.exact.retrograde import endless_forcer
from gamedsl.solvers.graphs.graph import OutOfMemoryError, Progress, Vector
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import retrograde_kernel as kernel
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.table_solver import TableRun, TableSolver
from gamedsl.solvers.kernels.transposition_table import CodeOverflowError, TranspositionTable

ROOM = 28
"""Bits that the number of a state may need."""
BESIDE = 2
"""Numbers for each entry besides its key while states are numbered."""
BEHIND = 5
"""Numbers for each state afterwards, besides the states before it."""


class RetrogradeRun(TableRun):
    """One game being solved: the arrays of the kernels."""

    def __init__(self, table: TranspositionTable) -> None:
        super().__init__(table)
        found = table
        endless = found.assembly.engine.model.facts.endless
        assert endless is not None, "the rules say what endless play is worth"
        self._endless = endless
        self._keys, self._kinds, self._predecessor_counts = self._by_number()
        self._predecessors = found.zeros(0)

    def _by_number(self) -> tuple[Any, Any, Any]:
        """Keys, kinds, and how many states are before each, with room for what the table takes."""
        found = self._table
        keys = found.zeros((found.most + 2 * found.room) * found.layout.width)
        return keys, found.zeros(found.most + 1), found.zeros(found.most + 1)

    def solve(self, state: State, progress: Progress | None) -> SolvedPositions:
        """All that can be reached: numbered, linked backwards, and settled from the end."""
        found = self._table
        found.put_key(state, self._keys)
        self._explore(progress)
        degrees = self._link(progress)
        values, plies = self._spread(degrees, progress)
        endings = found.notes[codes.ENDINGS]
        return SolvedPositions(found.used, endings, self._looking_up(values, plies))

    def _explore(self, progress: Progress | None) -> None:
        found = self._table
        status = codes.SLICED
        while status != codes.DONE:
            status = found.call(
                "explore", found.table, found.most, self._keys, self._kinds,
                self._predecessor_counts, found.actions, found.buckets, found.paid, found.notes,
                transposition_table.SLICE,
            )  # fmt: skip
            if status == codes.FULL:
                self._enlarge()
            elif status == codes.NEW_PAYOFF:
                self._add_payoff()
            elif status == codes.UNFIT:
                raise CodeOverflowError("numbers of states do not fit")
            found.keep_to_limits(progress, found.used - found.notes[kernel.NODE])

    def _add_payoff(self) -> None:
        found = self._table
        found.add_payoff()
        if constant_sum({*found.payoffs, self._endless}, len(self._endless)) is None:
            raise UnsupportedGameError("endless play gives more or less than its end does")

    def _enlarge(self) -> None:
        found = self._table
        found.table = found.larger_table(found.layout.width + BESIDE)
        smaller = self._keys, self._kinds, self._predecessor_counts
        self._keys, self._kinds, self._predecessor_counts = self._by_number()
        for large, small in zip(
            (self._keys, self._kinds, self._predecessor_counts), smaller, strict=True
        ):
            large[: len(small)] = small
        found.call("renumber", found.table, self._keys, found.used)

    def _link(self, progress: Progress | None) -> Any:
        """List the states before each; how many successors each has."""
        found = self._table
        edges = found.call("prefix_sum", self._predecessor_counts, found.used)
        held = found.entries * (2 * found.layout.width + BESIDE)
        needed = (held + edges + BEHIND * found.used) * NUMBER
        if needed > found.limits.bytes:
            raise OutOfMemoryError(found.used, held * NUMBER)
        self._predecessors, degrees = found.zeros(edges), found.zeros(found.used)
        found.notes[kernel.NODE] = 0
        status = codes.SLICED
        while status != codes.DONE:
            status = found.call(
                "fill_csr", found.table, self._keys, self._kinds, self._predecessor_counts,
                self._predecessors, degrees, found.actions, found.buckets, found.notes,
                transposition_table.SLICE,
            )  # fmt: skip
            found.keep_to_limits(progress)
        return degrees

    def _spread(self, degrees: Any, progress: Progress | None) -> tuple[Any, Any]:
        """Values, as levels, and plies + 1 of all states (0: endless)."""
        found = self._table
        values, plies, queue, unsettled = (found.zeros(found.used) for _ in range(4))
        levels = self._levels()
        above = sorted({level for level in levels if level > 0}, reverse=True)
        below = sorted({level for level in levels if level < 0})
        kinds = found.row(levels)
        forces = endless_forcer(self._endless)
        if forces is not None:
            (above if forces else below).append(0)
        together = [0] if forces is None else []
        for wanted, forcer in ((above, 0), (below, 1), (together, kernel.ANYBODY)):
            unsettled[:] = degrees
            for level in wanted:
                found.call(
                    "init_frontier", level, self._kinds, kinds, values, plies, queue, found.notes
                )
                status = codes.SLICED
                while status != codes.DONE:
                    status = found.call(
                        "spread", level, forcer, self._kinds, self._predecessor_counts,
                        self._predecessors, unsettled, values, plies, queue, found.notes,
                        transposition_table.SLICE,
                    )  # fmt: skip
                    found.keep_to_limits(progress)
        return values, plies

    def _levels(self) -> list[int]:
        """For each payoff how good it is for the first player, endless play being 0."""
        firsts = [payoff[0] for payoff in self._table.payoffs]
        ordered = sorted({*firsts, self._endless[0]})
        middle = ordered.index(self._endless[0])
        return [ordered.index(first) - middle for first in firsts]

    def _looking_up(
        self, values: Any, plies: Any
    ) -> Callable[[State], tuple[Vector, int | None] | None]:
        code_of = self._table.finder()
        vectors = {0: self._endless} | dict(zip(self._levels(), self._table.payoffs, strict=True))

        def look_up(state: State) -> tuple[Vector, int | None] | None:
            code = code_of(state)
            if not code:
                return None
            length = plies[code - 1]
            return vectors[values[code - 1]], length - 1 if length else None

        return look_up


class KernelRetrograde(TableSolver):
    """Retrograde analysis of one game."""

    modules = (codes, kernel)
    kernels = (
        kernel.explore,
        kernel.renumber,
        kernel.prefix_sum,
        kernel.fill_csr,
        kernel.init_frontier,
        kernel.spread,
        codes.code_of,
    )
    inner = (*transposition_table.FINDING, codes.successors_of, kernel.number_successors)
    notes = kernel.ALL_NOTES
    least_room = ROOM
    run = RetrogradeRun

    @classmethod
    def why_not(cls, engine: CompiledEngine) -> str | None:
        """Why the rules alone forbid it; None if they do not."""
        reason = transposition_table.why_not(engine)
        if reason is None and engine.model.facts.endless is None:
            return "the rules do not say what endless play is worth"
        return reason
