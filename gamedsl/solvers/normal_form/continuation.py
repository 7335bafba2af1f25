"""A curve of solutions followed from a known one: equations in one unknown more than there are.

In: equations with their slopes, a point of the curve. Out: the first point of the curve at which
the last unknown is as great as asked for. A step goes along the tangent, Newton's method leads back
to the curve; a step after which the curve has turned much, or which the way back does not shrink,
is halved (E. Allgower and K. Georg, "Introduction to numerical continuation methods", 1990,
chapters 2, 6 and 8). Where curves cross it goes straight on. It knows nothing of games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot, inf

from gamedsl.source.records import dataclass

Point = list[float]
Rows = list[list[float]]
Equations = Callable[[Sequence[float]], tuple[list[float], Rows]]
"""At a point of n + 1 unknowns the n values, which are all 0 on the curve, and for each its n + 1
slopes."""

FIRST_STEP, SHORTEST_STEP = 0.1, 1e-9
MOST_STEPS = 5_000
"""Tried, those that turned out too long among them; some hundred are usual."""
FINE_STEP = 1e-3
"""As long as a step may be across a place where the last unknown turns back, or curves cross."""
STRAIGHT = 0.95
"""The cosine of the greatest angle between the tangents at both ends of a step."""
NEAR = 0.3
"""How far the corrected point may be from the guess, as a part of the step."""
GROWTH = 1.5
"""Each step is so many times as long as the last, as long as that works."""
MOST_CORRECTIONS = 8
PRECISION = 1e-11
"""Of a correction, relative to the size of the point: so small that it is the last."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The first point of a curve at which the last unknown is as great as asked for.

    Attributes:
        unknowns: without the last.
        turns: where the last unknown turned back on the way, in order.
        crossings: where another curve crossed this one, as far as the determinant of the slopes
            shows it, by a change of its sign.
    """

    unknowns: tuple[float, ...]
    turns: tuple[float, ...]
    crossings: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A point of the curve, the direction there, and the sign of the determinant."""

    point: Point
    direction: Point
    sign: int


class LostCurveError(ArithmeticError):
    """The curve cannot be followed beyond a value of the last unknown: `reached`."""

    def __init__(self, reached: float) -> None:
        super().__init__(f"no step leads on from {reached:.6g}")
        self.reached = reached


def follow(
    equations: Equations, start: Sequence[float], target: float, tick: Callable[[], None]
) -> CurvePoint:
    """Follow the curve through `start` in the direction in which the last unknown rises.

    Raises LostCurveError.
    """
    upwards = [0.0] * (len(start) - 1) + [1.0]
    here, step = _place(equations, list(start), upwards), FIRST_STEP
    turns: list[float] = []
    crossings: list[float] = []
    tried = 0
    while (now := here.point[-1]) < target:
        tick()
        tried += 1
        if step < SHORTEST_STEP or tried > MOST_STEPS:
            raise LostCurveError(now)
        ahead = _ahead(equations, here, step)
        if ahead is None:
            step /= 2
            continue
        turned = (ahead.direction[-1] > 0) != (here.direction[-1] > 0)
        crossed = ahead.sign != here.sign
        if (turned or crossed) and step > FINE_STEP:
            step /= 2
            continue
        then = ahead.point[-1]
        if then >= target:
            share = (target - now) / (then - now)
            guess = [a + share * (b - a) for a, b in zip(here.point, ahead.point, strict=True)]
            last = _corrected(equations, guess, upwards, step)
            if last is None:
                step /= 2
                continue
            return CurvePoint(tuple(last[:-1]), tuple(turns), tuple(crossings))
        if turned:
            turns.append(max(now, then) if here.direction[-1] > 0 else min(now, then))
        elif crossed:
            crossings.append(then)
        here, step = ahead, step * GROWTH
    return CurvePoint(tuple(here.point[:-1]), tuple(turns), tuple(crossings))


def _ahead(equations: Equations, here: _Place, step: float) -> _Place | None:
    """The place after a step; None if the step is too long."""
    guess = [entry + step * slope for entry, slope in zip(here.point, here.direction, strict=True)]
    point = _corrected(equations, guess, here.direction, step)
    if point is None:
        return None
    ahead = _place(equations, point, here.direction)
    cosine = sum(a * b for a, b in zip(ahead.direction, here.direction, strict=True))
    return ahead if cosine > STRAIGHT else None


def _place(equations: Equations, point: Point, towards: Point) -> _Place:
    """A point with the direction of length 1 in which no value changes, at an acute angle to
    another; that itself where curves cross at this very point."""
    slopes = equations(point)[1]
    found, sign = solved([*slopes, towards], [0.0] * len(slopes) + [1.0])
    if found is None:
        return _Place(point, towards, sign)
    length = hypot(*found)
    return _Place(point, [entry / length for entry in found], sign)


def _corrected(
    equations: Equations, guess: Point, across: Sequence[float], step: float
) -> Point | None:
    """The point of the curve in the plane through a guess that lies across a direction; None if it
    is too far away, or Newton's method does not come to it."""
    point, moved, before = list(guess), 0.0, inf
    for _ in range(MOST_CORRECTIONS):
        values, slopes = equations(point)
        change, _ = solved([*slopes, list(across)], [*(-value for value in values), 0.0])
        if change is None:
            return None
        length = hypot(*change)
        moved += length
        if moved > NEAR * step or length > before:
            return None
        point = [here + more for here, more in zip(point, change, strict=True)]
        if length <= PRECISION * (1 + hypot(*point)):
            return point
        before = length / 2
    return None


def solved(rows: Rows, values: Sequence[float]) -> tuple[Point | None, int]:
    """The solution of linear equations by elimination, the row with the greatest share first, and
    the sign of their determinant; None and 0 if there is no solution, or there are many."""
    table, sign = [], 1
    for row, value in zip(rows, values, strict=True):
        scale = max(map(abs, row))
        if not 0 < scale < inf:
            return None, 0
        table.append([*(entry / scale for entry in row), value / scale])
    size = len(table)
    for column in range(size):
        best = max(range(column, size), key=lambda n: abs(table[n][column]))
        own = table[best]
        if not own[column]:
            return None, 0
        if (best != column) != (own[column] < 0):
            sign = -sign
        table[column], table[best] = own, table[column]
        rest = own[column + 1 :]
        for n in range(column + 1, size):
            row = table[n]
            if row[column]:
                factor = row[column] / own[column]
                left = (a - factor * b for a, b in zip(row[column + 1 :], rest, strict=True))
                table[n] = [*row[: column + 1], *left]
    found = [0.0] * size
    for n in reversed(range(size)):
        row = table[n]
        known = sum(row[m] * found[m] for m in range(n + 1, size))
        found[n] = (row[-1] - known) / row[n]
    return found, sign
