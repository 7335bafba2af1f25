"""The files of games/openspiel: formatted, without warnings, and no quick claim is refuted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.game.loading import load_source
from gamedsl.solvers.expectations import verify_all

FOLDER = Path(__file__).resolve().parents[2] / "games" / "openspiel"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.game")), ids=lambda path: path.stem)
def test_no_claim_is_refuted_within_a_small_budget(path: Path) -> None:
    game = gamedsl.load(path, "python")

    def reload(settings: Mapping[str, str]) -> LoadedGame:
        return load_source(game.source, settings)

    quick = [found for found in game.expectations if found.fact != "perft" or found.number == 1]
    verdicts = verify_all(game, quick, reload, max_positions=200)
    assert [found.expectation.text for found in verdicts if found.ok is False] == []
