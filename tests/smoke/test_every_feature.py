"""One game a feature: shipped and generated games that use every construct of the language between
them, each played on both engines side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.source.text import source_from_text
from gamedsl.syntax.parse import parse
from tests.differential.test_generated_games import difference
from tests.generation.constructs import all_constructs, constructs
from tests.generation.games import game_text

GAMES = Path(__file__).resolve().parents[2] / "games"
SHIPPED = (
    "auction", "beer_and_quiche", "blotto_three_fields", "connect_four", "cubic_tic_tac_toe",
    "grid_world", "hidden_coin", "international_draughts", "kuhn_poker", "leduc_poker",
    "monty_hall", "othello", "shut_the_box", "six_mens_morris",
)  # fmt: skip
BATCHES = [range(first, first + 20) for first in (0, 20, 60, 160)]
PLIES = 8


def played_otherwise(text: str) -> str | None:
    """The first difference of the engines in a short play; None where there is none to be seen."""
    found = difference(text, 1, plays=1, plies=PLIES)
    return None if found == "-" else found


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_game_is_played_alike(name: str) -> None:
    assert played_otherwise(name) is None


@pytest.mark.parametrize("seeds", BATCHES, ids=str)
def test_generated_games_are_played_alike(seeds: range) -> None:
    differences = {seed: played_otherwise(game_text(seed)) for seed in seeds}
    assert {seed: text for seed, text in differences.items() if text is not None} == {}


def test_these_games_use_every_construct_between_them() -> None:
    texts = [(GAMES / f"{name}.game").read_text("utf-8") for name in SHIPPED]
    texts += [game_text(seed) for seeds in BATCHES for seed in seeds]
    programs = (parse(source_from_text(text))[0] for text in texts)
    used = {name for program in programs for name in constructs(program)}
    assert all_constructs() - used == set()
