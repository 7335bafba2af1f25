"""Tests of `end:` are left out after moves that cannot have made the tests true, and only then."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from tests.differential.lockstep import Lockstep

GAME = """game "Ends"
players X, O
board 3 wide 3 high
state:
    at[square]: empty | players = empty
    lit[square]: bool = false
def reaches(p, t) = any(at[s] == p and any(q == t for q in group(at, s)) for s in square)
move put(s in square):
    require at[s] == empty
    at[s] = turn
    lit[s] = column(s) == row(s)
move take(s in square):
    require at[s] == opponent and count(at[q] == empty for q in square) < 5
    at[s] = empty
end:
    if {condition}: X wins
    if full(at): draw
"""
LEFT_OUT = (
    "any(at[s] == X and any(row(q) == 3 for q in group(at, s)) for s in square where row(s) == 1)",
    "any(all(at[s + i*d] == X for i in 0..2) for s in square for d in directions)",
    "reaches(X, c3)",
)
TESTED = (
    "any(at[s] == X and all(row(q) == 1 for q in group(at, s)) for s in square)",
    "any(at[s] == X and any(lit[q] for q in group(at, s)) for s in square)",
    "any(lit[s] and any(row(q) == 3 for q in group(at, s)) for s in square where row(s) == 1)",
    "all(at[s] == X for s in square where at[s] != empty) and at[b2] == X",
    "any(at[s] == opponent and any(q == c3 for q in group(at, s)) for s in square)",
    "not any(at[s] == empty for s in square where row(s) == 2)",
)


@pytest.mark.parametrize("condition", [*LEFT_OUT, *TESTED])
def test_ends_that_a_move_cannot_bring_about_are_not_tested(condition: str) -> None:
    game = gamedsl.load(GAME.format(condition=condition), "interpreter")
    engine = CompiledEngine(game.model)
    for seed in range(4):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(20) is None
    is_left_out = "end_after" not in engine.generated.module().aliases
    assert is_left_out == (condition in LEFT_OUT)


NOT_ALONE = {
    "an `else`": "if at[b2] == X: X wins\n    else:\n        if at[a1] == O: draw",
    "an `elif`": "if at[b2] == X: X wins\n    elif at[a1] == O: draw",
    "a block that need not end": "if at[b2] == X:\n        if at[a1] == O: draw",
}


@pytest.mark.parametrize("title", NOT_ALONE)
def test_ends_with_more_than_a_condition_and_an_outcome_are_tested(title: str) -> None:
    text = GAME.replace("if {condition}: X wins", NOT_ALONE[title])
    game = gamedsl.load(text, "interpreter")
    engine = CompiledEngine(game.model)
    assert "end_after" in engine.generated.module().aliases
    for seed in range(8):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(20) is None
