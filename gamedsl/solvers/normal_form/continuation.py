"""Follow a curve of solutions from a known point: n equations in n + 1 unknowns.

In: equations with their derivatives, a point of the curve. Out: the first point of the curve at
which the last unknown reaches a target. A step goes along the tangent, and Newton's method corrects
back to the curve; the step is halved if the curve turns much or the corrections do not shrink
(E. Allgower and K. Georg, "Introduction to numerical continuation methods", 1990, chapters 2, 6
and 8). At a crossing the path goes straight on. The module knows nothing about games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot, inf

from gamedsl.source.records import dataclass

Point = list[float]
Rows = list[list[float]]
Equations = Callable[[Sequence[float]], tuple[list[float], Rows]]
"""At a point of n + 1 unknowns: the n values, which are all 0 on the curve, and the n + 1
derivatives of each value."""

FIRST_STEP, SHORTEST_STEP = 0.1, 1e-9
MOST_STEPS = 5_000
"""Maximal number of tried steps, including steps that proved too long; some hundred are usual."""
FINE_STEP = 1e-3
"""Maximal step across a turning point of the last unknown or a crossing of curves."""
STRAIGHT = 0.95
"""Minimal cosine of the angle between the tangents at both ends of a step."""
NEAR = 0.3
"""Maximal distance of the corrected point from the predicted point, relative to the step."""
GROWTH = 1.5
"""Growth factor of successful steps."""
MOST_CORRECTIONS = 8
PRECISION = 1e-11
"""Size of the last correction, relative to the size of the point."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The first point of a curve at which the last unknown reaches the target.

    Attributes:
        unknowns: without the last.
        turns: values of the last unknown at its turning points, in order.
        crossings: values at crossings with other curves, as far as detected by a change of sign of
            the determinant.
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
    """Follow the curve through `start` in the direction of increase of the last unknown.

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
    """A point with its tangent of length 1, at an acute angle to the direction `towards`; with
    `towards` itself if curves cross exactly at the point."""
    slopes = equations(point)[1]
    direction, sign = solved([*slopes, towards], [0.0] * len(slopes) + [1.0])
    if direction is None:
        return _Place(point, towards, sign)
    length = hypot(*direction)
    return _Place(point, [entry / length for entry in direction], sign)


def _corrected(
    equations: Equations, guess: Point, across: Sequence[float], step: float
) -> Point | None:
    """The point of the curve in the plane through a predicted point, normal to a direction; None if
    the point is too far away, or Newton's method does not converge."""
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
    """The solution of linear equations by elimination with scaled pivoting, and the sign of the
    determinant; None and 0 if there is no unique solution."""
    table, sign = [], 1
    for row, value in zip(rows, values, strict=True):
        scale = max(map(abs, row))
        if not 0 < scale < inf:
            return None, 0
        table.append([*(entry / scale for entry in row), value / scale])
    size = len(table)
    for column in range(size):
        best = max(range(column, size), key=lambda n: abs(table[n][column]))
        pivot_row = table[best]
        if not pivot_row[column]:
            return None, 0
        if (best != column) != (pivot_row[column] < 0):
            sign = -sign
        table[column], table[best] = pivot_row, table[column]
        rest = pivot_row[column + 1 :]
        for n in range(column + 1, size):
            row = table[n]
            if row[column]:
                factor = row[column] / pivot_row[column]
                left = (a - factor * b for a, b in zip(row[column + 1 :], rest, strict=True))
                table[n] = [*row[: column + 1], *left]
    solution = [0.0] * size
    for n in reversed(range(size)):
        row = table[n]
        known = sum(row[m] * solution[m] for m in range(n + 1, size))
        solution[n] = (row[-1] - known) / row[n]
    return solution, sign
