"""Many plays of one game side by side, by machine code; a step of all plays is one call.

In: a compiled engine, a number of plays. Out: `KernelBatch`, whose arrays hold the observations,
masks and payoffs of all plays. Bits of the state become bytes of the arrays by generated code.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Any

from gamedsl.compiler.definitions import Constant, Definitions, of_module
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.foresight.masks import MASK, mask_module
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.spreading import BYTES, Spread
from gamedsl.compiler.ir.values import (
    INT,
    ROW,
    Value,
    call,
    integer,
    name,
    to_int,
    united,
)
from gamedsl.compiler.layout import Digits, Planes
from gamedsl.compiler.lowering.bodies.dispatch import NEXT, OUT
from gamedsl.model import UnsupportedGameError
from gamedsl.model.model import Model
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.functions.payoffs import paid_function
from gamedsl.solvers.kernels.functions.standard import entry_size, game_words, row_definitions
from gamedsl.solvers.kernels.memory import zeros
from gamedsl.solvers.kernels.vectorised import batch_kernel
from gamedsl.solvers.kernels.vectorised.batch_kernel import BatchArrays, Notes, Play

ROW_, PLACE = name("row", ROW), name("place", INT)
VIEWER, MOVER = name("viewer", INT), name("mover", INT)
MOST_BYTES = 8192
"""Most bytes of an observation: the code that writes the bytes grows with the number of bytes."""
ONE_BY_ONE = "step through plays one by one"


class KernelBatch:
    """Plays side by side; implements `accelerator.PlayBatch`. Raises UnsupportedGameError."""

    def __init__(self, engine: CompiledEngine, count: int, seed: int, longest: int) -> None:
        self.count, self.longest = count, longest
        planes = _PlaneWriter(engine)
        players, actions = len(engine.players), engine.model.facts.action_count
        self.plane_words, self.mask_words = planes.words, -(-actions // BYTES)
        self.seats = seats = players if engine.model.facts.is_simultaneous else 1
        assembly = self._assembly = Assembly(
            engine,
            (batch_kernel.begin_plays, batch_kernel.step_plays, batch_kernel.choose_actions),
            self._definitions(engine, planes),
            native=True,
            in_slices=True,
        )
        first = assembly.words(engine.initial_state())
        room = (longest + 2) * entry_size(engine) if engine.model.repeats else 0
        self.arrays = BatchArrays(
            first=array("q", first),
            states=assembly.row(count * len(first)),
            plays=assembly.rows(Play, count),
            past=zeros(count * room),
            chosen=assembly.row(count * seats),
            notes=assembly.record(Notes),
            finished=assembly.row(count),
            payoffs=assembly.row(count * (players + 1)),
            ended=assembly.row(-(-count // BYTES)),
            cut=assembly.row(-(-count // BYTES)),
            paid=assembly.row(count * (players + 1)),
            due=assembly.row(count * (players + 1)),
            planes=assembly.row(count * seats * planes.words),
            masks=assembly.row(count * seats * self.mask_words),
            actions=assembly.row((players + 2) * (actions + 1)),
            sizes=assembly.row(players),
            reward=assembly.row(players + 1),
        )
        self.arrays.notes.room = room
        self._choose = assembly.bound("choose_actions", count, self.arrays)
        self._step = assembly.bound("step_plays", count, longest, self.arrays)
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """As `PlayBatch.begin`."""
        self._assembly.call("begin_plays", self.count, seed, self.arrays)

    def step(self) -> int:
        """As `PlayBatch.step`."""
        with self._assembly.explaining():
            return int(self._step())

    def choose(self, seed: int) -> None:
        """As `PlayBatch.choose`."""
        self.arrays.notes.seed = seed
        self._choose()

    def _definitions(self, engine: CompiledEngine, planes: _PlaneWriter) -> Definitions:
        words = game_words(engine)
        constants: dict[str, Constant] = {
            "PLANE_WORDS": planes.words,
            "MASK_WORDS": self.mask_words,
            "SEATS": self.seats,
            "PAYS": engine.model.facts.has_rewards,
            "ENDLESS": endless_row(engine.model),
        }
        written = planes.function(words), paid_function(engine)
        known = Definitions(constants, written) | row_definitions(engine)
        return known | self._masks(engine, words)

    def _masks(self, engine: CompiledEngine, words: tuple[Value, ...]) -> Definitions:
        """`write_mask`: as `mask_module`, or with all actions in the list."""
        module = mask_module(engine.model, engine.kernel_module)
        if module is not None:
            return of_module(module)
        f = FunctionBuilder(MASK, *words, ROW_, PLACE, OUT, NEXT)
        for number in range(self.mask_words):
            f.store(ROW_, PLACE + number, 0)
        if engine.model.facts.is_simultaneous:
            f.give(NEXT)
            return Definitions(functions=(f.function,))
        last = f.local("last", call("legal", (*words, OUT, NEXT), INT))
        with f.when(last.eq(NEXT)):
            f.give(-1)
        f.give(last)
        return Definitions(functions=(f.function,))


def endless_row(model: Model) -> tuple[int, ...]:
    """What a play that is broken off pays: a denominator, and a numerator a player."""
    paid = model.facts.endless or (Fraction(0),) * len(model.players)
    per = lcm(*(share.denominator for share in paid))
    return per, *(int(share * per) for share in paid)


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
        spread = Spread(self.words)
        for player in range(self._players):
            to_move = MOVER.eq(player) | MOVER.eq(batch_kernel.ALL)
            for at, is_set in ((player, VIEWER.eq(player)), (self._players + player, to_move)):
                spread.add(to_int(is_set), {0: at})
        for place in self._layout.places:
            if not place.variable.is_constant:
                for bits, places in self._bits(place, viewer, words, f):
                    spread.add(bits, places)
        for number, word in enumerate(spread.words()):
            f.store(ROW_, PLACE + number, word)
        f.give(0)

    def _bits(
        self,
        place: Planes | Digits,
        viewer: int | None,
        words: tuple[Value, ...],
        f: FunctionBuilder,
    ) -> Iterator[tuple[Value, dict[int, int]]]:
        """Sets of bits that are bytes of the observation, and the byte of each bit."""
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
                yield plane, {cell: start + digit * size + cell for cell in cells}
        else:
            for cell in cells:
                digits = [variable.domain.digit[v] for v in variable.domain_of(cell).values]
                field = self._layout.field(place.names[cell // place.per_chunk])
                shift = field.shift + cell % place.per_chunk * place.bits
                value = f.local("digit", words[field.word] >> shift & (1 << place.bits) - 1, INT)
                held = f.local("held", integer(1) << value)
                yield held, {bit: start + digit * size + cell for bit, digit in enumerate(digits)}
