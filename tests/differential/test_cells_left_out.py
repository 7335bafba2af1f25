"""`full` of a variable that leaves cells out asks the cells that there are, on every engine."""

from __future__ import annotations

from itertools import combinations

import pytest

import gamedsl

TEXT = """game "All edges of a point"
players Red, Blue

state:
    edge[{indices}]: empty | players = empty
    table[{indices}]: empty | players = Red

move take(a in 1..4, b in 1..4 where a < b):
    require edge[a, b] == empty and full(table)
    edge[a, b] = turn

end:
    if full(edge): draw
    if any(full(edge[a]) for a in 2..3): opponent wins
    if full(table[1]) and full(table[4]) and full(edge[4]) and full(edge[1]): turn wins
"""
EDGES = tuple(combinations(range(1, 5), 2))


def plays(taken: frozenset[tuple[int, int]], plies: int) -> int:
    """How many sequences of so many plies there are, counted without the language."""
    full = [{(a, b) for b in range(a + 1, 5)} <= taken for a in range(1, 5)]
    if not plies:
        return 1
    if any(full[:3]):
        return 0
    return sum(plays(taken | {edge}, plies - 1) for edge in EDGES if edge not in taken)


@pytest.mark.parametrize("indices", ["a in 1..4, b in a+1..4", "a in 1..4, b in 1..4 where a < b"])
@pytest.mark.parametrize("engine", ["interpreter", "python", "native"])
def test_full_asks_the_cells_that_there_are(engine: str, indices: str) -> None:
    game = gamedsl.load(TEXT.format(indices=indices), engine)
    assert list(gamedsl.perft(game, 5)) == [plays(frozenset(), plies) for plies in range(6)]
