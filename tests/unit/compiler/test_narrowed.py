"""Values that conditions have narrowed, and atoms mixed with numbers: the same on both engines."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.interpreter.rules import RulesInterpreter
from tests.differential.lockstep import Lockstep

HEAD = """game "A number or nothing"
players A, B
board 3 wide 1 high
def list = [2, 0, 3]
def is_open(s) = on[s] != empty
state:
    on[square]: empty | 0..3 = empty
    far[1..3]: 1..3 | none | empty = 2
    at: players | none = none
    spot: square | none = none
    kept[players]: 0..9 = 0
    found: 0..40 = 0
move put(s in square, k in 0..3, n in 1..3):
    on[s] = k if on[s] == empty else empty
    far[n] = k if k > 0 else none if n < 3 else empty
    at = turn if k != 1 else none
    kept[turn] = k
    spot = s if k > 1 else none
"""
TAIL = "end:\n    if found == 40: A wins\nendless: draw\n"
USES = {
    "a cell of a board": "if on[a1] != empty: found = on[a1] + 1",
    "a square that may be none": "if on[a1 + k * E] in 0..3: found = on[a1 + k * E] * 2",
    "a cell of digits": "if far[n] not in {none, empty}: found = far[n] + far[n]",
    "a table": "if far[n] in 1..3: found = list[far[n]]",
    "an index": "if far[n] != empty and far[n] != none: far[far[n]] = 1",
    "a condition in a def": "if is_open(s): found = on[s] + 5",
    "a sum": "found = sum(on[t] for t in square where on[t] != empty)",
    "a greatest one": "found = max(0 if on[t] == empty else on[t] for t in square)",
    "many conditions": "if any(on[t] != empty and on[t] + 1 == k for t in square): found = 7",
    "a change": "if on[s] != empty and on[s] < 3: on[s] += 1",
    "a range": "if on[s] != empty: found = count(x for x in 0..on[s])",
    "a player": "if at != none: kept[next(at)] = 9",
    "a square": "if spot != none: found = column(spot) + row(spot)",
    "one side of two": "found = column(spot if spot != none else c1) * 2",
    "a name for it": "let y = far[n]\n    if y in 2..3: found = 10 // y",
}


@pytest.mark.parametrize("name", USES)
def test_narrowed_values_are_those_of_the_interpreter(name: str) -> None:
    text = f"{HEAD}    {USES[name]}\n{TAIL}"
    game = gamedsl.load(text, "interpreter")
    engine = CompiledEngine(game.model)
    for seed in range(10):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(12) is None


@pytest.mark.parametrize(
    "asked",
    [
        "require spot != none\n    require column(spot) is greatest",
        "require row(spot if spot != none else a1) is greatest",
    ],
)
def test_what_is_greatest_may_be_asked_of_a_square_that_is_there(asked: str) -> None:
    first, changes = HEAD.split("    on[s] = k")
    text = f"{first}    {asked}\n    on[s] = k{changes}{TAIL}"
    assert gamedsl.load(text, "interpreter").model.moves


def test_what_an_ending_rules_out_may_be_met_behind_it() -> None:
    text = (
        f"{HEAD}end:\n    if spot == none: draw\n    if column(spot) == 2: A wins\nendless: draw\n"
    )
    game = gamedsl.load(text, "interpreter")
    rules = RulesInterpreter(game.model)
    assert len(rules.outcomes_holding(game.initial_state(), rules.can_move)) == 1


def test_players_are_numbered_as_turns_are_beside_atoms_among_numbers_and_squares() -> None:
    text = """game "Families"
players A, B
board 2 wide 2 high
state:
    at[square]: empty | players = empty
    pos: square | players | nowhere = nowhere
    n: empty | 0..3 = empty
    score[players]: 0..9 = 0
move go(s in square):
    require at[s] == empty
    at[s] = turn
    pos = s if column(s) == 1 else turn
    n = 0 if n == empty else min(3, n + 1)
    score[turn] += 1 if pos != turn else 2
end:
    if full(at): draw
"""
    game = gamedsl.load(text, "interpreter")
    engine = CompiledEngine(game.model)
    for seed in range(10):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(12) is None
