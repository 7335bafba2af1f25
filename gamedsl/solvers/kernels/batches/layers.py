"""Read access to solved layers: lookup and enumeration of states, without machine code.

In: the facts of a solution by layers, and its layers. Out: `SolvedPositions`. A state is looked for
in one block of the layer of its level.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.layout import WORD
from gamedsl.compiler.native import signed
from gamedsl.compiler.packed_state import PackedState
from gamedsl.game.accelerator import Length, LengthsOfPlay, SolvedPositions, StoredPositions
from gamedsl.game.batches import Block, Key, StoredLayer
from gamedsl.game.stored_facts import (
    SolutionFileError,
    either,
    is_count,
    is_nothing,
    is_number,
    is_text,
    is_truth,
    many,
    refuse_odd,
)
from gamedsl.model import State
from gamedsl.model.model import Model
from gamedsl.model.rewriting.levels import MOST_RISE, Levels
from gamedsl.model.rewriting.quantities import Quantity
from gamedsl.solvers.kernels.batches.sorting_kernel import MOST_NAMED
from gamedsl.solvers.kernels.contents import layout_of, length_of, payoffs_of, put_key
from gamedsl.solvers.kernels.symmetry.orbits import Orbits, named
from gamedsl.solvers.kernels.table_layout import CODE_BITS, EntryLayout
from gamedsl.source.records import dataclass

HELD = 32
"""Decoded blocks held in memory."""
FACTS = {
    "symmetries": many(is_text),
    "kept": many(is_text),
    "levels": lambda terms: isinstance(terms, list) and all(map(_is_term, terms)),
    "origin": is_number,
    "bits": lambda value: is_count(value) and value < CODE_BITS,
    "positions": is_count,
    "endings": is_count,
    "counts_plies": is_truth,
    "tallies": many(many(is_count, 3)),
}
"""The facts of a solution by layers, besides the layout of keys."""


def _is_term(term: Any) -> bool:
    return (
        isinstance(term, list)
        and len(term) in (3, 4)
        and is_number(term[0])
        and 0 < abs(term[0]) <= MOST_RISE
        and is_count(term[1])
        and either(is_nothing, is_count)(term[2])
        and all(is_count(cell) and term[2] is None for cell in term[3:])
    )


def positions(engine: CompiledEngine, stored: StoredPositions) -> SolvedPositions:
    """The solved positions. Raises ValueError if they belong to a different game or version,
    SolutionFileError if the facts cannot be."""
    refuse_odd(stored.facts, FACTS)
    layout = layout_of(engine, stored.facts)
    orbits = named(engine, stored.facts["symmetries"], stored.facts["kept"])
    levels = _levels(engine.model, stored.facts["levels"])
    layers = _Layers(engine, layout, orbits, levels, stored)
    bits, payoffs = stored.facts["bits"], payoffs_of(stored)

    @lru_cache
    def length(code: int) -> Length:
        value, plies = length_of(code, bits, payoffs)
        if plies is None or plies < 0:
            if code != len(payoffs) - 1 or value != engine.model.facts.endless:
                raise SolutionFileError("it has a position without a length of play")
            plies = None
        return value, plies

    def look_up(state: State) -> Length | None:
        code = layers.code(state)
        return length(code) if code else None

    def counted() -> Counter[Length]:
        counts: Counter[Length] = Counter()
        for plies, payoff, count in stored.facts["tallies"]:
            counts[length(plies << bits | payoff)] += count
        return counts

    def states_like(wanted: Length) -> Iterator[State]:
        return layers.states(lambda code: length(code) == wanted)

    counts_plies = stored.facts["counts_plies"]
    return SolvedPositions(
        stored.facts["positions"],
        stored.facts["endings"],
        look_up,
        entries=lambda: layers.states(lambda _: True),
        lengths=LengthsOfPlay(counted, states_like) if counts_plies else None,
        counts_plies=counts_plies,
        values=frozenset() if counts_plies else frozenset(payoffs),
    )


def _levels(model: Model, terms: Sequence[Sequence[Any]]) -> Levels:
    """The levels by which positions are sorted."""
    variables = {variable.offset: variable for variable in model.variables}
    quantities = []
    for factor, offset, digit, *cells in terms:
        if offset not in variables:
            raise SolutionFileError("its levels are of a variable that the rules do not have")
        values = variables[offset].domain.values
        if digit is not None and digit >= len(values):
            raise SolutionFileError("its levels are of a value that the rules do not have")
        if any(cell >= variables[offset].size for cell in cells):
            raise SolutionFileError("its levels are of a cell that the rules do not have")
        value = None if digit is None else values[digit]
        cell = next(iter(cells), None)
        quantities.append((factor, Quantity(variables[offset], value, cell=cell)))
    return Levels(tuple(quantities), {1})


@dataclass(frozen=True)
class _Layers:
    """Solved layers."""

    engine: CompiledEngine
    layout: EntryLayout
    orbits: Orbits
    levels: Levels
    stored: StoredPositions

    @cached_property
    def _by_level(self) -> Mapping[int, StoredLayer]:
        layers: Mapping[str, Any] = self.stored.arrays
        return {int(level): layer for level, layer in layers.items()}

    def code(self, state: State) -> int:
        """The code of a state; 0 if the state is in no layer."""
        if state.pending is not None or state.history is not None:
            return 0
        entry = self.orbits.least(self.engine.words_of(state))
        if self.layout.dense is not None and not self.layout.dense.holds(entry):
            return 0
        level = self.levels.of(self._state(entry).cells) - self.stored.facts["origin"]
        layer = self._by_level.get(level)
        if layer is None or layer.count == 0:
            return 0
        row = [0] * self.layout.width
        put_key(self.layout, entry, row, is_signed=True)
        return self._find(layer, tuple(row))

    def _find(self, layer: StoredLayer, key: Key) -> int:
        low, high = 0, layer.blocks
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if layer.first(middle) <= key else (low, middle)
        keys, codes = self._block(layer, low)
        place = bisect_left(keys, key)
        return codes[place] if place < len(keys) and keys[place] == key else 0

    def _block(self, layer: StoredLayer, number: int) -> tuple[list[Key], list[int]]:
        return self._blocks(layer, number)

    @cached_property
    def _blocks(self) -> Callable[..., tuple[list[Key], list[int]]]:
        return lru_cache(HELD)(
            lambda layer, number: (_keys_of(layer.keys(number)), _numbers_of(layer.codes(number)))
        )

    def states(self, is_wanted: Callable[[int], bool]) -> Iterator[State]:
        """The states with a wanted code, layer after layer."""
        for _, layer in sorted(self._by_level.items()):
            for number in range(layer.blocks):
                for key, code in zip(*self._block(layer, number), strict=True):
                    if is_wanted(code):
                        words = self.layout.words(key)
                        yield from map(self._state, self.orbits.reached(words, 0))

    def _state(self, words: tuple[int, ...]) -> State:
        packing = self.engine.packing
        return PackedState(packing, words, packing.turn_of(words), None)


def _numbers_of(block: Block) -> list[int]:
    """The codes of a block."""
    return _planes(block.content, block.count, block.sizes[0])[0]


def _keys_of(block: Block) -> list[Key]:
    """The keys of a block, as `sorting_kernel` has written them."""
    columns, content = [], block.content
    for place, first in enumerate(block.first):
        known, size, left, left_size = block.sizes[4 * place : 4 * place + 4]
        named, content = _planes(content, known, size)
        names = [MOST_NAMED] * block.count
        if known:
            names, content = _planes(content, block.count, 1)
        rest, content = _planes(content, left, left_size)
        others = iter(rest)
        try:
            changes = [next(others) if n == MOST_NAMED else named[n] for n in names[1:]]
        except (IndexError, StopIteration) as error:
            raise SolutionFileError("a layer has keys that cannot be") from error
        unfolded = (change >> 1 ^ -(change & 1) for change in changes)
        columns.append(map(_wrapped, accumulate(unfolded, initial=first)))
    return list(zip(*columns, strict=True))


def _wrapped(number: int) -> int:
    return signed(number & (1 << WORD) - 1)


def _planes(content: bytes, count: int, size: int) -> tuple[list[int], bytes]:
    """The numbers of `size` planes, and the bytes behind the planes."""
    room = -(-count // 8) * 8
    numbers = [0] * count
    for place in range(size):
        plane = content[place * room : place * room + count]
        numbers = [number | byte << 8 * place for number, byte in zip(numbers, plane, strict=True)]
    return numbers, content[size * room :]
