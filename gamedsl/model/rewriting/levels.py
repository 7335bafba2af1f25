"""Find a level of states that no move lowers, proved from the text of the moves.

In: a model. Out: `Levels`, a sum of quantities (`quantities`) with whole factors. If a single
quantity rises, or falls, by every move, it is the level. Else quantities are compared one after
the other (a lexicographic order; B. Cook, A. See, F. Zuleger, "Ramsey vs. lexicographic termination
proving", TACAS 2013): each settles the moves that surely change it in its direction, and no move
that is left changes it the other way. Factors make one number of the order. Moves that no quantity
settles may keep the level: the states of one level are a tier, in which play may return. Quantities
that such moves only raise, or only lower, stand last in the order, single cells among them (the
stores of Kalah): they settle no move, and make tiers smaller. Without any quantity all states are
of one tier.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from gamedsl.model.model import Model
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.quantities import Change, Changes, Quantity, changes_by_step
from gamedsl.source.records import dataclass

MOST_RISE = 1 << 16
"""Greatest rise by a move; quantities that would raise a level by more are left out."""
Terms = tuple[tuple[int, Quantity], ...]


@dataclass(frozen=True, slots=True)
class Levels:
    """The level of a state: a sum of quantities with whole factors.

    Attributes:
        terms: factors and quantities.
        low, high: least and greatest rise by a move; not negative. With `low` 0 play may return
            among the states of one level.
    """

    terms: Terms
    low: int
    high: int

    def of(self, cells: Sequence[int | None]) -> int:
        """The level of a state, given by a digit per cell."""
        return sum(factor * quantity.of(cells) for factor, quantity in self.terms)

    @property
    def most(self) -> int:
        """A bound above the level of every state."""
        return sum(max(factor * end for end in quantity.bounds) for factor, quantity in self.terms)

    @property
    def have_cells(self) -> bool:
        """Whether single cells are among the quantities."""
        return any(quantity.cell is not None for _, quantity in self.terms)

    @property
    def words(self) -> str:
        """The sum, in words; empty without a quantity."""
        named = [(factor, quantity.words) for factor, quantity in self.terms]
        signs = {1: "", -1: "-"}
        return " + ".join(signs.get(factor, f"{factor} ") + name for factor, name in named)


ONE_TIER = Levels((), 0, 0)
"""The levels of a game without a proved quantity."""


def levels_of(model: Model, *, by_cell: bool = True) -> Levels:
    """The levels with the least rise by a move: of a single quantity that every move changes, if
    there is one. `by_cell`: single cells may be quantities, which symmetries need not keep."""
    steps = changes_by_step(model)
    if isinstance(steps, Unknown) or not steps:
        return ONE_TIER
    candidates = [
        Levels(((factor, quantity),), *_rise(((factor, quantity),), steps))
        for quantity in steps[0]
        for factor in (1, -1)
    ]
    rising = [levels for levels in candidates if levels.low > 0 and levels.high <= MOST_RISE]
    if rising:
        return min(rising, key=lambda levels: (levels.high - levels.low, levels.high))
    levels = _in_order(steps)
    if levels.low > 0 or not by_cell:
        return levels
    cells = changes_by_step(model, by_cell=True)
    assert not isinstance(cells, Unknown), "the moves are the same"
    return _in_order([{**step, **more} for step, more in zip(steps, cells, strict=True)])


def _in_order(steps: Sequence[Changes]) -> Levels:
    """The levels of a lexicographic order of quantities."""
    left, order = list(steps), list[tuple[int, Quantity, list[Changes]]]()
    while left and (chosen := _next(left)) is not None:
        factor, quantity = chosen
        settled = [step for step in left if _times(factor, step[quantity])[0] > 0]
        order.append((factor, quantity, settled))
        left = [step for step in left if _times(factor, step[quantity])[0] <= 0]
    ordered = {quantity.variable.offset for _, quantity, _ in order}
    terms = _last(left, ordered)
    for sign, quantity, settled in reversed(order):
        fall = max(-_rise(terms, [step])[0] for step in settled)
        factor = sign * max(1, fall + 1)
        longer = ((factor, quantity), *terms)
        if _rise(longer, steps)[1] <= MOST_RISE:
            terms = longer
    low, high = _rise(terms, steps)
    return Levels(terms, low, high) if low >= 0 and terms else ONE_TIER


def _last(steps: Sequence[Changes], ordered: Set[int]) -> Terms:
    """Quantities of further variables that no step lowers and some step may raise, with the factor
    1, or the other way round with -1: of each variable the first, or all single cells."""
    terms: dict[int, Terms] = {}
    for quantity in steps[0] if steps else ():
        offset, others = quantity.variable.offset, terms.get(quantity.variable.offset, ())
        is_first = not others or (quantity.cell is not None and others[0][1].cell is not None)
        low = min(step[quantity][0] for step in steps)
        high = max(step[quantity][1] for step in steps)
        if offset not in ordered and is_first and low < high and (low == 0 or high == 0):
            terms[offset] = (*others, (1 if low == 0 else -1, quantity))
    return tuple(term for each in terms.values() for term in each)


def _next(steps: Sequence[Changes]) -> tuple[int, Quantity] | None:
    """The quantity that most of the steps raise, and none lowers, with the factor 1; or the other
    way round with -1."""
    counts = {
        (factor, quantity): sum(_times(factor, step[quantity])[0] > 0 for step in steps)
        for quantity in steps[0]
        for factor in (1, -1)
        if min(_times(factor, step[quantity])[0] for step in steps) >= 0
    }
    chosen = max(counts, key=counts.__getitem__, default=None)
    return chosen if chosen is not None and counts[chosen] else None


def _rise(terms: Terms, steps: Sequence[Changes]) -> Change:
    """The least and the greatest rise of a sum by a step."""
    rises = [[_times(factor, step[quantity]) for factor, quantity in terms] for step in steps]
    lows = [sum(low for low, _ in rise) for rise in rises]
    return min(lows), max(sum(high for _, high in rise) for rise in rises)


def _times(factor: int, change: Change) -> Change:
    low, high = sorted(factor * end for end in change)
    return low, high
