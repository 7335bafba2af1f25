"""Published results that the solvers must reproduce, each with its source.

These do not read the `expect` lines of the files: the figures stand here a second time, so that a
claim and its test cannot change together.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.solvers.graphs.counting import count_plays
from gamedsl.solvers.graphs.graph import explore
from gamedsl.solvers.perft import perft
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Status
from gamedsl.source.components import components

GAMES = Path(__file__).resolve().parents[2] / "games"


def load(name: str, **parameters: object) -> Any:
    return gamedsl.load(GAMES / f"{name}.game", **parameters)


@pytest.mark.parametrize(
    ("sizes", "normal", "misere"),
    [
        ([1, 3, 5, 7], "B", "B"),
        ([3, 4, 5], "A", "A"),
        ([1, 2, 3], "B", "B"),
        ([1, 1, 1], "A", "B"),
        ([1, 2, 4], "A", "A"),
    ],
)
def test_nim_is_won_as_bouton_says(sizes: list[int], normal: str, misere: str) -> None:
    """C. L. Bouton, "Nim, a game with a complete mathematical theory", Ann. Math. 3 (1901)."""
    assert solve(load("nim", sizes=sizes)).outcome == f"{normal} wins"
    assert solve(load("nim_misere", sizes=sizes)).outcome == f"{misere} wins"


@pytest.mark.parametrize("n", range(3, 13))
def test_grundys_game_is_lost_where_its_grundy_value_is_zero(n: int) -> None:
    """OEIS A036685: heaps of 0, 1, 2, 4, 7, 10, 20, ... are lost for the player to move."""
    value = solve(load("grundys_game", n=n)).value
    assert value is not None
    assert (value[0] == -1) == (n in {4, 7, 10})


@pytest.mark.parametrize(
    ("name", "parameters", "outcome", "plies", "states"),
    [
        ("tic_tac_toe", {}, "draw", 9, 5478),
        ("wild_tic_tac_toe", {}, None, 7, 18753),
        ("hexapawn", {"width": 3, "height": 3}, "Black wins", 6, 135),
        ("aima_fig_5_2", {}, "MAX wins 3", 2, None),
        ("sequential_rochambeau", {}, None, 3, None),
    ],
)
def test_small_games_have_their_known_values(
    name: str, parameters: dict[str, int], outcome: str | None, plies: int, states: int | None
) -> None:
    """Tic-tac-toe: OpenSpiel, get_all_states_test. Hexapawn: M. Gardner 1962. AIMA figure 5.2."""
    solution = solve(load(name, **parameters))
    assert solution.status is Status.STRONG
    assert solution.plies == plies
    assert outcome is None or solution.outcome == outcome
    assert states is None or solution.positions == states


def test_sequential_rochambeau_has_the_value_of_the_lecture() -> None:
    value = solve(load("sequential_rochambeau")).value
    assert value == (-1, 1)


def test_the_centipede_ends_at_once() -> None:
    """McKelvey and Palfrey, "An experimental study of the centipede game", 1992."""
    solution = solve(load("centipede"))
    assert (solution.value, solution.ties) == ((4, 1), None)


def test_tic_tac_toe_against_a_random_opponent() -> None:
    assert solve(load("tic_tac_toe_random")).value == (Fraction(191, 192),)


def test_dice_games_have_their_exact_values() -> None:
    """Knuth and Yao 1976; the pass line of craps is won with probability 244/495."""
    craps = solve(load("craps"))
    assert craps.win_probability == Fraction(244, 495)
    assert craps.is_exact
    assert solve(load("yahtzee_turn")).value == (Fraction(347897, 7558272),)
    assert solve(load("knuth_yao_die")).value == (Fraction(7, 2),)
    assert solve(load("frozen_lake")).value == (Fraction(14, 17),)


def test_pig_to_ten_is_won_with_the_published_probability() -> None:
    """Neller and Presser, "Optimal play of the dice game Pig", UMAP Journal 25 (2004)."""
    found = solve(load("pig", goal=10)).win_probability
    assert found is not None
    assert abs(found - Fraction("0.709424322598")) < Fraction(1, 10**12)


def test_plays_of_tic_tac_toe_and_of_small_connect_four() -> None:
    """Wikipedia, "Tic-tac-toe"; OEIS A342329 for 4 x 3."""
    for game, plays in (
        (load("tic_tac_toe"), 255168),
        (load("connect_small", width=4, height=3), 356232),
    ):
        graph = explore(game)
        assert count_plays(graph, components(graph.successors)) == plays


@pytest.mark.parametrize(
    ("name", "turns", "counts"),
    [
        ("connect_four", False, (1, 7, 49, 343, 2401, 16807)),
        ("othello", False, (1, 4, 12, 56, 244, 1396)),
        ("checkers", True, (1, 7, 49, 302, 1469)),
        ("chess", False, (1, 20, 400)),
        ("dobutsu_shogi", False, (1, 4, 17, 123, 976)),
        ("nine_mens_morris", False, (1, 24, 552)),
    ],
)
def test_perft_counts_are_those_of_the_tables(
    name: str, turns: bool, counts: tuple[int, ...]
) -> None:
    """Aart Bik's tables of Othello and draughts; Chess Programming Wiki; Fairy-Stockfish."""
    assert perft(load(name), depth=len(counts) - 1, turns=turns) == counts


def test_go_begins_with_every_point_and_a_pass() -> None:
    assert perft(load("go", size=5), depth=2) == (1, 26, 651)


@pytest.mark.parametrize(
    ("name", "settings", "value"),
    [
        ("knuth_yao_tosses", {}, "11/3"),  # D. Knuth and A. Yao, 1976
        ("craps_throws", {}, "557/165"),
        ("grid_world", {}, "4119/5840"),  # AIMA: 0.705
        ("grid_world", {"start": "c3"}, "67/73"),  # AIMA: 0.918
    ],
)
def test_expected_sums_of_rewards_are_exact(
    name: str, settings: dict[str, object], value: str
) -> None:
    assert solve(load(name, **settings)).value == (Fraction(value),)
