"""Variables that nothing assigns are tables: constants before the game starts, on every engine."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.encoding import StateFormatError, state_from_json
from tests.differential.lockstep import Lockstep

TEXT = """game "Worth"
players A, B
board 3 wide 2 high
type Kind = plain | swamp | hill
state:
    worth[square]: 0..9 = diagram
        1 2 3
        4 5 1
    cost[t in Kind]: 0..9 = 3 if t == swamp else 1
    kind[s in square]: Kind = swamp if column(s) == 2 else plain
    road[i in 1..2, k in i..3]: 0..9 = 2 * i + k
    needed: 1..3 = 3
    at[square]: empty | players = empty
    left[p in players]: 0..cost[swamp] + 3 = 6
    total[players]: 0..90 = 0
    to: square | none = none
move take(s in square where worth[s] > 1, i in 1..2, k in 1..3):
    require at[s] == empty and left[turn] >= cost[kind[s]]
    at[s] = turn
    to = s + E
    left[turn] -= cost[kind[s]]
    total[turn] += worth[s] + (worth[to] if to != none else 0)
    total[turn] += road[i, k] + count(worth[t] > worth[s] for t in square)
move rest(k in 1..needed):
    total[turn] += k
end:
    for p in players:
        if line(at, p, needed) or total[p] > 60: p wins
    if stuck: draw
endless: draw
"""


def test_tables_are_those_of_the_interpreter() -> None:
    game = gamedsl.load(TEXT, "interpreter")
    engine = CompiledEngine(game.model)
    for seed in range(10):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(10) is None


def test_tables_have_no_part_in_the_number_of_states() -> None:
    game = gamedsl.load(TEXT)
    assert [v.name for v in game.model.variables if not v.is_constant] == [
        "at",
        "left",
        "total",
        "to",
    ]
    assert game.model.facts.state_bound == 2 * 3**6 * 7**2 * 91**2 * 7


def test_a_state_from_outside_cannot_change_a_table() -> None:
    game = gamedsl.load(TEXT)
    with pytest.raises(StateFormatError, match="`cost` never changes"):
        state_from_json(game, {"variables": {"cost": {"swamp": "2"}}})


FAR_NONE = """game "Owing"
players A, B
state:
    owed: -90000..9 = 9
    shown: none | 0..4 = none
    kept: none | 0..4 = none
move owe(n in 0..4):
    owed -= n
    shown = n if owed % 3 > 0 else none
    kept = shown
end:
    if kept == none and owed < 0: turn wins
    if owed < -5: draw
"""


def test_a_code_of_none_far_below_the_numbers_makes_no_long_table() -> None:
    game = gamedsl.load(FAR_NONE, "interpreter")
    engine = CompiledEngine(game.model)
    assert len(engine.generated.source) < 10_000
    for seed in range(10):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(10) is None
