"""Find a level of states that no move lowers, proved from the text of the moves.

In: a model. Out: `Levels`, a sum of quantities (`quantities`) with whole factors. If a single
quantity rises, or falls, by every move, it is the level. Else quantities are compared one after
the other (a lexicographic order; B. Cook, A. See, F. Zuleger, "Ramsey vs. lexicographic termination
proving", TACAS 2013): each settles the moves that surely change it in its direction, and no move
that is left changes it the other way. Factors make one number of the order. Moves that no quantity
settles may keep the level: the states of one level are a tier, in which play may return. Quantities
that such moves only raise, or only lower, stand last in the order, single cells among them (the
stores of Kalah): they settle no move, and make tiers smaller. So do counts of further values of a
counted array, where moves inside a tier keep them (men of each colour in morris). Where play may
return, states that differ in a quantity are of different levels, if numbers suffice. Without any
quantity all states are of one tier.
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
        rises: the rises by moves; not negative. With a rise of 0 play may return among the states
            of one level.
    """

    terms: Terms
    rises: Set[int]

    @property
    def low(self) -> int:
        """The least rise by a move."""
        return min(self.rises)

    @property
    def high(self) -> int:
        """The greatest rise by a move."""
        return max(self.rises)

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


ONE_TIER = Levels((), frozenset({0}))
"""The levels of a game without a proved quantity."""


def levels_of(model: Model, *, by_cell: bool = True) -> Levels:
    """The levels with the least rise by a move: of a single quantity that every move changes, if
    there is one. `by_cell`: single cells may be quantities, which symmetries need not keep."""
    steps = changes_by_step(model)
    if isinstance(steps, Unknown) or not steps:
        return ONE_TIER
    candidates: list[Terms] = [((f, quantity),) for quantity in steps[0] for f in (1, -1)]
    if rising := [_levels(terms, steps) for terms in candidates if _fits(terms, steps, 1)]:
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
    terms = _last(left, ordered) + _kept(left, [quantity for _, quantity, _ in order])
    for sign, quantity, settled in reversed(order):
        fall = max(-_rise(terms, [step])[0] for step in settled)
        least, apart = max(1, fall + 1), max(fall, _spread(terms)) + 1
        for factor in (apart, least) if left else (least,):
            longer = ((sign * factor, quantity), *terms)
            if _rise(longer, steps)[1] <= MOST_RISE:
                terms = longer
                break
    return _levels(terms, steps) if terms and _fits(terms, steps, 0) else ONE_TIER


def _kept(steps: Sequence[Changes], ordered: Sequence[Quantity]) -> Terms:
    """The counts of further values of counted arrays that all steps keep, less the last value of an
    array, whose count follows from the others."""
    terms: list[tuple[int, Quantity]] = []
    known = [quantity for quantity in ordered if quantity.value is not None]
    for quantity in steps[0] if steps else ():
        variable = quantity.variable
        counted = [each for each in known if each.variable == variable]
        is_new = quantity.value is not None and quantity not in counted
        is_left = 0 < len(counted) < len(variable.domain.values) - 1
        if is_new and is_left and all(step[quantity] == (0, 0) for step in steps):
            terms.append((1, quantity))
            known.append(quantity)
    return tuple(terms)


def _spread(terms: Terms) -> int:
    """The greatest difference between the sums of two states."""
    return sum(
        abs(factor) * (most - least)
        for factor, quantity in terms
        for least, most in (quantity.bounds,)
    )


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


def _fits(terms: Terms, steps: Sequence[Changes], least: int) -> bool:
    """Whether no step raises a sum by less than `least`, or by too much."""
    low, high = _rise(terms, steps)
    return low >= least and high <= MOST_RISE


def _levels(terms: Terms, steps: Sequence[Changes]) -> Levels:
    """Levels by a sum."""
    rises = (_rise(terms, [step]) for step in steps)
    return Levels(terms, {n for low, high in rises for n in range(low, high + 1)})


def _rise(terms: Terms, steps: Sequence[Changes]) -> Change:
    """The least and the greatest rise of a sum by a step."""
    rises = [[_times(factor, step[quantity]) for factor, quantity in terms] for step in steps]
    lows = [sum(low for low, _ in rise) for rise in rises]
    return min(lows), max(sum(high for _, high in rise) for rise in rises)


def _times(factor: int, change: Change) -> Change:
    low, high = sorted(factor * end for end in change)
    return low, high
