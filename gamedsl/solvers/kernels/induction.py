"""Backward induction by a kernel: exact values of millions of positions, kept in one table.

In: a game of one player or two without chance whose engine is compiled, and a state. Out:
`SolvedPositions`: the payoffs and plies of best play for every state that can be reached, by the
conventions of `solvers.exact.backward_induction`. It refuses where play can return or interests
are not opposed, which only play shows; then another solver has to do it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from gamedsl.game.native import Length, SolvedPositions, StoredPositions
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
from gamedsl.solvers.kernels.table_solver import TableRun, TableSolver
from gamedsl.solvers.kernels.transposition_table import CodeOverflowError, TranspositionTable

FIRST_FRAMES = 64
"""States on the first stack."""
RANK = 1 << 43
"""Above all plies."""


class ReturningPlayError(UnsupportedGameError):
    """Play can return, so there is no last move to begin with."""


class InductionRun(TableRun[SolvedPositions]):
    """One game being solved: the arrays of the kernel."""

    kept = ("_stack", "_keys", "_preferences")

    def __init__(self, table: TranspositionTable) -> None:
        super().__init__(table)
        found = table
        self._stack = found.assembly.row(FIRST_FRAMES * kernel.FRAME)
        self._keys = found.assembly.row((found.room + FIRST_FRAMES) * found.layout.width)
        self._preferences = found.assembly.row(0)
        found.notes[kernel.TOP] = kernel.FRESH

    def solve(self, state: State, progress: Progress | None) -> SolvedPositions:
        """All that can be reached; the kernel is called until it has done it."""
        found = self._table
        self.take_step(lambda: found.put_key(state, self._keys), self._go_on, progress)
        contents = found.contents
        facts = {
            "positions": found.used,
            "endings": found.notes[kernel.ENDINGS],
            "payoffs": payoffs_stored(found.payoffs),
        }
        return positions(contents, contents.stored(facts, {}))

    def _go_on(self) -> bool:
        """Do a slice, and what the kernel asks for; whether it was the last."""
        found = self._table
        status = found.call(
            "induce", found.table, found.most, self._stack, self._keys, found.actions,
            found.buckets, found.paid, self._preferences, found.notes, transposition_table.SLICE,
        )  # fmt: skip
        self._see_to(status)
        return status == kernel.DONE

    def _see_to(self, status: int) -> None:
        """Do what the kernel asks for before it goes on."""
        if status == kernel.FULL:
            self._enlarge_table()
        elif status == kernel.HIGH:
            self._stack, self._keys = self._doubled(self._stack), self._doubled(self._keys)
        elif status == kernel.NEW_PAYOFF:
            self._add_payoff()
        elif status == kernel.RETURNS:
            raise ReturningPlayError(
                "play can return to an earlier position", "use retrograde analysis"
            )
        elif status == kernel.UNFIT:
            raise CodeOverflowError("plies do not fit")

    def _enlarge_table(self) -> None:
        found = self._table
        found.move_to(found.larger_table())
        found.call("find_frames", self._stack, found.notes[kernel.TOP], self._keys, found.table)

    def _doubled(self, row: Any) -> Any:
        larger = self._table.assembly.row(2 * len(row))
        larger[: len(row)] = row
        return larger

    def _add_payoff(self) -> None:
        found = self._table
        found.add_payoff()
        if len(found.payoffs) > 1 << found.layout.class_bits:
            raise CodeOverflowError("payoffs do not fit")
        endless = found.assembly.engine.model.facts.endless
        break_even = neutral_payoff(set(found.payoffs), endless, len(found.payoffs[0]))
        assert break_even is not None, "interests are opposed"
        self._preferences = found.row(preferences(found.payoffs, break_even))


def positions(contents: Contents, stored: StoredPositions) -> SolvedPositions:
    """What has been found, from the table and what is stored with it."""
    payoffs, bits = payoffs_of(stored), contents.layout.class_bits

    @cache
    def length(code: int) -> Length:
        return length_of(code, bits, payoffs)

    def look_up(state: State) -> Length | None:
        code = contents.code(state)
        return length(code) if code else None

    return contents.solved(stored, look_up, lengths=contents.lengths(length))


def preferences(payoffs: list[Vector], break_even: Vector) -> list[int]:
    """For each payoff and player how good it is, and whether plies count for it or against it."""
    firsts = sorted({payoff[0] for payoff in payoffs})
    found = []
    for payoff in payoffs:
        rank = firsts.index(payoff[0]) * RANK
        for mover, sign in enumerate((1, -1)):
            waits = mover < len(payoff) and delays(payoff, mover, break_even)
            found += [sign * rank, 1 if waits else -1]
    return found


class KernelInduction(TableSolver[SolvedPositions]):
    """Backward induction on one game."""

    modules = (kernel,)
    kernels = (kernel.induce, kernel.rehash, kernel.find_frames, kernel.code_of)
    inner = (
        *FINDING,
        kernel.better,
        kernel.successors_of,
        kernel.list_successors,
        kernel.expand,
        kernel.begin,
        kernel.finish,
    )
    notes = kernel.NOTES
    run = InductionRun
