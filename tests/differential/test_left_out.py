"""Every pass and strategy can be left out: games are played and counted alike, the code made is
well formed, and each is of use somewhere.

Parts are left out by halves, as in group tests: a game is compiled with a random half of the parts,
then with the other half. Each part alone is left out of the game in `USED_BY`.
"""

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
BATCHES = [range(first, first + 10) for first in range(1000, 1020, 10)]
"""Seeds of generated games."""
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


def halves(seed: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A random half of the optional parts, and the other half."""
    parts = random.Random(seed).sample(OPTIONAL, len(OPTIONAL))
    middle = len(parts) // 2
    return tuple(parts[:middle]), tuple(parts[middle:])


def engine_without(game: LoadedGame, *left_out: str) -> CompiledEngine:
    generated = generate(game.model, CompilerOptions(frozenset(left_out)))
    verify(generated.module())
    return CompiledEngine(game.model, generated)


def difference(game: LoadedGame, *left_out: str) -> str | None:
    """The first difference to the interpreter."""
    return Lockstep(game.engine, engine_without(game, *left_out), random.Random(1)).play(12)


def test_any_two_parts_are_told_apart_by_the_halves_of_some_game() -> None:
    left_out = [{*half} for game in IN_LOCKSTEP for half in halves(game)]
    pairs = ((one, other) for one in OPTIONAL for other in OPTIONAL if one != other)
    for one, other in pairs:
        assert any(one in half and other not in half for half in left_out), (one, other)


@pytest.mark.parametrize("game", COUNTED)
def test_games_have_the_same_perft_with_any_parts_left_out(game: str) -> None:
    counts = {}
    for left_out in ((), *halves(game), OPTIONAL):
        engine = engine_without(rules_of(game), *left_out)
        count = KernelPerft(engine, native=False).count(engine.initial_state(), 3)
        counts[left_out] = count
    assert set(counts.values()) == {counts[()]}


@pytest.mark.parametrize("game", IN_LOCKSTEP)
def test_games_are_played_as_the_rules_say_with_any_parts_left_out(game: str) -> None:
    found = {left_out: difference(rules_of(game), *left_out) for left_out in halves(game)}
    assert {left_out: text for left_out, text in found.items() if text} == {}


@pytest.mark.parametrize("seeds", BATCHES, ids=str)
def test_generated_games_are_played_as_the_rules_say_with_any_parts_left_out(seeds: range) -> None:
    played, different = 0, {}
    for seed in seeds:
        game = gamedsl.load(game_text(seed), "interpreter")
        if game.model.tree is not None:
            continue
        try:
            for left_out in (*halves(str(seed)), OPTIONAL):
                if (text := difference(game, *left_out)) is not None:
                    different[seed, left_out] = text
        except CannotCompileError:
            continue
        played += 1
    assert different == {}
    assert played >= len(seeds) // 2


@pytest.mark.parametrize("left_out", OPTIONAL)
def test_a_part_is_missed_by_some_game_that_is_played_alike_without_it(left_out: str) -> None:
    assert left_out in USED_BY, f"add a game to USED_BY whose code is another without `{left_out}`"
    game = rules_of(USED_BY[left_out])
    without = generate(game.model, CompilerOptions(frozenset({left_out})))
    assert without.source != generate(game.model).source
    assert difference(game, left_out) is None
