"""Quantifiers over directions that ask about one square each: two sets of squares meet."""

from __future__ import annotations

from random import Random

import pytest

import gamedsl

GAME = """game "Targets"
players X, O
board 4 wide 3 high
state:
    at[square]: empty | players = empty
    lit[square]: bool = false
    king: square | none = b2
def near(q, p) = at[q] == p and lit[q]
move go(s in square):
    require at[s] == empty and ({condition} or s == a1 or king == none)
    at[s] = turn
    lit[s] = column(s) != 2
    king = s + NE if row(s) != 2 else s
end:
    if stuck: draw
"""
BY_SETS = [
    "any(near(king + d, turn) for d in directions)",
    "any(at[king + d + E] == opponent for d in {N, S})",
    "all(at[king + d] != turn for d in [N+NE, S+SW, E])",
    "any(near(first(q for q in ray(king, d) where at[q] != empty), turn) for d in {N, E, SW})",
    "any(near(king + (N if at[king] == turn else S) + e, opponent) for e in {E, W})",
]
ONE_BY_ONE = [
    "any(at[king + d] != turn for d in {N, S, E})",
    "all(at[king + d] == opponent for d in {N, E})",
    "any(at[king + d] == at[king - d] for d in {N, E})",
    "any(at[king + d] == turn and at[king + d + d] == empty for d in {N, E})",
    "any(near(king + d, turn) for d in {N, S, E} where d != N)",
]


@pytest.mark.parametrize("condition", [*BY_SETS, *ONE_BY_ONE])
def test_play_is_the_play_of_the_interpreter(condition: str) -> None:
    text = GAME.format(condition=condition)
    defining, game = (gamedsl.load(text, engine) for engine in ("interpreter", "python"))
    source = game.engine.generated.source
    assert ("def any" in source or "def all" in source) == (condition in ONE_BY_ONE)
    for seed in range(30):
        random, state = Random(seed), game.initial_state()
        while not game.is_terminal(state):
            actions = game.legal_actions(state)
            assert actions == defining.legal_actions(state)
            state = game.result(state, random.choice(actions))
        assert defining.is_terminal(state)
