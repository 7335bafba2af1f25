"""Generated Python against the interpreter on every shipped game, step by step."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from tests.differential.lockstep import Lockstep

GAMES = sorted((Path(__file__).resolve().parents[2] / "games").glob("*.game"))
SLOW = {"chess": 12, "go": 12, "nine_mens_morris": 12, "l_game": 3, "othello": 30}
"""Steps of each play where the interpreter takes long."""


def is_variant_of_a_slow_one(game: LoadedGame) -> bool:
    return any(Path(file.name).stem in SLOW for file in game.source.files[1:])


def rules_of(path: Path) -> LoadedGame:
    return gamedsl.load(path, "interpreter")


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_generated_python_plays_as_the_interpreter(path: Path) -> None:
    game = rules_of(path)
    if game.model.tree is not None:
        pytest.skip("a tree is played as it is written")
    if is_variant_of_a_slow_one(game):
        pytest.skip("almost the same rules are gone through already")
    together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(path.stem))
    steps = SLOW.get(path.stem, 60)
    plays = 1 if path.stem in SLOW else 3
    assert [together.play(steps) for _ in range(plays)] == [None] * plays


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("connect_small", {"width": "9", "height": "8"}),
        ("hex", {"width": "9", "height": "9"}),
        ("go", {"size": "9"}),
        ("nim", {"sizes": "[3, 5, 7, 2]"}),
        ("pig", {"goal": "25"}),
    ],
)
def test_so_it_does_with_other_parameters_and_on_boards_of_more_squares_than_bits(
    name: str, parameters: dict[str, str]
) -> None:
    game = gamedsl.load(name, "interpreter", **parameters)
    together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(1))
    assert together.play(12) is None
