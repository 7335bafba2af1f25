"""A value that is a set or a list with repetitions keeps the repetitions, and a set made of it does
not, on every engine."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine

RULES = """game "Sets and lists"
players A, B
board 3 wide 3 high

state:
    m: 0..2 = 1
    over: bool = false

move go(k in 0..1):
    m = k
    over = true

def numbers = 1..3 if m == 0 else [3, 2, 2]
def squares = {a1, b1, c1} if m == 0 else [a1, a1, b2]
def listed = [1..3, [3, 2, 2]][m + 1]

end:
    if over: payoff A: %s, B: 0
"""


@pytest.mark.parametrize(
    ("expression", "payoffs"),
    [
        ("len(numbers)", (3, 3)),
        ("len(numbers - 0)", (3, 2)),
        ("sum(numbers)", (6, 7)),
        ("sum({x for x in numbers})", (6, 5)),
        ("len(numbers | {5})", (4, 3)),
        ("len(listed - 0)", (3, 2)),
        ("len(squares - c2)", (3, 2)),
        ("count(row(s) == 1 for s in squares)", (3, 2)),
        ("count(s == a1 for s in squares)", (1, 2)),
        ("len([x + y for x in numbers for y in numbers])", (9, 9)),
    ],
)
def test_repetitions_of_a_list_are_kept(expression: str, payoffs: tuple[int, int]) -> None:
    for engine in ("interpreter", "python"):
        game = gamedsl.load(RULES % expression, engine)
        assert isinstance(game.engine, CompiledEngine) == (engine == "python")
        start = game.initial_state()
        ends = [game.result(start, action) for action in game.legal_actions(start)]
        assert tuple(game.utilities(end)[0] for end in ends) == payoffs
