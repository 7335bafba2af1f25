"""Backward induction with means and matrix games, by kernels: values between proven bounds.

In: a game with chance or choices at once, of one player or two with opposed interests, with a
compiled engine, and a state. Out: `SolvedPositions`: for every reachable state the value of best
play, rewards and a discount included, within an error bound. Raises an error if play can return;
only play shows this, and then `chance.interval` has to be used.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from math import floor
from typing import Any

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.records import Rows
from gamedsl.game.accelerator import Refusal, SolvedChance, SolvedPositions
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.graphs.graph import Progress, Vector
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.chance.interval import ChanceSolver
from gamedsl.solvers.kernels.functions.payoffs import paid_function
from gamedsl.solvers.kernels.induction import FIRST_FRAMES, ReturningPlayError
from gamedsl.solvers.kernels.stages import matrix_kernel
from gamedsl.solvers.kernels.stages import stage_kernel as kernel
from gamedsl.solvers.kernels.table_layout import EntryLayout
from gamedsl.solvers.kernels.table_solver import TableRun
from gamedsl.solvers.kernels.transposition_table import (
    CodeOverflowError,
    TranspositionTable,
)

FIRST_KEYS = 1 << 14
"""Numbers of the first stack of keys."""
ABOVE = (1, 8, 15)
"""Bits of a value above the greatest payoff, tried one after the other where steps pay."""
DIVISORS = 3_603_600
"""Divisor of units: a product of 16, 9, 25, 7, 11 and 13."""
MOST_LASTING = 1 << 20
"""Limit on the numbers of a discount, by which values are multiplied."""
MOST_CELLS = 1 << 14
"""Limit on the entries of a matrix game."""
REFUSALS = {
    codes.NEW_REWARD: "what one player is paid the other need not pay",
    codes.NEW_SUM: "the weights of a chance event are too large",
}


class ValueOverflowError(UnsupportedGameError):
    """A value does not fit its bits."""


class StageRun(TableRun[SolvedPositions]):
    """Solving one game: a table, the values by number, and the stack of a search."""

    def __init__(self, table: TranspositionTable, above: int) -> None:
        """`above`: bits of a value above the greatest payoff."""
        super().__init__(table)
        facts = table.assembly.engine.model.facts
        self._stack = table.assembly.rows(kernel.Frame, FIRST_FRAMES)
        self._keys = table.assembly.row(FIRST_KEYS)
        self._values = table.zeros(table.most + 1)
        self._actions = table.assembly.row((len(facts.players) + 1) * (facts.action_count + 1))
        self._sizes, self._reward = table.row([0, 0]), table.row([0, 0, 0])
        lines = facts.action_count if facts.is_simultaneous else 1
        self._games = matrix_kernel.MatrixArrays(
            matrix=table.assembly.row(lines * lines),
            tableau=table.assembly.row((lines + 1) * (lines + 1)),
            basis=table.assembly.row(2 * lines),
            mixtures=table.assembly.row(2 * lines),
        )
        largest = max(map(abs, facts.utility_bounds)) or 1
        if not facts.pays_at_the_end:
            largest = max(largest, 1)  # rewards may be greater than all outcomes
        self._unit = _unit(Fraction(kernel.MOST_VALUE, 1 << above) / largest)
        self._worths = table.row([])
        table.notes.top, table.notes.unit = codes.FRESH, self._unit

    def solve(self, state: State, progress: Progress | None) -> SolvedPositions:
        """Solve all reachable states."""
        table = self._table
        self.take_step(lambda: table.put_key(state, self._keys), self._go_on, progress)
        return self._positions()

    def _go_on(self) -> bool:
        """Do a slice and handle its status; return whether the work is done."""
        table = self._table
        arrays = kernel.StageArrays(
            **{**table.arrays(self._keys), "actions": self._actions},
            values=self._values,
            worths=self._worths,
            sizes=self._sizes,
            paid=self._reward,
            stack=self._stack,
            games=self._games,
        )
        slice_size = transposition_table.SLICE
        status = table.call("settle_stages", table.most, arrays, table.notes, slice_size)
        if status == codes.FULL:
            self._enlarge()
        elif status == codes.HIGH:
            self._stack = Rows(kernel.Frame, self._table.assembly.doubled(self._stack.row))
            self._keys = self._table.assembly.doubled(self._keys)
        elif status == codes.NEW_PAYOFF:
            table.add_payoff()
            worth = table.payoffs[-1][0] * self._unit
            inexact = int(worth.denominator > 1)
            self._worths = table.row([*self._worths, _packed(floor(worth), inexact)])
        elif status == codes.NEW_PAIR:
            self._answer()
        else:
            _refuse(status)
        return status == codes.DONE

    def _enlarge(self) -> None:
        """Make room for more states, as far as memory holds an entry and a value for each."""
        table = self._table
        table.make_room(1)
        self._values = table.enlarged(self._values, table.most + 1)

    def _answer(self) -> None:
        """Solve the matrix game that the kernel leaves, exactly."""
        notes, matrix = self._table.notes, self._games.matrix
        rows = [
            [Fraction(matrix[row * notes.columns + column]) for column in range(notes.columns)]
            for row in range(notes.rows)
        ]
        low = floor(solve_matrix(rows).value)
        notes.is_given, notes.low, notes.high = 1, low, low + 1

    def _positions(self) -> SolvedPositions:
        table, values, unit = self._table, self._values, self._unit
        notes, contents = table.notes, table.contents
        players, total = len(table.assembly.engine.players), sum(table.payoffs[0])
        if total != 0 and not table.assembly.engine.model.facts.pays_at_the_end and players > 1:
            raise UnsupportedGameError("discounted payoffs do not add up to the same")

        def look_up(state: State) -> tuple[Vector, int | None] | None:
            code = contents.code(state)
            if code == 0:
                return None
            value = Fraction(values[code - 1] >> kernel.ERROR_BITS, unit)
            return (value, total - value)[:players], None

        error = Fraction(notes.greatest, unit)
        chance = SolvedChance(notes.events, error, None, True, frozenset(table.payoffs))
        positions = notes.used - notes.events
        return SolvedPositions(positions, notes.endings, look_up, chance, entries=contents.states)


def _unit(most: Fraction) -> int:
    """The greatest number of units in a payoff of 1, up to a limit, with many divisors, so that
    means of few outcomes are exact."""
    times = floor(most / DIVISORS)
    if times == 0:
        raise UnsupportedGameError("payoffs are too large")
    return DIVISORS << times.bit_length() - 1


def _packed(value: int, error: int) -> int:
    return value << kernel.ERROR_BITS | error


def _refuse(status: int) -> None:
    """Raise the error of a status, if any."""
    if status == codes.RETURNS:
        raise ReturningPlayError("play can return to an earlier position", "use bounds")
    if status == codes.ODD:
        raise CodeOverflowError("local variables do not fit")
    if status == codes.UNFIT:
        raise ValueOverflowError("sums of rewards, or errors, are too large")
    if status in REFUSALS:
        raise UnsupportedGameError(REFUSALS[status])


class KernelStages(ChanceSolver):
    """Backward induction with means and matrix games on one game."""

    kernels = (kernel.settle_stages, codes.rehash, codes.code_of)
    notes = kernel.StageNotes
    behind = 1
    _above = ABOVE[0]

    @classmethod
    def refusal(cls, engine: CompiledEngine) -> Refusal | None:
        """Like `TableSolver.refusal`."""
        facts = engine.model.facts
        if len(engine.players) > 2:
            return Refusal("native solving with chance is for one player or two")
        if facts.is_simultaneous and facts.action_count**2 > MOST_CELLS:
            return Refusal("there are too many choices at once")
        if max(facts.discount.numerator, facts.discount.denominator) > MOST_LASTING:
            return Refusal("the discount has too many digits")
        return transposition_table.refusal(
            engine, with_chance=True, any_values=True, with_stages=True
        )

    def solve(self, state: State, **limits: Any) -> SolvedPositions:
        """Like `TableSolver.solve`, with greater units where values do not fit."""
        pays = not self._engine.model.facts.pays_at_the_end
        for above in ABOVE if pays else ABOVE[:1]:
            self._above = above
            with suppress(ValueOverflowError):
                return super().solve(state, **limits)
        raise UnsupportedGameError("sums of rewards, or errors, are too large")

    def begin(self, table: TranspositionTable) -> StageRun:
        """Like `TableSolver.begin`."""
        return StageRun(table, self._above)

    def definitions(self, layout: EntryLayout) -> Definitions:
        """Like `TableSolver.definitions`."""
        return super().definitions(layout) | Definitions({}, (paid_function(self._engine),))
