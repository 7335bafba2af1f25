"""Outcome sampling in machine code: equal to Python, near to best replies, better than chance."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.solvers.advice.sampled_play import SampledPlay
from gamedsl.solvers.equilibria.best_response import best_response_gains
from gamedsl.solvers.equilibria.history_walk import walked_form
from gamedsl.solvers.kernels.search.outcome_sampling import KernelOutcomeSampling
from gamedsl.solvers.matches.match import MatchResult, play_pair
from gamedsl.solvers.matches.players import RandomPlayer, player_of, player_settings

DEALT = "card[Ann]=Q card[Bob]=J check bet"


def test_python_and_machine_code_simulate_the_same_plays() -> None:
    game = gamedsl.load("kuhn_poker")
    engine, state, steps = game.engine, game.initial_state(), []
    assert isinstance(engine, CompiledEngine)
    for name in DEALT.split():
        action = game.action_named(state, name)
        steps.append((state, action))
        state = game.result(state, action)
    reports = []
    for is_native in (False, True):
        search = KernelOutcomeSampling(engine, native=is_native)
        search._measure = lambda _: None  # type: ignore[method-assign]
        search.start((*steps, (state, None)), 0, 1, 100)
        search._arrays.notes.targeted, search._arrays.notes.exploring = 2, 30_000
        search.run(300)
        reports.append(search.report())
    assert reports[0] == reports[1]


@pytest.mark.parametrize(("name", "plays", "most"), [("kuhn_poker", 40_000, 0.08)])
def test_little_is_lost_against_best_replies(name: str, plays: int, most: float) -> None:
    game = gamedsl.load(name)
    form, play = walked_form(game, 10_000), SampledPlay(game, Random(1))
    profile = tuple(
        tuple(
            tuple(
                share
                for _, share in play.answer(known.history, plays=plays).choices[0].local.choices
            )
            for known in sets
        )
        for sets in form.sets
    )
    assert max(best_response_gains(form, profile)) < Fraction(most)


@pytest.mark.parametrize(
    ("name", "parameters", "pairs", "least"),
    [
        ("phantom_tic_tac_toe", {}, 20, 0.1),
        ("liars_dice", {"sides": 6}, 12, 0.3),
        ("goofspiel", {"n": 6}, 8, 2.0),
        ("kuhn_poker_several", {}, 60, 0.1),
        ("oh_hell", {"tricks": 2}, 8, 0.3),
    ],
)
def test_chance_is_beaten(name: str, parameters: dict[str, int], pairs: int, least: float) -> None:
    game = gamedsl.load(name, **parameters)
    players = (
        player_of(player_settings("search:plays=1500"), game, Random(1)),
        RandomPlayer(game, Random(2)),
    )
    result = MatchResult(tuple(play_pair(game, players, number, 1) for number in range(pairs)))
    assert result.margin.mean > least


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_nothing_is_prepared_where_chance_comes_next() -> None:
    game = gamedsl.load("liars_dice", sides=6)
    sampled = SampledPlay(game, Random(1))
    history = ((game.initial_state(), None),)
    sampled.prepare(history, 5)
    with pytest.raises(ValueError, match="nobody is to move"):
        sampled.answer(history, plays=10)
