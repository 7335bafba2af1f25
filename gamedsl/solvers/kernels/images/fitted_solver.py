"""Solve in a table whose keys are fitted to guessed invariants of all states.

In: a compiled engine, symmetries, a first state. Out: `FittedSolver`, which makes attempts with
guessed invariants. If an attempt meets a state outside the guess, the state joins the samples, the
invariants are guessed again, and the work starts again. So no answer rests on a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.packed_state import PackedState
from gamedsl.game.accelerator import Checkpoints, SearchLimits
from gamedsl.model import State
from gamedsl.solvers.kernels.keys.guess import Guess
from gamedsl.solvers.kernels.symmetry.orbits import Orbits
from gamedsl.solvers.kernels.symmetry.permutations import Permutation, Words, all_permutations
from gamedsl.solvers.kernels.table_layout import EntryLayout, entry_layout
from gamedsl.solvers.kernels.table_solver import Output, Result, TableSolver
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

MOST_GUESSES = 12
"""Maximal number of guesses; afterwards keys are not fitted."""


class OddStateError(RuntimeError):
    """A key cannot represent all states.

    Attributes:
        states: the words of entries, at least one of them not representable.
    """

    def __init__(self, states: list[Words]) -> None:
        super().__init__("a state is not as all before it are")
        self.states = states


def entries_after(table: TranspositionTable, row: Sequence[int]) -> list[Words]:
    """The entries of the successors of a state, given by its entry or key."""
    engine, orbits = table.assembly.engine, table.orbits
    assert orbits is not None, "entries stand for images"
    words = table.layout.words(row)
    state = PackedState(engine.packing, words, engine.packing.turn_of(words), None)
    return [
        orbits.least(engine.words_of(engine.result(state, action)))
        for action in engine.legal_actions(state)
    ]


class FittedSolver(TableSolver[Output]):
    """An algorithm with a single entry for all images of a state; raises `OddStateError`."""

    may_be_dense: ClassVar[bool] = True
    """Whether keys may be dense (`dense_keys`)."""
    may_be_fitted: ClassVar[bool] = True
    """Whether keys may be fitted to invariants of all states (`keys.fitted_keys`)."""

    @classmethod
    def symmetries(cls, engine: CompiledEngine) -> Sequence[Permutation]:
        """The symmetries that the algorithm may use, for any first position."""
        return all_permutations(engine)

    @classmethod
    def width(cls, engine: CompiledEngine) -> int:
        """Like `TableSolver.width`."""
        return entry_layout(engine, least_room=cls.least_room, may_be_dense=cls.may_be_dense).width

    @classmethod
    def images(cls, engine: CompiledEngine) -> int:
        """Like `TableSolver.images`."""
        return len(cls.symmetries(engine)) + 1

    def _use(self, orbits: Orbits, root: State) -> None:
        """Begin with the symmetries and the first state."""
        self._orbits = orbits
        self._more = orbits.definitions
        self._guess = Guess(self._engine, orbits, root)

    def layout(self, *, is_tight: bool) -> EntryLayout:
        """Like `TableSolver.layout`."""
        may_guess = self.may_be_fitted and self._guess.times < MOST_GUESSES
        return entry_layout(
            self._engine, is_tight=is_tight, least_room=self.least_room,
            marks=self._orbits.group.marks, has_turn=not self._orbits.group.swaps,
            may_be_dense=self.may_be_dense,
            invariants=self._guess.invariants if may_guess else None,
        )  # fmt: skip

    def _execute(
        self,
        work: Callable[[Any], Result],
        limits: SearchLimits,
        checkpoints: Checkpoints | None = None,
    ) -> Result:
        """Like `TableSolver._execute`, repeated for each new guess."""
        if checkpoints is not None and checkpoints.latest is not None:
            self._guess.take_up(checkpoints.latest.facts)
        while True:
            try:
                return super()._execute(work, limits, checkpoints)
            except OddStateError as odd:
                self._guess.add(odd.states)
                if checkpoints is not None:
                    checkpoints.forget()
