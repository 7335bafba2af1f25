"""The shipped games claim the published figures; `gamedsl check` in `.ci/run` verifies claims."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import gamedsl

GAMES = sorted((Path(__file__).resolve().parents[2] / "games").glob("*.game"))

PUBLISHED = [
    # game, settings, fact, claim, source
    ("tic_tac_toe", "", "value", "draw", "published everywhere"),
    ("tic_tac_toe", "", "states", "5478", "OpenSpiel, get_all_states_test.py"),
    ("tic_tac_toe", "", "terminals", "958", "recomputed independently"),
    ("tic_tac_toe", "", "plays", "255168", "H. Bottomley; recomputed"),
    ("tic_tac_toe", "", "perft 6", "54720", "standard table"),
    ("tic_tac_toe_random", "", "value", "191/192", "well known; recomputed"),
    ("tic_tac_toe_random", "chance_begins=1", "value", "874/945", "recomputed"),
    ("misere_tic_tac_toe", "", "best", "b2", "centre and mirror strategy"),
    ("wild_tic_tac_toe", "", "states", "18753", "recomputed"),
    ("wild_tic_tac_toe", "", "plays", "58242432", "recomputed"),
    ("mnk", "width=4", "plies", "7", "recomputed"),
    ("mnk", "width=4", "states", "111973", "recomputed"),
    ("connect_small", "", "states", "12031", "recomputed"),
    ("connect_small", "", "plays", "356232", "OEIS A342329"),
    ("connect_four", "", "perft 4", "2401", "published table"),
    ("hexapawn", "", "value", "Black wins", "M. Gardner 1962"),
    ("hexapawn", "", "plies", "6", "M. Gardner 1962"),
    ("hexapawn", "", "states", "135", "recomputed"),
    ("hexapawn", "", "plays", "134", "recomputed"),
    ("hexapawn", "width=4, height=4", "plies", "11", "recomputed"),
    ("hexapawn", "width=4, height=4", "states", "20286", "recomputed"),
    ("hexapawn", "height=5", "plies", "11", "recomputed"),
    ("breakthrough", "", "states", "723", "recomputed"),
    ("breakthrough", "width=2, height=4", "plies", "8", "recomputed"),
    ("breakthrough", "width=8, height=8", "perft 3", "11132", "Fairy-Stockfish"),
    ("nim", "", "value", "A wins", "C. Bouton 1901"),
    ("nim", "sizes=[1, 3, 5, 7]", "value", "B wins", "C. Bouton 1901"),
    ("nim_misere", "sizes=[1, 1, 1]", "value", "B wins", "C. Bouton 1901"),
    ("kayles", "", "best", "one(6), one(10)", "Winning Ways, chapter 4"),
    ("dawsons_kayles", "pins=15", "value", "B wins", "OEIS A002187"),
    ("grundys_game", "n=20", "value", "B wins", "OEIS A036685"),
    ("wythoff", "", "value", "B wins", "W. Wythoff 1907"),
    ("fibonacci_nim", "n=34", "value", "B wins", "M. Whinihan 1963"),
    ("subtraction", "n=22, amounts=[2, 5, 7]", "value", "B wins", "period 22"),
    ("treblecross", "", "value", "Second wins", "octal game 0.007"),
    ("chomp", "", "best", "c2", "D. Gale 1974; recomputed"),
    ("chomp", "width=5, height=4", "best", "c3", "recomputed"),
    ("cram", "width=5, height=3", "value", "A wins", "Grundy value 1"),
    ("domineering", "", "value", "Horizontal wins", "Breuker and others 2000"),
    ("domineering", "width=5, height=4", "value", "Vertical wins", "Breuker and others 2000"),
    ("hex", "", "best", "a1, a2, b2, c2, c3", "HexWiki"),
    ("hex", "", "states", "5514", "recomputed"),
    ("hex", "", "plays", "257760", "recomputed"),
    ("dots_and_boxes", "", "value", "2", "Winning Ways, chapter 16"),
    ("dots_and_boxes", "width=3, height=1", "value", "-1", "D. Wilson"),
    ("kalah", "pits=1, seeds=6", "value", "draw", "Irving and others 2000"),
    ("kalah", "pits=3, seeds=3", "value", "South wins", "Irving and others 2000"),
    ("othello", "", "perft 5", "1396", "A. Bik 2009"),
    ("othello_small", "", "value", "White wins", "published"),
    ("othello_small", "", "plays", "60060", "recomputed"),
    ("checkers", "", "perft 5 turns", "7361", "A. Bik"),
    ("chess", "", "perft 2", "400", "FIDE start position"),
    ("dobutsu_shogi", "", "perft 6", "71677", "recomputed; Fairy-Stockfish to 5"),
    ("l_game", "", "perft 1", "65", "recomputed"),
    ("aima_fig_5_2", "", "value", "3", "AIMA figure 5.2"),
    ("aima_three_player", "", "first value", "(1, 2, 6)", "AIMA figure 5.4"),
    ("sequential_rochambeau", "", "value", "-1", "a lecture; by hand"),
    ("centipede", "", "value", "(4, 1)", "McKelvey and Palfrey 1992"),
    ("pig", "goal=10", "value", "0.41884864520", "recomputed"),
    ("piglet", "", "value", "1/7", "Neller and Presser 2004"),
    ("piglet", "goal=3", "value", "1/11", "recomputed"),
    ("craps", "", "value", "-7/495", "published"),
    ("knuth_yao_die", "wanted=4", "value", "1/6", "Knuth and Yao 1976"),
    ("yahtzee_turn", "", "value", "347897/7558272", "published; recomputed"),
    ("frozen_lake", "", "value", "14/17", "published 0.8235"),
    ("secretary", "", "value", "3349/8400", "D. Lindley 1961"),
    ("secretary", "n=5", "value", "13/30", "recomputed"),
    ("hanoi", "discs=8", "plies", "255", "E. Lucas 1883"),
    ("hanoi", "discs=6, pegs=4", "plies", "17", "Frame and Stewart 1941"),
    ("lights_out", "", "states", "512", "published"),
    ("eight_puzzle", "", "plies", "26", "AIMA figure 3.4"),
    ("kuhn_poker", "", "infosets", "12", "H. Kuhn 1950"),
    ("kuhn_poker", "", "terminals", "30", "recomputed"),
    ("kuhn_poker", "", "value", "(-1/18, 1/18)", "H. Kuhn 1950"),
    ("leduc_poker", "", "value", "-0.086", "-0.0856064: M. Lanctot and others, OpenSpiel"),
    ("leduc_poker", "", "infosets", "288", "OpenSpiel, without suits"),
    ("myerson_poker", "", "value", "(1/3, -1/3)", "R. Myerson 1991"),
    ("liars_dice", "", "value", "(1/9, -1/9)", "recomputed"),
    ("liars_dice", "sides=2", "value", "(1/2, -1/2)", "recomputed"),
    ("liars_dice", "sides=2", "infosets", "32", "sides * 2^(2 sides)"),
    ("blotto", "", "value", "(14/9, -14/9)", "M. Dresher 1961, S. Karlin 1959"),
    ("blotto_three_fields", "", "value", "(1/2, -1/2)", "recomputed"),
    ("blotto_three_fields", "own=5, theirs=5", "value", "(0, 0)", "by symmetry"),
    ("blotto_three_fields", "own=6, theirs=5", "value", "(4/9, -4/9)", "recomputed"),
    ("odd_or_even", "", "value", "(1/12, -1/12)", "T. Ferguson"),
    ("morra", "k=3", "value", "(0, 0)", "by symmetry"),
    ("goofspiel", "", "best", "offer(3)+offer(3)", "recomputed"),
]


def claims_of(game: str) -> set[tuple[str, str, str]]:
    """Settings, fact (with its depth) and claim of every `expect` line of a shipped game."""
    found = set()
    for expectation in gamedsl.load(game).expectations:
        settings = ", ".join(f"{name}={value}" for name, value in expectation.settings)
        fact = expectation.fact if expectation.number is None else f"perft {expectation.number}"
        fact += " turns" if expectation.in_turns else ""
        found.add((settings, fact, expectation.text.rpartition(":")[2].strip()))
    return found


@pytest.mark.parametrize(
    ("game", "settings", "fact", "claim", "source"),
    PUBLISHED,
    ids=[f"{row[0]}-{row[2]}-{row[1]}" for row in PUBLISHED],
)
def test_a_shipped_game_claims_the_published_figure(
    game: str, settings: str, fact: str, claim: str, source: str
) -> None:
    assert (settings, fact, claim) in claims_of(game), source


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_shipped_game_says_where_its_first_claim_comes_from(path: Path) -> None:
    text = path.read_text("utf-8")
    claims = text[text.index("\nexpect ") :]
    assert "#" in claims, "name the source of the figures"


def test_the_rules_of_pig_pay_what_the_published_probability_of_winning_says() -> None:
    wins = Fraction("0.709424322598")
    claimed = next(c for s, f, c in claims_of("pig") if s == "goal=10" and f == "value")
    assert abs(2 * wins - 1 - Fraction(claimed)) < Fraction(1, 10**10)
