"""The layout of a state in a table: its key, and the bits of its code.

In: a compiled engine. Out: `EntryLayout`: the sizes, the key of a state, and the
functions by which kernels write, read and hash keys. A key is the words of a state as numbers of
64 bits; the number with the most free bits comes last, and the code lies above it. If the free bits
are too few, or known to be too few, the code gets a number of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gamedsl.compiler.definitions import Definitions, numbers_of, state_values, words_from
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import INT, ROW, ZERO, load, mixed, name, words_of
from gamedsl.compiler.layout import TURN, WORD, Layout
from gamedsl.solvers.kernels.assembly import limbs_of
from gamedsl.solvers.kernels.keys.dense_keys import DenseKey, dense_key
from gamedsl.solvers.kernels.keys.fitted_keys import FittedKey
from gamedsl.solvers.kernels.keys.invariants import Invariants
from gamedsl.solvers.kernels.keys.number_keys import NumberKey
from gamedsl.source.records import dataclass

CODE_BITS = 63
"""Bits of a number usable for a code: numbers stay positive."""
LEAST_ROOM = 10
"""Minimal number of bits above a key for payoffs and plies."""

MOST_SAVED = 16
"""Greatest number of bits for a local variable saved at a chance event in a dense key; a larger
value needs a different key."""

ROW_, AT = name("row", ROW), name("at", INT)

Part = tuple[int, int, bool]
"""A number of a state: its word, the index of its 64 bits, and whether the word has more."""


@dataclass(frozen=True, slots=True)
class EntryLayout:
    """The places of keys and codes.

    Attributes:
        limbs: for each number of the key, the index of the state's number (see `_parts`).
        shift: the first bit of the code in the last number.
        class_bits: number of bits of a code for the payoff.
        layout: the places of the variables in a state.
        saved: count of numbers for a chance event and its local variables.
        marks: bits between key and code.
        dense: the encoding of a state as one number; None: the key is the state's words.
    """

    limbs: tuple[int, ...]
    shift: int
    class_bits: int
    layout: Layout
    saved: int = 0
    marks: int = 0
    dense: NumberKey | None = None

    @property
    def width(self) -> int:
        """Numbers of an entry."""
        return len(self.limbs) + (not self.is_tight)

    @property
    def key_bits(self) -> int:
        """Bits of the key in the last number of an entry."""
        return self.shift - self.marks

    @property
    def is_tight(self) -> bool:
        """Whether the code shares a number with the key."""
        return self.key_bits > 0

    def key(self, words: tuple[int, ...]) -> list[int]:
        """The key of a state, unsigned."""
        if self.dense is not None:
            return [self.dense.number(words)]
        count = self.layout.words
        parts = [*limbs_of(words[:count], self.layout), *words[count:]]
        return [*(parts[limb] for limb in self.limbs), *([] if self.is_tight else [0])]

    def words(self, row: Sequence[int]) -> tuple[int, ...]:
        """The words of a state, and the saved numbers behind them, from an entry."""
        if self.dense is not None:
            return self.dense.words(row[0] & (1 << self.key_bits) - 1)
        mask = (1 << WORD) - 1
        numbers = [0] * len(self.limbs)
        for place, limb in enumerate(self.limbs):
            numbers[limb] = row[place] & mask
        if self.is_tight:
            numbers[self.limbs[-1]] &= (1 << self.key_bits) - 1
        words = [0] * (self.layout.words + self.saved)
        for number, (word, part, _) in zip(numbers, _parts(self.layout, self.saved), strict=True):
            words[word] |= number << WORD * part
        return tuple(words)

    @property
    def definitions(self) -> Definitions:
        """The functions and constants of `abi` that depend on the layout."""
        constants = {
            "WIDTH": self.width,
            "SHIFT": self.shift,
            "KEY_BITS": self.key_bits,
            "CLASS_BITS": self.class_bits,
            "MOST_CODE": (1 << CODE_BITS - self.shift) - 1,
        }
        plain = (self._pack_key, self._unpack_key)
        packing = [make() for make in plain] if self.dense is None else self.dense.functions
        return Definitions(constants, (*packing, self._hash_key()))

    def _pack_key(self) -> Function:
        words = state_values(self.layout, self.saved)
        f = FunctionBuilder("pack_key", *words, ROW_, AT)
        numbers = list(numbers_of(words))
        for place, limb in enumerate(self.limbs):
            f.store(ROW_, AT + place, numbers[limb])
        if not self.is_tight:
            f.store(ROW_, AT + len(self.limbs), 0)
        f.give(0)
        return f.function

    def _unpack_key(self) -> Function:
        f = FunctionBuilder("unpack_key", ROW_, AT)
        numbers = [load(ROW_, AT + self.limbs.index(n)) for n in range(len(self.limbs))]
        f.give(words_of(words_from(numbers, state_values(self.layout, self.saved))))
        return f.function

    def _hash_key(self) -> Function:
        f = FunctionBuilder("hash_key", ROW_, AT)
        first, *rest = (load(ROW_, AT + place) for place in range(len(self.limbs)))
        term = mixed(rest.pop(0) if rest else ZERO, first)
        for number in rest:
            term = mixed(number, term)
        f.give(term)
        return f.function


def entry_layout(
    engine: CompiledEngine,
    *,
    is_tight: bool = True,
    least_room: int = LEAST_ROOM,
    marks: int = 0,
    has_turn: bool = True,
    may_be_dense: bool = False,
    invariants: Callable[[], Invariants] | None = None,
) -> EntryLayout:
    """The layout of a game's entries.

    `is_tight`: entries as small as possible, if codes of `least_room` bits suffice; `has_turn`:
    states of all players to move occur; `may_be_dense`: use a dense key if it gives entries of one
    number;
    `invariants`: guessed invariants of all states, for a fitted key, used only if no other key
    gives entries of one number.
    """
    layout, saved = engine.generated.layout, engine.generated.saved
    used = [*_used(layout, has_turn=has_turn), *_used_by_events(engine)]
    roomy = min(range(len(used)), key=used.__getitem__)
    room = CODE_BITS - used[roomy] - marks
    limbs = [n for n in range(len(used)) if n != roomy] + [roomy]
    is_small = is_tight and room >= least_room and used[roomy] > 0
    if is_tight and may_be_dense and not (is_small and len(used) == 1):
        most = CODE_BITS - marks - least_room
        dense: NumberKey | None = _dense(engine, has_turn, most)
        if dense is not None and dense.bits > most and invariants is not None and not saved:
            dense = FittedKey(layout, has_turn, invariants())
        if dense is not None and dense.bits <= most:
            class_bits = (CODE_BITS - marks - dense.bits) // 3
            return EntryLayout((0,), dense.bits + marks, class_bits, layout, saved, marks, dense)
    if is_small:
        return EntryLayout(tuple(limbs), used[roomy] + marks, room // 3, layout, saved, marks)
    return EntryLayout(tuple(limbs), marks, (CODE_BITS - marks) // 3, layout, saved, marks)


def _dense(engine: CompiledEngine, has_turn: bool, most: int) -> DenseKey | None:
    """A dense key, in which the numbers saved at a chance event share the bits, of `most`, that the
    other variables leave; None if there is none."""
    layout, saved = engine.generated.layout, engine.generated.saved
    key = dense_key(layout, has_turn=has_turn)
    if key is None or not saved:
        return key
    event = len(engine.generated.events).bit_length()
    left = most - key.bits - event
    bits = min(MOST_SAVED, left // (saved - 1)) if saved > 1 else 0
    if left < 0 or (saved > 1 and bits < 1):
        return None
    return dense_key(layout, has_turn=has_turn, saved=(event, *(bits for _ in range(saved - 1))))


def _used(layout: Layout, *, has_turn: bool) -> list[int]:
    """Number of used bits in each number of a state."""
    widths = [0] * layout.words
    for field in layout.fields:
        if has_turn or field.name != TURN:
            widths[field.word] = max(widths[field.word], field.shift + field.bits)
    parts = _parts(layout, 0)
    return [min(WORD, max(0, widths[word] - WORD * number)) for word, number, _ in parts]


def _used_by_events(engine: CompiledEngine) -> list[int]:
    """Number of used bits in the numbers behind the words: a chance event, and its local
    variables."""
    saved = engine.generated.saved
    return [len(engine.generated.events).bit_length(), *(WORD for _ in range(saved - 1))][:saved]


def _parts(layout: Layout, saved: int) -> list[Part]:
    """The numbers of 64 bits of a state."""
    words = [(word, n, count > 1) for word, count in enumerate(layout.limbs) for n in range(count)]
    return [*words, *((layout.words + number, 0, False) for number in range(saved))]
