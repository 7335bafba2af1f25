"""The generator itself: its games are valid and playable, and they use the whole language."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import example, given
from hypothesis import strategies as st

import gamedsl
from gamedsl.conformance import broken_laws, explore
from gamedsl.source.text import source_from_text
from gamedsl.syntax.parse import parse
from tests.generation.constructs import RARE, all_constructs, constructs
from tests.generation.games import game_text, games
from tests.generation.plays import random_play, states_of

SEEDS = range(300)
seeds = st.integers(0, 2**32 - 1)


@given(games())
@example(game_text(11_230_298)).via("a `bool` as cards")
@example(game_text(61_230_466)).via("a number before the set that it is of")
def test_a_generated_game_parses_and_checks_without_error(text: str) -> None:
    assert gamedsl.load(text).name.startswith("Generated")


def test_the_generator_reaches_every_construct_of_the_language() -> None:
    reached: Counter[str] = Counter()
    for seed in SEEDS:
        program, diagnostics = parse(source_from_text(game_text(seed)))
        assert diagnostics == ()
        reached.update(constructs(program))
    assert all_constructs() - set(reached) == set()
    assert all(reached[name] >= len(SEEDS) / 12 for name in RARE), {n: reached[n] for n in RARE}


def test_a_seed_gives_the_same_game_every_time() -> None:
    assert [game_text(seed) for seed in range(20)] == [game_text(seed) for seed in range(20)]


@given(games())
def test_no_rule_of_a_generated_game_ever_fails(text: str) -> None:
    found = explore(gamedsl.load(text), max_positions=120, plays=3)
    assert [finding.message for finding in found.diagnostics if finding.is_error] == []


@given(games(), seeds)
def test_generated_games_obey_the_laws_of_the_contract(text: str, seed: int) -> None:
    game = gamedsl.load(text)
    assert broken_laws(game, states_of(random_play(game, random.Random(seed)))[:20]) == ()
