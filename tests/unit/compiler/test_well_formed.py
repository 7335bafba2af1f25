"""What must hold of a module holds behind the lowering and behind every pass, game by game."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.verify import MalformedError, verify
from gamedsl.compiler.passes.pipeline import PASSES
from tests.generation.games import game_text
from tests.stages import LOWERED, SHIPPED, Stages, shipped_stages, stages_of

LARGE = {"chess", "l_game"}
"""A third of the time goes into these two."""
GENERATED = 200
A_TEST = 20
"""Generated games that one test goes through."""


def assert_well_formed(title: str, stages: Stages) -> None:
    for stage, module in stages.modules.items():
        try:
            verify(module)
        except MalformedError as error:
            raise AssertionError(f"{title}, behind {stage}: {error}") from error


@pytest.mark.parametrize(
    "title", [pytest.param(t, marks=pytest.mark.slow) if t in LARGE else t for t in SHIPPED]
)
def test_a_shipped_game_is_well_formed_at_every_stage(title: str) -> None:
    stages = shipped_stages(title)
    if stages is None:
        assert gamedsl.load(title).model.tree is not None
        return
    assert list(stages.modules) == [LOWERED, *(name for name, _ in PASSES)]
    assert_well_formed(title, stages)


@pytest.mark.parametrize(
    "first",
    [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(A_TEST, GENERATED, A_TEST))],
)
def test_generated_games_are_well_formed_at_every_stage(first: int) -> None:
    seen = 0
    for seed in range(first, first + A_TEST):
        try:
            stages = stages_of(gamedsl.load(game_text(seed), "interpreter").model)
        except CannotCompileError:
            continue
        assert_well_formed(f"the game of seed {seed}", stages)
        seen += 1
    assert seen > A_TEST // 2
