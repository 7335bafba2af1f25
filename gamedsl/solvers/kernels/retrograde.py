"""Retrograde analysis by kernels: exact values where play can return.

In: a game of two players without chance whose engine is compiled, and a state. Out: `Settled`: the
payoffs and plies of best play for every state that can be reached, by the conventions of
`solvers.retrograde`. What endless play pays must be said in the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graph import OutOfMemoryError, Progress, Vector
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import positions
from gamedsl.solvers.kernels import retrograde_kernel as kernel
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.entries import EntryForm, entry_form
from gamedsl.solvers.kernels.memory import NUMBER, usable_bytes
from gamedsl.solvers.kernels.positions import Limits, Positions, Settled, UnfitError
from gamedsl.solvers.par import constant_sum

ROOM = 28
"""Bits that the number of a state may need."""
BESIDE = 2
"""Numbers for each entry besides its key while states are numbered."""
BEHIND = 5
"""Numbers for each state afterwards, besides the states before it."""

INNER = (*positions.FINDING, codes.successors_of, kernel.found_from)
KERNELS = (
    kernel.explored,
    kernel.renumbered,
    kernel.summed,
    kernel.linked,
    kernel.seeded,
    kernel.spread,
    codes.code_of,
)


class KernelRetrograde:
    """Retrograde analysis of one game.

    Raises UnsupportedGameError where the rules say that kernels cannot do it.
    """

    def __init__(
        self, engine: CompiledEngine, *, native: bool = True, folder: Path | None = None
    ) -> None:
        reason = positions.why_not(engine)
        if reason is None and engine.model.facts.endless is None:
            reason = "the rules do not say what endless play is worth"
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
        """All that can be reached from a state that is not over; see `KernelInduction.settled`."""
        limits = Limits(max_positions, usable_bytes() if max_bytes is None else max_bytes)
        tight = entry_form(self._engine, least_room=ROOM)
        try:
            return self._run(tight, limits).settled(state, progress)
        except UnfitError:
            loose = entry_form(self._engine, is_tight=False)
            return self._run(loose, limits).settled(state, progress)

    def _run(self, form: EntryForm, limits: Limits) -> _Run:
        text = positions.constants_of(codes, kernel) + form.text(native=self._native)
        assembly = Assembly(
            self._engine, KERNELS, INNER, native=self._native, folder=self._folder, more=text
        )
        return _Run(Positions(assembly, form, limits, kernel.ALL_NOTES))


class _Run:
    """One game being settled: the arrays of the kernels."""

    def __init__(self, found: Positions) -> None:
        self._found = found
        endless = found.assembly.engine.model.facts.endless
        assert endless is not None, "the rules say what endless play is worth"
        self._endless = endless
        self._keys, self._kinds, self._befores = self._by_number()
        self._before = found.zeros(0)

    def _by_number(self) -> tuple[Any, Any, Any]:
        """Keys, kinds, and how many states are before each, with room for what the table takes."""
        found = self._found
        keys = found.zeros((found.most + 2 * found.room) * found.form.width)
        return keys, found.zeros(found.most + 1), found.zeros(found.most + 1)

    def settled(self, state: State, progress: Progress | None) -> Settled:
        found = self._found
        found.put_key(state, self._keys)
        self._explore(progress)
        degrees = self._link(progress)
        values, plies = self._spread(degrees, progress)
        endings = found.notes[codes.ENDINGS]
        return Settled(found.used, endings, self._looking_up(values, plies))

    def _explore(self, progress: Progress | None) -> None:
        found = self._found
        status = codes.SLICED
        while status != codes.DONE:
            status = found.call(
                "explored", found.table, found.most, self._keys, self._kinds, self._befores,
                found.actions, found.homes, found.paid, found.notes, positions.SLICE,
            )  # fmt: skip
            if status == codes.FULL:
                self._enlarge()
            elif status == codes.NEW_PAYOFF:
                self._add_payoff()
            elif status == codes.UNFIT:
                raise UnfitError("numbers of states do not fit")
            found.keep_to_limits(progress, found.used - found.notes[kernel.NODE])

    def _add_payoff(self) -> None:
        found = self._found
        found.add_payoff()
        if constant_sum({*found.payoffs, self._endless}, len(self._endless)) is None:
            raise UnsupportedGameError("endless play gives more or less than its end does")

    def _enlarge(self) -> None:
        found = self._found
        found.table = found.larger_table(found.form.width + BESIDE)
        smaller = self._keys, self._kinds, self._befores
        self._keys, self._kinds, self._befores = self._by_number()
        for large, small in zip((self._keys, self._kinds, self._befores), smaller, strict=True):
            large[: len(small)] = small
        found.call("renumbered", found.table, self._keys, found.used)

    def _link(self, progress: Progress | None) -> Any:
        """List the states before each; how many successors each has."""
        found = self._found
        edges = found.call("summed", self._befores, found.used)
        held = found.entries * (2 * found.form.width + BESIDE)
        needed = (held + edges + BEHIND * found.used) * NUMBER
        if needed > found.limits.bytes:
            raise OutOfMemoryError(found.used, held * NUMBER)
        self._before, degrees = found.zeros(edges), found.zeros(found.used)
        found.notes[kernel.NODE] = 0
        status = codes.SLICED
        while status != codes.DONE:
            status = found.call(
                "linked", found.table, self._keys, self._kinds, self._befores, self._before,
                degrees, found.actions, found.homes, found.notes, positions.SLICE,
            )  # fmt: skip
            found.keep_to_limits(progress)
        return degrees

    def _spread(self, degrees: Any, progress: Progress | None) -> tuple[Any, Any]:
        """Values, as levels, and plies + 1 of all states (0: endless)."""
        found = self._found
        values, plies, queue, unsettled = (found.zeros(found.used) for _ in range(4))
        levels = self._levels()
        above = sorted({level for level in levels if level > 0}, reverse=True)
        below = sorted({level for level in levels if level < 0})
        kinds = found.row(levels)
        for wanted, forcer in ((above, 0), (below, 1), ([0], kernel.ANYBODY)):
            unsettled[:] = degrees
            for level in wanted:
                found.call("seeded", level, self._kinds, kinds, values, plies, queue, found.notes)
                status = codes.SLICED
                while status != codes.DONE:
                    status = found.call(
                        "spread", level, forcer, self._kinds, self._befores, self._before,
                        unsettled, values, plies, queue, found.notes, positions.SLICE,
                    )  # fmt: skip
                    found.keep_to_limits(progress)
        return values, plies

    def _levels(self) -> list[int]:
        """For each payoff how good it is for the first player, endless play being 0."""
        firsts = [payoff[0] for payoff in self._found.payoffs]
        ordered = sorted({*firsts, self._endless[0]})
        middle = ordered.index(self._endless[0])
        return [ordered.index(first) - middle for first in firsts]

    def _looking_up(
        self, values: Any, plies: Any
    ) -> Callable[[State], tuple[Vector, int | None] | None]:
        code_of = self._found.finder()
        vectors = {0: self._endless} | dict(zip(self._levels(), self._found.payoffs, strict=True))

        def look_up(state: State) -> tuple[Vector, int | None] | None:
            code = code_of(state)
            if not code:
                return None
            length = plies[code - 1]
            return vectors[values[code - 1]], length - 1 if length else None

        return look_up
