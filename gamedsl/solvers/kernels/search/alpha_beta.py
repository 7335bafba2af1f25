"""Alpha-beta by a kernel: prove the value of single positions without visiting all positions.

In: a game of two players or sides without chance, with a compiled engine. Out: `KernelAlphaBeta`,
which bounds the value of a position between two payoffs by questions with null windows, and keeps
proved bounds in one table of limited size from question to question. Raises UnsupportedGameError if
interests are not opposed or play returns; both show only during the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from gamedsl.compiler.definitions import Constant, Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import NO_LIMITS, Payoffs, Refusal, SearchLimits
from gamedsl.model import State, UnsupportedGameError
from gamedsl.model.statement_facts import wins_of
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.search import alpha_beta_kernel as kernel
from gamedsl.solvers.kernels.search import bounds_kernel
from gamedsl.solvers.kernels.search.growth import BoundsRun
from gamedsl.solvers.kernels.search.position_search import KernelPositionSearch
from gamedsl.solvers.kernels.symmetry.permutations import least_image, permutations
from gamedsl.solvers.kernels.table_layout import (
    CODE_BITS,
    EntryLayout,
    entry_layout,
)
from gamedsl.solvers.kernels.transposition_table import (
    CodeOverflowError,
    Limits,
    TranspositionTable,
)
from gamedsl.solvers.memory import bytes_around_tables

LINE = 8
"""Numbers in a line of the cache: a bucket is one line, unless a state is larger."""
FIRST_BUCKETS = 1 << 14
SLICE = 1 << 16
"""Maximal number of states visited between two returns to Python."""
EFFORT_BITS = 5
"""Bits of a code for the search effort, as a power of two."""
ALL_ORDERINGS = 2 * kernel.USES_LINES - 1
"""The bits of all parts of the search, `USES_HISTORY` and so on."""
ENTRIES = (kernel.search, bounds_kernel.enlarge, bounds_kernel.code_in_bucket)


class KernelAlphaBeta(KernelPositionSearch):
    """Values of positions of one game."""

    def __init__(
        self,
        engine: CompiledEngine,
        *,
        native: bool = True,
        limits: SearchLimits = NO_LIMITS,
        uses: int = ALL_ORDERINGS,
    ) -> None:
        super().__init__(engine, refusal(engine), native=native, limits=limits)
        self._uses = uses
        self._images = permutations(engine) if limits.uses_symmetry else ()
        self._run = Run(self._table(_layout(engine)), uses)
        self._before = 0

    @property
    def looked_at(self) -> int:
        """States visited so far for all questions."""
        return self._before + self._run.looked_at

    @property
    def payoffs(self) -> Sequence[Payoffs]:
        """The payoffs met so far."""
        return self._run.payoffs

    def leave_bytes(self, part: int) -> int:
        """Leaves one of `part` equal parts of the memory for tables to another search; returns the
        memory of the other search. A table that is larger already stays."""
        left = self._limits.bytes // part
        self._limits = replace(self._limits, bytes=self._limits.bytes - left)
        self._run.limit(self._limits)
        return bytes_around_tables(left, native=self._native)

    def bounds(self, state: State) -> tuple[Payoffs | None, Payoffs | None]:
        """The proved bounds of the value of a position that is not terminal: the first player's
        payoff is at least the first bound and at most the second, as far as the table knows."""
        low, high = self._run.bounds(state)
        payoffs = self._run.payoffs
        return (payoffs[low - 1] if low else None, payoffs[high - 1] if high else None)

    def value(self, state: State) -> Payoffs:
        """The payoffs of best play from a position that is not terminal.

        Raises:
            UnsupportedGameError: play can return, or interests are not opposed.
            OutOfBudgetError, OutOfMemoryError, and exceptions of `progress`; `bounds` then gives
            the
                bounds proved so far.
            GameRuleError: the rules fail in a position.
        """
        return self._payoff(state, None)

    def gives(self, state: State, player: int, payoffs: Payoffs) -> bool:
        """Whether a player gets at least the player's share of a known payoff; raises like
        `value`."""
        payoff = self._payoff(state, (payoffs, player))
        return payoff[player] >= payoffs[player]

    def _payoff(self, state: State, wanted: tuple[Payoffs, int] | None) -> Payoffs:
        while True:
            try:
                return self._run.payoff(state, wanted, self._keep_to_limits)
            except CodeOverflowError:
                self._before += self._run.looked_at
                loose = entry_layout(self._engine, is_tight=False)
                self._run = Run(self._table(loose), self._uses)

    def _table(self, layout: EntryLayout) -> TranspositionTable:
        slots, stride = _bucket(layout.width)
        seen, left = self._engine.foreseen, self._engine.prospects
        has_lines = seen is not None and left is not None and bool(left.ranks)
        constants: dict[str, Constant] = {
            "SLOTS": slots,
            "STRIDE": stride,
            "SYMMETRIC": bool(self._images),
            "IMAGE": (layout.width + kernel.BESIDE) * bool(self._images),
            "RECORD": _record(layout.width),
            "FORESEES": seen is not None,
            "WON": tuple(chain.from_iterable(wins_of(self._engine.model))),
            "KNOWS_LINES": has_lines,
            "RANKS": tuple(left.ranks) if has_lines and left else (0,),
            "HAS_PROSPECTS": left is not None,
            "REST": left.rest if left else (0, 0, 0, 0),
        }
        foreseen = [functions for functions in (seen, left and left.functions) if functions]
        image = least_image(self._engine, self._images)
        known = Definitions(constants, (image,), later=tuple(foreseen))
        assembly = self._assembled(layout, ENTRIES, known)
        return TranspositionTable(assembly, layout, self._limits, kernel.SearchNotes)


def refusal(engine: CompiledEngine) -> Refusal | None:
    """Why the rules alone exclude the search; None if the rules do not."""
    if not engine.model.facts.is_opposed:
        return Refusal("alpha-beta is for two players or sides with opposed interests")
    return transposition_table.refusal(engine)


def _layout(engine: CompiledEngine) -> EntryLayout:
    """The tightest layout, with few bits for payoffs and enough bits for the effort."""
    layout = entry_layout(engine)
    if not layout.is_tight:
        return layout
    room = CODE_BITS - layout.shift
    return replace(layout, class_bits=max(2, (room - EFFORT_BITS) // 2))


def _record(width: int) -> int:
    """Numbers in the record of a waiting state: its key, the additional numbers, its image."""
    return 2 * width + kernel.BESIDE


def _bucket(width: int) -> tuple[int, int]:
    """Number of entries of a bucket, and distance of buckets in numbers."""
    stride = LINE
    while stride < 2 * width:
        stride *= 2
    return stride // width, stride


class Run(BoundsRun):
    """One game in one layout: the arrays of the kernel. Payoffs are numbered from 1 on."""

    def __init__(self, arrays: TranspositionTable, uses: int) -> None:
        width, row = arrays.layout.width, arrays.assembly.row
        buckets = FIRST_BUCKETS, _bucket(width)[1]
        super().__init__(arrays, kernel.Frame, _record(width), buckets, SLICE)
        self._history = row(bounds_kernel.EFFECTS + kernel.DEPTHS)
        self._ranks = row(1)
        self._winning = arrays.row([-1, -1])
        self._key = row(_record(width))
        self._open: tuple[State, int, int] | None = None
        self._asked: dict[State, tuple[int, int]] = {}
        arrays.notes.uses = uses

    @property
    def payoffs(self) -> list[Payoffs]:
        """The payoffs met so far."""
        return self._arrays.payoffs

    def limit(self, limits: Limits) -> None:
        """Sets new limits."""
        self._arrays.limits = limits

    def bounds(self, state: State) -> tuple[int, int]:
        """Numbers of the payoffs that bound the value; 0 for an unknown bound. Answers to questions
        are remembered; further knowledge of the table may be lost."""
        if state in self._asked:
            return self._within_all(*self._asked[state])
        self._arrays.put_key(state, self._key)
        code = self._arrays.call("code_in_bucket", self._key, self._arrays.table)
        mask = (1 << self._arrays.layout.class_bits) - 1
        return self._within_all(code & mask, code >> self._arrays.layout.class_bits & mask)

    def _within_all(self, low: int, high: int) -> tuple[int, int]:
        """Complete bounds by the least and the greatest payoff of the rules."""
        least, greatest = self._arrays.assembly.engine.model.facts.utility_bounds
        if high and self.payoffs[high - 1][0] == least:
            low = high
        if low and self.payoffs[low - 1][0] == greatest:
            high = low
        return low, high

    def payoff(
        self, state: State, wanted: tuple[Payoffs, int] | None, tick: Callable[[], None]
    ) -> Payoffs:
        """The value; or, if a payoff is wanted for a player, a payoff on the same side of the
        wanted payoff as the value. `tick` is called from time to time."""
        low, high = self.bounds(state)
        while (cut := self._cut(low, high, wanted)) is not None:
            answer = self._answer(state, cut, tick)
            low, high = self._within_all(*((answer, high) if answer > 0 else (low, -answer)))
            self._asked[state] = low, high
        if wanted is None:
            return self.payoffs[(low or high) - 1]
        number, side = self._cut_at(*wanted)
        return self.payoffs[
            (low if low and self._ranks[low] > self._ranks[number] + side else high) - 1
        ]

    def _cut(
        self, low: int, high: int, wanted: tuple[Payoffs, int] | None
    ) -> tuple[int, int] | None:
        """The next question: whether the value is above a rank next to the rank of a payoff, either
        above (1) or below (-1) it; (0, 0) if no payoff is known; None if all questions are
        answered."""
        if not self.payoffs:
            return 0, 0
        if wanted is not None:
            number, side = self._cut_at(*wanted)
            asked = self._ranks[number] + side
            is_answered = (low and self._ranks[low] > asked) or (high and self._ranks[high] < asked)
            return None if is_answered else (number, side)
        order = sorted(range(1, len(self.payoffs) + 1), key=lambda payoff: self._ranks[payoff])
        cuts = [(order[0], -1), *((payoff, 1) for payoff in order)]
        least, greatest = self._arrays.assembly.engine.model.facts.utility_bounds
        first = 0 if not low else 1 + order.index(low)
        last = len(cuts) if not high else 1 + order.index(high)
        if not low and self.payoffs[order[0] - 1][0] == least:
            first = 1
        if not high and self.payoffs[order[-1] - 1][0] == greatest:
            last = len(cuts) - 1
        left = cuts[first:last]
        return left[len(left) // 2] if left else None

    def _cut_at(self, payoffs: Payoffs, player: int) -> tuple[int, int]:
        """The question whether a player gets at least a payoff."""
        facts = self._arrays.assembly.engine.model.facts
        return self.payoffs.index(payoffs) + 1, 1 if facts.sides[player] else -1

    def _answer(self, state: State, cut: tuple[int, int], tick: Callable[[], None]) -> int:
        """Call the kernel until the question is answered; return the answer. A question whose
        search an exception of `tick` has ended is continued if it is the next question again."""
        arrays = self._arrays
        number, side = cut
        if self._open != (state, *cut):
            arrays.put_key(state, self._keys)
            self._start_anew()
        status, self._open = kernel.SLICED, None
        while status != kernel.DONE:
            arrays.notes.asked = self._ranks[number] + side
            status = arrays.call("search", self._search_arrays(), arrays.notes, self._slice)
            if status == kernel.RETURNS:
                raise UnsupportedGameError(
                    "play can return to an earlier position", "leave out --goal"
                )
            if status == kernel.NEW_PAYOFF:
                self._add_payoff()
                if number == 0:  # the search was only for a first payoff
                    self._start_anew()
                    number, side = len(self.payoffs), -1
                    if not self._is_worth_asking():
                        side = 1
            elif status == kernel.HIGH:
                self._raise_stack()
            elif status == kernel.SLICED:
                self._see_to_table()
            self._open = (state, number, side) if status != kernel.DONE else None
            tick()
        answer: int = arrays.notes.result
        return answer

    def _search_arrays(self) -> kernel.SearchArrays:
        return kernel.SearchArrays(
            table=self._arrays.table,
            keys=self._keys,
            ranks=self._ranks,
            stack=self._stack,
            actions=self._arrays.actions,
            payoffs=self._arrays.paid,
            history=self._history,
            path=self._path,
            winning=self._winning,
        )

    def _is_worth_asking(self) -> bool:
        """Whether the value may be less than the only known payoff."""
        least, _ = self._arrays.assembly.engine.model.facts.utility_bounds
        return self.payoffs[0][0] != least

    def _start_anew(self) -> None:
        self._arrays.notes.top = kernel.FRESH
        self._arrays.notes.result = 0
        self._path = self._arrays.assembly.row(bounds_kernel.PATH)

    def _add_payoff(self) -> None:
        arrays = self._arrays
        arrays.add_payoff()
        if len(self.payoffs) >= 1 << arrays.layout.class_bits:
            raise CodeOverflowError("payoffs do not fit")
        self._ranks = arrays.row(list(_ranks(self.payoffs)))


def _ranks(payoffs: list[Payoffs]) -> Iterator[int]:
    """For each payoff number the rank for the first player: an even number."""
    firsts = sorted(payoff[0] for payoff in payoffs)
    yield 0
    for payoff in payoffs:
        yield 2 * (1 + firsts.index(payoff[0]))
