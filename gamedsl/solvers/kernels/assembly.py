"""Combine kernels and a game's generated code into one module, plain Python or native.

In: a compiled engine and the functions of kernels. Out: everything needed to call kernels: the
module's names, states in the form of arguments, rule errors of the game. The Python and the native
module give equal numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from types import FunctionType
from typing import Any

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.faults import Fault
from gamedsl.compiler.layout import WORD, Layout
from gamedsl.compiler.native import CompiledModule, signed
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.python_code import run_source
from gamedsl.compiler.records import AnyRecord, Rows, plain, source_of, text_of_records
from gamedsl.compiler.state_words import encode
from gamedsl.game.accelerator import Refusal
from gamedsl.model import State, UnsupportedGameError
from gamedsl.model.nodes import Repeat
from gamedsl.model.repetition import keys_before_step, occurrences_of
from gamedsl.solvers.kernels import history_kernel
from gamedsl.solvers.kernels.functions.standard import (
    entry_size,
    entry_writer,
    is_marked,
    largest_event,
    standard_definitions,
)
from gamedsl.solvers.memory import zeros

Kernels = tuple[Callable[..., Any], ...]

MOST_ON_STACK = 1 << 14
"""Maximal count of numbers on a kernel's stack; each ply calls a kernel of its own."""


class Assembly:
    """A game's module with kernels. Raises UnsupportedGameError if native code is not supported."""

    def __init__(
        self,
        engine: CompiledEngine,
        kernels: Kernels,
        definitions: Definitions | None = None,
        *,
        native: bool,
        folder: Path | None = None,
        in_slices: bool = False,
    ) -> None:
        """`kernels`: functions called from Python or by the game's functions, without the functions
        they call in turn; `definitions`: of the game, besides `standard_definitions`; `in_slices`:
        each call of a kernel does a small amount of work."""
        if native and (reason := refusal(engine)):
            raise UnsupportedGameError(f"no native code: {reason}", "leave out --engine native")
        self.engine = engine
        self.native = native
        known = standard_definitions(engine) | (definitions or Definitions())
        generated = engine.kernel_module.beside(known)
        if engine.generated.stuck_by_history:
            kernels = (*kernels, history_kernel.stuck_now)
        text = text_of(kernels, known, native=native)
        self._generated, self._text = generated, text
        self._module = (
            CompiledModule(generated, text, folder, in_slices=in_slices) if native else None
        )
        self._names = {} if native else run_source(f"{PYTHON}\n\n{self.source}")

    @property
    def source(self) -> str:
        """The text of the module."""
        return f"{self._generated.source}\n\n{self._text}"

    def kernel(self, name: str) -> Callable[..., Any]:
        """A kernel, whose arguments are states, numbers, arrays and records."""
        if self._module is not None:
            return partial(self._module.call, name)
        function: Callable[..., Any] = self._names[name]
        return function

    def call(self, name: str, *arguments: Any) -> int:
        """The result of a kernel. Raises GameRuleError if a guard of the game fails."""
        with self.explaining():
            result: int = self.kernel(name)(*arguments)
        return result

    def bound(self, name: str, *arguments: Any) -> Callable[[], Any]:
        """A kernel with its arguments: see `CompiledModule.bound`."""
        if self._module is not None:
            return self._module.bound(name, *arguments)
        return partial(self._names[name], *arguments)

    def words(self, state: State) -> Any:
        """A state as an argument of kernels."""
        words, count = self.engine.words_of(state), self.engine.generated.words
        if not self.native:
            return words
        return (*self._limbs(words[:count]), *map(signed, words[count:]))

    def _limbs(self, words: tuple[int, ...]) -> list[int]:
        """Words as numbers of 64 bits."""
        limbs = limbs_of(words, self.engine.generated.layout)
        return [signed(limb) for limb in limbs] if self.native else limbs

    @cached_property
    def _write_entry(self) -> Callable[..., Any]:
        return entry_writer(self.engine)

    def _entry(self, words: tuple[int, ...]) -> list[int]:
        """The entry of a state in the past, without the rules for which the state counts."""
        row = [0] * entry_size(self.engine)
        self._write_entry(*words, *(0,) * self.engine.generated.saved, row, 0)
        numbers = row[: len(row) - is_marked(self.engine)]
        return [signed(number) for number in numbers] if self.native else numbers

    def row(self, size: int) -> Any:
        """A writable array of `size` zeros."""
        return self.row_of([], size)

    def zeros(self, count: int) -> Any:
        """A large array of zeros: the operating system provides its memory at the first use."""
        return zeros(count) if self.native else [0] * count

    def doubled(self, row: Any) -> Any:
        """An array of twice the size that begins with the contents of an array."""
        larger = self.row(2 * len(row))
        larger[: len(row)] = row
        return larger

    def record(self, record: type[AnyRecord]) -> AnyRecord:
        """A record of zeros."""
        if self.native:
            return record(self.row(len(record.FIELDS)))
        return plain(record)()

    def rows(self, record: type[AnyRecord], count: int) -> Rows[AnyRecord]:
        """`count` records of zeros."""
        return Rows(record, self.row(count * len(record.FIELDS)))

    def row_of(self, numbers: Iterable[int], more: int = 0) -> Any:
        """A writable array of numbers, followed by `more` zeros."""
        if self.native:
            return array("q", numbers) + array("q", bytes(8 * more))
        return [*numbers, *[0] * more]

    def past(self, state: State, more: int) -> tuple[Any, int]:
        """The history of a state, int64[length + more, ENTRY] as in `history_kernel`, and its
        length.

        The next row has the marks of the state itself: the rules for which the state counts. At a
        chance event in the course of a step the last row is the state before the step, marked for
        no rule.
        """
        marked = is_marked(self.engine)
        present = self.engine.words_of(state)[: self.engine.generated.words]
        rules = self.engine.model.repeats
        numbers: list[int] = []
        length = marks = 0
        for number, (rule, occurrences) in enumerate(
            zip(rules, occurrences_of(rules, state), strict=True)
        ):
            for key, time in occurrences:
                words = self._words_where([(rule, key)], state)
                if state.pending is None and time == 1 and words == present:
                    marks |= 1 << number
                    continue
                numbers += [*self._entry(words), *([1 << number] if marked else [])]
                length += 1
        origin = [
            (rule, key)
            for rule, key in zip(rules, keys_before_step(rules, state), strict=True)
            if key is not None
        ]
        if origin:
            numbers += [*self._entry(self._words_where(origin, state)), 0]
            length += 1
        past = self.row_of(numbers, more * entry_size(self.engine))
        if marked:
            past[(length + 1) * entry_size(self.engine) - 1] = marks
        return past, length

    def _words_where(self, keys: Sequence[tuple[Repeat, Any]], state: State) -> tuple[int, ...]:
        """The words of a position with the given parts, a part compared by each rule, without the
        words of a chance event; variables that no rule watches are taken from `state`."""
        cells, turn = list(state.cells), state.turn
        for rule, key in keys:
            start = 0
            for variable in rule.variables:
                held = key.cells[start : start + variable.size]
                cells[variable.offset : variable.offset + variable.size] = held
                start += variable.size
            turn = key.turn if rule.with_turn else turn
        return encode(self.engine.generated.layout, tuple(cells), turn)

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """A context in which a failing guard raises the game's own error."""
        try:
            yield
        except Fault as failed:
            site, detail, place = failed.args
            raise self.engine.kernel_module.sites[site].error(detail, place) from None


def text_of(kernels: Kernels, known: Definitions, *, native: bool) -> str:
    """The text of kernels, with constants, records and all functions that the kernels call. `known`
    replaces constants of the kernels' modules."""
    functions = dict.fromkeys(kernels)
    constants: dict[str, int] = {}
    waiting = list(kernels)
    for function in waiting:
        for name in function.__code__.co_names:
            meaning = function.__globals__.get(name)
            if isinstance(meaning, FunctionType) and meaning not in functions:
                functions[meaning] = None
                waiting.append(meaning)
            elif type(meaning) is int:
                value = constants.setdefault(name, meaning)
                assert value == meaning, f"{name}: two values"
    names = [function.__name__ for function in functions]
    assert len({*names}) == len(names), f"two functions have one name: {sorted(names)}"
    records = [text_of_records(functions)] if native else []
    text = (Definitions(constants) | known).text
    return "\n\n".join([text, *records, *map(source_of, functions)])


def refusal(engine: CompiledEngine) -> Refusal | None:
    """The reason for missing native code of a compiled game; None if native code is available."""
    if largest_event(engine) > MOST_ON_STACK:
        return Refusal(f"a chance event has more than {MOST_ON_STACK} outcomes")
    if engine.generated.stuck_by_history and engine.model.facts.action_count >= MOST_ON_STACK:
        return Refusal(
            f"there are more than {MOST_ON_STACK} actions, and repetitions may leave none"
        )
    return None


def limbs_of(words: tuple[int, ...], layout: Layout) -> list[int]:
    """The words of a state as numbers of 64 bits, unsigned."""
    mask = (1 << WORD) - 1
    return [
        word >> WORD * number & mask
        for word, count in zip(words, layout.limbs, strict=True)
        for number in range(count)
    ]
