"""Every pass can be left out: games play on alike, and what passes leave behind is well formed."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.verify import verify
from gamedsl.compiler.module import generate
from gamedsl.compiler.passes.pipeline import PASSES, CompilerOptions
from gamedsl.solvers.kernels.perft import KernelPerft
from tests.differential.lockstep import Lockstep

OPTIONAL = [title for title, _ in PASSES if title != "pack"]
GAMES = (
    "breakthrough", "checkers", "connect_four", "dobutsu_shogi", "dots_and_boxes", "hexapawn",
    "kalah", "nine_mens_morris", "othello_small", "teeko", "three_player_race", "tic_tac_toe",
)  # fmt: skip
IN_LOCKSTEP = ("craps", "go", "hexapawn", "kalah", "liars_dice", "tic_tac_toe_random")


def engine_without(game: str, left_out: str) -> CompiledEngine:
    model = gamedsl.load(game, "interpreter").model
    return CompiledEngine(model, generate(model, CompilerOptions(frozenset({left_out}))))


@pytest.mark.parametrize("game", GAMES)
def test_games_have_the_same_perft_with_any_pass_left_out(game: str) -> None:
    counts = set[int]()
    for left_out in (*OPTIONAL, "none of them"):
        engine = engine_without(game, left_out)
        verify(engine.generated.module())
        counts.add(KernelPerft(engine, native=False).count(engine.initial_state(), 3))
    assert len(counts) == 1


@pytest.mark.parametrize("left_out", OPTIONAL)
@pytest.mark.parametrize("game", IN_LOCKSTEP)
def test_games_play_as_the_rules_say_with_any_pass_left_out(game: str, left_out: str) -> None:
    compiled = engine_without(game, left_out)
    together = Lockstep(gamedsl.load(game, "interpreter").engine, compiled, random.Random(1))
    assert together.play(20) is None
