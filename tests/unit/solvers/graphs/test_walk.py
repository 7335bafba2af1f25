"""All nodes of a tree of play, one for each way to get there."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.graphs.walk import walk_of


def test_the_nodes_of_a_tree_are_met_from_above() -> None:
    game = gamedsl.load("kuhn_poker")
    nodes = walk_of(game)
    assert [node.player for node in nodes[:3]] == [-1, -1, 0]
    assert len([node for node in nodes if node.player is None]) == 30
    assert walk_of(game, game.initial_state()) == nodes


def test_what_is_known_of_a_later_position_is_refused_where_something_is_hidden() -> None:
    game = gamedsl.load("kuhn_poker")
    first = game.initial_state()
    later = game.result(first, game.chance_outcomes(first)[0][0])
    with pytest.raises(UnsupportedGameError, match="depends on the play before it"):
        walk_of(game, later)


def test_a_later_position_of_an_open_game_has_a_tree_of_its_own() -> None:
    game = gamedsl.load("nim", sizes="[1, 1]")
    first = game.initial_state()
    later = game.result(first, game.legal_actions(first)[0])
    assert [len(walk_of(game, state)) for state in (first, later)] == [5, 2]
