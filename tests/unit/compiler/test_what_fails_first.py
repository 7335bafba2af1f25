"""What may fail is worked out, and in the order of the language, whatever becomes of it."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from tests.differential.lockstep import Lockstep

HEAD = """game "Order"
players A, B
board 3 wide 3 high
def second(one, other) = other > 1
def always(one) = true
def many(one, other) = 1 + (other + 1) * (other + 2) * (other + 3) * (other + 4) % 7
state:
    i: 0..3 = 1
    j: 0..3 = 1
    at: square | none = a1
    cell[1..2, 1..2]: bool = false
    found: 0..60 = 0
    who: players | none = none
move step(x in 0..3, y in 0..3, d in directions):
    at = at + d
    i = x
    j = y
    who = turn if x > y else none
"""
BODIES = {
    "an argument that is not read": "if second(6 // i, j): found = 1",
    "an argument of a body that is known": "if always(6 // i): found = 1",
    "an argument of a long body": "found = many(6 // i, j)",
    "greater": "if 6 // i > 7 // j: found = 1",
    "not less": "if 6 // i >= 6 % j: found = 1",
    "less": "if 6 // i < 7 // j: found = 1",
    "indices": "if cell[6 // i, 6 // j]: found = 1",
    "a cell that is written": "cell[6 // i, 6 // j] = 7 // j > 2",
    "a row of what may be none": "if row(at) > 2: found = 1",
    "a distance from none": "found = abs(row(at) - 2)",
    "a range up to none": "found = sum(n for n in 1..row(at))",
    "a sum with none": "if 6 // i + row(at) > 3: found = 1",
    "an element that can be no member": "if 6 // i in {7, 8, 9}: found = 1",
    "a quotient": "if 6 / i > 7 / j: found = 1",
    "one or the other": "found = 6 // i if 7 // j > 2 else 5",
    "who follows nobody": "if next(who) == turn: found = i",
    "who follows, of one behind a failure": "if 6 // i > 2 and other(next(who)) != turn: found = j",
    "a direction that may be none, turned round": "let way = first(e for e in {d}"
    " where at + e != none)\n    at = at - (-way)",
    "an element of nothing": "if 6 // i in {}: found = 1",
    "items of tuples": "for (a, b) in {(6, 1), (0, 2)}: found = b // i + a",
    "a tuple": "if (6 // i, 7 // j) in {(1, 2), (3, 4)}: found = 1",
}


@pytest.mark.parametrize("name", BODIES)
def test_the_same_fails_first(name: str) -> None:
    text = f"{HEAD}    {BODIES[name]}\nend:\n    if found == 60: A wins\n"
    game = gamedsl.load(text, "interpreter")
    engine = CompiledEngine(game.model)
    for seed in range(20):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(12) is None
