"""Games of several kinds in lockstep with OpenSpiel: the first of `python -m tests.peers 100`."""

from __future__ import annotations

import pytest

from tests.peers.needed import needed

GAMES = 10
"""Of each game."""


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        "connect_four",
        "breakthrough",
        "othello",
        "hex",
        "nim",
        "nim_misere",
        "kalah",
        "dots_and_boxes",
        "kuhn_poker",
        "kuhn_poker_three",
        "leduc_poker",
        "liars_dice",
        "nine_mens_morris",
    ],
)
def test_a_game_goes_as_it_does_in_openspiel(name: str) -> None:
    lockstep = needed("pyspiel", "--no-deps open_spiel", "tests.peers.spiel_lockstep")
    played = [lockstep.play(name, number) for number in range(GAMES)]
    assert [one.difference for one in played if one.difference] == []
