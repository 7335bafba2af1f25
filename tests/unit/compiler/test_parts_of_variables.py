"""Parts of variables with several indices as boards: the same on both engines."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from tests.differential.lockstep import Lockstep

HEAD = """game "Boards side by side"
players A, B
type Which = left | middle | right
board 3 wide 2 high
directions N, E, S, W
def row_of_two(a, p) = line(a, p, 2, {E})
def taken(a, s) = a[s] != empty
def both(a, b, p) = row_of_two(a, p) and line(b, p, 2)
effect clear(a, s):
    a[s] = empty
    for t in square where a[t] == turn:
        a[t] = opponent
state:
    on[Which, square]: empty | players = empty
    deep[1..2, players, square]: empty | 1..2 = empty
    left_over[1..2, 1..3]: empty | 0..1 = empty
    at: Which = middle
    maybe: Which | none = none
    k: 1..4 = 1
    found: 0..40 = 0
move put(b in Which, s in square, n in 1..4):
    on[b, s] = turn if on[b, s] == empty else empty
    deep[1 + n % 2, turn, s] = 1 + n // 3
    left_over[1 + n % 2, 1 + n // 2] = 0
    at = b
    maybe = b if n < 3 else none
    k = n
"""
USES = {
    "a line": "if line(on[at], turn, 2): found = 1",
    "a line of a length": "if line(on[at], turn, k): found = 1",
    "a line of a known board": "if line(on[left], A, 3) or line(on[right], opponent, 2): found = 2",
    "a line of digits": "if line(deep[1, turn], 1, 2): found = 3",
    "an index that is worked out": "if line(deep[1 + k // 3, A], 1 + k % 2, 2): found = 3",
    "an index that may be wrong": "if k < 3 and line(deep[k, B], 1, 2): found = 9",
    "an index that is wrong at times": "if line(deep[k, B], 1, 2): found = 9",
    "full boards": "if any(full(on[c]) for c in Which): found = 4",
    "full of no squares": "if full(left_over[1]) or full(left_over): found = 5",
    "a group": "found = count(t for t in group(on[at], s))",
    "a group of digits": "found = len(group(deep[2, turn], s, {N, E}))",
    "in sight": "found = count(t for t in sight(on[b], s, E))",
    "in sight of a board that may be none": "if maybe != none: found = len(sight(on[maybe], s, W))",
    "a def": "if row_of_two(on[b], turn): found = 6",
    "defs of defs": "if both(on[b], on[at], turn) or both(on[at], on[left], B): found = 7",
    "a cell in a def": "found = count(taken(on[c], s) for c in Which)",
    "an effect": "clear(on[at], s)\n    clear(on[right], a1)",
    "a part of a part": "if line(deep[1][A], 2, 2) and deep[1][A][s] == 2: found = 8",
    "quantified": "found = count(line(on[c], p, 2) for c in Which for p in players)",
}


@pytest.mark.parametrize("name", USES)
def test_parts_are_boards_as_for_the_interpreter(name: str) -> None:
    text = f"{HEAD}    {USES[name]}\nend:\n    if found == 40: A wins\nendless: draw\n"
    game = gamedsl.load(text, "interpreter")
    engine = CompiledEngine(game.model)
    for seed in range(6):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(12) is None
