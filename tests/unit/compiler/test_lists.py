"""Positions in lists that are known only during play: the same items, the same errors."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from tests.differential.lockstep import Lockstep

HEAD = """game "Lists"
players A, B
def even = [[3, 1, 4], [1, 5, 9]]
def ragged = [[1, 2, 3], [4], [5, 6]]
def deep = [[[1, 2], [3, 4]], [[5, 6], [7, 0]]]
def of(row, place) = row[place]
state:
    i: 0..4 = 1
    j: 0..4 = 1
    k: 1..2 = 1
    maybe: 1..3 | none = 2
    found: 0..40 | none = 0
move step(x in 0..4, y in 0..4):
    i = x
    j = y
    k = 1 + x % 2
    maybe = none if y == 0 else min(3, y)
"""
ITEMS = {
    "one list": "found = even[1][j]",
    "lists of one size": "found = even[i][j]",
    "lists of many sizes": "found = ragged[i][j]",
    "lists of lists of lists": "found = deep[k][j][i]",
    "a position that cannot be outside": "found = even[k][k + 1]",
    "a position that may be none": "found = even[k][maybe]",
    "a position that is worked out": "found = ragged[6 // j][i - 1]",
    "a list that is handed over": "found = of(even[k], j)",
    "a sum of two": "found = ragged[i][j] + ragged[j][i]",
    "a row that is gone through": "found = sum(n for n in ragged[i])",
    "a row that is gone through as an argument": "found = sum(n for n in even[k])",
    "a condition": "if ragged[i][j] > 2: found = 7",
}


@pytest.mark.parametrize("name", ITEMS)
def test_items_and_errors_are_those_of_the_interpreter(name: str) -> None:
    text = f"{HEAD}    {ITEMS[name]}\nend:\n    if found == 40: A wins\n"
    game = gamedsl.load(text, "interpreter")
    engine = CompiledEngine(game.model)
    for seed in range(20):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(12) is None
