"""What must hold of a module holds behind the lowering and behind every pass, game by game."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.passes.pipeline import PASSES
from tests.generation.games import game_text
from tests.stages import LOWERED, SHIPPED, Stages, shipped_stages, stages_of
from tests.unit.compiler.checked.verify import MalformedError, verify

LARGE = {"chess", "l_game"}
"""A third of the time goes into these two."""
GENERATED = 40
A_TEST = 20
"""Generated games that one test goes through."""


def assert_well_formed(title: str, stages: Stages) -> None:
    for stage, module in stages.modules.items():
        try:
            verify(module)
        except MalformedError as error:
            raise AssertionError(f"{title}, behind {stage}: {error}") from error


CALLED_T = """game "Nested effects"
players X, O
board 5 wide 5 high
directions N, E, S, W

state:
    man[square]: empty | players = empty
    k: 0..9 = 1
    n: 0..9 = 0

def g1(s, p) = count(man[t] == p for t in neighbours(s)) // k
def g2(s, p) = sum(g1(t, p) for t in neighbours(s)) // k + g1(s, p)
def g3(s, p) = sum(g2(t, p) for t in neighbours(s)) // k + g2(s, p)
def g4(s, p) = sum(g3(t, p) for t in neighbours(s)) // k + g3(s, p)

effect flip(s, p):
    for t in neighbours(s):
        if g4(t, p) > 3 and man[t] != p: man[t] = p
        elif g3(t, p) > 2: man[t] = empty

move put(s in square):
    require man[s] == empty and n < 9
    man[s] = turn
    n += 1
    flip(s, turn)
    for q in neighbours(s):
        flip(q, turn)
        for r in neighbours(q): flip(r, turn)

end:
    if n == 9: draw
"""


def test_a_local_of_the_game_never_has_a_name_that_a_pass_gives() -> None:
    assert_well_formed("t", stages_of(gamedsl.load(CALLED_T, "interpreter").model))


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
