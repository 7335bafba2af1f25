"""Lists of sets as numbers, a bit for each element: which set it is shows only during play.

In: a known list of sets and a position in it. Out: the set there as bits, and whether it holds a
value. That needs that all sets have their elements in the order of one of them.
"""

from __future__ import annotations

from gamedsl.compiler.ir.values import INT, bits, lookup
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.lowering.values import tables
from gamedsl.compiler.lowering.values.context import AsBits, Lowering
from gamedsl.compiler.lowering.values.tables import Low
from gamedsl.model.types import number
from gamedsl.model.values import Value, unique
from gamedsl.source.records import dataclass

FEWEST = 4
"""Sets fewer than these are written out one by one."""

MOST_IN_A_NUMBER = 62
"""Bits of one more element than there is, which no set holds, fit a number; else they are a set."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of many sets: bit n stands for `elements[n]`."""

    elements: tuple[Value, ...]
    bits: Expr


def chosen(lowering: Lowering, items: Value, position: Expr) -> Chosen | None:
    """The set at a position of a list, counted from 1; None where its sets are no numbers."""
    found = lowering.memo.subsets.get(id(items))
    if found is None:  # the list is kept, so that no other gets its identity
        found = lowering.memo.subsets[id(items)] = items, _as_bits(items)
    if found[1] is None:
        return None
    elements, masks = found[1]
    kind = INT if len(elements) <= MOST_IN_A_NUMBER else bits(len(elements) + 1)
    return Chosen(elements, lookup(masks, position - 1, kind))


def holds(lowering: Lowering, one: Chosen, element: Low) -> Expr | None:
    """Whether the set holds a value; None where that may be one of too many."""
    places = {(type(value), value): n for n, value in enumerate(one.elements)}
    nowhere = len(one.elements)

    def place_of(value: Value) -> Value:
        return places.get((type(value), value), nowhere)

    place = tables.table_of(lowering, [element], place_of, number(0, nowhere))
    return None if place is None else ((one.bits >> lowering.value(place)) & 1).ne(0)


def _as_bits(items: Value) -> AsBits | None:
    """All elements in order, and each set as a number."""
    rows = [row for row in items if isinstance(row, tuple)] if isinstance(items, tuple) else []
    elements = unique(value for row in sorted(rows, key=len, reverse=True) for value in row)
    if len(rows) < FEWEST:
        return None
    place = {value: n for n, value in enumerate(elements)}
    places = [[place[value] for value in row] for row in rows]
    if any(row != sorted(set(row)) for row in places):
        return None
    return elements, tuple(sum(1 << n for n in row) for row in places)
