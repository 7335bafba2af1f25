"""Generated Python against the interpreter on games that nobody thought of."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.errors import CannotCompileError
from tests.differential.lockstep import Lockstep
from tests.generation.games import text_to_compare
from tests.native.generated import difference as counted_otherwise

BATCHES = [range(start, start + 20) for start in range(200, 280, 20)]
ONCE_DIFFERENT = sorted((Path(__file__).parent / "once_different").glob("*.game"))
"""Generated games that have shown a mistake."""


def difference(text: str, seed: int, plays: int = 3, plies: int = 20) -> str | None:
    """The first difference of the engines in plays of a seed; '-' if a game is not compiled."""
    game = gamedsl.load(text, "interpreter")
    if game.model.tree is not None:
        return "-"
    try:
        compiled = CompiledEngine(game.model)
    except CannotCompileError:
        return "-"
    together = Lockstep(game.engine, compiled, random.Random(seed))
    return next((found for found in (together.play(plies) for _ in range(plays)) if found), None)


@pytest.mark.parametrize("seeds", BATCHES, ids=str)
def test_generated_games_are_played_alike(seeds: range) -> None:
    found = {seed: difference(text_to_compare(seed), seed) for seed in seeds}
    assert {seed: text for seed, text in found.items() if text not in {None, "-"}} == {}
    assert list(found.values()).count(None) >= len(seeds) // 2


@pytest.mark.parametrize("path", ONCE_DIFFERENT, ids=lambda path: path.stem)
def test_games_that_have_shown_a_mistake_are_played_alike(path: Path) -> None:
    assert difference(path.read_text(), 0) is None


@pytest.mark.parametrize("seeds", BATCHES[:1], ids=str)
def test_kernels_count_the_plays_of_generated_games(seeds: range) -> None:
    found = {seed: counted_otherwise(seed, native=False) for seed in seeds}
    wrong = {seed: text for seed, text in found.items() if text and text.startswith("perft")}
    assert wrong == {}
    assert list(found.values()).count(None) >= len(seeds) // 2
