"""Many plays of one game side by side, by machine code; a step of all plays is one call.

In: a compiled engine, a number of plays. Out: `KernelBatch`, whose arrays hold the observations,
masks and payoffs of all plays. Bits of the state become bytes of the arrays by generated code.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.values import (
    INT,
    ROW,
    Value,
    integer,
    load,
    name,
    to_int,
    united,
    words_of,
)
from gamedsl.compiler.layout import WORD, Digits, Planes
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.functions.payoffs import paid_function
from gamedsl.solvers.kernels.functions.standard import game_words
from gamedsl.solvers.kernels.vectorised import batch_kernel
from gamedsl.solvers.kernels.vectorised.batch_kernel import BatchArrays, Play

ROW_, PLACE = name("row", ROW), name("place", INT)
VIEWER, MOVER = name("viewer", INT), name("mover", INT)
BYTES = 8
"""Bytes of a number."""
SPREAD, EACH = 0x02040810204081, 0x01010101010101
"""Seven bits times the first, of which the second are kept, are seven bytes."""
MOST_BYTES = 8192
"""Most bytes of an observation: the code that writes the bytes grows with the number of bytes."""
ONE_BY_ONE = "step through plays one by one"


class KernelBatch:
    """Plays side by side; implements `accelerator.PlayBatch`. Raises UnsupportedGameError."""

    def __init__(self, engine: CompiledEngine, count: int, seed: int, longest: int) -> None:
        _refuse(engine)
        self.count, self.longest = count, longest
        planes = _PlaneWriter(engine)
        words = engine.generated.words + engine.generated.saved
        players, actions = len(engine.players), engine.model.facts.action_count
        self.plane_words, self.mask_words = planes.words, -(-actions // BYTES)
        self.seats = seats = players if engine.model.facts.is_simultaneous else 1
        assembly = self._assembly = Assembly(
            engine,
            (batch_kernel.begin_plays, batch_kernel.step_plays),
            self._definitions(engine, planes),
            native=True,
            in_slices=True,
        )
        self.arrays = BatchArrays(
            first=assembly.row(words),
            states=assembly.row(count * words),
            plays=assembly.rows(Play, count),
            chosen=assembly.row(count * seats),
            payoffs=assembly.row(count * (players + 1)),
            paid=assembly.row(count * (players + 1)),
            due=assembly.row(count * (players + 1)),
            planes=assembly.row(count * seats * planes.words),
            masks=assembly.row(count * seats * self.mask_words),
            actions=assembly.row((players + 2) * (actions + 1)),
            sizes=assembly.row(players),
            reward=assembly.row(players + 1),
        )
        for place, word in enumerate(assembly.words(engine.initial_state())):
            self.arrays.first[place] = word
        self._step = partial(assembly.kernel("step_plays"), count, longest, self.arrays)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """As `PlayBatch.begin`."""
        with self._assembly.explaining():
            self._assembly.kernel("begin_plays")(self.count, seed, self.arrays)

    def step(self) -> int:
        """As `PlayBatch.step`."""
        with self._assembly.explaining():
            return int(self._step())

    def _definitions(self, engine: CompiledEngine, planes: _PlaneWriter) -> Definitions:
        words = game_words(engine)
        load_state = FunctionBuilder("loaded", ROW_, PLACE)
        load_state.give(words_of([load(ROW_, PLACE + n) for n in range(len(words))]))
        put = FunctionBuilder("put", *words, ROW_, PLACE)
        for n, word in enumerate(words):
            put.store(ROW_, PLACE + n, word)
        put.give(0)
        constants = {
            "STATE_WORDS": len(words),
            "PLANE_WORDS": planes.words,
            "MASK_WORDS": self.mask_words,
            "SEATS": self.seats,
            "PAYS": engine.model.facts.has_rewards,
        }
        written = planes.function(words), paid_function(engine)
        functions = load_state.function, put.function, *written
        return Definitions(constants, functions)


def _refuse(engine: CompiledEngine) -> None:
    facts, layout = engine.model.facts, engine.generated.layout
    for applies, reason in (
        (facts.repeats, "repetitions count"),
        (layout.widest > WORD, "its states are wider than a word"),
    ):
        if applies:
            raise UnsupportedGameError(reason, ONE_BY_ONE)


class _PlaneWriter:
    """Writes the observation of a player: `viewer`, `to_move`, then the variables as in
    `gamedsl.bridges.planes`, a byte for each number."""

    def __init__(self, engine: CompiledEngine) -> None:
        self._layout = engine.generated.layout
        self._players = len(engine.players)
        self._has_secrets = any(v.viewers is not None for v in engine.model.variables)
        start = 2 * self._players
        self._starts = {}
        for variable in engine.model.variables:
            if not variable.is_constant:
                self._starts[variable.name] = start
                start += variable.size * len(variable.domain)
        self.words = -(-start // BYTES)
        if start * len(self._views()) > MOST_BYTES:
            raise UnsupportedGameError(f"an observation has {start:,} numbers", ONE_BY_ONE)

    def _views(self) -> list[int | None]:
        """The players with different views; [None] where all see the same."""
        return [*range(self._players)] if self._has_secrets else [None]

    def function(self, words: tuple[Value, ...]) -> Any:
        """`write_planes(viewer, mover, *state, row, place)`."""
        f = FunctionBuilder("write_planes", VIEWER, MOVER, *words, ROW_, PLACE)
        for viewer in self._views():
            if viewer is None:
                self._write(viewer, words, f)
            else:
                with f.when(VIEWER.eq(viewer)):
                    self._write(viewer, words, f)
        f.give(0)
        return f.function

    def _write(self, viewer: int | None, words: tuple[Value, ...], f: FunctionBuilder) -> None:
        parts: list[list[Value]] = [[] for _ in range(self.words)]
        for player in range(self._players):
            to_move = MOVER.eq(player) | MOVER.eq(batch_kernel.ALL)
            for at, is_set in ((player, VIEWER.eq(player)), (self._players + player, to_move)):
                parts[at // BYTES].append(to_int(is_set) << at % BYTES * BYTES)
        for place in self._layout.places:
            if not place.variable.is_constant:
                for word, part in self._parts(place, viewer, words, f):
                    parts[word].append(part)
        for number, planes in enumerate(parts):
            f.store(ROW_, PLACE + number, united(planes) if planes else 0)
        f.give(0)

    def _parts(
        self,
        place: Planes | Digits,
        viewer: int | None,
        words: tuple[Value, ...],
        f: FunctionBuilder,
    ) -> Iterator[tuple[int, Value]]:
        variable = place.variable
        start, size = self._starts[variable.name], variable.size
        cells = [c for c in variable.cells if viewer is None or variable.is_seen(c, viewer)]
        if isinstance(place, Planes):
            seen = sum(1 << cell for cell in cells)
            planes = {}
            for digit, title in place.names:
                field = self._layout.field(title)
                plane = words[field.word] >> field.shift & field.mask & seen
                planes[digit] = f.local("plane", plane)
            others = united(planes.values()) if planes else integer(0)
            planes[place.default] = f.local("plane", (others & seen) ^ seen)
            for digit, plane in planes.items():
                yield from _spread(plane, size, start + digit * size)
        else:
            for cell in cells:
                digits = [variable.domain.digit[v] for v in variable.domain_of(cell).values]
                field = self._layout.field(place.names[cell // place.per_chunk])
                shift = field.shift + cell % place.per_chunk * place.bits
                value = f.local("digit", words[field.word] >> shift & (1 << place.bits) - 1, INT)
                for held, digit in enumerate(digits):
                    at = start + digit * size + cell
                    yield at // BYTES, to_int(value.eq(held)) << at % BYTES * BYTES


def _spread(plane: Value, size: int, start: int) -> Iterator[tuple[int, Value]]:
    """Bits as bytes from the byte `start` on: parts of the numbers that hold the bytes."""
    cell = 0
    while cell < size:
        word, offset = divmod(start + cell, BYTES)
        count = min(BYTES - offset, size - cell, BYTES - 1)
        bits = plane >> cell & (1 << count) - 1
        yield word, ((bits * SPREAD) & EACH) << offset * BYTES
        cell += count
