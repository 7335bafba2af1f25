"""Interpret builtins over a whole variable: sight, groups, lines, `full`.

Builtins that are functions of values are interpreted by `gamedsl.model.builtins`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from gamedsl.interpreter.environment import Environment, Meaning
from gamedsl.model.board import Board
from gamedsl.model.values import EMPTY, Domain, Square, Value, Vector
from gamedsl.source.records import dataclass

Directions = tuple[Vector, ...] | None
"""Directions of a call; None: the game's."""


@dataclass(frozen=True, slots=True)
class Array:
    """Adjacent cells of a variable.

    Attributes:
        start: the number of the first cell (never None: the indices are not `none`).
        indices: the domains of the remaining indices.
        domain: the domain of the cells.
    """

    start: Callable[[Environment], int | None]
    indices: tuple[Domain, ...]
    domain: Domain

    def first(self, env: Environment) -> int:
        """The number of the first cell."""
        number = self.start(env)
        assert number is not None, "an index of part of a variable is never `none`"
        return number

    def place(self, square: Square) -> int:
        """The number of the cell of a square, counted from the first cell."""
        return self.indices[0].digit[square]


def array_builtin(
    name: str, board: Board, array: Array, arguments: tuple[Any, ...], directions: Directions
) -> Meaning:
    """`sight(a, s, d)`, `group(a, s)`, `line(a, v, n)` of an array over squares; `directions`
    are the directions in the call."""
    match name:
        case "sight":
            return _sight(board, array, *arguments)
        case "group":
            return _group(board, array, arguments[0], directions)
        case _:
            return _line(board, array, arguments[0], arguments[1], directions)


def _sight(board: Board, array: Array, start: Meaning, way: Meaning) -> Meaning:
    """The ray up to and including the first square that is not `empty`."""
    vacant = array.domain.digit.get(EMPTY)

    def sight(env: Environment) -> Value:
        first = array.first(env)
        seen: list[Value] = []
        for square in board.ray(start(env), way(env)):  # type: ignore[arg-type]
            seen.append(square)
            if env.cells[first + array.place(square)] != vacant:
                break
        return tuple(seen)

    return sight


def _group(board: Board, array: Array, start: Meaning, directions: Directions) -> Meaning:
    """The squares connected to the start by squares of equal value, the start included, in the
    order of the board."""

    def group(env: Environment) -> Value:
        first, cells = array.first(env), env.cells
        square = start(env)
        if not isinstance(square, Square):
            return ()
        held = cells[first + array.place(square)]
        connected: dict[Square, None] = {square: None}
        frontier = [square]
        while frontier:
            for near in board.neighbours(frontier.pop(), directions):
                if near not in connected and cells[first + array.place(near)] == held:
                    connected[near] = None
                    frontier.append(near)
        return tuple(sorted(connected, key=lambda member: member.order))

    return group


def _line(
    board: Board, array: Array, value: Meaning, length: Meaning, directions: Directions
) -> Meaning:
    """Whether a straight run of squares holds the value throughout."""
    runs: dict[int, tuple[tuple[int, ...], ...]] = {}

    def places(size: int) -> tuple[tuple[int, ...], ...]:
        if size not in runs:
            runs[size] = tuple(
                tuple(array.place(square) for square in run)
                for run in board.lines(size, directions)
            )
        return runs[size]

    def line(env: Environment) -> Value:
        first = array.first(env)
        digit = array.domain.digit.get(value(env))
        cells, size = env.cells, length(env)
        if digit is None or not isinstance(size, int):
            return False
        for run in places(size):
            for place in run:
                if cells[first + place] != digit:
                    break
            else:
                return True
        return False

    return line


def full(array: Array, missing: frozenset[int]) -> Meaning:
    """Whether no cell is `empty`; `missing` are the numbers in a state of places that are no
    cells."""
    vacant, size = array.domain.digit.get(EMPTY), prod(len(index) for index in array.indices)

    def is_full(env: Environment) -> Value:
        first = array.first(env)
        return vacant not in env.cells[first : first + size]

    def is_full_but_for_missing(env: Environment) -> Value:
        first = array.first(env)
        return all(
            env.cells[number] != vacant or number in missing
            for number in range(first, first + size)
        )

    return is_full_but_for_missing if missing else is_full
