"""Lists of sets as bit masks, one bit per element, indexed by a position known only during play.

`chosen` gives the set at a position of a known list, `holds` tests whether the set contains a
value. All sets must list their elements in one common order.
"""

from __future__ import annotations

from gamedsl.compiler.ir.values import INT, bits, lookup
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.lowering.values import tables
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.memo import AsBits
from gamedsl.compiler.lowering.values.scope import Low
from gamedsl.model.types import number
from gamedsl.model.values import Value, unique
from gamedsl.source.records import dataclass

FEWEST = 4
"""Shorter lists of sets are written out set by set."""

MOST_IN_A_NUMBER = 62
"""Most elements for masks of type number, with one spare bit that no set has; beyond, type bits."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of many sets: bit n stands for `elements[n]`."""

    elements: tuple[Value, ...]
    bits: Expr


def chosen(lowering: Lowering, items: Value, position: Expr) -> Chosen | None:
    """The set at a position of a list, counted from 1; None where the sets are not bit masks."""
    entry = lowering.memo.tables.subsets.get(id(items))
    if entry is None:  # the list is kept alive, so that its id stays unique
        entry = lowering.memo.tables.subsets[id(items)] = items, _as_bits(items)
    if entry[1] is None:
        return None
    elements, masks = entry[1]
    kind = INT if len(elements) <= MOST_IN_A_NUMBER else bits(len(elements) + 1)
    return Chosen(elements, lookup(masks, position - 1, kind))


def holds(lowering: Lowering, subset: Chosen, element: Low) -> Expr | None:
    """Whether the set contains a value; None where the value has too many possible values."""
    places = {(type(value), value): n for n, value in enumerate(subset.elements)}
    nowhere = len(subset.elements)

    def place_of(value: Value) -> Value:
        return places.get((type(value), value), nowhere)

    place = tables.table_of(lowering, [element], place_of, number(0, nowhere))
    return None if place is None else ((subset.bits >> lowering.value(place)) & 1).ne(0)


def _as_bits(items: Value) -> AsBits | None:
    """All elements in order, and each set as a bit mask."""
    rows = [row for row in items if isinstance(row, tuple)] if isinstance(items, tuple) else []
    elements = unique(value for row in sorted(rows, key=len, reverse=True) for value in row)
    if len(rows) < FEWEST:
        return None
    place = {value: n for n, value in enumerate(elements)}
    places = [[place[value] for value in row] for row in rows]
    if any(row != sorted(set(row)) for row in places):
        return None
    return elements, tuple(sum(1 << n for n in row) for row in places)
