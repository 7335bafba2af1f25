"""Solving in a table whose keys are fitted to what all states have in common, as far as is guessed.

In: a compiled engine, symmetries, a first state. Out: `FittedSolver`: attempts with what is
guessed. Where one meets a state that the key does not hold, it is guessed again with that among
the samples, and the work begun again. So an answer rests on no guess.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.packed_state import PackedState
from gamedsl.game.native import Checkpoints
from gamedsl.model import State
from gamedsl.solvers.kernels.keys.guess import Guess
from gamedsl.solvers.kernels.symmetry.orbits import Orbits
from gamedsl.solvers.kernels.symmetry.permutations import Permutation, Words, all_permutations
from gamedsl.solvers.kernels.table_layout import EntryLayout, entry_layout
from gamedsl.solvers.kernels.table_solver import Found, Result, TableSolver
from gamedsl.solvers.kernels.transposition_table import Limits, TranspositionTable

MOST_GUESSES = 12
"""How often invariants are guessed before keys do without."""


class OddStateError(RuntimeError):
    """A key does not hold all states.

    Attributes:
        states: the words of some entries, among them one that it does not hold.
    """

    def __init__(self, states: list[Words]) -> None:
        super().__init__("a state is not as all before it are")
        self.states = states


def entries_after(found: TranspositionTable, row: Sequence[int]) -> list[Words]:
    """The entries of what follows the state whose entry, or key, is given."""
    engine, orbits = found.assembly.engine, found.orbits
    assert orbits is not None, "entries stand for images"
    words = found.layout.words(row)
    state = PackedState(engine.packing, words, engine.packing.turn_of(words), None)
    return [
        orbits.least(engine.words_of(engine.result(state, action)))
        for action in engine.legal_actions(state)
    ]


class FittedSolver(TableSolver[Found]):
    """An algorithm that enters the images of a state as one, and raises `OddStateError`."""

    may_be_dense: ClassVar[bool] = True
    """Whether keys may be dense (`dense_keys`)."""
    may_be_fitted: ClassVar[bool] = True
    """Whether they may be fitted to what all states have in common (`keys.fitted_keys`)."""

    @classmethod
    def symmetries(cls, engine: CompiledEngine) -> Sequence[Permutation]:
        """Those that it may use, whatever the first position."""
        return all_permutations(engine)

    @classmethod
    def width(cls, engine: CompiledEngine) -> int:
        """As `TableSolver.width`."""
        return entry_layout(engine, least_room=cls.least_room, may_be_dense=cls.may_be_dense).width

    @classmethod
    def bytes_a_state(cls, engine: CompiledEngine, branching: float) -> tuple[int, int]:
        """As `TableSolver.bytes_a_state`: at least, where all images are reached and one entry; at
        most, where every state has its own."""
        least, most = super().bytes_a_state(engine, branching)
        return max(1, least // (len(cls.symmetries(engine)) + 1)), most

    def _use(self, orbits: Orbits, root: State) -> None:
        """Begin with what is known of a first state."""
        self._orbits = orbits
        self._more = orbits.text
        self._guess = Guess(self._engine, orbits, root)

    def layout(self, *, is_tight: bool) -> EntryLayout:
        """As `TableSolver.layout`."""
        may_guess = self.may_be_fitted and self._guess.times < MOST_GUESSES
        return entry_layout(
            self._engine, is_tight=is_tight, least_room=self.least_room,
            marks=self._orbits.marks, has_turn=not self._orbits.swaps,
            may_be_dense=self.may_be_dense,
            invariants=self._guess.invariants if may_guess else None,
        )  # fmt: skip

    def _carried_out(
        self,
        work: Callable[[Any], Result],
        limits: Limits,
        checkpoints: Checkpoints | None = None,
    ) -> Result:
        """As `TableSolver._carried_out`, as often as something is guessed."""
        if checkpoints is not None and checkpoints.found is not None:
            self._guess.take_up(checkpoints.found.facts)
        while True:
            try:
                return super()._carried_out(work, limits, checkpoints)
            except OddStateError as odd:
                self._guess.add(odd.states)
                if checkpoints is not None:
                    checkpoints.forget()
