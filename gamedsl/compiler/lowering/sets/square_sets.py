"""Sets of squares as values: complements, planes, and masks or tables of state-free sets."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from math import prod
from operator import or_

from gamedsl.compiler.ir.values import INT, Op, lookup, name
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.layout import WORD, Digits, Place, Planes
from gamedsl.compiler.lowering.values import cells, collections, tables
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Code, Scope
from gamedsl.compiler.lowering.values.tables import LARGEST_TABLE
from gamedsl.model import nodes, operations
from gamedsl.model.values import Value

Bits = Expr

"""A set of squares: a value of `set_type`."""

SQUARE = name("@", INT)

"""Stands for an arbitrary square while a condition is lifted; never part of the result."""

MOST_SHIFTS = 4

MaskOf = Callable[..., int | None]

"""The set for given values of some code, in order; None if undefined."""


def everything(lowering: Lowering) -> int:
    """All squares, as a mask."""
    return (1 << len(lowering.codes.squares)) - 1


def neither(lowering: Lowering, bits: Bits) -> Bits:
    """The complement of a set."""
    is_complement = bits.op is Op.AND and bits.args[1].op is Op.COMPLEMENT
    if is_complement and bits.args[0] is lowering.sets.everything:
        return bits.args[1].args[0]
    return lowering.sets.everything & ~bits


def planes_of(lowering: Lowering, place: Planes, digits: set[int]) -> Bits:
    """The squares that hold one of some digits; the default by way of the other digits."""
    if place.default in digits:
        complement = set(range(len(place.variable.domain))) - digits
        return neither(lowering, planes_of(lowering, place, complement))
    squares = lowering.sets.nothing
    for digit in sorted(digits):
        squares = squares | cells.plane(lowering, place, digit)
    return squares


def row_of(lowering: Lowering, place: Place, first: Expr) -> Bits | None:
    """The squares s with the second of two values in `a[i, s]`, for an array `a` in several rows of
    bits, over the squares of the board; `first` is the number of the row's first cell. None for
    other arrays."""
    if not isinstance(place, Digits) or place.bits != 1 or place.unset is not None:
        return None
    variable, squares = place.variable, lowering.codes.squares
    is_board = variable.indices and variable.indices[-1].values == squares
    if not (is_board and first.is_const) or variable.missing or len(squares) >= WORD:
        return None
    parts = []
    for chunk, title in enumerate(place.names):
        shift = first.const - chunk * place.per_chunk
        if -len(squares) < shift < place.per_chunk:
            field = lowering.field(title)
            moved = field >> shift if shift >= 0 else field << -shift
            parts.append(moved & lowering.sets.everything)
    return reduce(or_, parts)


def depends(lowering: Lowering, node: nodes.Expr, scope: Scope) -> bool:
    """Whether an expression depends on the square."""
    return tables.depends(lowering, node, scope, SQUARE)


def mask_table(lowering: Lowering, node: nodes.Expr, scope: Scope) -> Bits | None:
    """A state-free condition as a mask, or a table of masks."""

    def masks_of(names: list[Expr]) -> MaskOf:
        holds = lowering.evaluator.function(node, scope, [*names, SQUARE])
        solutions = lowering.evaluator.solutions(
            node,
            scope,
            names,
            lambda part: tables.is_code(part, scope, SQUARE),
            lambda part: depends(lowering, part, scope),
        )

        def mask(*assumed: Value) -> int:
            if solutions is not None:
                with suppress(operations.OperationError):  # perhaps no square leads there
                    return lowering.sets.mask(solutions(*assumed))
            bits = lowering.sets.bit_of.items()
            return sum(1 << n for square, n in bits if holds(*assumed, square) is True)

        return mask

    return _table(lowering, node, scope, masks_of, len(lowering.codes.squares))


def collection_table(lowering: Lowering, node: nodes.Expr, scope: Scope) -> Bits | None:
    """A state-free collection of squares as a set."""

    def masks_of(names: list[Expr]) -> MaskOf:
        members = lowering.evaluator.function(node, scope, names)

        def mask(*assumed: Value) -> int | None:
            collection = members(*assumed)
            is_of_squares = isinstance(collection, tuple) and all(
                square in lowering.sets.bit_of for square in collection
            )
            return (
                lowering.sets.mask(collection)
                if is_of_squares and isinstance(collection, tuple)
                else None
            )

        return mask

    return _table(lowering, node, scope, masks_of, 8)


def _table(
    lowering: Lowering,
    node: nodes.Expr,
    scope: Scope,
    masks_of: Callable[[list[Expr]], MaskOf],
    each: int,
) -> Bits | None:
    free: dict[Expr, Code] = {}
    if not tables.free_codes(lowering, node, scope, set(), free):
        return None
    free.pop(SQUARE, None)
    if any(code.per != 1 or SQUARE.name in code.expr.names for code in free.values()):
        return None
    all_spans = [tables.span_of_codes(lowering, code.type) for code in free.values()]
    spans = [span for span in all_spans if span is not None]
    if len(spans) < len(all_spans) or len(spans) > 2:
        return None
    if prod(count for _, count, _ in spans) * each > 8 * LARGEST_TABLE:
        return None
    operands = list(free.values())
    shape = (each, tables.shape(lowering, node, scope, [SQUARE, *free]))
    kept = lowering.memo.tables.masks
    if shape not in kept:
        kept[shape] = tables.work_out_entries(operands, masks_of(list(free)), spans)
    entries = kept[shape]
    if entries is None:
        return None
    masks = tuple(entry if isinstance(entry, int) else 0 for entry in entries)
    if len(set(masks)) == 1:
        return lowering.sets.constant(masks[0])
    return lookup(masks, tables.index_of(lowering, operands, spans), lowering.sets.type)


def without_square(bits: Bits | None) -> Bits | None:
    """A lifted set; None where a part of the set still depends on a single square."""
    return None if bits is None or SQUARE.name in bits.names else bits


def lifted(lowering: Lowering, node: nodes.Expr, slot: int, scope: Scope) -> Bits | None:
    """The squares for which a condition holds; the local `slot` stands for the square."""
    if lowering.can_fail(node) or not lowering.codes.squares:
        return None
    return without_square(lowering.lift(node, marked(lowering, slot, scope)))


def marked(lowering: Lowering, slot: int, scope: Scope) -> Scope:
    """The scope in which a local stands for an arbitrary square."""
    return scope.having(slot, Code(SQUARE, collections.square_type(lowering)))
