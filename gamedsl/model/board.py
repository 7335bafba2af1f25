"""The board: squares and steps between squares. Pure geometry, no contents.

A grid has coordinates and directions; a graph has edges and chains. `none` stands for every place
off the board, and every operation on `none` gives `none` or an empty result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from fractions import Fraction
from itertools import pairwise, product

from gamedsl.model.values import COMPASS, NONE, Atom, Domain, Square, Value, Vector, number_among
from gamedsl.source.records import dataclass

FIRST_ORDER = 10_000
"""First order number of squares: squares are sorted behind all other atoms of a game."""


@dataclass(frozen=True)
class Board:
    """Squares in order (row by row from the bottom on a grid; as first written on a graph).

    Attributes:
        directions: the directions of this game (empty on a graph).
        chains: the written lines of a graph board; a chain that ends at its first point is closed.
        joined: edges of a graph outside all chains.
        places: drawing positions of a graph's points, in the order of the squares, to the right and
            upwards; empty if not given.
        width, height: of a grid, in squares; 0 on a graph.
        wraps_across: whether the last column is followed by the first.
        wraps_up: whether the top row is followed by the bottom row.
        frame: the indices of the cells that are the squares, of a board that was an array
            (`slicing.boards`); the last index counts fastest.
    """

    squares: tuple[Square, ...]
    directions: tuple[Vector, ...]
    chains: tuple[tuple[Square, ...], ...] = ()
    width: int = 0
    height: int = 0
    wraps_across: bool = False
    wraps_up: bool = False
    joined: tuple[tuple[Square, Square], ...] = ()
    places: tuple[tuple[int | Fraction, int | Fraction], ...] = ()
    frame: tuple[Domain, ...] = ()
    named: dict[str, Square] = field(init=False, compare=False, repr=False)
    """The squares by name."""
    _at: dict[tuple[int, int], Square] = field(init=False, compare=False, repr=False)
    _adjacent: dict[tuple[Vector, ...], dict[Atom, tuple[Square, ...]]] = field(
        init=False, compare=False, repr=False
    )
    """Neighbours by the directions that lead to them."""
    _rays: dict[tuple[Atom, Vector | Atom], tuple[Square, ...]] = field(
        init=False, compare=False, repr=False
    )
    _steps: dict[tuple[Atom, Vector | Atom], Atom] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        at = {
            (s.column, s.row): s for s in self.squares if s.column is not None and s.row is not None
        }
        object.__setattr__(self, "named", {square.name: square for square in self.squares})
        object.__setattr__(self, "_at", at)
        object.__setattr__(self, "_rays", {})
        object.__setattr__(self, "_steps", {})
        object.__setattr__(self, "_adjacent", {})

    @property
    def is_grid(self) -> bool:
        """Whether squares have columns and rows."""
        return self.width > 0

    @property
    def coordinates(self) -> dict[Value, tuple[int, ...]]:
        """Of each square, column and row on a grid, the numbers of the indices on a board that was
        an array; empty on a graph."""
        if self.frame:
            told = product(*(range(len(domain)) for domain in self.frame))
            return dict(zip(self.squares, told, strict=True))
        return {square: place for place, square in self._at.items()}

    def at(self, column: Value, row: Value) -> Atom:
        """The square of a column and a row, both from 1; `none` off the board. On a side that
        wraps, columns and rows are counted modulo the size."""
        if not isinstance(column, int) or not isinstance(row, int):
            return NONE
        if self.wraps_across:
            column = (column - 1) % self.width + 1
        if self.wraps_up:
            row = (row - 1) % self.height + 1
        return self._at.get((column, row), NONE)

    def cell_at(self, *indices: Value) -> Atom:
        """The square with some indices of the frame; `none` if an index is `none`."""
        number = number_among(self.frame, indices)
        return NONE if number is None else self.squares[number]

    def step(self, square: Atom, offset: Vector | Atom) -> Atom:
        """`square + offset`: a square, or `none` off the board and for operands that are `none`."""
        target: Atom | None = self._steps.get((square, offset))
        if target is None:
            target = self._place(square, offset)
            self._steps[square, offset] = target
        return target

    def _place(self, square: Atom, offset: Vector | Atom) -> Atom:
        if not isinstance(square, Square) or not isinstance(offset, Vector):
            return NONE
        if square.column is None or square.row is None:
            return NONE
        return self.at(square.column + offset.across, square.row + offset.up)

    @property
    def wraps(self) -> bool:
        """Whether a side of the board wraps."""
        return self.wraps_across or self.wraps_up

    def wraps_along(self, offset: Vector) -> bool:
        """Whether steps in a direction may cross a seam of the board."""
        return (self.wraps_across and offset.across != 0) or (self.wraps_up and offset.up != 0)

    def shortest(self, offset: Vector) -> Vector:
        """The offset to the same squares without whole turns round the board."""
        return Vector(
            offset.across % self.width if self.wraps_across else offset.across,
            offset.up % self.height if self.wraps_up else offset.up,
        )

    def ray(self, square: Atom, offset: Vector | Atom) -> tuple[Square, ...]:
        """The squares from `square` outward, `square` excluded, to the edge of the board, or until
        the ray returns to `square`."""
        ray = self._rays.get((square, offset))
        if ray is None:
            squares: list[Square] = []
            place: Atom = self.step(square, offset)
            while isinstance(place, Square) and place is not square:
                squares.append(place)
                place = self.step(place, offset)
            ray = self._rays[square, offset] = tuple(squares)
        return ray

    def neighbours(
        self, square: Atom, ways: tuple[Vector, ...] | None = None
    ) -> tuple[Square, ...]:
        """The other squares a step away: by the directions `ways` (the game's if None), or along
        the graph's edges."""
        chosen = self.directions if ways is None else ways
        adjacent = self._adjacent.get(chosen)
        if adjacent is None:
            adjacent = self._adjacent[chosen] = self._edges(chosen)
        return adjacent.get(square, ())

    def is_mutual(self, ways: tuple[Vector, ...] | None = None) -> bool:
        """Whether each square is a neighbour of its neighbours."""
        near = {square: self.neighbours(square, ways) for square in self.squares}
        return all(square in near[other] for square in near for other in near[square])

    def lines(
        self, length: int, ways: tuple[Vector, ...] | None = None
    ) -> tuple[tuple[Square, ...], ...]:
        """All straight runs of `length` squares, without repetition.

        On a grid along the directions `ways` (the game's if None), on a graph along its chains.
        """
        if length <= 0:
            return ()
        if not self.is_grid:
            runs = [run for chain in self.chains for run in _stretches(chain, length)]
        else:
            chosen = self.directions if ways is None else ways
            candidates = (self._run(s, way, length) for s in self.squares for way in chosen)
            runs = [run for run in candidates if len(run) == length]
        return tuple({frozenset(run): run for run in reversed(runs)}.values())

    @property
    def edges(self) -> tuple[tuple[Square, Square], ...]:
        """Pairs of neighbouring squares, without repetition, in the order of the squares."""
        order = {square: n for n, square in enumerate(self.squares)}
        pairs = (
            (square, neighbour) for square in self.squares for neighbour in self.neighbours(square)
        )
        ordered = (sorted(pair, key=lambda square: order[square]) for pair in pairs)
        return tuple(dict.fromkeys((first, second) for first, second in ordered))

    def pieces(self) -> tuple[tuple[Square, ...], ...]:
        """The connected components of the squares, provided that every step can be reversed."""
        pieces: list[tuple[Square, ...]] = []
        seen: set[Square] = set()
        for square in self.squares:
            piece = [square] if square not in seen else []
            seen.add(square)
            for reached in piece:  # `piece` grows in the loop
                new = [near for near in self.neighbours(reached) if near not in seen]
                piece += new
                seen.update(new)
            pieces += [tuple(piece)] if piece else []
        return tuple(pieces)

    def _run(self, start: Square, offset: Vector, length: int) -> tuple[Square, ...]:
        """At most `length` distinct squares straight on from `start`, `start` included; fewer at
        the edge, and where the run returns."""
        run = [start]
        while len(run) < length:
            place = self.step(run[-1], offset)
            if not isinstance(place, Square) or place in run:
                break
            run.append(place)
        return tuple(run)

    def _edges(self, directions: tuple[Vector, ...]) -> dict[Atom, tuple[Square, ...]]:
        adjacent: dict[Atom, list[Square]] = {square: [] for square in self.squares}
        in_chains = (pair for chain in self.chains for pair in pairwise(chain))
        for first, second in (*in_chains, *self.joined):
            for here, there in ((first, second), (second, first)):
                if there is not here and there not in adjacent[here]:
                    adjacent[here].append(there)
        for square in self.squares:
            for way in directions:
                neighbour = self.step(square, way)
                if isinstance(neighbour, Square) and neighbour not in (square, *adjacent[square]):
                    adjacent[square].append(neighbour)
        return {square: tuple(places) for square, places in adjacent.items()}


def _stretches(chain: tuple[Square, ...], length: int) -> Iterator[tuple[Square, ...]]:
    """The stretches of `length` distinct squares of a chain; a closed chain has no ends."""
    is_closed = len(chain) > 2 and chain[0] is chain[-1]
    if is_closed and length < len(chain):
        chain = chain[:-1] + chain[: length - 1]
    for start in range(len(chain) - length + 1):
        run = chain[start : start + length]
        if len(set(run)) == length:
            yield run


def grid_squares(width: int, height: int, first_order: int) -> tuple[Square, ...]:
    """All squares of a full grid: a1, b1, ... row by row from the bottom."""
    return tuple(
        Square(column_name(column) + str(row), first_order + number, column, row)
        for number, (row, column) in enumerate(
            (row, column) for row in range(1, height + 1) for column in range(1, width + 1)
        )
    )


def column_name(column: int) -> str:
    """The letters of a column counted from 1: a..z, aa, ab, ..."""
    name = ""
    while column:
        column, digit = divmod(column - 1, 26)
        name = chr(ord("a") + digit) + name
    return name


def all_directions() -> tuple[Vector, ...]:
    """The eight compass directions."""
    return tuple(COMPASS.values())
