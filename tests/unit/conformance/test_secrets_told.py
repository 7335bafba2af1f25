"""Secrets that other variables reveal: noted only if true of every position."""

from __future__ import annotations

import sys

import pytest

import gamedsl
from gamedsl.conformance import explore

GAME = """game "Guess a card"
players Ann, Bob
state:
    card: 1..3 secret to Ann
    shown: 1..3 = 1
    left: 0..12 = 12
setup:
    chance card in 1..3
    {shown}
    turn = {mover}
move wait:
    left -= 1
    turn = {mover}
end:
    if left == 0: draw
"""


def is_noted(shown: str, mover: str) -> bool:
    game = gamedsl.load(GAME.format(shown=shown, mover=mover))
    return "W3112" in {finding.code for finding in explore(game).diagnostics}


def test_a_secret_that_the_mover_can_deduce_is_noted() -> None:
    assert is_noted("shown = card", "Bob")
    assert not is_noted("shown = 1 if card == 1 else 2", "Bob")


def test_a_player_who_never_decides_deduces_nothing() -> None:
    assert not is_noted("shown = card", "Ann")


SHARED = """game "A card for one of two"
players Ann, Bob, Cid
state:
    card: 1..2 secret
    seen[p in players]: 0..2 always (card if p {told} Cid else 0) secret to p
    left: 0..4 = 4
setup:
    chance card in 1..2
move wait: left -= 1
end:
    if left == 0: payoff p: 0
"""


@pytest.mark.parametrize(
    ("told", "is_secret"), [("==", True), ("!=", True), (">=", True), ("<=", False)]
)
def test_a_secret_that_somebody_else_cannot_deduce_is_none_that_is_told(
    told: str, is_secret: bool
) -> None:
    game = gamedsl.load(SHARED.format(told=told))
    noted = [finding for finding in explore(game).diagnostics if finding.code == "W3112"]
    said = "`card` is no secret: what Ann and Bob and Cid see always told its value"
    assert [finding.message for finding in noted] == [f"{said}, in all 10 positions"][is_secret:]


def test_a_part_of_the_positions_proves_no_secret_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fourth position: each public state occurs with a single card, and all cards occur."""
    for module in ("sample", "remarks"):
        name = f"gamedsl.conformance.{module}"
        monkeypatch.setattr(sys.modules[name], "MOST_STATES", 12, raising=False)
    assert not is_noted("shown = 1", "Bob")
