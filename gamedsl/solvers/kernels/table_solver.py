"""What solving in a table has in common, whichever the algorithm: limits, layouts, slices of work.

In: a compiled engine and the kernels of an algorithm. Out: `TableSolver`, which lays entries out
as tight as they may be, and looser where codes do not fit; and `TableRun`, one attempt.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from types import ModuleType
from typing import ClassVar, Generic, TypeVar

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graphs.graph import Progress
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.assembly import Assembly, Kernels
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.table_layout import (
    LEAST_ROOM,
    EntryLayout,
    constants_of,
    entry_layout,
)
from gamedsl.solvers.kernels.transposition_table import (
    FULLEST,
    CodeOverflowError,
    Limits,
    TranspositionTable,
)
from gamedsl.solvers.memory import usable_bytes

Found = TypeVar("Found")
"""What an algorithm finds."""


class TableRun(ABC, Generic[Found]):
    """One game being solved in one layout."""

    def __init__(self, table: TranspositionTable) -> None:
        self._table = table

    @abstractmethod
    def solve(self, state: State, progress: Progress | None) -> Found:
        """As `TableSolver.solve`. Raises CodeOverflowError where the layout is too tight."""


class TableSolver(ABC, Generic[Found]):
    """An algorithm on one game.

    Raises UnsupportedGameError where the rules say that kernels cannot do it.

    Attributes:
        modules: whose constants the kernels know.
        kernels, inner: what is called from Python, and what is compiled into that.
        notes: how many numbers live on between calls.
        least_room: bits that codes need at least.
        with_chance: whether it solves games with chance.
        beside, behind: numbers for each entry besides its key, and for each state afterwards.
        copies: how often the key of a state is held.
        keeps_edges: whether a number is held for each way on from a state.
        run: one attempt.
    """

    modules: ClassVar[tuple[ModuleType, ...]]
    kernels: ClassVar[Kernels]
    inner: ClassVar[Kernels]
    notes: ClassVar[int]
    least_room: ClassVar[int] = LEAST_ROOM
    with_chance: ClassVar[bool] = False
    beside: ClassVar[int] = 0
    behind: ClassVar[int] = 0
    copies: ClassVar[int] = 1
    keeps_edges: ClassVar[bool] = False
    run: type[TableRun[Found]]

    def __init__(
        self,
        engine: CompiledEngine,
        *,
        native: bool = True,
        folder: Path | None = None,
        more: str = "",
    ) -> None:
        """`more`: text that goes before all kernels."""
        reason = self.why_not(engine)
        if reason is not None:
            raise UnsupportedGameError(reason, "let another solver choose itself")
        self._engine = engine
        self._native = native
        self._folder = folder
        self._more = more

    @classmethod
    def why_not(cls, engine: CompiledEngine) -> str | None:
        """Why the rules alone forbid it; None if they do not."""
        return transposition_table.why_not(engine, with_chance=cls.with_chance)

    @classmethod
    def bytes_a_state(cls, engine: CompiledEngine, branching: float) -> tuple[int, int]:
        """The least and the most bytes for each state that can be reached. A table that has just
        grown is half as full as one that is about to, and stands beside the one before it."""
        width = entry_layout(engine, least_room=cls.least_room).width
        edges = branching if cls.keeps_edges else 0
        full, twice = FULLEST[1] / FULLEST[0], 2 * FULLEST[1] / FULLEST[0]
        least = full * (cls.copies * width + cls.beside) + cls.behind + edges
        grown = 1.5 * twice * (cls.copies * width + cls.beside)
        done = twice * (cls.copies * width + cls.beside) + cls.behind + 2 * edges
        return int(least * NUMBER), int(max(grown, done) * NUMBER) + 1

    def solve(
        self,
        state: State,
        *,
        max_positions: int | None = None,
        max_bytes: int | None = None,
        progress: Progress | None = None,
    ) -> Found:
        """All that can be reached from a state that is not over.

        Args:
            max_positions: the most positions to look at; None: as many as the memory holds.
            max_bytes: the most memory for the table; None: a good part of what is free.
            progress: told the number of positions from time to time.

        Raises:
            ReturningPlayError: play can return, for backward induction.
            UnsupportedGameError: interests are not opposed.
            OutOfBudgetError, OutOfMemoryError: there are too many positions.
            GameRuleError: the rules fail somewhere.
        """
        limits = Limits(max_positions, usable_bytes() if max_bytes is None else max_bytes)
        tight = entry_layout(self._engine, least_room=self.least_room)
        try:
            return self._run(tight, limits).solve(state, progress)
        except CodeOverflowError:
            loose = entry_layout(self._engine, is_tight=False)
            return self._run(loose, limits).solve(state, progress)

    def _run(self, layout: EntryLayout, limits: Limits) -> TableRun[Found]:
        assembly = Assembly(
            self._engine,
            self.kernels,
            self.inner,
            native=self._native,
            folder=self._folder,
            in_slices=True,
            more=constants_of(*self.modules)
            + layout.text(native=self._native)
            + transposition_table.two_payoffs(self._engine)
            + self._more,
        )
        return self.run(TranspositionTable(assembly, layout, limits, self.notes))
