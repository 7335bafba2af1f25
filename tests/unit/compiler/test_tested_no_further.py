"""Legality is tested no further than needed, and no error of a test is missed."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.lowering.bodies import blocks
from gamedsl.compiler.lowering.bodies.failure_paths import Risks
from gamedsl.model.errors import GameRuleError
from gamedsl.model.semantics.safety import Safety
from tests.differential.lockstep import Lockstep

COUNTER = """game "Behind the first"
players A, B
board 3 wide 3 high
state:
    n: 0..9 = 0
    at: square = b2
    hit: 0..1 = 0
effect walk(d, k):
    {walk}
move step(k in 1..3, d in {{N, E}}):
    walk(d, k)
    ensure n != 5
move rest:
    require n < 9
    hit = 1
end:
    if stuck: draw
    if n == 9: A wins
"""
MAY_NOT_FIT = "n = n + k"
MAY_LEAVE = "if k == 3 and n + k < 9: at = at + d\n    n = min(9, n + k)"
NEVER_FAILS = "n = min(9, n + k)"


def game_of(walk: str) -> gamedsl.Game:
    return gamedsl.load(COUNTER.format(walk=walk), "interpreter")


@pytest.mark.parametrize("walk", [MAY_NOT_FIT, MAY_LEAVE, NEVER_FAILS])
def test_stuck_is_what_the_interpreter_says(walk: str) -> None:
    game = game_of(walk)
    engine = CompiledEngine(game.model)
    for seed in range(30):
        assert Lockstep(game.engine, engine, random.Random(seed)).play(12) is None


def test_an_error_behind_a_legal_action_is_raised() -> None:
    game = game_of(MAY_NOT_FIT)
    state = game.engine.state_of((8, 4, 0), 0)
    for engine in (game.engine, CompiledEngine(game.model)):
        with pytest.raises(GameRuleError, match="10"):
            engine.is_terminal(state)


def paths(walk: str) -> list[list[str]]:
    """The conditions under which `step` may fail, as written."""
    model = game_of(walk).model
    move = model.moves[0]
    risks = Risks(Safety(), frozenset(parameter.slot for parameter in move.parameters))
    risks.read(move.body, blocks.last_guard(move.body))
    text = model.source.text
    return [[text[node.span.start : node.span.end] for node in path] for path in risks.paths]


def test_conditions_on_arguments_of_an_effect_are_asked_in_advance() -> None:
    assert paths(MAY_LEAVE) == [["k == 3", "n + k < 9"]]
    assert paths(NEVER_FAILS) == []
    assert paths(MAY_NOT_FIT) == [[]]


def test_a_condition_behind_a_change_is_asked_as_far_as_possible() -> None:
    walk = "n = min(9, n + k)\n    if k == 3 and n < 9: at = at + d"
    assert paths(walk) == [["k == 3"]]
