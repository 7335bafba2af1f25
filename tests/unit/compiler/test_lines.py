"""Actions are ranked by the lines through the cells that they fill, whatever their names."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.foresight.prospects import prospects
from tests.unit.compiler.test_prospects import GAME, PLAIN


def ranked(text: str, **settings: str) -> list[str]:
    """The arguments of all actions, from the highest rank to the lowest."""
    game = gamedsl.load(text, "python", **settings)
    assert isinstance(game.engine, CompiledEngine)
    found = prospects(game.engine.model, game.engine.generated)
    assert found is not None
    ranks = found.ranks
    assert sorted(ranks) == list(range(game.facts.action_count))
    names = {
        action: game.action_name(game.initial_state(), action).partition("(")[2][:-1]
        for action in game.legal_actions(game.initial_state())
    }
    return sorted(names.values(), key=lambda name: -ranks[list(names.values()).index(name)])


def test_a_column_counts_with_all_its_squares() -> None:
    assert ranked("connect_four") == ["4", "3", "5", "2", "6", "1", "7"]
    assert ranked("connect_small", width="4", height="4") == ["2", "3", "1", "4"]


def test_where_lines_are_equally_many_the_middle_comes_first() -> None:
    found = ranked("mnk", width="5", height="5", run="5")
    assert found[0] == "c3"
    assert found[1:5] == ["b2", "d2", "b4", "d4"]  # three lines, as the corners
    assert found[5:9] == ["a1", "e1", "a5", "e5"]
    assert found[9:13] == ["c2", "b3", "d3", "c4"]


def test_lines_are_those_of_the_rules() -> None:
    assert ranked("mnk", width="3", height="4", run="4")[:4] == ["b2", "b3", "a2", "c2"]
    text = PLAIN | {"end": "for p in players: if cell[a1] == p and cell[c2] == p: p wins"}
    assert ranked(GAME.format(**text))[:2] == ["c2", "a1"]
    text = PLAIN | {"end": "for p in players: if line(cell, p, 3, {E}) and cell[a3] == p: p wins"}
    assert ranked(GAME.format(**text))[0] == "a3"


@pytest.mark.parametrize("name", ["misere_tic_tac_toe", "wild_tic_tac_toe", "treblecross"])
def test_further_games_of_lines_are_ranked(name: str) -> None:
    assert ranked(name)[0].partition(",")[0] in {"b2", "c1"}
