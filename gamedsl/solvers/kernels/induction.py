"""Backward induction by a kernel: exact values of millions of positions, kept in one table.

In: a game of two players without chance whose engine is compiled, and a state. Out: `Settled`: the
payoffs and plies of best play for every state that can be reached, by the conventions of
`solvers.backward_induction`. It refuses where play can return or interests are not opposed, which
only play shows; then another solver has to do it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graph import Progress, Vector
from gamedsl.solvers.kernels import induction_kernel as kernel
from gamedsl.solvers.kernels import positions
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.entries import EntryForm, entry_form
from gamedsl.solvers.kernels.memory import usable_bytes
from gamedsl.solvers.kernels.positions import Limits, Positions, Settled, UnfitError
from gamedsl.solvers.par import par_of

FIRST_FRAMES = 64
"""States on the first stack."""
RANK = 1 << 43
"""Above all plies."""

INNER = (
    *positions.FINDING,
    kernel.better,
    kernel.successors_of,
    kernel.listed,
    kernel.expanded,
    kernel.begun,
    kernel.finished,
)
KERNELS = (kernel.induced, kernel.moved, kernel.code_of)


class ReturningPlayError(UnsupportedGameError):
    """Play can return, so there is no last move to begin with."""


class KernelInduction:
    """Backward induction on one game.

    Raises UnsupportedGameError where the rules say that kernels cannot do it.
    """

    def __init__(
        self, engine: CompiledEngine, *, native: bool = True, folder: Path | None = None
    ) -> None:
        reason = positions.why_not(engine)
        if reason is not None:
            raise UnsupportedGameError(reason, "let another solver choose itself")
        self._engine = engine
        self._native = native
        self._folder = folder

    def settled(
        self,
        state: State,
        *,
        max_positions: int | None = None,
        max_bytes: int | None = None,
        progress: Progress | None = None,
    ) -> Settled:
        """All that can be reached from a state that is not over.

        Args:
            max_positions: the most positions to look at; None: as many as the memory holds.
            max_bytes: the most memory for the table; None: a good part of what is free.
            progress: told the number of positions from time to time.

        Raises:
            ReturningPlayError: play can return.
            UnsupportedGameError: interests are not opposed.
            OutOfBudgetError, OutOfMemoryError: there are too many positions.
            GameRuleError: the rules fail somewhere.
        """
        limits = Limits(max_positions, usable_bytes() if max_bytes is None else max_bytes)
        tight = entry_form(self._engine)
        try:
            return self._run(tight, limits).settled(state, progress)
        except UnfitError:
            loose = entry_form(self._engine, is_tight=False)
            return self._run(loose, limits).settled(state, progress)

    def _run(self, form: EntryForm, limits: Limits) -> _Run:
        text = positions.constants_of(kernel) + form.text(native=self._native)
        assembly = Assembly(
            self._engine, KERNELS, INNER, native=self._native, folder=self._folder, more=text
        )
        return _Run(Positions(assembly, form, limits, kernel.NOTES))


class _Run:
    """One game being settled: the arrays of the kernel."""

    def __init__(self, found: Positions) -> None:
        self._found = found
        self._stack = found.assembly.row(FIRST_FRAMES * kernel.FRAME)
        self._keys = found.assembly.row((found.room + FIRST_FRAMES) * found.form.width)
        self._tastes = found.assembly.row(0)
        found.notes[kernel.TOP] = kernel.FRESH

    def settled(self, state: State, progress: Progress | None) -> Settled:
        found = self._found
        found.put_key(state, self._keys)
        status = kernel.SLICED
        while status != kernel.DONE:
            status = self._slice()
            self._see_to(status)
            found.keep_to_limits(progress)
        return Settled(found.used, found.notes[kernel.ENDINGS], self._looking_up())

    def _slice(self) -> int:
        found = self._found
        return found.call(
            "induced", found.table, found.most, self._stack, self._keys, found.actions,
            found.homes, found.paid, self._tastes, found.notes, positions.SLICE,
        )  # fmt: skip

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
            raise UnfitError("plies do not fit")

    def _enlarge_table(self) -> None:
        found = self._found
        larger = found.larger_table()
        found.call("moved", found.table, larger, self._stack, found.notes[kernel.TOP], self._keys)
        found.table = larger

    def _doubled(self, row: Any) -> Any:
        larger = self._found.assembly.row(2 * len(row))
        larger[: len(row)] = row
        return larger

    def _add_payoff(self) -> None:
        found = self._found
        found.add_payoff()
        if len(found.payoffs) > 1 << found.form.class_bits:
            raise UnfitError("payoffs do not fit")
        endless = found.assembly.engine.model.facts.endless
        par = par_of(set(found.payoffs), endless, len(found.payoffs[0]))
        assert par is not None, "interests are opposed"
        self._tastes = found.row(tastes(found.payoffs, par))

    def _looking_up(self) -> Callable[[State], tuple[Vector, int | None] | None]:
        code_of, payoffs = self._found.finder(), self._found.payoffs
        bits = self._found.form.class_bits

        def look_up(state: State) -> tuple[Vector, int | None] | None:
            code = code_of(state)
            return (payoffs[code & (1 << bits) - 1], (code >> bits) - 1) if code else None

        return look_up


def tastes(payoffs: list[Vector], par: Vector) -> list[int]:
    """For each payoff and player how good it is, and whether plies count for it or against it."""
    firsts = sorted({payoff[0] for payoff in payoffs})
    found = []
    for payoff in payoffs:
        rank = firsts.index(payoff[0]) * RANK
        for mover, sign in enumerate((1, -1)):
            found += [sign * rank, -1 if payoff[mover] >= par[mover] else 1]
    return found
