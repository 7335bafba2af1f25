"""The builtins that are given a whole variable: what is in sight, groups, lines.

In: the variable and the meanings of the other arguments. Out: a meaning. Builtins that are
functions of values have theirs in `gamedsl.model.builtins`.
"""

from __future__ import annotations

from typing import Any

from gamedsl.interpreter.environment import Environment, Meaning
from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.values import EMPTY, Square, Value, Vector

Ways = tuple[Vector, ...] | None
"""Directions to go along; None: the game's."""


def array_builtin(
    name: str,
    board: Board,
    variable: nodes.Variable,
    arguments: tuple[Any, ...],
    ways: Ways,
) -> Meaning:
    """`sight(a, s, d)`, `group(a, s)`, `line(a, v, n)`, `full(a)` of an array over squares; `ways`
    are the directions that the call names."""
    match name:
        case "sight":
            return _sight(board, variable, *arguments)
        case "group":
            return _group(board, variable, arguments[0], ways)
        case "line":
            return _line(board, variable, arguments[0], arguments[1], ways)
        case _:
            return _full(variable)


def _number(variable: nodes.Variable, square: Square) -> int:
    return variable.offset + variable.indices[0].digit[square]


def _sight(board: Board, variable: nodes.Variable, start: Meaning, way: Meaning) -> Meaning:
    """The ray up to and including the first square that is not `empty`."""
    vacant = variable.domain.digit.get(EMPTY)

    def sight(env: Environment) -> Value:
        seen: list[Value] = []
        for square in board.ray(start(env), way(env)):  # type: ignore[arg-type]
            seen.append(square)
            if env.cells[_number(variable, square)] != vacant:
                break
        return tuple(seen)

    return sight


def _group(board: Board, variable: nodes.Variable, start: Meaning, ways: Ways) -> Meaning:
    """The squares connected to the start that hold the same value, the start included,
    in the order of the board."""

    def group(env: Environment) -> Value:
        square = start(env)
        if not isinstance(square, Square):
            return ()
        held = env.cells[_number(variable, square)]
        found: dict[Square, None] = {square: None}
        frontier = [square]
        while frontier:
            for near in board.neighbours(frontier.pop(), ways):
                if near not in found and env.cells[_number(variable, near)] == held:
                    found[near] = None
                    frontier.append(near)
        return tuple(sorted(found, key=lambda one: one.order))

    return group


def _line(
    board: Board, variable: nodes.Variable, value: Meaning, length: Meaning, ways: Ways
) -> Meaning:
    """Whether some straight run of squares holds the value throughout."""
    runs: dict[int, tuple[tuple[int, ...], ...]] = {}

    def numbers(size: int) -> tuple[tuple[int, ...], ...]:
        if size not in runs:
            runs[size] = tuple(
                tuple(_number(variable, square) for square in run)
                for run in board.lines(size, ways)
            )
        return runs[size]

    def line(env: Environment) -> Value:
        digit = variable.domain.digit.get(value(env))
        cells, size = env.cells, length(env)
        if digit is None or not isinstance(size, int):
            return False
        for run in numbers(size):
            for number in run:
                if cells[number] != digit:
                    break
            else:
                return True
        return False

    return line


def _full(variable: nodes.Variable) -> Meaning:
    """Whether no cell is `empty`."""
    vacant = variable.domain.digit.get(EMPTY)
    start, end = variable.offset, variable.offset + variable.size
    return lambda env: vacant not in env.cells[start:end]
