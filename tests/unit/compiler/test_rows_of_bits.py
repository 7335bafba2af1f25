"""Conditions on a row of an array of two values, beside the edge of the board: one set, no loop."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.module import generate
from tests.unit.compiler.test_fills import difference

GAME = """game "Rows"
players X, O
board 3 wide 3 high
type Mark = red | blue
state:
    mine[players, square]: bool = false
    dyed[players, square]: Mark = red
    seat[players, square]: none | X = none
move go(s in square):
    require not mine[X, s] and not mine[O, s]
    mine[turn, s] = true
    if row(s) == 2: dyed[turn, s] = blue
    if column(s) == 2: seat[opponent, s] = X
{also}end:
    for p in players:
        if any(all(mine[p, s + i*d] for i in 0..2) for s in square for d in directions): p wins
    if all(mine[X, s] or mine[O, s] for s in square): draw
"""

CONDITIONS = (
    "any(mine[turn, q + N] for q in square)",
    "all(mine[turn, q + E] == false for q in square)",
    "any(mine[turn, q + NE] != true for q in square)",
    "count(dyed[turn, q + N] == red for q in square) > 4",
    "any(dyed[turn, q + W] != blue and mine[turn, q] for q in square)",
    "count(seat[turn, q + S] == none for q in square) > 8",
    "count(seat[turn, q + S] == X for q in square) > 1",
)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_beyond_the_edge_there_is_no_value(condition: str) -> None:
    assert difference(GAME.format(also=f"    if {condition}: again\n")) is None


def test_lines_are_sets() -> None:
    source = generate(gamedsl.load(GAME.format(also=""), "interpreter").model).source
    assert "def all" not in source
    assert "def any" not in source
