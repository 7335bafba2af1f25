"""Backward induction by a kernel: exact values of millions of positions, kept in one table.

In: a game of two players without chance whose engine is compiled, and a state. Out: `Settled`: the
payoffs and plies of best play for every state that can be reached, by the conventions of
`solvers.backward_induction`. It refuses where play can return or interests are not opposed, which
only play shows; then another solver has to do it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.native import signed
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graph import OutOfBudgetError, OutOfMemoryError, Progress, Vector
from gamedsl.solvers.kernels import induction_kernel as kernel
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.entries import EntryForm, entry_form
from gamedsl.solvers.kernels.memory import NUMBER, usable_bytes, zeros
from gamedsl.solvers.par import par_of

FIRST_ENTRIES = 1 << 14
"""Entries of the first table; each following one has twice as many."""
FIRST_FRAMES = 64
"""States on the first stack."""
FULLEST = (7, 10)
"""The part of a table that may be in use: chains grow long beyond it."""
SLICE = 1 << 13
"""States looked at before Python gets a word in."""
MOST_PAYOFFS = 4096
"""Games with more different payoffs are left to Python: kernels look a payoff up in a list."""
RANK = 1 << 43
"""Above all plies."""

INNER = (
    kernel.home_of,
    kernel.entry_from,
    kernel.entered,
    kernel.better,
    kernel.payoff_of,
    kernel.listed,
    kernel.expanded,
    kernel.begun,
    kernel.finished,
)
KERNELS = (kernel.induced, kernel.moved, kernel.code_of)


class UnfitError(RuntimeError):
    """A code does not fit into the room that it was given."""


@dataclass(frozen=True, slots=True)
class Settled:
    """All states that can be reached, with what best play gives.

    Attributes:
        positions: how many they are; endings: how many of them are the end of the game.
        par: the payoffs that are neither ahead nor behind.
        look_up: the payoffs and plies of best play from a state; None if it is not among them.
    """

    positions: int
    endings: int
    par: Vector
    look_up: Callable[[State], tuple[Vector, int] | None]


class KernelInduction:
    """Backward induction on one game.

    Raises UnsupportedGameError where the rules say that kernels cannot do it.
    """

    def __init__(
        self, engine: CompiledEngine, *, native: bool = True, folder: Path | None = None
    ) -> None:
        reason = why_not(engine)
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
            UnsupportedGameError: play can return, or interests are not opposed.
            OutOfBudgetError, OutOfMemoryError: there are too many positions.
            GameRuleError: the rules fail somewhere.
        """
        limits = _Limits(max_positions, usable_bytes() if max_bytes is None else max_bytes)
        for is_tight in (True, False):
            form = entry_form(self._engine, is_tight=is_tight)
            try:
                return _Run(self._assembly(form), form, limits).settled(state, progress)
            except UnfitError:
                if not form.is_tight:
                    raise
        raise AssertionError("the second form always fits")

    def _assembly(self, form: EntryForm) -> Assembly:
        return Assembly(
            self._engine,
            KERNELS,
            INNER,
            native=self._native,
            folder=self._folder,
            more=_constants() + form.text(native=self._native),
        )


def why_not(engine: CompiledEngine) -> str | None:
    """Why the rules alone forbid it; None if they do not."""
    facts = engine.model.facts
    if len(engine.players) != 2:
        return "native solving is for two players"
    if facts.has_chance or facts.has_secrets or facts.is_simultaneous:
        return "native solving is for games without chance, secrets and choices at once"
    if facts.repeats:
        return "native solving does not look at what has occurred before"
    return None


def _constants() -> str:
    """The numbers that the kernels know by name."""
    known = {name: value for name, value in vars(kernel).items() if name.isupper()}
    return "".join(f"{name} = {value}\n" for name, value in known.items() if type(value) is int)


@dataclass(frozen=True, slots=True)
class _Limits:
    positions: int | None
    bytes: int


class _Run:
    """One game being settled: the arrays of the kernel."""

    def __init__(self, assembly: Assembly, form: EntryForm, limits: _Limits) -> None:
        self._assembly = assembly
        self._form = form
        self._limits = limits
        room = assembly.engine.model.facts.action_count + 1
        self._actions = assembly.row(room)
        self._homes = assembly.row(2 * room)
        self._stack = assembly.row(FIRST_FRAMES * kernel.FRAME)
        self._keys = assembly.row((room + FIRST_FRAMES) * form.width)
        self._notes = assembly.row(kernel.NOTES)
        self._notes[kernel.TOP] = kernel.FRESH
        self._payoffs: list[tuple[int, int, int]] = []
        self._par: Vector = ()
        self._paid, self._tastes = assembly.row(0), assembly.row(0)
        first = max(FIRST_ENTRIES, 2 * room * FULLEST[1] // FULLEST[0])
        self._table = self._zeros(first * form.width)

    def _zeros(self, count: int) -> Any:
        return zeros(count) if self._assembly.native else [0] * count

    @property
    def _most(self) -> int:
        """Entries that may be in use before the table has to grow."""
        return len(self._table) // self._form.width * FULLEST[0] // FULLEST[1]

    def settled(self, state: State, progress: Progress | None) -> Settled:
        self._put_key(state, self._keys)
        status = kernel.SLICED
        while status != kernel.DONE:
            with self._assembly.explaining():
                status = self._slice()
            self._see_to(status)
            used = self._notes[kernel.USED]
            if self._limits.positions is not None and used > self._limits.positions:
                raise OutOfBudgetError(self._limits.positions, used, 0)
            if progress is not None:
                progress(used, 0)
        positions, endings = self._notes[kernel.USED], self._notes[kernel.ENDINGS]
        return Settled(positions, endings, self._par, self._looking_up())

    def _slice(self) -> int:
        status: int = self._assembly.plain_kernel("induced")(
            self._table, self._most, self._stack, self._keys, self._actions, self._homes,
            self._paid, self._tastes, self._notes, SLICE,
        )  # fmt: skip
        return status

    def _see_to(self, status: int) -> None:
        """Do what the kernel asks for before it goes on."""
        if status == kernel.FULL:
            self._enlarge_table()
        elif status == kernel.HIGH:
            self._stack, self._keys = self._doubled(self._stack), self._doubled(self._keys)
        elif status == kernel.NEW_PAYOFF:
            self._add_payoff()
        elif status == kernel.RETURNS:
            raise UnsupportedGameError(
                "play can return to an earlier position", "use retrograde analysis"
            )
        elif status == kernel.UNFIT:
            raise UnfitError("plies do not fit")

    def _enlarge_table(self) -> None:
        size = 2 * len(self._table)
        if (size + len(self._table)) * NUMBER > self._limits.bytes:
            size = self._limits.bytes // NUMBER - len(self._table)
            size -= size % self._form.width
            if size < len(self._table) * 5 // 4:
                raise OutOfMemoryError(self._notes[kernel.USED], len(self._table) * NUMBER)
        larger = self._zeros(size)
        top = self._notes[kernel.TOP]
        self._assembly.plain_kernel("moved")(self._table, larger, self._stack, top, self._keys)
        self._table = larger

    def _doubled(self, row: Any) -> Any:
        larger = self._assembly.row(2 * len(row))
        larger[: len(row)] = row
        return larger

    def _add_payoff(self) -> None:
        notes = self._notes
        found = (notes[kernel.PER], notes[kernel.FIRST_SHARE], notes[kernel.SECOND_SHARE])
        self._payoffs.append(found)
        if len(self._payoffs) > MOST_PAYOFFS:
            raise UnsupportedGameError("there are too many different payoffs")
        if len(self._payoffs) > 1 << self._form.class_bits:
            raise UnfitError("payoffs do not fit")
        vectors = [_vector(*payoff) for payoff in self._payoffs]
        par = par_of(set(vectors), self._assembly.engine.model.facts.endless, len(vectors[0]))
        if par is None:
            raise UnsupportedGameError("what one player wins the other need not lose")
        self._par = par
        self._tastes = self._row(tastes(vectors, par))
        self._paid = self._row([number for payoff in self._payoffs for number in payoff])
        notes[kernel.PAYOFFS] = len(self._payoffs)

    def _row(self, numbers: list[int]) -> Any:
        row = self._assembly.row(len(numbers))
        for place, number in enumerate(numbers):
            row[place] = number
        return row

    def _put_key(self, state: State, row: Any) -> None:
        words = self._assembly.engine.words_of(state)
        for place, number in enumerate(self._form.key(words)):
            row[place] = signed(number) if self._assembly.native else number

    def _looking_up(self) -> Callable[[State], tuple[Vector, int] | None]:
        vectors = [_vector(*payoff) for payoff in self._payoffs]
        bits, table = self._form.class_bits, self._table
        code_of = self._assembly.plain_kernel("code_of")
        row = self._assembly.row(self._form.width)

        def look_up(state: State) -> tuple[Vector, int] | None:
            if state.pending is not None or state.history is not None:
                return None
            self._put_key(state, row)
            code = code_of(row, table)
            return (vectors[code & (1 << bits) - 1], (code >> bits) - 1) if code else None

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


def _vector(per: int, *shares: int) -> Vector:
    return tuple(Fraction(share, per) for share in shares)
