"""Read access to a table of solved positions: lookup and enumeration of states.

In: a table, filled by kernels or read from a file, and its entry layout. Out: `Contents`, and the
functions that restore `Contents` from stored numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.layout import WORD
from gamedsl.compiler.native import signed
from gamedsl.compiler.packed_state import PackedState
from gamedsl.game.accelerator import (
    Length,
    LengthsOfPlay,
    SolvedChance,
    SolvedPositions,
    StoredPositions,
)
from gamedsl.game.stored_facts import (
    SolutionFileError,
    is_count,
    is_fraction,
    is_truth,
    many,
    refuse_odd,
)
from gamedsl.model import State
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.kernels import induction_kernel as kernel
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.keys.dense_keys import DenseKey
from gamedsl.solvers.kernels.keys.fitted_keys import FittedKey
from gamedsl.solvers.kernels.keys.invariants import invariants_from, shape_of
from gamedsl.solvers.kernels.keys.number_keys import NumberKey
from gamedsl.solvers.kernels.symmetry.orbits import Orbits
from gamedsl.solvers.kernels.table_layout import (
    CODE_BITS,
    EntryLayout,
    entry_layout,
)
from gamedsl.source.records import dataclass

NO_PAYOFF = "it has a position of payoff number {}, and no such payoff"
Answer = tuple[Vector, int | None]
"""Payoffs and plies of best play from a state."""
FACTS = {
    "positions": is_count,
    "endings": is_count,
    "limbs": many(is_count),
    "shift": is_count,
    "class_bits": lambda value: is_count(value) and value < CODE_BITS,
    "fields": lambda value: isinstance(value, list),
}
"""The facts of every stored table."""


@dataclass(frozen=True)
class Contents:
    """A filled table.

    Attributes:
        table: int64[entries, width], as `induction_kernel` has it.
        is_signed: whether the numbers are signed machine numbers rather than Python integers.
        orbits: the states merged into an entry; None: every state has its own entry.
        payoffs: for each payoff, the payoff with swapped players.
    """

    assembly: Assembly
    layout: EntryLayout
    table: Any
    is_signed: bool
    orbits: Orbits | None = None
    payoffs: tuple[int, ...] = ()

    def code(self, state: State) -> int:
        """The code of a state; 0 if the state is not in the table."""
        waits = state.pending is not None and not self.layout.saved
        if waits or state.history is not None:
            return 0
        words = self.assembly.engine.words_of(state)
        if self.orbits is None:
            return self._look_up_code(words)
        entry = self.orbits.least(words)
        code, marks = self._parted(self._look_up_code(entry))
        if self.orbits.group.marks and not self.orbits.mark_of(words) & self.orbits.all_marks(
            entry, marks
        ):
            return 0
        return self._seen(code, words)

    def _look_up_code(self, words: tuple[int, ...]) -> int:
        if self.layout.dense is not None and not self.layout.dense.holds(words):
            return 0
        put_key(self.layout, words, self.row, is_signed=self.is_signed)
        code: int = self.code_of(self.row, self.table)
        return code

    def _parted(self, code: int) -> tuple[int, int]:
        """A code without its marks, and the marks."""
        marks = self.layout.marks
        return code >> marks, code & (1 << marks) - 1

    def _seen(self, code: int, words: tuple[int, ...]) -> int:
        """The code of an entry from the perspective of one of its states."""
        is_mirrored = self.orbits is not None and self.orbits.is_mirrored(words)
        return self._mirrored(code) if is_mirrored else code

    def _mirrored(self, code: int) -> int:
        """A code with swapped players."""
        bits = self.layout.class_bits
        if code >> bits == 0 or not self.payoffs:
            return code
        payoff = code & (1 << bits) - 1
        if payoff >= len(self.payoffs):
            raise SolutionFileError(NO_PAYOFF.format(payoff))
        return code >> bits << bits | self.payoffs[payoff]

    @cached_property
    def row(self) -> Any:
        """Working space for a key."""
        return self.assembly.row(self.layout.width)

    @cached_property
    def code_of(self) -> Callable[..., int]:
        """The lookup kernel."""
        return self.assembly.kernel("code_of")

    def states(self) -> Iterator[State]:
        """All states, in the order of the table."""
        return self.states_of(lambda _: True)

    def states_of(self, is_wanted: Callable[[int], bool]) -> Iterator[State]:
        """The states with a wanted code, in the order of the table."""
        packing, width = self.assembly.engine.packing, self.layout.width
        count = self.layout.layout.words
        for place, number in enumerate(islice(self.table, width - 1, None, width)):
            code, marks = self._parted(number >> self.layout.key_bits)
            if code and (is_wanted(code) or is_wanted(self._mirrored(code))):
                words = self.layout.words(self.table[place * width : (place + 1) * width])
                for image in self.orbits.reached(words, marks) if self.orbits else (words,):
                    if is_wanted(self._seen(code, image)):
                        pending = image[count:] if any(image[count:]) else None
                        yield PackedState(packing, image, packing.turn_of(image), pending)

    def states_like(self, length_of: Callable[[int], Length], wanted: Length) -> Iterator[State]:
        """The states with these payoffs and plies, if codes determine payoffs and plies."""
        return self.states_of(lambda code: length_of(code) == wanted)

    def stored(self, facts: Mapping[str, Any], arrays: Mapping[str, Any]) -> StoredPositions:
        """The contents of a solution file: the given facts and arrays, and the table."""
        table_facts = layout_facts(self.assembly.engine, self.layout)
        if self.orbits is not None:
            table_facts["symmetries"] = [permutation.name for permutation in self.orbits.used]
            table_facts["kept"] = list(self.orbits.stabilizer)
        return StoredPositions({**facts, **table_facts}, {"table": self.table, **arrays})

    def solved(
        self,
        stored: StoredPositions,
        look_up: Callable[[State], Answer | None],
        chance: SolvedChance | None = None,
        lengths: LengthsOfPlay | None = None,
    ) -> SolvedPositions:
        """The solved positions, given a lookup function."""
        facts = stored.facts
        return SolvedPositions(
            facts["positions"], facts["endings"], look_up, chance, stored, self.states, lengths
        )

    def lengths(self, length_of: Callable[[int], Length]) -> LengthsOfPlay:
        """The states by the payoffs and plies of their codes."""
        return LengthsOfPlay(partial(self._count, length_of), partial(self.states_like, length_of))

    def _codes(self) -> Iterator[int]:
        """The code of each entry; 0 for a free entry."""
        width, shift = self.layout.width, self.layout.shift
        return (number >> shift for number in islice(self.table, width - 1, None, width))

    def _count(self, length_of: Callable[[int], Length]) -> Mapping[Length, int]:
        return Counter(length_of(code) for code in self._codes() if code)


def contents_of(engine: CompiledEngine, stored: StoredPositions) -> Contents:
    """The stored table. Raises ValueError if the table belongs to a different game or version."""
    layout = layout_of(engine, stored.facts)
    _refuse_full(stored, layout)
    assembly = Assembly(engine, (kernel.code_of,), layout.definitions, native=False)
    return Contents(assembly, layout, stored.arrays["table"], is_signed=True)


def layout_of(engine: CompiledEngine, facts: Mapping[str, Any]) -> EntryLayout:
    """The stored layout of entries. Raises ValueError if the entries belong to a different game or
    version."""
    refuse_odd(facts, FACTS | {"payoffs": many(many(is_fraction, len(engine.model.players)))})
    if facts["fields"] != _fields(engine):
        raise ValueError("its positions are laid out in another way than these rules now are")
    expected, marks = entry_layout(engine), facts.get("marks", 0)
    is_cut = is_count(marks) and marks <= facts["shift"] < CODE_BITS
    dense = _dense(facts, expected)
    limbs = expected.limbs if dense is None else (0,)
    if sorted(facts["limbs"]) != sorted(limbs) or not is_cut or not facts["payoffs"]:
        raise SolutionFileError("its entries are not cut as those of such positions are")
    return EntryLayout(
        tuple(facts["limbs"]), facts["shift"], facts["class_bits"], expected.layout, expected.saved,
        marks, dense,
    )  # fmt: skip


def layout_facts(engine: CompiledEngine, layout: EntryLayout) -> dict[str, Any]:
    """The layout of entries as JSON."""
    return {
        "limbs": list(layout.limbs),
        "shift": layout.shift,
        "marks": layout.marks,
        "class_bits": layout.class_bits,
        "dense": None if layout.dense is None else layout.dense.facts,
        "fields": _fields(engine),
    }


def _refuse_full(stored: StoredPositions, layout: EntryLayout) -> None:
    """Check that a free entry exists: a lookup ends only at the state or at a free entry."""
    table, width = stored.arrays.get("table", ()), layout.width
    last = islice(table, width - 1, None, width)
    if len(table) % width or all(number >> layout.shift for number in last):
        raise SolutionFileError("its table has no free entry")


def _dense(facts: Mapping[str, Any], layout: EntryLayout) -> NumberKey | None:
    dense_facts = facts.get("dense")
    if dense_facts is None:
        return None
    refuse_odd(dense_facts, {"turn": is_truth}, "its dense keys")
    if "contents" not in dense_facts:
        dense_facts = {"saved": [], **dense_facts}
        refuse_odd(dense_facts, {"saved": many(_is_width, layout.saved)}, "its dense keys")
        key = DenseKey(layout.layout, dense_facts["turn"], tuple(dense_facts["saved"]))
        refuse_odd({"bits": key.bits}, {"bits": lambda bits: bits < WORD}, "its dense keys")
        return key
    shape = shape_of(layout.layout, has_turn=dense_facts["turn"])
    fitted = FittedKey(layout.layout, dense_facts["turn"], invariants_from(dense_facts, shape))
    refuse_odd({"bits": fitted.bits}, {"bits": lambda bits: bits < WORD}, "its dense keys")
    return fitted


def _is_width(value: Any) -> bool:
    return is_count(value) and value < WORD


def payoffs_stored(payoffs: list[Vector]) -> list[list[str]]:
    """Payoffs as JSON."""
    return [[str(share) for share in payoff] for payoff in payoffs]


def length_of(code: int, class_bits: int, payoffs: list[Vector]) -> Length:
    """The payoffs and plies of a code. Raises SolutionFileError if the payoff does not exist."""
    payoff = code & (1 << class_bits) - 1
    if payoff >= len(payoffs):
        raise SolutionFileError(NO_PAYOFF.format(payoff))
    return payoffs[payoff], (code >> class_bits) - 1


def payoffs_of(stored: StoredPositions) -> list[Vector]:
    """The stored payoffs."""
    return [tuple(map(Fraction, payoff)) for payoff in stored.facts["payoffs"]]


def put_key(layout: EntryLayout, words: tuple[int, ...], row: Any, *, is_signed: bool) -> None:
    """Write the key of a state with these words; `is_signed`: as signed machine numbers, as in
    files."""
    for place, number in enumerate(layout.key(words)):
        row[place] = signed(number) if is_signed else number


def _fields(engine: CompiledEngine) -> list[Any]:
    """The places of variables in a state, as JSON."""
    fields = [list(asdict(field).values()) for field in engine.generated.layout.fields]
    return [*fields, [engine.generated.saved, len(engine.generated.events)]]
