"""`chance v in S where ...v...` after a condition on `v`: `where` sees the outcome."""

from __future__ import annotations

from fractions import Fraction

import pytest

import gamedsl

GAME = """game "Drawn into a cell"
players Ann
state:
    v: 1..3 | none = none
    u[1..2]: 1..3 | none = none
    p: 1..2 = 2
    left[k in 1..3]: bool = k > 1
    drawn: 0..3 = 0
effect draw_it():
    v = none
    chance v in 1..3 where left[v] != false
    drawn = v
move go:
    require drawn == 0
    {body}
end:
    if drawn > 0: payoff Ann: drawn
"""
BODIES = {
    "a condition": ("require v == none", "chance v in 1..3 where left[v]", "drawn = v"),
    "an assignment": ("v = none", "chance v in 1..3 where v > 1", "drawn = v"),
    "a cell of an array": (
        "require u[p] == none", "chance u[p] in 1..3 where left[u[p]] != false", "drawn = u[p]",
    ),
    "a branch": ("if v == none:", "    chance v in 1..3 where left[v]", "    drawn = v"),
    "an effect": ("v = 1", "draw_it()"),
}  # fmt: skip


@pytest.mark.parametrize("engine", ["interpreter", "python", "native"])
@pytest.mark.parametrize("name", BODIES)
def test_where_sees_the_outcome_and_not_what_was_known_before(name: str, engine: str) -> None:
    game = gamedsl.load(GAME.format(body="\n    ".join(BODIES[name])), engine)
    assert gamedsl.solve(game).value == (Fraction(5, 2),)
