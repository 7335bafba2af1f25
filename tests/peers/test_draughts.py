"""Draughts in lockstep with pydraughts: the first games of `python -m tests.peers draughts`."""

from __future__ import annotations

import pytest

from tests.peers.needed import needed

GAMES = 1
"""Of each game."""


@pytest.mark.parametrize(
    "name", ["checkers", "international_draughts", "international_draughts, size=8"]
)
def test_a_game_goes_as_it_does_in_pydraughts(name: str) -> None:
    lockstep = needed("draughts", "pydraughts", "tests.peers.draughts_lockstep")
    played = [lockstep.play(name, number) for number in range(GAMES)]
    assert [one.difference for one in played if one.difference] == []
    assert any(one.notes["several taken at once"] for one in played)
