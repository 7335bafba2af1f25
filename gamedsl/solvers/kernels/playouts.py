"""Random playouts by kernels, on any number of threads, with results independent of the number.

In: a game with a compiled engine, a state, a number of playouts, a seed. Out: `PlayoutCounts`, with
the endings and lengths of the plays. Plain Python and native code give equal counts. Legal actions
are chosen uniformly; on request, if wins can be foreseen, players take and prevent immediate wins.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from functools import lru_cache
from math import lcm
from pathlib import Path
from time import perf_counter
from typing import Any

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.game.accelerator import PlayoutCounts
from gamedsl.model import State
from gamedsl.model.statement_facts import wins_of
from gamedsl.solvers.interruptible import BrokenOff, interruptible
from gamedsl.solvers.kernels import playout_kernel
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.functions.payoffs import turn_of
from gamedsl.solvers.kernels.functions.standard import game_words
from gamedsl.solvers.kernels.transposition_table import refusal
from gamedsl.source.records import dataclass

CHUNK_IN_PYTHON = 16
"""Playouts per chunk: always in Python, at the beginning in machine code."""
FEW = 64
"""Greatest number of playouts in machine code that no interrupt breaks off: a thread for fewer
costs more than the plays."""
LARGEST_CHUNK = 8192
"""Maximal chunk in machine code: there is room for as many endings."""
AT_ONCE = 0.02
"""Target seconds of a chunk in machine code: a chunk cannot be interrupted, but small chunks cost
more for the hand-over to a thread than for play."""
GROWTH = 16
"""Maximal ratio of the sizes of consecutive chunks."""
AHEAD = 4
"""Pending chunks per thread: memory does not grow with the number of playouts."""


@dataclass(frozen=True, slots=True)
class Played:
    """Results of some playouts: for each ending its frequency, a denominator (0: broken off) and a
    numerator a player; the sum of plies, the least and the greatest number; number of playouts."""

    rows: tuple[tuple[int, ...], ...]
    plies: int
    shortest: int
    longest: int
    playouts: int


class _Chunks:
    """The playouts in chunks: the first playout and the size of each chunk. `playouts` is the
    end."""

    def __init__(self, playouts: int) -> None:
        self.playouts = playouts
        self._size = CHUNK_IN_PYTHON

    def __iter__(self) -> Iterator[tuple[int, int]]:
        first = 0
        while first < self.playouts:
            size = min(self._size, self.playouts - first)
            yield first, size
            first += size

    def took(self, count: int, seconds: float) -> None:
        """Enlarge the next chunks if a chunk of `count` playouts took less time than `AT_ONCE`."""
        larger = int(count * min(GROWTH, AT_ONCE / max(seconds, 1e-9)))
        self._size = max(self._size, min(larger, LARGEST_CHUNK))


class KernelPlayouts:
    """Playouts of one game. Raises UnsupportedGameError if kernels do not support the game."""

    def __init__(
        self,
        engine: CompiledEngine,
        *,
        native: bool = True,
        folder: Path | None = None,
        foresees: bool = False,
    ) -> None:
        """`foresees`: players take immediate wins and prevent the opponent's, if wins can be
        foreseen."""
        self._engine = engine
        self.is_native = native
        self._assembly = Assembly(
            engine,
            (playout_kernel.play_outs,),
            foresight_definitions(engine, foresees=foresees)
            | Definitions({"ESTIMATES": False, "PAYS": False, "RECORDS": False, "LEARNS": False}),
            native=native,
            folder=folder,
            in_slices=True,
        )
        self._width = len(engine.players) + 2

    def run(
        self,
        state: State,
        playouts: int,
        *,
        seed: int = 0,
        threads: int = 1,
        longest: int = 10_000,
    ) -> PlayoutCounts:
        """Play to the end from a state, or for `longest` plies.

        Raises GameRuleError if a rule fails on the way; BrokenOff after an interrupt, with the
        tally of the finished playouts.
        """
        chunks = _Chunks(playouts)
        batches: list[Played] = []

        def play(chunk: tuple[int, int]) -> Played:
            start = perf_counter()
            played = self._chunk(state, seed, *chunk, longest)
            if self.is_native:
                chunks.took(chunk[1], perf_counter() - start)
            return played

        def play_all() -> None:
            for chunk in chunks:
                batches.append(play(chunk))

        with self._assembly.explaining():
            try:
                if threads > 1:
                    self._side_by_side(play, chunks, threads, batches)
                elif self.is_native and playouts > FEW:
                    interruptible(play_all)
                else:
                    play_all()
            except KeyboardInterrupt as stop:
                chunks.playouts = 0
                raise BrokenOff(self._tally(tuple(batches))) from stop
        return self._tally(batches)

    @staticmethod
    def _side_by_side(
        play: Callable[[tuple[int, int]], Played],
        chunks: Iterable[tuple[int, int]],
        threads: int,
        batches: list[Played],
    ) -> None:
        """Play chunks on several threads, and append their results, in order, to `batches`."""
        pool = ThreadPoolExecutor(threads)
        begun: deque[Future[Played]] = deque()
        try:
            for chunk in chunks:
                if len(begun) >= AHEAD * threads:
                    batches.append(begun.popleft().result())
                begun.append(pool.submit(play, chunk))
            batches.extend(future.result() for future in begun)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _chunk(self, state: State, seed: int, first: int, count: int, longest: int) -> Played:
        assembly, width = self._assembly, self._width
        room = longest + 1 if self._engine.model.repeats else 0
        past, length = assembly.past(state, room)
        arrays = playout_arrays(assembly, past, count)
        arrays.lengths.shortest = longest
        known = assembly.kernel("play_outs")(
            assembly.words(state), seed, first, count, longest, arrays, length
        )
        flat = [int(entry) for entry in arrays.ends[: known * width]]
        rows = [tuple(flat[n : n + width]) for n in range(0, len(flat), width)]
        plies, shortest, most = arrays.lengths.numbers()
        return Played(tuple(rows), plies, shortest, most, count)

    @staticmethod
    def _tally(batches: Sequence[Played]) -> PlayoutCounts:
        rows = [row for played in batches for row in played.rows]
        unit = lcm(*(per for _, per, *_ in rows if per))
        endings: Counter[tuple[int, ...]] = Counter()
        unfinished = 0
        for times, per, *shares in rows:
            if per:
                endings[tuple([share * (unit // per) for share in shares])] += times
            else:
                unfinished += times
        frequent = sorted(endings.items(), key=lambda item: (-item[1], item[0]))
        return PlayoutCounts(
            sum(played.playouts for played in batches),
            tuple((tuple([_payoff(n, unit) for n in numbers]), t) for numbers, t in frequent),
            unfinished,
            sum(played.plies for played in batches),
            min((played.shortest for played in batches), default=0),
            max((played.longest for played in batches), default=0),
        )


@lru_cache(1 << 12)
def _payoff(share: int, unit: int) -> Fraction:
    return Fraction(share, unit)


def playout_arrays(
    assembly: Assembly,
    past: Any,
    endings: int = 1,
    *,
    records: bool = False,
    learns: bool = False,
) -> playout_kernel.PlayoutArrays:
    """Arrays for plays with so many different endings, after a past; for a record of the actions of
    plays; and for plays that learn."""
    players, row = len(assembly.engine.players), assembly.row
    actions = assembly.engine.model.facts.action_count
    return playout_kernel.PlayoutArrays(
        actions=row((players + 2) * (actions + 1)),
        sizes=row(players),
        past=past,
        ends=row(endings * (players + 2)),
        lengths=assembly.record(playout_kernel.Lengths),
        paid=row(players),
        asked=row(players + 1),
        dues=assembly.record(playout_kernel.Dues),
        seen=row(playout_kernel.SEEN if assembly.engine.model.repeats else 0),
        made=row(players * actions if records else 0),
        line=row(playout_kernel.LINE + 1 if learns else 0),
        worth=row(2 * players * actions if learns else 0),
    )


def foresight_definitions(engine: CompiledEngine, *, foresees: bool = True) -> Definitions:
    """The constants and functions of `abi` for wins that are foreseen, as far as wanted."""
    seen = None
    if foresees and len(engine.players) == 2 and refusal(engine) is None:
        seen = engine.foreseen
    constants = Definitions({"FORESEES": seen is not None})
    if seen is None:
        return constants
    words = game_words(engine)
    f = FunctionBuilder("payoffs_of_win", *words)
    first, second = wins_of(engine.model)
    shares = (
        f.local("paid", turn_of(words) * (lost - won) + won)
        for won, lost in zip(first, second, strict=True)
    )
    f.give(1, *shares)
    return constants | Definitions(functions=(f.function,), later=(seen,))
