"""What the board rules out is left out before a guard is asked; no error of the guard is missed."""

from __future__ import annotations

import random
import re

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from tests.differential.lockstep import Lockstep

GAME = """game "Guards that may fail"
players A, B
board 5 wide 5 high
state:
    man[square]: empty | players = empty
    old[players, square]: empty | players | nothing = empty
    at: square = b2
    n: 0..9 = 0
def risky(s) = 8 // (4 - row(s)) > n           # an error in row 4
move go(a in square where a == at or n == 3, b in square where man[b] == empty):
    require {guard}
    man[b] = turn
    old[turn, a] = turn
    at = b
    n += 1
move rest:
    n = min(9, n + 2)
end:
    if n >= 8: draw
"""
GUARDS = {
    "a step, or one that may fail": "any(b == a + d for d in {N, E}) or b == a + W and risky(b)",
    "behind one that may fail": "risky(b) and b in {a1, b2, c3}",
    "before one that may fail": "b == a + N and risky(b)",
    "both": "(b == a + N or b == a + E and risky(a)) and risky(b) and b == a + E",
    "each of several": "all(b == a + d or risky(b) for d in {N, E})",
    "any of several": "any(b == a + d and risky(b) for d in {N, E})",
    "either of two": "risky(b) and b == a + W if row(a) > 2 else b == a + N and row(a) < 4",
    "not": "not (b == a + N or risky(b))",
    "reads the state": "any(b == a + n*d for d in {N, E}) and risky(b)",
    "sight": "any(b in sight(old[turn], a, d) for d in {N, E})",
    "sight that may fail": "any(b in sight(old[turn], a, d) and risky(b) for d in {N, E})",
}


def engine_of(guard: str) -> tuple[gamedsl.Game, CompiledEngine]:
    game = gamedsl.load(GAME.format(guard=guard), "interpreter")
    return game, CompiledEngine(game.model)


@pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS)
def test_guards_are_asked_and_fail_as_in_the_interpreter(guard: str) -> None:
    game, engine = engine_of(guard)
    for seed in range(2):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(8) is None


def test_squares_that_the_board_rules_out_are_left_out() -> None:
    """One table of sets gives the squares b for each square a."""
    for title in ("before one that may fail", "any of several", "sight", "sight that may fail"):
        _, engine = engine_of(GUARDS[title])
        assert re.search(r" bs_\d+ = .*T\d+\[a_\d+\]", engine.generated.source), title
    _, engine = engine_of(GUARDS["behind one that may fail"])
    assert not re.search(r" bs_\d+ = .* & \d+$", engine.generated.source, re.MULTILINE)
