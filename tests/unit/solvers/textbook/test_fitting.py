"""Which of the textbook's searches fits a game."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.textbook.algorithms import fitting

FITTING = {
    "tic_tac_toe": "alpha-beta",
    "hanoi": "minimax",
    "expectiminimax": "expectiminimax",
    "pig": "expectiminimax",
    "aima_three_player": "maxn",
    "centipede": "maxn",
}


@pytest.mark.parametrize("name", FITTING)
def test_players_chance_and_interests_choose(name: str) -> None:
    assert fitting(gamedsl.load(name)) == FITTING[name]


def test_without_a_name_the_search_that_fits_is_run() -> None:
    assert gamedsl.search("aima_three_player").algorithm == "max^n"
    assert gamedsl.search("expectiminimax").value == gamedsl.search("expectiminimax", "star2").value
    assert gamedsl.tree("aima_fig_5_2", algorithm="auto").algorithm == "alpha-beta"


def test_a_game_that_none_fits_is_refused() -> None:
    with pytest.raises(UnsupportedGameError, match="do not see the whole position"):
        gamedsl.search("kuhn_poker")
