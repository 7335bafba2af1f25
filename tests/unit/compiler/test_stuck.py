"""`stuck` looks for one legal move, and for no more than errors that would be missed."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.module import generate_for_play
from gamedsl.compiler.options import EVERYTHING
from gamedsl.compiler.steps import WordSteps
from gamedsl.model import GameRuleError

PUT = """game "Put"
players A, B
state:
    left: 0..9 = {left}
move take(n in 1..3):
    left = {after}
    ensure left != 1
end:
    if stuck: turn loses
"""
CANNOT_FAIL = PUT.format(left=9, after="max(0, left - n)")
CAN_FAIL = PUT.format(left=2, after="left - n")


def stuck_of(text: str) -> str:
    """The generated function `stuck` of the first player."""
    source = generate_for_play(gamedsl.load(text).model, EVERYTHING).source
    begin = source.index("def stuck")
    return source[begin : source.index("\ndef ", begin)]


def test_the_first_legal_move_of_moves_that_cannot_fail_decides() -> None:
    assert "some" not in stuck_of(CANNOT_FAIL)
    assert "some" in stuck_of(CAN_FAIL)


@pytest.mark.parametrize("engine", ["interpreter", "python"])
def test_an_error_behind_a_legal_move_is_not_missed(engine: str) -> None:
    game = gamedsl.load(CAN_FAIL, engine=engine)
    with pytest.raises(GameRuleError, match="-1"):
        game.is_terminal(game.initial_state())


def test_the_legal_moves_that_the_end_asks_for_are_listed_once() -> None:
    text = PUT.format(left=9, after="left - 3 * n")
    definition = gamedsl.load(text, engine="interpreter")
    engine = CompiledEngine(definition.model)
    listed, list_first = [], engine.functions["legal_0"]

    def listing(*asked: object) -> int:
        listed.append(asked)
        count: int = list_first(*asked)
        return count

    engine.functions["legal_0"] = listing
    steps, start = WordSteps(engine), engine.initial_state()
    assert steps.at(steps.key(start))[1] == definition.legal_actions(definition.initial_state())
    assert not engine.is_terminal(start)
    assert len(engine.legal_actions(start)) == len(steps.at(steps.key(start))[1]) == 3
    assert len(listed) == 3  # by `end` of each of the steps, and by `end` of the state
