"""Values of different kinds are equal only as `none`, on every engine: not where their codes meet,
and `true` is not 1."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.errors import CannotCompileError
from tests.differential.lockstep import Lockstep

HEAD = """game "Kinds"
players A, B
board 3 wide 2 high

state:
    at: none | square = none
    near: none | 0..9 = none
    way: none | directions = none
    truth: none | bool = none
    who: none | players = none
    found: 0..9 = 0

move put(s in square, n in 0..2):
    at, near, way, truth, who = s, n, N, n == 1, next(turn) if n == 2 else turn
    if QUESTION: found = 8

move clear:
    at, near, way, truth, who = none, none, none, none, none
    if QUESTION: found = 7

end:
    if found == 9: A wins
endless: draw
"""
COMPILED = [
    "at == near",
    "near != at",
    "at in {near, none}",
    "near in {at, none}",
    "{at} == {near}",
    "near == way",
    "first(q for q in square where q == at) == near",
    "who == near",
    "who in {near, none}",
    "truth == who",
]
REFUSED = ["truth == near", "near in {truth}", "truth in {near}"]


@pytest.mark.parametrize("question", COMPILED + REFUSED)
def test_values_of_different_kinds_are_equal_as_none_alone(question: str) -> None:
    engine = gamedsl.load(HEAD.replace("QUESTION", question), "interpreter").engine
    *puts, clear = engine.legal_actions(engine.initial_state())
    found = {engine.result(engine.initial_state(), put).cells[-1] for put in puts}
    found_of_none = engine.result(engine.initial_state(), clear).cells[-1]
    assert (found, found_of_none) == (({8}, 0) if "!=" in question else ({0}, 7))


@pytest.mark.parametrize("question", COMPILED)
def test_codes_of_compared_kinds_are_disjoint(question: str) -> None:
    game = gamedsl.load(HEAD.replace("QUESTION", question), "interpreter")
    for seed in range(3):
        play = Lockstep(game.engine, CompiledEngine(game.model), random.Random(seed)).play(12)
        assert play is None


@pytest.mark.parametrize("change", ["at = near", "near = at", "way = near"])
def test_a_cell_takes_no_value_of_another_kind(change: str) -> None:
    game = gamedsl.load(
        HEAD.replace("if QUESTION: found = 8", change).replace("QUESTION", "true"), "interpreter"
    )
    for seed in range(3):
        play = Lockstep(game.engine, CompiledEngine(game.model), random.Random(seed)).play(12)
        assert play is None


@pytest.mark.parametrize("question", REFUSED)
def test_kinds_whose_codes_cannot_be_disjoint_are_refused(question: str) -> None:
    game = gamedsl.load(HEAD.replace("QUESTION", question), "interpreter")
    with pytest.raises(CannotCompileError, match="mixed with numbers"):
        CompiledEngine(game.model)
