"""Cells whose domains depend on their indices, and cells that are left out: errors included."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from tests.differential.lockstep import Lockstep

HEAD = """game "Dependent"
players A, B
board 2 wide 2 high
param sizes = [1, 3]
state:
    holds[j in 1..2]: 0..sizes[j] = 0
    edge[a in 1..3, b in a + 1..4]: empty | players = empty
    cell[s in square]: empty | 1..row(s) = empty
    wide[a in 0..2, b in 0..2 where (a + b) % 2 == 1]: 0..a + 2*b = a
    far: 1..4 = 1
    at: square | none = none
move put(i in 1..4, k in 1..4, s in square):
    far = i
    at = s + N if k > 2 else s
"""
USES = {
    "a value that fits": "holds[2] = k - 1",
    "a value that fits some": "holds[1 + i % 2] = k % 4",
    "a value that fits none at times": "holds[1 + i % 2] = k",
    "a known value": "holds[1 + k // 3] = 2",
    "cells that are there": "if i < k: edge[i, k] = turn",
    "cells that may be missing": "edge[i, k] = turn",
    "reading what may be missing": "if i < 4 and k > 1 and edge[i, k] == empty: far = 2",
    "reading with a condition": "if i < k and edge[i, k] == empty: edge[i, k] = opponent",
    "all that are there": "far = 1 + count(edge[a, b] == turn for a in 1..2 for b in a + 1..3)",
    "values by square": "cell[s] = 1 + k % 2",
    "every square": "for t in square: cell[t] = 1 + k % 2",
    "values by square off the board": "if at != none: cell[at] = 2",
    "sums": "wide[i % 3, k % 3] += 1",
    "chance": "chance holds[1 + k % 2] in 0..2",
    "chance into what may be missing": "chance edge[1 + i % 3, k] in players",
}


@pytest.mark.parametrize("name", USES)
def test_what_fits_where_is_that_of_the_interpreter(name: str) -> None:
    text = f"{HEAD}    {USES[name]}\nend:\n    if far == 3 and at == a1: A wins\nendless: draw\n"
    game = gamedsl.load(text, "interpreter")
    engine = CompiledEngine(game.model)
    for seed in range(10):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(8) is None
