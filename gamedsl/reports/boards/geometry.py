"""Positions of the squares of a board in a picture: grids, grids of hexagons, and graphs.

Coordinates are in units of a square, y downwards. Boards that are graphs have lines between
neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from itertools import combinations, pairwise
from math import cos, dist, pi, sin, sqrt

from gamedsl.model.board import Board
from gamedsl.model.nodes.looks import BoardLook
from gamedsl.model.values import NONE, Vector
from gamedsl.source.records import dataclass

Point = tuple[float, float]
Side = tuple[float, float, float, float]
NEAR = 1.5
"""Greatest distance between adjacent squares."""

HEX_DIRECTIONS = 6
HEXAGON_EDGE = 0.6
"""Distance of the highest and the lowest hexagons' centres from the edge of the picture."""
_COORDINATES = re.compile(r"([a-z]+)(\d+)")


@dataclass(frozen=True, slots=True)
class Geometry:
    """Centres by the name of the square, the size of the board, and the shape of squares.

    Attributes:
        shape: "square", "hexagon" or "point".
        centres: within 0..width and 0..height, at least half a unit from the edge.
        edges: pairs of squares joined by a line.
        columns, rows: names at the edge with positions; empty on boards drawn in a circle.
        cut: columns cut off at the left plus rows cut off at the bottom.
    """

    shape: str
    centres: dict[str, Point]
    width: float
    height: float
    edges: tuple[tuple[str, str], ...] = ()
    columns: tuple[tuple[str, float], ...] = ()
    rows: tuple[tuple[str, float], ...] = ()
    is_chequered: bool = False
    has_dots: bool = True
    is_turned: bool = False
    """Whether the board is seen from the other side."""
    cut: float = 0.0

    def around(self, names: Container[str], margin: float = 0.0) -> Geometry:
        """The part of the board that holds some squares, at least one, and all squares at most
        `margin` to the side of them, above or below; the size fits the part. A part is taken before
        the board is turned."""
        inner = [place for name, place in self.centres.items() if name in names]
        (left, low), (right, high) = (
            tuple(end(place[axis] for place in inner) + way * margin for axis in (0, 1))
            for end, way in ((min, -1), (max, 1))
        )
        kept = {
            name: (x, y)
            for name, (x, y) in self.centres.items()
            if left <= x <= right and low <= y <= high
        }
        across, up = ([place[axis] for place in kept.values()] for axis in (0, 1))
        edge = HEXAGON_EDGE if self.shape == "hexagon" else 0.5
        dx, dy = min(across) - 0.5, min(up) - edge
        height = max(up) + edge - dy
        return replace(
            self,
            centres={name: (x - dx, y - dy) for name, (x, y) in kept.items()},
            width=max(across) + 0.5 - dx,
            height=height,
            edges=tuple(pair for pair in self.edges if all(name in kept for name in pair)),
            columns=tuple((name, x - dx) for name, x in self.columns if left <= x <= right),
            rows=tuple((name, y - dy) for name, y in self.rows if low <= y <= high),
            cut=dx + self.height - height - dy,
        )

    def turned(self) -> Geometry:
        """The board as seen from the other side."""
        width, height = self.width, self.height
        return replace(
            self,
            centres={name: (width - x, height - y) for name, (x, y) in self.centres.items()},
            columns=tuple((name, width - x) for name, x in self.columns),
            rows=tuple((name, height - y) for name, y in self.rows),
            is_turned=not self.is_turned,
        )


def geometry_of(board: Board, look: BoardLook = BoardLook.CHEQUERED) -> Geometry:
    """The geometry of a board."""
    if not board.is_grid:
        return _graph(board)
    if len(set(board.directions)) == HEX_DIRECTIONS:
        return _hexagons(board)
    centres = {
        square.name: (square.column - 0.5, board.height - square.row + 0.5)
        for square in board.squares
        if square.column is not None and square.row is not None
    }
    edges: tuple[tuple[str, str], ...] = ()
    if look is BoardLook.POINTS:
        near = (
            (square.name, neighbour.name)
            for square, neighbour in board.edges
            if dist(centres[square.name], centres[neighbour.name]) < NEAR
        )
        edges = tuple(near)
    return Geometry(
        "point" if look is BoardLook.POINTS else "square",
        centres,
        board.width,
        board.height,
        edges,
        *_names_at_edges(board, centres),
        is_chequered=look is BoardLook.CHEQUERED,
        has_dots=False,
    )


def sides_of(board: Board, geometry: Geometry, way: Vector) -> list[Side]:
    """The sides of squares and hexagons along the board's edge in one direction.

    For points, the lines along the edge.
    """
    last = [square for square in board.squares if board.step(square, way) is NONE]
    seen = -way if geometry.is_turned else way
    places = [geometry.centres[square.name] for square in last]
    if geometry.shape == "point":
        return [(*start, *end) for start, end in pairwise(places)]
    if geometry.shape == "square":
        x, y = seen.across / 2, -seen.up / 2
        ends = ((x - y, y - x), (x + y, y + x))
    return [
        (across + x1, up + y1, across + x2, up + y2)
        for across, up in places
        for (x1, y1), (x2, y2) in (
            [ends] if geometry.shape == "square" else _hexagon_sides(board, seen)
        )
    ]


def _hexagon_sides(board: Board, way: Vector) -> list[tuple[Point, Point]]:
    """Two of the six sides; corners are counted from the lowest corner to the right."""
    corners = [(sin(pi * k / 3) / sqrt(3), cos(pi * k / 3) / sqrt(3)) for k in range(7)]
    leans_left = Vector(1, 1) in board.directions
    if way.across:
        first = (1 if leans_left else 0) if way.across > 0 else (4 if leans_left else 3)
    else:
        first = 2 if way.up > 0 else 5
    corner_numbers = [first, (first + 1) % 6]
    return [(corners[k], corners[k + 1]) for k in corner_numbers]


def _names_at_edges(
    board: Board, centres: dict[str, Point]
) -> tuple[tuple[tuple[str, float], ...], tuple[tuple[str, float], ...]]:
    columns: dict[str, float] = {}
    rows: dict[str, float] = {}
    for square in board.squares:
        match = _COORDINATES.fullmatch(square.name)
        if match is not None:
            columns[match[1]], rows[match[2]] = centres[square.name]
    return tuple(columns.items()), tuple(rows.items())


def _hexagons(board: Board) -> Geometry:
    """Rows shifted by half a square each, so that the six directions are neighbours."""
    lean = -0.5 if Vector(1, 1) in board.directions else 0.5
    step = sqrt(3) / 2
    offset = max(0.0, -lean * (board.height - 1))
    centres = {
        square.name: (
            square.column - 0.5 + offset + lean * (square.row - 1),
            (board.height - square.row) * step + HEXAGON_EDGE,
        )
        for square in board.squares
        if square.column is not None and square.row is not None
    }
    width = board.width + 0.5 * (board.height - 1)
    height = (board.height - 1) * step + 2 * HEXAGON_EDGE
    return Geometry("hexagon", centres, width, height).around(centres)


def _graph(board: Board) -> Geometry:
    """A graph, drawn by the file's coordinates.

    Without coordinates, by letters and numbers if all names have the form `a1`; else in a circle.
    """
    in_chains = (pair for chain in board.chains for pair in pairwise(chain))
    pairs = dict.fromkeys(
        (square.name, neighbour.name) for square, neighbour in (*in_chains, *board.joined)
    )
    edges = tuple((start, end) for start, end in pairs if start != end)
    if board.places:
        return _placed(board, edges)
    matches = {square.name: _COORDINATES.fullmatch(square.name) for square in board.squares}
    if not all(matches.values()):
        return _circle(tuple(matches), edges)
    places = {name: (_order(match[1]), int(match[2])) for name, match in matches.items() if match}
    left, right = _ends([x for x, _ in places.values()])
    low, high = _ends([y for _, y in places.values()])
    centres = {name: (x - left + 0.5, high - y + 0.5) for name, (x, y) in places.items()}
    columns, rows = _names_at_edges(board, centres)
    return Geometry("point", centres, right - left + 1, high - low + 1, edges, columns, rows)


def _placed(board: Board, edges: tuple[tuple[str, str], ...]) -> Geometry:
    """The file's coordinates, scaled to a least distance of one unit between points."""
    places = [(float(x), float(y)) for x, y in board.places]
    nearest = min((dist(start, end) for start, end in combinations(places, 2)), default=1.0)
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    low, high = min(y for _, y in places), max(y for _, y in places)
    centres = {
        square.name: ((x - left) / nearest + 0.5, (high - y) / nearest + 0.5)
        for square, (x, y) in zip(board.squares, places, strict=True)
    }
    width, height = (right - left) / nearest + 1, (high - low) / nearest + 1
    return Geometry("point", centres, width, height, edges)


def _circle(names: tuple[str, ...], edges: tuple[tuple[str, str], ...]) -> Geometry:
    radius = max(1.0, 1.4 * len(names) / (2 * pi))
    centres = {
        name: (
            radius + 0.5 + radius * sin(2 * pi * place / len(names)),
            radius + 0.5 - radius * cos(2 * pi * place / len(names)),
        )
        for place, name in enumerate(names)
    }
    return Geometry("point", centres, 2 * radius + 1, 2 * radius + 1, edges)


def _order(letters: str) -> int:
    """The number of a column's letters: a is 1, z is 26, aa is 27."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("a") + 1
    return number


def _ends(values: list[int]) -> tuple[int, int]:
    return min(values), max(values)
