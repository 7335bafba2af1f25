"""Every pass and strategy can be left out: games are played and counted alike, the code made is
well formed, and each is of use somewhere."""

from __future__ import annotations

import random
from functools import cache

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.module import generate
from gamedsl.compiler.options import OPTIONAL, CompilerOptions
from gamedsl.game import LoadedGame
from gamedsl.solvers.kernels.perft import KernelPerft
from tests.differential.lockstep import Lockstep
from tests.generation.games import game_text
from tests.unit.compiler.checked.verify import verify

COUNTED = (
    "breakthrough", "checkers", "connect_four", "dobutsu_shogi", "dots_and_boxes", "hexapawn",
    "kalah", "nine_mens_morris", "othello_small", "teeko", "three_player_race", "tic_tac_toe",
)  # fmt: skip
IN_LOCKSTEP = (
    "breakthrough", "checkers", "connect_four", "craps", "dots_and_boxes", "go", "goofspiel",
    "hexapawn", "kalah", "liars_dice", "lights_out", "othello_small", "rook_endgame", "teeko",
    "tic_tac_toe_random",
)  # fmt: skip
SEEDS = range(1000, 1040)
USED_BY = {
    "forward": "connect_four", "simplify": "connect_four", "prune": "tic_tac_toe",
    "share": "connect_four", "lift": "hexapawn", "fills": "othello_small",
    "parallel tests": "connect_four", "set loops": "lights_out",
    "parallel loops": "othello_small", "walk": "hexapawn", "end after": "tic_tac_toe",
    "established guards": "go", "known branches": "rook_endgame", "tables": "craps",
    "picking": "king_of_the_hill",
}  # fmt: skip
"""A game that is written otherwise without it."""


@cache
def rules_of(game: str) -> LoadedGame:
    return gamedsl.load(game, "interpreter")


def engine_without(game: LoadedGame, *left_out: str) -> CompiledEngine:
    generated = generate(game.model, CompilerOptions(frozenset(left_out)))
    verify(generated.module())
    return CompiledEngine(game.model, generated)


def difference(game: LoadedGame, seed: int, left_out: str, plays: int, longest: int) -> str | None:
    """The first difference to the interpreter."""
    together = Lockstep(game.engine, engine_without(game, left_out), random.Random(seed))
    found = (together.play(longest) for _ in range(plays))
    return next((text for text in found if text is not None), None)


@pytest.mark.parametrize("game", COUNTED)
def test_games_have_the_same_perft_with_any_part_left_out(game: str) -> None:
    counts = {}
    for left_out in ((), *((part,) for part in OPTIONAL), OPTIONAL):
        engine = engine_without(rules_of(game), *left_out)
        count = KernelPerft(engine, native=False).count(engine.initial_state(), 3)
        counts[left_out] = count
    assert set(counts.values()) == {counts[()]}


@pytest.mark.parametrize("left_out", OPTIONAL)
@pytest.mark.parametrize("game", IN_LOCKSTEP)
def test_games_are_played_as_the_rules_say_with_any_part_left_out(game: str, left_out: str) -> None:
    assert difference(rules_of(game), 1, left_out, 1, 12) is None


@pytest.mark.parametrize("left_out", OPTIONAL)
def test_generated_games_are_played_as_the_rules_say_with_any_part_left_out(left_out: str) -> None:
    found: dict[int, str | None] = {}
    for seed in SEEDS:
        game = rules_of(game_text(seed))
        if game.model.tree is not None:
            continue
        try:
            found[seed] = difference(game, seed, left_out, 1, 12)
        except CannotCompileError:
            continue
    assert {seed: text for seed, text in found.items() if text} == {}
    assert len(found) >= len(SEEDS) // 2


@pytest.mark.parametrize("left_out", OPTIONAL)
def test_what_is_left_out_is_missed_by_some_game(left_out: str) -> None:
    assert left_out in USED_BY, f"add a game to USED_BY whose code is another without `{left_out}`"
    model = rules_of(USED_BY[left_out]).model
    without = generate(model, CompilerOptions(frozenset({left_out})))
    assert without.source != generate(model).source
