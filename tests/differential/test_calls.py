"""How often a `def` calls itself is limited where only the state decides it, by every engine."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.model import GameRuleError
from gamedsl.solvers.perft import perft

TEXT = """game "Calls"
players A, B

state:
    n: 0..40 = 0
    left: 0..9 = 0

def ways(k in 0..40, b in 0..1) = (
    1 if k == 0 or left > 3 else (ways(k - 1, 0) + (b if left > 2 else ways(k - 1, 1)) + b) % 5)
def twice(k in 0..40) = 0 if k == 0 else max(ways(k, 0), twice(k - 1))
def both(k) = ways(k, 0) + ways(k, 1)

move small(k in 1..3):
    n = ways(k, 0)
move large(k in 6..9):
    left = min(9, both(k))
move nested:
    left = twice(7)
    n = 40

end:
    if n == 40: A wins
"""
FEW = 1_000
"""Rounds; a tenth as many calls."""
ENGINES = ("interpreter", "python", "native")


def calls(text: str, engine: str, rounds: int = FEW) -> dict[str, str]:
    """What comes of each action in the first position: what is wrong, or nothing."""
    game = gamedsl.load(text, engine, max_rounds=rounds)
    state = game.initial_state()
    found = {}
    for action in game.legal_actions(state):
        try:
            game.result(state, action)
            said = ""
        except GameRuleError as error:
            said = f"{error.code} {error.message}"
        found[game.action_name(state, action)] = said
    return found


@pytest.mark.parametrize("engine", ["interpreter", "python"])
def test_calls_that_the_state_decides_on_are_counted_in_play(engine: str) -> None:
    found = calls(TEXT, engine)
    assert {name for name, said in found.items() if not said} == {
        "small(1)", "small(2)", "small(3)",
    }  # fmt: skip
    assert set(found.values()) == {
        "",
        "E3013 one call of `ways` has led to 100 more: no more are possible",
    }


def test_the_limit_goes_up_with_the_rounds() -> None:
    assert not any(calls(TEXT, "python", 20_000).values())


def test_each_call_from_outside_has_a_budget_of_its_own() -> None:
    text = TEXT.replace("large(k in 6..9)", "large(k in 1..4)").replace("twice(7)", "twice(2)")
    for engine in ("interpreter", "python"):
        assert not any(calls(text, engine).values())


def test_machine_code_counts_as_python_does() -> None:
    for engine in ENGINES:
        game = gamedsl.load(TEXT, engine, max_rounds=FEW)
        with pytest.raises(GameRuleError) as error:
            perft(game, depth=2)
        assert error.value.code == "E3013"
        assert error.value.span is not None
        assert "ways(k - 1, 1)" in game.source.text[error.value.span.start : error.value.span.end]


WITHOUT_STATE = """game "Walks"
players A
board 6 wide 6 high
directions N, E, S, W

def walks(s in square, seen subset of square) = max(0,
    1 + walks(t, seen | {t}) for t in neighbours(s) where t not in seen)

state:
    n: 0..9 = 0

move go:
    n = walks(a1, {a1}) % 10

end:
    if n > 0: A wins
"""


def test_what_is_known_beforehand_is_not_worked_out_for_ever() -> None:
    assert CompiledEngine(gamedsl.load(WITHOUT_STATE, "interpreter").model)


def test_check_does_not_ask_again_and_again() -> None:
    found = [one.code for one in gamedsl.check(WITHOUT_STATE).findings() if one.is_error]
    assert found == ["E3013"]
