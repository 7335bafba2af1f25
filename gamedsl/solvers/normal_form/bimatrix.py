"""All equilibria of two players by support enumeration, in exact numbers.

In: a normal form of two players. Out: the extreme equilibria; every equilibrium is a mixture of
extreme equilibria. A non-degenerate game has only extreme equilibria. A mixture of one player is a
corner if it makes as many replies of the opponent equally good as it has strategies, and no further
mixture of these strategies does; two corners are an equilibrium if each consists of best replies to
the other corner (D. Avis, G. Rosenberg, R. Savani and B. von Stengel, "Enumeration of Nash
equilibria for two-player games", Economic Theory 42, 2010).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, lcm

from gamedsl.solvers.normal_form.form import Mixture, NormalForm
from gamedsl.source.records import dataclass

MOST_SUPPORTS = 13_000
"""Maximal number of pairs of supports: about eight strategies against eight."""


@dataclass(frozen=True, slots=True)
class Corner:
    """A mixture of one player, its support, and the opponent's best replies."""

    mixture: Mixture
    support: frozenset[int]
    replies: frozenset[int]

    @property
    def is_degenerate(self) -> bool:
        """Whether the mixture has more best replies than strategies."""
        return len(self.replies) > len(self.support)


@dataclass(frozen=True, slots=True)
class ExtremeEquilibria:
    """Pairs of mixtures; pairs with an equal number in `sets` belong to one connected set."""

    pairs: tuple[tuple[Mixture, Mixture], ...]
    sets: tuple[int, ...]
    is_degenerate: bool


def is_small(sizes: Sequence[int]) -> bool:
    """Whether all pairs of supports of two players can be enumerated."""
    rows, columns = sizes
    return comb(rows + columns, rows) <= MOST_SUPPORTS


def extreme_equilibria(
    form: NormalForm, tick: Callable[[], None] = lambda: None
) -> ExtremeEquilibria:
    """All extreme equilibria; pure equilibria first, then by strategies in order. `tick` is called
    for each support, and may raise an exception to end the search."""
    rows, columns = map(range, form.sizes)
    mine = _corners([[form.payoffs[i, j][1] for j in columns] for i in rows], tick)
    theirs = _corners([[form.payoffs[i, j][0] for i in rows] for j in columns], tick)
    pairs = [
        (first, second)
        for first in mine
        for second in theirs
        if first.support <= second.replies and second.support <= first.replies
    ]
    pairs.sort(key=lambda pair: (len(pair[0].support) + len(pair[1].support), _order(pair)))
    return ExtremeEquilibria(
        tuple((first.mixture, second.mixture) for first, second in pairs),
        _connected(pairs),
        any(corner.is_degenerate for corner in (*mine, *theirs)),
    )


def _order(pair: tuple[Corner, Corner]) -> list[list[int]]:
    return [sorted(corner.support) for corner in pair]


def _connected(pairs: Sequence[tuple[Corner, Corner]]) -> tuple[int, ...]:
    """A number for each pair. Pairs that share a mixture are connected, because all mixtures in
    between are equilibria, too."""
    above: dict[int, int] = {}

    def top(node: int) -> int:
        while above.setdefault(node, node) != node:
            above[node] = above[above[node]]
            node = above[node]
        return node

    for pair in pairs:
        above[top(id(pair[0]))] = top(id(pair[1]))
    numbers = [top(id(pair[0])) for pair in pairs]
    places = {number: place for place, number in enumerate(dict.fromkeys(numbers))}
    return tuple(places[number] for number in numbers)


def _corners(payoffs: Sequence[Sequence[Fraction]], tick: Callable[[], None]) -> list[Corner]:
    """The corners of a player whose strategy `i` pays `payoffs[i][j]` to the opponent's reply
    `j`."""
    scale = lcm(*(entry.denominator for row in payoffs for entry in row))
    table = [[int(entry * scale) for entry in row] for row in payoffs]
    strategies, replies = range(len(table)), range(len(table[0]))
    corners: dict[Mixture, Corner] = {}
    for size in range(1, min(len(strategies), len(replies)) + 1):
        for support in combinations(strategies, size):
            tick()
            for tight in combinations(replies, size):
                corner = _corner(table, support, tight)
                if corner is not None:
                    corners.setdefault(corner.mixture, corner)
    return list(corners.values())


def _corner(
    table: list[list[int]], support: tuple[int, ...], tight: tuple[int, ...]
) -> Corner | None:
    """The mixture of a support against which the replies `tight` are best and equally good; None if
    there is no such mixture."""
    rows = [[*(table[i][j] for i in support), -1, 0] for j in tight]
    rows.append([1] * len(support) + [0, 1])
    solved = _solved(rows)
    if solved is None or any(weight <= 0 for weight in solved[:-1]):
        return None
    *weights, most = solved
    gains = [
        sum((w * table[i][j] for w, i in zip(weights, support, strict=True)), Fraction(0))
        for j in range(len(table[0]))
    ]
    if max(gains) > most:
        return None
    by_strategy = dict(zip(support, weights, strict=True))
    mixture = tuple(by_strategy.get(i, Fraction(0)) for i in range(len(table)))
    best = frozenset(j for j, gain in enumerate(gains) if gain == most)
    return Corner(mixture, frozenset(support), best)


def _solved(rows: list[list[int]]) -> list[Fraction] | None:
    """The solution of as many equations as unknowns, in integers up to the last step (E. Bareiss,
    Mathematics of Computation 22, 1968); None if the solution is not unique."""
    before = 1
    for column in range(len(rows)):
        place = next((n for n in range(column, len(rows)) if rows[n][column]), None)
        if place is None:
            return None
        rows[column], rows[place] = rows[place], rows[column]
        source = rows[column]
        pivot = source[column]
        for n, row in enumerate(rows):
            if n != column:
                factor = row[column]
                rows[n] = [
                    (pivot * a - factor * b) // before for a, b in zip(row, source, strict=True)
                ]
        before = pivot
    return [Fraction(row[-1], row[n]) for n, row in enumerate(rows)]
