"""Small games that have shown a mistake of the compiler: played alike on both engines."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from tests.differential.lockstep import Lockstep

GAMES = {
    "elements that fail behind the first": """
players A, B
state:
    n: 0..3 = 0
    z: 0..1 = 0
move decide:
    require n < 3 and any(v == 0 for v in [1 % k for k in [1, n]])
    n += 1
move take:
    require n < 3 and first(v for v in {1 % k for k in [1, n]}) == 0
    n += 1
move walk:
    require n < 3
    for v in [1 % (k + n) for k in 0..1]: n += v
move belong:
    require n < 3 and 0 in [1 % k for k in [1, n]]
    n += 1
end:
    if n == 3: draw
""",
    "a line of whoever is to move": """
players Red, Blue
board 2 wide 1 high
state:
    cell[square]: empty | players = Blue
    left: 0..3 = 3
move take(s in square):
    cell[s] = empty
    left -= 1
move wait:
    require left > 0
    left -= 1
end:
    if line(cell, turn, 2): Red loses
    if left == 0: draw
""",
    "a cell drawn at an index drawn before": """
players X, O
state:
    hot[players, 0..1]: bool = false
    left: 0..2 = 2
setup:
    chance drawn in 1..2
    chance hot[turn, drawn % 2] in bool
move cool(n in 0..1):
    require left > 0
    hot[turn, n] = false
    left -= 1
end:
    if left == 0: draw
""",
    "a loop over numbers that puts values on a square": """
players A, B
board 2 wide 2 high
state:
    cell[square]: 0..9 = 0
    left: 0..3 = 3
move add(p in square):
    require left > 0
    for v in 2..5 where p != b2:
        if v % 2 == 1: cell[p] = v
    left -= 1
end:
    if left == 0: draw
""",
    "sets of known squares, compared": """
players A, B
board 3 wide 3 high
state:
    left: 0..3 = 3
move go(s in square):
    require {s, a1} == {a1, s} and [s, a1] != [a1, s]
    left -= 1
end:
    if left == 0: draw
""",
    "a direction that may be none, turned round": """
players A, B
board 3 wide 3 high
state:
    left: 0..3 = 3
move go(s in square):
    require s + -first(d for d in directions where s + d == none) != none
    left -= 1
end:
    if left == 0: draw
""",
}


@pytest.mark.parametrize("title", GAMES)
def test_games_that_were_once_different_are_played_alike(title: str) -> None:
    game = gamedsl.load(f'game "Once"\n{GAMES[title]}', "interpreter")
    for seed in range(6):
        together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(seed))
        assert together.play(20) is None
