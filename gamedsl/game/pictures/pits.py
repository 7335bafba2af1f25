"""Positions of pits: a row, two rows in a ring, with a store at either end.

A variable that counts gives the numbers of its cells, row by row from the top.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.values import text_of
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Pits:
    """Numbers of cells: `rows` from the top, each from the left; the stores beside the rows; and
    the name of every cell.
    """

    rows: tuple[tuple[int, ...], ...]
    left: int | None
    right: int | None
    names: tuple[str, ...]


def pits_of(variable: nodes.Variable) -> Pits:
    """The rows of pits. A variable with one index and an even number of cells is a ring: the first
    half below, the second half above, running back. With two indices, there is a row for each value
    of the first index; of two rows, the second is above and runs back, as seen by a player sitting
    opposite. The last cell of each half is a store if these cells alone are empty at the start.
    """
    last = variable.indices[-1]
    length = len(last)
    names = tuple(text_of(value) for value in last.values) * (variable.size // length)
    if len(variable.indices) == 1 and length % 2 == 0 and length > 3:
        return _facing(variable, length // 2, names)
    if len(variable.indices) == 2 and len(variable.indices[0]) == 2:
        return _facing(variable, length, names)
    rows = [tuple(range(n, n + length)) for n in range(0, variable.size, length)]
    return Pits(tuple(reversed(rows)), None, None, names)


def _facing(variable: nodes.Variable, half: int, names: tuple[str, ...]) -> Pits:
    below, above = tuple(range(half)), tuple(range(half, 2 * half))
    first = [None if digit is None else variable.domain.values[digit] for digit in variable.initial]
    empty = {number for number, value in enumerate(first) if value == 0}
    if empty != {below[-1], above[-1]} or half == 1:
        return Pits((above[::-1], below), None, None, names)
    return Pits((above[-2::-1], below[:-1]), above[-1], below[-1], names)
