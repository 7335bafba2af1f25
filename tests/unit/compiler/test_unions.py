"""Sets that are written down in play: each value once, and each set on its own."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from tests.differential.lockstep import Lockstep

GAME = """game "Hands"
players A, B
state:
    has[0..{most}]: bool = false
    starter: none | 0..{most} = none
    points: 0..9999 = 0
def pairs(c) = count(v % 13 == w % 13 for v in c for w in c where v < w)
def hand = {{v for v in 0..{most} where has[v]}}
move turn_up(i in {{0, 30, 31, 32, 60, 61, 62, 63, {most}}}):
    starter = none if starter != none else i
    has[i] = not has[i]
    points = {points}
end:
    if points > 9000: draw
"""


@pytest.mark.parametrize("most", [61, 310])
@pytest.mark.parametrize(
    "points", ["count(hand | {starter})", "pairs({v + 1 for v in hand} | hand | {70})"]
)
def test_a_set_of_many_values_has_no_repeats(points: str, most: int) -> None:
    game = gamedsl.load(GAME.format(points=points, most=most), "interpreter")
    assert Lockstep(game.engine, CompiledEngine(game.model), random.Random(1)).play(20) is None


def test_two_sets_that_are_held_are_two() -> None:
    loop = "    for v in {}:\n        points += v\n        has[v] = v > {}\n"
    moves = "    let a = hand\n"
    moves += "    let b = {v for v in 0..7 where not has[v]}\n    has[i] = not has[i]\n"
    head = GAME.format(points="points", most=7).replace(
        "{0, 30, 31, 32, 60, 61, 62, 63, 7}", "0..7"
    )
    text = head.replace("end:", moves + loop.format("a", "i") + loop.format("b", "2 * i") + "end:")
    game = gamedsl.load(text, "interpreter")
    assert Lockstep(game.engine, CompiledEngine(game.model), random.Random(1)).play(20) is None
