"""The function of `abi` that gives the level of a state."""

from __future__ import annotations

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.values import INT, Value, count, integer, lookup
from gamedsl.compiler.layout import Digits, Planes
from gamedsl.model.rewriting.levels import Levels
from gamedsl.model.rewriting.quantities import Quantity
from gamedsl.solvers.kernels.functions.standard import game_words


def level_definitions(engine: CompiledEngine, levels: Levels, origin: int) -> Definitions:
    """`level_of(*state)`, counted from a level `origin`, and the bounds of the rise by a move."""
    words = game_words(engine)
    f = FunctionBuilder("level_of", *words)
    level = f.local("level", integer(-origin), INT)
    for factor, quantity in levels.terms:
        place = engine.generated.layout.place_of(quantity.variable)
        weights = [factor * weight for weight in _weights(quantity)]
        if isinstance(place, Planes):
            _add_planes(f, engine, place, level, weights, quantity.cell)
        else:
            _add_digits(f, engine, place, level, weights, quantity.cell)
    f.give(level)
    return Definitions({"LOW_RISE": levels.low, "HIGH_RISE": levels.high}, (f.function,))


def _weights(quantity: Quantity) -> list[int]:
    """The share of each value of a cell in a quantity."""
    values = quantity.variable.domain.values
    if quantity.value is not None:
        position = quantity.variable.domain.position(quantity.value)
        return [int(digit == position) for digit in range(len(values))]
    return [value if isinstance(value, int) else 0 for value in values]


def _add_planes(
    f: FunctionBuilder,
    engine: CompiledEngine,
    place: Planes,
    level: Value,
    weights: list[int],
    cell: int | None,
) -> None:
    """Add the weights of all cells, or of a single cell."""
    words, usual = game_words(engine), weights[place.default]
    f.assign(level, level + usual * (place.variable.size if cell is None else 1))
    for digit, title in place.names:
        field = engine.generated.layout.field(title)
        looked_at = field.mask if cell is None else 1 << cell
        squares = words[field.word] >> field.shift & looked_at
        if weights[digit] != usual:
            f.assign(level, level + count(squares) * (weights[digit] - usual))


def _add_digits(
    f: FunctionBuilder,
    engine: CompiledEngine,
    place: Digits,
    level: Value,
    weights: list[int],
    only: int | None,
) -> None:
    """Add the weights of all cells, or of a single cell."""
    words, mask = game_words(engine), (1 << place.bits) - 1
    step = weights[1] - weights[0] if len(weights) > 1 else 0
    is_even = weights == [weights[0] + step * digit for digit in range(len(weights))]
    table = (*weights, *[0] * (mask + 1 - len(weights)))
    for cell in range(place.variable.size) if only is None else (only,):
        field = engine.generated.layout.field(place.names[cell // place.per_chunk])
        shift = field.shift + cell % place.per_chunk * place.bits
        digit = words[field.word] >> shift & mask
        weight = digit * step + weights[0] if is_even else lookup(table, digit)
        f.assign(level, level + weight)
