"""Find all isolated mixed profiles that make several players indifferent, with proof.

In: a normal form, and supports of at least two strategies for the mixing players. Out: every
solution of the indifference equations with all probabilities positive, as numbers with a proven
error bound; or the statement that the search is incomplete. Boxes of probabilities are bisected
until interval bounds exclude a solution in a box, or Krawczyk's operator proves at most one (R.
Krawczyk, "Newton-Algorithmen zur Bestimmung von Nullstellen mit Fehlerschranken", Computing 4,
1969). The search uses floating point with a margin far above the rounding errors; proofs use
fractions. Boxes in which a strategy outside the supports pays more are left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

from gamedsl.solvers.normal_form.form import NormalForm, Profile
from gamedsl.source.records import dataclass

Box = tuple[tuple[float, float], ...]
Terms = Sequence[tuple[tuple[int, ...], Fraction]]
"""A sum of products of variables with coefficients."""
Decimals = Sequence[tuple[tuple[int, ...], float]]
MARGIN = 1e-9
"""Absolute values of the equations above this margin prove a value other than 0. Coefficients are
at most 1, so the margin is far above the rounding errors of the few products and sums."""
SMALLEST = 2.0**-20
"""Side of a box below which solutions are assumed to be connected, or to touch."""
MOST_VARIABLES = 8
NEWTON_STEPS = 12
PARTS = 1 << 60
RADII = tuple(Fraction(1, 1 << power) for power in range(1, 50))
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Root:
    """A solution: within `error` of `centre` in every variable, and unique within `reach`."""

    centre: tuple[Fraction, ...]
    error: Fraction
    reach: Fraction


@dataclass(frozen=True, slots=True)
class Roots:
    """The solutions, whether the list is complete, and the number of examined boxes."""

    roots: tuple[Root, ...]
    is_complete: bool
    boxes: int


class Indifference:
    """The indifference equations of the mixing players, in the probabilities of all their
    strategies but the first.

    Attributes:
        variables: for each player, the numbers of the player's variables.
        equations: the gain of a support's first strategy over each further strategy of the support,
            as terms.
        gains: the gain of the first strategy over each strategy outside, which must not be
            negative.
    """

    def __init__(self, form: NormalForm, supports: Sequence[Sequence[int]]) -> None:
        self.form = form
        self.supports = supports
        self.mixing = [player for player, support in enumerate(supports) if len(support) > 1]
        self.variables: dict[int, range] = {}
        self.count = 0
        for player in self.mixing:
            more = len(supports[player]) - 1
            self.variables[player] = range(self.count, self.count + more)
            self.count += more
        self.equations = [
            self._scaled(self.gain(player, supports[player][0], strategy))
            for player in self.mixing
            for strategy in supports[player][1:]
        ]
        self.gains = [
            self._scaled(self.gain(player, support[0], strategy))
            for player, support in enumerate(supports)
            for strategy in range(form.sizes[player])
            if strategy not in support
        ]

    def gain(self, player: int, strategy: int, alternative: int) -> Terms:
        """The gain of a player's `strategy` over the `alternative`."""
        around = [p for p in self.mixing if p != player]
        profile = [support[0] for support in self.supports]

        def paid(places: Sequence[int]) -> Fraction:
            for who, place in zip(around, places, strict=True):
                profile[who] = self.supports[who][place]
            return self._paid(profile, player, strategy) - self._paid(profile, player, alternative)

        terms = []
        for places in product(*(range(len(self.supports[who])) for who in around)):
            chosen = [n for n, place in enumerate(places) if place]
            coefficient = ZERO
            for pattern in product((False, True), repeat=len(chosen)):
                left = list(places)
                for n, keeps in zip(chosen, pattern, strict=True):
                    left[n] = places[n] if keeps else 0
                sign = -1 if (len(chosen) - sum(pattern)) % 2 else 1
                coefficient += sign * paid(left)
            if coefficient:
                numbers = (self.variables[around[n]][places[n] - 1] for n in chosen)
                terms.append((tuple(numbers), coefficient))
        return terms

    def mixtures(self, chances: Sequence[Fraction]) -> tuple[tuple[Fraction, ...], ...]:
        """Values of the variables as mixtures of all players."""
        mixtures = []
        for player, support in enumerate(self.supports):
            mixture = [ZERO] * self.form.sizes[player]
            rest = [chances[n] for n in self.variables.get(player, ())]
            for strategy, chance in zip(support, [ONE - sum(rest), *rest], strict=True):
                mixture[strategy] = chance
            mixtures.append(tuple(mixture))
        return tuple(mixtures)

    def _paid(self, profile: Sequence[int], player: int, strategy: int) -> Fraction:
        place: Profile = (*profile[:player], strategy, *profile[player + 1 :])
        return self.form.payoffs[place][player]

    def _scaled(self, terms: Terms) -> Terms:
        most = max((abs(coefficient) for _, coefficient in terms), default=ONE)
        return [(numbers, coefficient / most) for numbers, coefficient in terms]


def isolated_roots(
    system: Indifference, most_boxes: int, tick: Callable[[], None] = lambda: None
) -> Roots:
    """All solutions with every probability between 0 and 1, if `most_boxes` suffice; in addition,
    possibly, solutions slightly beyond 0 and 1."""
    return _Search(system, most_boxes, tick).roots()


def bounds(terms: Terms, box: Sequence[tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Proven bounds of a sum of products in a box of non-negative numbers."""
    low = high = ZERO
    for numbers, coefficient in terms:
        least = coefficient * prod((box[n][0] for n in numbers), start=ONE)
        most = coefficient * prod((box[n][1] for n in numbers), start=ONE)
        low, high = low + min(least, most), high + max(least, most)
    return low, high


class _Search:
    def __init__(self, system: Indifference, most_boxes: int, tick: Callable[[], None]) -> None:
        self.system = system
        self.most_boxes = most_boxes
        self.tick = tick
        self.boxes = 0
        self.exact = system.equations
        self.terms = [_decimals(terms) for terms in system.equations]
        self.gains = [_decimals(terms) for terms in system.gains]
        self.slopes = [
            [_derivative(terms, n) for n in range(system.count)] for terms in system.equations
        ]
        self.about_slopes = [[_decimals(terms) for terms in row] for row in self.slopes]
        self.known: list[Root] = []

    def roots(self) -> Roots:
        boxes: list[Box] = [((0.0, 1.0),) * self.system.count]
        if self._is_empty(boxes[0]):
            return Roots((), True, 1)
        is_complete = self.system.count <= MOST_VARIABLES and all(self.exact)
        while boxes and is_complete:
            box = boxes.pop()
            self.boxes += 1
            self.tick()
            if self._is_empty(box) or self._is_known(box):
                continue
            self._add_root_near([(low + high) / 2 for low, high in box])
            narrowed = self._narrowed(box)
            if narrowed is None or self._is_known(narrowed):
                continue
            box = narrowed
            widest = max(range(len(box)), key=lambda n: box[n][1] - box[n][0])
            low, high = box[widest]
            is_complete = high - low > SMALLEST and self.boxes < self.most_boxes
            middle = (low + high) / 2
            for side in ((low, middle), (middle, high)):
                boxes.append((*box[:widest], side, *box[widest + 1 :]))
        return Roots(tuple(self.known), is_complete, self.boxes)

    def _is_empty(self, box: Box) -> bool:
        """Whether bounds prove that a box contains no solution."""
        for numbers in self.system.variables.values():
            if sum(box[n][0] for n in numbers) > 1 + MARGIN:
                return True
        if any(_about(terms, box)[1] < -MARGIN for terms in self.gains):
            return True
        reaches = (_about(terms, box) for terms in self.terms)
        return any(low > MARGIN or high < -MARGIN for low, high in reaches)

    def _narrowed(self, box: Box) -> Box | None:
        """The part of a box left by the operator, which contains all solutions of the box; None if
        the part is empty."""
        middle = [(low + high) / 2 for low, high in box]
        values, slopes = _values_and_slopes(self.terms, self.system.count, middle)
        inverse = _inverse(slopes)
        if inverse is None:
            return box
        reaches = [[_about(terms, box) for terms in row] for row in self.about_slopes]
        margin = MARGIN * max(1.0, *(abs(y) for row in inverse for y in row))
        left = []
        for n, row in enumerate(inverse):
            place = middle[n] - sum(y * f for y, f in zip(row, values, strict=True))
            spread = margin
            for m, (low, high) in enumerate(box):
                least = most = float(n == m)
                for k, y in enumerate(row):
                    ends = y * reaches[k][m][0], y * reaches[k][m][1]
                    least, most = least - max(ends), most - min(ends)
                spread += max(abs(least), abs(most)) * (high - low) / 2
            low, high = max(box[n][0], place - spread), min(box[n][1], place + spread)
            if low > high:
                return None
            left.append((low, high))
        return tuple(left)

    def _is_known(self, box: Box) -> bool:
        return any(
            all(
                centre - root.reach <= low and high <= centre + root.reach
                for centre, (low, high) in zip(root.centre, box, strict=True)
            )
            for root in self.known
        )

    def _add_root_near(self, start: Sequence[float]) -> None:
        """Add the limit of Newton's method, if it is a proved and new solution."""
        place = _newton(self.terms, self.system.count, start)
        if place is None:
            return
        centre = tuple(Fraction(round(coordinate * PARTS), PARTS) for coordinate in place)
        for root in self.known:
            if all(abs(a - b) <= root.reach for a, b in zip(centre, root.centre, strict=True)):
                return
        if (proved := self._proved(centre)) is not None:
            self.known.append(proved)

    def _proved(self, centre: tuple[Fraction, ...]) -> Root | None:
        """The unique solution near a point: unique within the greatest radius for which the
        operator is contracting; the error bound follows from one step of the operator, which is
        shorter than the radius. On a smaller box the operator contracts no less."""
        decimals = _values_and_slopes(self.terms, self.system.count, list(map(float, centre)))[1]
        rounded = _inverse(decimals)
        if rounded is None:
            return None
        inverse = [list(map(Fraction, row)) for row in rounded]
        offsets = [self._value(terms, centre) for terms in self.exact]
        step = max(
            abs(sum((y * f for y, f in zip(row, offsets, strict=True)), ZERO)) for row in inverse
        )
        radii = [radius for radius in RADII if radius > step]
        shrinking = partial(self._contraction, centre, inverse)
        first = bisect_left(radii, True, key=lambda radius: shrinking(radius) < 1)
        error, reach = None, None
        for radius in radii[first:]:
            shrinks = shrinking(radius)
            reach = reach or radius
            if step + shrinks * radius < radius:
                error = min(radius, step / (1 - shrinks))
                if shrinks < Fraction(1, 2):
                    break
        if error is None or reach is None:
            return None
        return Root(centre, error, reach)

    def _contraction(
        self, centre: Sequence[Fraction], inverse: Sequence[Sequence[Fraction]], radius: Fraction
    ) -> Fraction:
        """Contraction factor of the operator on a box of this radius: the greatest row sum of I - Y
        J(X)."""
        box = [(coordinate - radius, coordinate + radius) for coordinate in centre]
        slopes = [[self._range(terms, box) for terms in row] for row in self.slopes]
        most = ZERO
        for n, row in enumerate(inverse):
            total = ZERO
            for m in range(len(row)):
                low = high = Fraction(n == m)
                for k, y in enumerate(row):
                    ends = y * slopes[k][m][0], y * slopes[k][m][1]
                    low, high = low - max(ends), high - min(ends)
                total += max(abs(low), abs(high))
            most = max(most, total)
        return most

    def _range(
        self, terms: Terms, box: Sequence[tuple[Fraction, Fraction]]
    ) -> tuple[Fraction, Fraction]:
        """Bounds of a sum of products of numbers of any sign."""
        low = high = ZERO
        for numbers, coefficient in terms:
            ends = [coefficient]
            for n in numbers:
                ends = [end * side for end in ends for side in box[n]]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def _value(self, terms: Terms, place: Sequence[Fraction]) -> Fraction:
        return sum((c * prod((place[n] for n in numbers), start=ONE) for numbers, c in terms), ZERO)


def _decimals(terms: Terms) -> Decimals:
    return [(numbers, float(coefficient)) for numbers, coefficient in terms]


def _about(terms: Decimals, box: Box) -> tuple[float, float]:
    """Bounds of a sum of products in a box, up to rounding: the least and the greatest value at the
    corners, because the sum is linear in each variable."""
    least = most = None
    variables = sorted({n for numbers, _ in terms for n in numbers})
    for sides in product(*(box[n] for n in variables)):
        at = dict(zip(variables, sides, strict=True))
        value = 0.0
        for numbers, coefficient in terms:
            for n in numbers:
                coefficient *= at[n]
            value += coefficient
        least = value if least is None or value < least else least
        most = value if most is None or value > most else most
    return least or 0.0, most or 0.0


def _derivative(terms: Terms, variable: int) -> Terms:
    return [
        (tuple(n for n in numbers if n != variable), coefficient)
        for numbers, coefficient in terms
        if variable in numbers
    ]


def _newton(
    equations: Sequence[Decimals], count: int, start: Sequence[float]
) -> list[float] | None:
    """A point at which all equations are approximately 0; None if Newton's method does not
    converge. Without proof."""
    place = list(start)
    for _ in range(NEWTON_STEPS):
        values, slopes = _values_and_slopes(equations, count, place)
        step = _solved(slopes, values)
        if step is None or not all(abs(change) < 4 for change in step):
            return None
        place = [coordinate - change for coordinate, change in zip(place, step, strict=True)]
        if max(map(abs, step)) < 1e-15:
            break
    is_inside = all(-0.1 < coordinate < 1.1 for coordinate in place)
    return place if is_inside and max(map(abs, values)) < MARGIN else None


def _solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float] | None:
    """The solution of a linear system in floating point; None if the system is nearly singular."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    count = len(rows)
    for n in range(count):
        pivot = max(range(n, count), key=lambda k: abs(rows[k][n]))
        rows[n], rows[pivot] = rows[pivot], rows[n]
        if abs(rows[n][n]) < 1e-12:
            return None
        for k in range(n + 1, count):
            share = rows[k][n] / rows[n][n]
            if share:
                rows[k] = [a - share * b for a, b in zip(rows[k], rows[n], strict=True)]
    solution = [0.0] * count
    for n in reversed(range(count)):
        rest = sum(rows[n][m] * solution[m] for m in range(n + 1, count))
        solution[n] = (rows[n][count] - rest) / rows[n][n]
    return solution


def _values_and_slopes(
    equations: Sequence[Decimals], count: int, place: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """The values of the equations at a point, and their derivatives."""
    values, slopes = [], []
    for terms in equations:
        value, slope = 0.0, [0.0] * count
        for numbers, coefficient in terms:
            value += coefficient * prod(place[n] for n in numbers)
            for n in numbers:
                slope[n] += coefficient * prod(place[m] for m in numbers if m != n)
        values.append(value)
        slopes.append(slope)
    return values, slopes


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]] | None:
    """An approximate inverse of a matrix; None if the matrix is nearly singular."""
    count = len(matrix)
    columns = []
    for n in range(count):
        column = _solved(matrix, [float(m == n) for m in range(count)])
        if column is None:
            return None
        columns.append(column)
    return [[column[n] for column in columns] for n in range(count)]
