"""The ground on which men stand: squares, hexagons, points on wood, a frame, or holes.

Coordinates of a `Geometry` times `unit` pixels; colours of a theme.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import cos, pi, sin, sqrt

from gamedsl.model.nodes.looks import BoardLook
from gamedsl.reports.boards.geometry import Geometry
from gamedsl.reports.boards.themes import Theme
from gamedsl.reports.svg import element, number
from gamedsl.source.records import dataclass

LEAST_STARS, WIDE_STARS = 9, 12
"""Star points are on boards of at least 9 lines; from 12 lines on, on the fourth line."""
HOLE = 0.41


@dataclass(frozen=True, slots=True)
class Ground:
    """A board without men: squares by geometry and look; `colour` replaces that of the squares."""

    geometry: Geometry
    look: BoardLook
    colour: str | None
    theme: Theme
    unit: float

    def below(self) -> list[str]:
        """What lies below the squares."""
        geometry, unit, theme = self.geometry, self.unit, self.theme
        wide, high = geometry.width * unit, geometry.height * unit
        if self.look is BoardLook.FRAME:
            return [element("rect", x=0, y=0, width=wide, height=high, rx=0.12 * unit,
                            fill=self.colour or theme.frame)]  # fmt: skip
        if geometry.shape == "point":
            wood = element("rect", x=0, y=0, width=wide, height=high, rx=0.1 * unit,
                           fill=self.colour or theme.wood, stroke=theme.grain)  # fmt: skip
            lines = [self._edge(first, second) for first, second in geometry.edges]
            return [wood, *lines, *self._stars()]
        return self._other_colour()

    def square(self, name: str, *, is_last: bool) -> str:
        """A square, hexagon or point, marked if it is of the last move."""
        x, y = self.geometry.centres[name]
        unit, theme = self.unit, self.theme
        line = max(0.6, unit / 44)
        match self.geometry.shape:
            case "point":
                size = 0.44 if is_last else 0.1 if self.geometry.has_dots else 0.03
                fill = theme.last if is_last else theme.grain
                return element("circle", cx=x * unit, cy=y * unit, r=size * unit, fill=fill)
            case "hexagon":
                corners = [
                    (x + sin(pi * k / 3) / sqrt(3), y + cos(pi * k / 3) / sqrt(3)) for k in range(6)
                ]
                points = " ".join(f"{number(a * unit)},{number(b * unit)}" for a, b in corners)
                fill = theme.last if is_last else self.colour or theme.plain
                return element("polygon", points=points, fill=fill, stroke=theme.line,
                               stroke_width=line)  # fmt: skip
        if self.look in {BoardLook.FRAME, BoardLook.HOLES}:
            return self._hole(x * unit, y * unit, is_last=is_last)
        return element("rect", x=(x - 0.5) * unit, y=(y - 0.5) * unit, width=unit, height=unit,
                       fill=theme.last if is_last else self._fill(x, y),
                       stroke=self._rule(), stroke_width=line)  # fmt: skip

    def _fill(self, x: float, y: float) -> str:
        if not self.geometry.is_chequered:
            return self.colour or self.theme.plain
        return self.theme.dark if _is_dark(self.geometry, x, y) else self.theme.light

    def _rule(self) -> str:
        """The colour of lines between squares."""
        is_two = self.geometry.is_chequered
        return self.theme.grain if is_two or self.colour else self.theme.line

    def _hole(self, x: float, y: float, *, is_last: bool) -> str:
        """A window of a frame, or a hole in wood."""
        unit, theme = self.unit, self.theme
        if self.look is BoardLook.FRAME:
            rim = theme.last if is_last else theme.grain
            return element("circle", cx=x, cy=y, r=HOLE * unit, fill=theme.plain, stroke=rim,
                           stroke_width=unit / (14 if is_last else 40))  # fmt: skip
        wood = element("rect", x=x - unit / 2, y=y - unit / 2, width=unit, height=unit,
                       fill=theme.last if is_last else self.colour or theme.wood)  # fmt: skip
        return wood + element("circle", cx=x, cy=y, r=0.17 * unit, fill=theme.grain)

    def _edge(self, start: str, end: str) -> str:
        (x1, y1), (x2, y2) = self.geometry.centres[start], self.geometry.centres[end]
        unit = self.unit
        return element("line", x1=x1 * unit, y1=y1 * unit, x2=x2 * unit, y2=y2 * unit,
                       stroke=self.theme.grain, stroke_width=max(1.0, unit / 22))  # fmt: skip

    def _stars(self) -> Iterator[str]:
        """The star points of a square grid of lines, corners, middles and centre."""
        geometry = self.geometry
        size = geometry.width
        is_grid = not geometry.has_dots and len(geometry.centres) == size * geometry.height
        if not is_grid or size != geometry.height or size < LEAST_STARS:
            return
        near = 2.5 if size < WIDE_STARS else 3.5
        ends, middle = {near, size - near}, size / 2
        has_sides = size > LEAST_STARS + 4
        for x, y in product(sorted({*ends, middle}), repeat=2):
            is_side = (x == middle) != (y == middle)
            if size % 2 == 0 and middle in {x, y}:
                continue
            if has_sides or not is_side:
                yield element("circle", cx=x * self.unit, cy=y * self.unit, r=0.09 * self.unit,
                              fill=self.theme.grain)  # fmt: skip

    def _other_colour(self) -> list[str]:
        """The squares of the second colour, where a chequered board holds none of them."""
        geometry = self.geometry
        if geometry.shape != "square" or not geometry.is_chequered:
            return []
        colours = {_is_dark(geometry, x, y) for x, y in geometry.centres.values()}
        half = abs(2 * len(geometry.centres) - geometry.width * geometry.height)
        if len(colours) > 1 or half > 1:
            return []
        fill = self.theme.light if True in colours else self.theme.dark
        wide, high = geometry.width * self.unit, geometry.height * self.unit
        return [
            element("rect", x=0, y=0, width=wide, height=high, fill=fill, stroke=self.theme.grain)
        ]


def _is_dark(geometry: Geometry, x: float, y: float) -> bool:
    if geometry.is_turned:
        x, y = geometry.width - x, geometry.height - y
    return round(x + geometry.height - y + geometry.cut) % 2 == 1
