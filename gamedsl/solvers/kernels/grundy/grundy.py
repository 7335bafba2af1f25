"""Grundy values of all states reachable in an impartial game, by a kernel.

In: a compiled engine of a game proved impartial under normal play, and a state. Out:
`GrundyValues`. The values are those of `solvers.exact.grundy`, which splits positions into parts
and needs the rules written out for every cell content; here the rules run as they are, so that
wide ranges of numbers cost no more than the positions that they give.
"""

from __future__ import annotations

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import GrundyValues, Progress, Refusal
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import numbering_kernel, transposition_table
from gamedsl.solvers.kernels.grundy import grundy_kernel as kernel
from gamedsl.solvers.kernels.numbering import ROOM, NumberingRun
from gamedsl.solvers.kernels.table_solver import TableSolver
from gamedsl.solvers.kernels.transposition_table import TranspositionTable


class GrundyRun(NumberingRun[GrundyValues]):
    """The values of one game; `_kinds` are the values by number, `_counts` the stack."""

    extra_width = 2

    def __init__(self, table: TranspositionTable) -> None:
        super().__init__(table)
        self._marks = table.row([0] * (table.assembly.engine.model.facts.action_count + 2))

    def solve(self, state: State, progress: Progress | None) -> GrundyValues:
        """The values of all reachable states.

        Raises:
            UnsupportedGameError: play can return to an earlier position.
        """
        self.number_states(state, progress)
        self.take_step(lambda: None, self._evaluate_on, progress)
        contents, values = self._table.contents, self._kinds

        def value(state: State) -> int | None:
            number = contents.code(state) - 1
            return values[number] - 1 if number >= 0 else None

        return GrundyValues(self._table.used, value)

    def _arrays(self) -> kernel.GrundyArrays:
        return kernel.GrundyArrays(
            **self._table.arrays(self._keys),
            values=self._kinds,
            stack=self._counts,
            marks=self._marks,
        )

    def explore(self) -> int:
        """Like `NumberingRun.explore`."""
        table = self._table
        return table.call(
            "explore", self._arrays(), table.most, table.notes, transposition_table.SLICE
        )

    def _evaluate_on(self) -> bool:
        status = self._table.call(
            "evaluate", self._arrays(), self._table.notes, transposition_table.SLICE
        )
        if status == codes.RETURNS:
            raise UnsupportedGameError(
                "play can return to an earlier position, and then there may be no Grundy value"
            )
        return status == codes.DONE


class KernelGrundy(TableSolver[GrundyValues]):
    """Grundy values of one game."""

    kernels = (kernel.explore, kernel.evaluate, codes.rehash, codes.code_of)
    notes = numbering_kernel.NumberingNotes
    least_room = ROOM
    run = GrundyRun

    @classmethod
    def refusal(cls, engine: CompiledEngine) -> Refusal | None:
        """Why the rules alone exclude the kernels; None if the rules do not."""
        if len(engine.players) != 2:
            return Refusal("Grundy values are of games of two players")
        return super().refusal(engine)
