"""Common parts of all algorithms that solve in a table: limits, layouts, slices of work.

In: a compiled engine and the kernels of an algorithm. Out: `TableSolver`, which uses the tightest
layout of entries first, and a looser layout if codes do not fit; and `TableRun`, one attempt.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import (
    NO_LIMITS,
    Checkpoints,
    ForeignWorkError,
    Refusal,
    SearchLimits,
    StoredPositions,
)
from gamedsl.game.stored_facts import (
    SolutionFileError,
    is_anything,
    is_count,
    is_number,
    is_text,
    is_truth,
    many,
    refuse_odd,
)
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfTimeError, Progress
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.assembly import Assembly, Kernels
from gamedsl.solvers.kernels.functions.payoffs import payoff_definitions
from gamedsl.solvers.kernels.memory import GIVES_BACK, NUMBER
from gamedsl.solvers.kernels.resuming import entries
from gamedsl.solvers.kernels.table_layout import (
    LEAST_ROOM,
    EntryLayout,
    entry_layout,
)
from gamedsl.solvers.kernels.table_records import TableNotes
from gamedsl.solvers.kernels.transposition_table import (
    FULL_AT_LAST,
    FULLEST,
    CodeOverflowError,
    Limits,
    TranspositionTable,
)
from gamedsl.solvers.memory import usable_bytes

LEAST_SHARES = 3
"""Numbers in a row of payoffs: a denominator and two numerators, or more for more players."""
COPIED = 1 << 15
"""Numbers copied at a time."""
Output = TypeVar("Output")
"""The result of an algorithm."""
Result = TypeVar("Result")


class TableRun(ABC, Generic[Output]):
    """Solving one game in one layout: successive steps, each done in slices.

    A checkpoint holds the known facts of positions, not the progress of the search: the search
    starts again, and finds the known facts in the table.

    Attributes:
        steps: number of steps, 0 if work is not saved; first_kept: the first step worth saving.
        checkpoints: where work is saved between slices; None: work is not saved.
        shares: numbers in a row of payoffs.
    """

    steps: ClassVar[int] = 0
    first_kept: ClassVar[int] = 1
    checkpoints: Checkpoints | None = None
    shares: int = LEAST_SHARES

    def __init__(self, table: TranspositionTable) -> None:
        self._table = table
        self._step = 0
        self._first_step = 1

    @abstractmethod
    def solve(self, state: State, progress: Progress | None) -> Output:
        """Like `TableSolver.solve`. Raises CodeOverflowError if the layout is too tight."""

    def go_on_from(self, work: StoredPositions) -> None:
        """Restore saved work, so that `solve` continues from it. Raises ForeignWorkError if the
        work has a different layout, SolutionFileError if the work is invalid."""
        facts, table = work.facts, self._table
        refuse_odd(facts, {"step": self._is_step, "paid": many(many(is_number))})
        if any(len(row) != self.shares for row in facts["paid"]):
            raise SolutionFileError("its payoffs are not of this number of players")
        mine = json.loads(json.dumps(dict(table.contents.stored({}, {}).facts)))
        if any(facts.get(name) != value for name, value in mine.items()):
            raise ForeignWorkError("positions are laid out in another way than they now are")
        self.take_up(work)

    def _is_step(self, value: Any) -> bool:
        return is_count(value) and self.first_kept <= value <= self.steps

    def take_up(self, work: StoredPositions) -> None:
        """Restore saved work of this algorithm, with the right layout. Raises SolutionFileError if
        the work is invalid, ForeignWorkError if the algorithm saves no work."""
        raise ForeignWorkError("work of this algorithm is not kept")

    def add_payoff(self) -> None:
        """Make the payoff in the notes known, if work is saved."""

    def take_up_table(
        self, work: StoredPositions, open_codes: int, aside: int = 0
    ) -> entries.Counted:
        """Restore payoffs and the table; return the number of entries of each kind."""
        table, paid = self._table, work.facts["paid"]
        try:
            for payoff in paid:
                if payoff not in self._paid():
                    table.notes.payoff = payoff
                    self.add_payoff()
        except (UnsupportedGameError, CodeOverflowError, ArithmeticError) as error:
            raise SolutionFileError("its payoffs cannot be those of this game") from error
        if self._paid() != paid:
            raise SolutionFileError("its payoffs are not in the order in which they are met")
        refuse_odd(work.arrays, {"table": is_anything}, "its arrays")
        entries.refuse_size(table, len(work.arrays["table"]))
        table.table = self.copied(work.arrays["table"])
        self._first_step = work.facts["step"]
        counted = entries.counted_entries(table, open_codes, self.shares, aside)
        table.notes.used = counted.used
        return counted

    def copied(self, numbers: Sequence[int]) -> Any:
        """A large array with the numbers of a file."""
        copy = self._table.zeros(len(numbers))
        for begin in range(0, len(numbers), COPIED):
            copy[begin : begin + COPIED] = array("q", numbers[begin : begin + COPIED])
        return copy

    def _paid(self) -> list[list[int]]:
        paid = list(self._table.paid)
        return [paid[begin : begin + self.shares] for begin in range(0, len(paid), self.shares)]

    def take_step(
        self, begin: Callable[[], Any], go_on: Callable[[], bool], progress: Progress | None
    ) -> None:
        """Do a step, unless restored work is beyond the step: call `begin`, then `go_on` until a
        slice reports the end of the step."""
        self._step += 1
        if self._step < self._first_step:
            return
        begin()
        is_done = False
        while not is_done:
            is_done = go_on()
            self._keep_to_limits(progress)
            if not is_done and self.checkpoints is not None and self.checkpoints.is_due():
                self._keep()

    def waiting(self) -> int:
        """Number of states found whose successors are not known yet."""
        return 0

    def _keep_to_limits(self, progress: Progress | None) -> None:
        """Report progress and check the limits; work is saved before an error is raised."""
        try:
            self._table.keep_to_limits(progress, self.waiting())
        except (OutOfTimeError, OutOfBudgetError):
            self._keep()
            raise

    def _keep(self) -> None:
        if self.checkpoints is not None and self._is_step(self._step):
            self.checkpoints.keep(self.work())

    def work(self) -> StoredPositions:
        """The complete state of the work, for a later continuation."""
        table = self._table
        facts = {
            "run": type(self).__name__,
            "is_tight": table.layout.is_tight,
            "step": self._step,
            "paid": self._paid(),
        }
        return table.contents.stored(facts, {})


class TableSolver(ABC, Generic[Output]):
    """An algorithm on one game.

    Raises UnsupportedGameError if the rules exclude the kernels.

    Attributes:
        kernels: functions called from Python.
        notes: the numbers that live on between calls.
        least_room: minimal number of bits for codes.
        with_chance: whether the algorithm solves games with chance.
        any_values: whether the algorithm solves games of many players, rewards and discounts.
        extra_width, behind: numbers per entry besides its key, and per state afterwards.
        copies: number of copies of a state's key.
        edges: numbers per edge from a state to a successor.
        run: one attempt.
    """

    kernels: ClassVar[Kernels]
    notes: ClassVar[type[TableNotes]]
    least_room: ClassVar[int] = LEAST_ROOM
    with_chance: ClassVar[bool] = False
    any_values: ClassVar[bool] = False

    @property
    def shares(self) -> int:
        """Numbers in a row of payoffs."""
        return LEAST_SHARES

    @property
    def joint_actions(self) -> int:
        """As in `TranspositionTable`."""
        return 0

    extra_width: ClassVar[int] = 0
    behind: ClassVar[int] = 0
    copies: ClassVar[int] = 1
    edges: ClassVar[float] = 0
    run: type[TableRun[Output]]

    def __init__(
        self,
        engine: CompiledEngine,
        *,
        native: bool = True,
        folder: Path | None = None,
        more: Definitions | None = None,
    ) -> None:
        """`more`: further definitions of the game."""
        reason = self.refusal(engine)
        if reason is not None:
            raise UnsupportedGameError(str(reason), "let another solver choose itself")
        self._engine = engine
        self._native = native
        self._folder = folder
        self._more = more or Definitions()

    @classmethod
    def refusal(cls, engine: CompiledEngine) -> Refusal | None:
        """Why the rules alone exclude the algorithm; None if the rules do not."""
        return transposition_table.refusal(
            engine, with_chance=cls.with_chance, any_values=cls.any_values
        )

    @classmethod
    def images(cls, engine: CompiledEngine) -> int:
        """The most states that share an entry."""
        return 1

    @classmethod
    def bytes_a_state(cls, engine: CompiledEngine, branching: float) -> tuple[int, int]:
        """The least and the most bytes per reachable state with an entry of its own. A table that
        has just grown is half as full as a table about to grow; during a move both tables are in
        memory, unless the old table gives its memory back on the way."""
        width = cls.width(engine)
        edges = branching * cls.edges
        full, twice = FULL_AT_LAST[1] / FULL_AT_LAST[0], 2 * FULLEST[1] / FULLEST[0]
        least = full * (cls.copies * width + cls.extra_width) + cls.behind + edges
        held = 1.0 if GIVES_BACK and not cls.extra_width else 1.5
        grown = held * twice * (cls.copies * width + cls.extra_width)
        done = twice * (cls.copies * width + cls.extra_width) + cls.behind + 2 * edges
        return int(least * NUMBER), int(max(grown, done) * NUMBER) + 1

    @classmethod
    def width(cls, engine: CompiledEngine) -> int:
        """Numbers per entry, as far as known before work begins."""
        return entry_layout(engine, least_room=cls.least_room).width

    def solve(
        self, state: State, limits: SearchLimits = NO_LIMITS, checkpoints: Checkpoints | None = None
    ) -> Output:
        """Solve all states reachable from a state that is not terminal; work is saved in
        `checkpoints` from time to time, and restored from there.

        Raises:
            ReturningPlayError: play can return, for backward induction.
            UnsupportedGameError: interests are not opposed.
            OutOfBudgetError, OutOfMemoryError: there are too many positions.
            GameRuleError: the rules fail in a position.
            ForeignWorkError: the saved work belongs to a different solver.
        """
        output: Output = self._execute(
            lambda run: run.solve(state, limits.progress), limits, checkpoints
        )
        return output

    def _execute(
        self,
        work: Callable[[Any], Result],
        limits: SearchLimits,
        checkpoints: Checkpoints | None = None,
    ) -> Result:
        """The result of a run: with the tightest layout of entries, or with a loose layout."""
        tight = self.layout(is_tight=True)
        of_table = Limits(
            limits.positions, usable_bytes() if limits.bytes is None else limits.bytes
        )
        saved = None if checkpoints is None else checkpoints.latest
        if saved is not None and not self.has_kept(saved):
            raise ForeignWorkError("it is the work of another solver")
        try:
            if saved is None or saved.facts["is_tight"] == tight.is_tight:
                return work(self._run(tight, of_table, checkpoints, saved))
        except CodeOverflowError:
            saved = None
        loose = self.layout(is_tight=False)
        return work(self._run(loose, of_table, checkpoints, saved))

    def layout(self, *, is_tight: bool) -> EntryLayout:
        """The layout of entries, as tight as possible or loose."""
        return entry_layout(self._engine, is_tight=is_tight, least_room=self.least_room)

    def definitions(self, layout: EntryLayout) -> Definitions:
        """The constants and functions of `abi` that depend on payoffs."""
        return payoff_definitions(self._engine)

    def begin(self, table: TranspositionTable) -> TableRun[Output]:
        """An attempt in an empty table."""
        return self.run(table)

    @classmethod
    def has_kept(cls, work: StoredPositions) -> bool:
        """Whether saved work belongs to this algorithm."""
        refuse_odd(work.facts, {"run": is_text, "is_tight": is_truth})
        return bool(work.facts["run"] == cls.run.__name__)

    def _run(
        self,
        layout: EntryLayout,
        limits: Limits,
        checkpoints: Checkpoints | None,
        saved: StoredPositions | None,
    ) -> TableRun[Output]:
        checks = saved is not None and self.run.first_kept == 1
        assembly = Assembly(
            self._engine,
            (*self.kernels, *(entries.KERNELS if checks else ())),
            layout.definitions
            | self.definitions(layout)
            | Definitions(functions=(entries.state_test(self._engine),) if checks else ())
            | self._more,
            native=self._native,
            folder=self._folder,
            in_slices=True,
        )
        table = TranspositionTable(assembly, layout, limits, self.notes, self.joint_actions)
        run = self.begin(table)
        run.checkpoints = checkpoints
        if saved is not None:
            run.go_on_from(saved)
        return run
