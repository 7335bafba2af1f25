"""Find a level of states that every move raises, proved from the text of the moves.

In: a model. Out: `Levels`, a sum of quantities (`quantities`) with factors of 1 or -1, or a reason
without a proof. Levels are a single quantity that every move raises, or lowers; or the sum
of all quantities that no move lowers, if every move raises a quantity of the sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gamedsl.model.model import Model
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.quantities import Change, Changes, Quantity, changes_by_step
from gamedsl.source.records import dataclass

NO_LEVELS = "no quantity is proved that every move lowers, or that every move raises"


@dataclass(frozen=True, slots=True)
class Levels:
    """The level of a state: a sum of quantities with factors of 1 or -1.

    Attributes:
        terms: factors and quantities.
        low, high: least and greatest rise by a move; at least 1.
    """

    terms: tuple[tuple[int, Quantity], ...]
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
    def words(self) -> str:
        """The sum, in words."""
        named = [("" if factor > 0 else "-", quantity.words) for factor, quantity in self.terms]
        return " + ".join(sign + name for sign, name in named)


def levels_of(model: Model) -> Levels | Unknown:
    """The levels with the least rise by a move."""
    steps = changes_by_step(model)
    if isinstance(steps, Unknown):
        return steps
    if not steps:
        return Unknown("no move is ever legal")
    candidates = [Levels(terms, *_rise(terms, steps)) for terms in _sums(steps)]
    rising = [levels for levels in candidates if levels.low > 0]
    if not rising:
        return Unknown(NO_LEVELS)
    return min(rising, key=lambda levels: (levels.high - levels.low, levels.high))


def _sums(steps: Sequence[Changes]) -> Iterator[tuple[tuple[int, Quantity], ...]]:
    """Each quantity that no step lowers, or that no step raises, and the sum of all."""
    terms: list[tuple[int, Quantity]] = []
    for quantity in steps[0]:
        for factor in (1, -1):
            if _rise(((factor, quantity),), steps)[0] >= 0:
                terms.append((factor, quantity))
                break
    yield from ((term,) for term in terms)
    if len(terms) > 1:
        yield tuple(terms)


def _rise(terms: Sequence[tuple[int, Quantity]], steps: Sequence[Changes]) -> Change:
    """The least and the greatest rise of a sum by a step."""
    rises = [[_times(factor, step[quantity]) for factor, quantity in terms] for step in steps]
    lows = [sum(low for low, _ in rise) for rise in rises]
    return min(lows), max(sum(high for _, high in rise) for rise in rises)


def _times(factor: int, change: Change) -> Change:
    low, high = sorted(factor * end for end in change)
    return low, high
