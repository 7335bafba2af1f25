"""Repetitions that cannot come up, found by play."""

from __future__ import annotations

import pytest

from gamedsl import load
from gamedsl.conformance.explore import explore

COINS = """game "Coins on a path"
players A, B
state:
    at: 0..4 = 2
    coin[s in 0..4]: bool = s != 2
    clock: 0..50 = 0
move go(n in {-2, -1, 1, 2}):
    require at + n in 0..4
    at += n
    clock = 0 if coin[at] else clock + 1
    coin[at] = false
repeat {compared} 3 times: {outcome}
end:
    if not any(coin[s] for s in 0..4): opponent wins
    if clock == 50: draw
"""
FAILING = """game "Back and forth"
players A, B, C, D
state:
    at[players]: 0..59 = 0
    back: 0..3 = 0
move go(n in {-1, 1}):
    require at[turn] + n in 0..59
    at[turn] += n
    if n == -1: back += 1
repeat at 3 times: payoff A: 0, B: 0, C: 0, D: 0
end:
    if at[A] == 59: payoff A: 1, B: 0, C: 0, D: 0
"""


def remarks(text: str) -> list[str]:
    found = explore(load(text), max_positions=300, plays=20)
    return [one.message for one in found.diagnostics if one.code == "W3116"]


@pytest.mark.parametrize("outcome", ["draw", "turn wins"])
def test_a_variable_that_keeps_a_repetition_from_coming_up_is_named(outcome: str) -> None:
    (message,) = remarks(COINS.replace("{compared}", "state").replace("{outcome}", outcome))
    assert message.endswith("all that it compares is as it was, but for `clock`")


@pytest.mark.parametrize("compared", ["state without clock", "at, turn", "coin, at, turn"])
def test_a_repetition_that_comes_up_is_not_remarked_on(compared: str) -> None:
    text = COINS.replace("{compared}", compared).replace("{outcome}", "draw")
    assert remarks(text) == []


def test_rules_that_fail_on_the_way_back_are_told_as_an_error_of_the_rules() -> None:
    codes = {one.code for one in explore(load(FAILING), max_positions=50, plays=1).diagnostics}
    assert "E3001" in codes
