"""The arena: players of other programs in the matches of `gamedsl match`."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("pyspiel")

import gamedsl
from benchmarks.arena.contests import row_of
from benchmarks.arena.players import AdviserPlayer, SpielPlayer
from gamedsl.solvers.matches.match import MatchResult, play_pair
from gamedsl.solvers.matches.players import RandomPlayer


@pytest.mark.parametrize("file", ["tic_tac_toe", "breakthrough"])
def test_openspiels_search_wins_matches_against_chance(file: str) -> None:
    row = row_of(file)
    game = gamedsl.load(row.path, **dict(row.parameters))
    players = SpielPlayer(row, 0.001, 1, 1.4), RandomPlayer(game, Random(1))
    pairs = tuple(play_pair(game, players, number, 1) for number in range(4))
    assert MatchResult(pairs).tally[0] > MatchResult(pairs).tally[2]


def test_an_adviser_plays_in_a_process_of_its_own() -> None:
    row = row_of("tic_tac_toe")
    game = gamedsl.load(row.path)
    adviser = AdviserPlayer(game, row, 0.01, 1, warming=0.0)
    pair = play_pair(game, (adviser, RandomPlayer(game, Random(1))), 0, 1)
    adviser.close()
    assert pair.score >= 0.5
    assert "moves proved" in adviser.used()


def test_openspiels_search_of_information_sets_is_dealt_the_hands_of_a_play() -> None:
    """In euchre chance draws the dealer first, then all hands at once."""
    row = row_of("euchre")
    game = gamedsl.load(row.path, **dict(row.parameters))
    players = SpielPlayer(row, 0.001, 1, 1.4), RandomPlayer(game, Random(1))
    assert sum(play_pair(game, players, number, 1).score for number in range(3)) > 1.5
