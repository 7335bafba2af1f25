"""Texts of any kind are read without an exception, and what failed once never fails again.

These are few texts, for every day; `python -m tests.fuzz` tries thousands.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.texts import derivation, letter_soup, mutant, shipped_texts, token_soup
from tests.fuzz.trial import Reached, trial
from tests.generation.dice import DrawnDice, SeededDice
from tests.generation.games import games

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.game"))
drawn = st.composite(lambda draw: DrawnDice(draw))


@pytest.mark.parametrize("path", CORPUS, ids=[path.stem for path in CORPUS])
def test_a_text_that_failed_once_is_read(path: Path) -> None:
    assert trial(path.read_bytes().decode()) in Reached


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert trial(text) in Reached


@given(drawn())
def test_a_soup_of_words_is_read(dice: DrawnDice) -> None:
    assert trial(token_soup(dice)) in Reached


@given(drawn())
def test_a_soup_of_letters_is_read(dice: DrawnDice) -> None:
    assert trial(letter_soup(dice)) in Reached


@given(drawn())
def test_whatever_the_grammar_allows_is_read(dice: DrawnDice) -> None:
    assert trial(derivation(dice)) in Reached


@given(drawn(), games())
def test_a_mutant_of_a_generated_game_is_read(dice: DrawnDice, text: str) -> None:
    assert trial(mutant(dice, text)) in Reached


@pytest.mark.parametrize("seed", range(20))
def test_a_mutant_of_a_shipped_game_is_read(seed: int) -> None:
    dice = SeededDice(seed)
    assert trial(mutant(dice, dice.choose(shipped_texts()))) in Reached


def test_the_shipped_games_themselves_are_played() -> None:
    assert {trial(text) for text in shipped_texts()[:2]} == {Reached.PLAYED}
