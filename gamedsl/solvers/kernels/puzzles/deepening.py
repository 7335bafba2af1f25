"""IDA* by a kernel, with pattern databases derived from the rules.

In: a puzzle of one player with a compiled engine, and a state. Out: `ShortestPlay`, as from
breadth-first search, for puzzles with far more states than memory. Raises UnsupportedGameError if
the rules give no databases (`patterns`).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from gamedsl.game.accelerator import NO_LIMITS, Checkpoints, Progress, SearchLimits, ShortestPlay
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels.puzzles import deepening_kernel as kernel
from gamedsl.solvers.kernels.puzzles import patterns_kernel
from gamedsl.solvers.kernels.puzzles.patterns import (
    MOST_MAPPED,
    KernelPatterns,
    Patterns,
    carried_in,
    cell_definitions,
    divided,
)
from gamedsl.solvers.kernels.table_solver import TableRun, TableSolver
from gamedsl.solvers.kernels.transposition_table import TranspositionTable
from gamedsl.solvers.methods import SolverName

MOST_LOOKED_AT = 4_000_000_000
"""Default limit of visited states: IDA* stores no states, so memory never ends the search for a
non-existent solution."""
MOST_AT_FIRST = 200_000_000
"""Limit of visited states with small databases: about the time of making large databases."""
MOST_PLIES = 1_000
"""Maximal length of a solution."""
SLICE = 1 << 18


class DeepeningRun(TableRun[ShortestPlay]):
    """The search of one puzzle."""

    def __init__(self, table: TranspositionTable, patterns: Patterns) -> None:
        super().__init__(table)
        self._patterns = patterns

    def solve(self, state: State, progress: Progress | None) -> ShortestPlay:
        """A shortest play; no play if the databases prove that there is none."""
        table, patterns = self._table, self._patterns
        width, row = table.layout.width, table.room
        keys = table.zeros((MOST_PLIES + 2) * width)
        table.put_key(state, keys)
        notes, many = table.notes, len(patterns.values)
        databases = kernel.Databases(
            groups=table.row(patterns.groups),
            weights=table.row(patterns.weights),
            at=table.row([0] * (many + 1)),
            numbers=table.row(patterns.databases),
            size=patterns.size,
            many=many,
        )
        line = kernel.Line(
            keys=keys,
            actions=table.row([0] * (row * (MOST_PLIES + 2))),
            row=row,
            stack=table.assembly.rows(kernel.Ply, MOST_PLIES),
            payoffs=table.paid,
            wanted=table.row([]),
            solution=table.row([0] * (MOST_PLIES + 1)),
            firsts=table.row([0] * row),
        )
        bound = table.call("first_bound", keys, databases)
        while bound < patterns_kernel.FAR and not notes.length:
            if bound >= MOST_PLIES:
                raise UnsupportedGameError("the solution is too long", "use breadth-first search")
            notes.depth, notes.bound = -1, bound
            notes.beyond = patterns_kernel.FAR
            status = codes.SLICED
            while status != codes.DONE:
                status = table.call("deepen", line, databases, notes, SLICE)
                if status == codes.NEW_PAYOFF:
                    self._add_payoff(line)
                self._keep_to_limits(progress)
            bound = notes.beyond
        endings, length = notes.endings, notes.length
        name = SolverName.NATIVE_DEEPENING
        if not length:
            return ShortestPlay(None, (), table.used, endings, (), name)
        places = tuple(place for place in range(row) if line.firsts[place])
        return ShortestPlay(tuple(line.solution[:length]), places, table.used, endings, (), name)

    def _add_payoff(self, line: kernel.Line) -> None:
        self._table.add_payoff()
        best = self._table.assembly.engine.model.facts.utility_bounds[1]
        line.payoffs = self._table.paid
        line.wanted = self._table.row([int(payoff[0] == best) for payoff in self._table.payoffs])

    def _keep_to_limits(self, progress: Progress | None) -> None:
        table = self._table
        most = table.limits.positions or MOST_LOOKED_AT
        if table.used > most:
            raise OutOfBudgetError(most, table.used, 0)
        if progress is not None:
            progress(table.used, 0)


class KernelDeepening(TableSolver[ShortestPlay]):
    """IDA* on one puzzle."""

    kernels = (kernel.deepen, kernel.first_bound)
    notes = kernel.DeepeningNotes

    def begin(self, table: TranspositionTable) -> DeepeningRun:
        """Like `TableSolver.begin`."""
        return DeepeningRun(table, self._databases)

    def solve(
        self, state: State, limits: SearchLimits = NO_LIMITS, checkpoints: Checkpoints | None = None
    ) -> ShortestPlay:
        """A shortest play, by databases and IDA*; raises UnsupportedGameError, OutOfBudgetError,
        GameRuleError."""
        engine = self._engine
        if len(engine.players) > 1:
            raise UnsupportedGameError("a shortest solution exists for one player only", "")
        board = carried_in(engine, state)
        self._more = cell_definitions(engine, board)
        fewer, more = (divided(board, state, most) for most in MOST_MAPPED)
        maker = KernelPatterns(engine, board, native=self._native)
        self._databases = maker.databases(state, fewer, limits)
        if fewer == more or (limits.positions or MOST_LOOKED_AT) <= MOST_AT_FIRST:
            return super().solve(state, limits, checkpoints)
        with suppress(OutOfBudgetError):
            return super().solve(state, replace(limits, positions=MOST_AT_FIRST), checkpoints)
        with suppress(UnsupportedGameError):
            self._databases = maker.databases(state, more, limits)
        return super().solve(state, limits, checkpoints)
