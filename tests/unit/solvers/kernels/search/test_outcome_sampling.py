"""Outcome sampling by kernels, run as plain Python: what a player knows decides the advice."""

from __future__ import annotations

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import SampledStrategy
from gamedsl.game.contract import History
from gamedsl.model import CHANCE, UnsupportedGameError
from gamedsl.solvers.kernels.search.outcome_sampling import (
    AT_ONCE_IN_PYTHON,
    KernelOutcomeSampling,
)

PAYS = """game "Take the better"
players A, B
state:
    took[players]: 0..2 = 0
simultaneous take(n in 1..2):
    require took[me] == 0
    took[me] = n
end:
    if took[A] > 0 and took[B] > 0: payoff p: took[p] - took[other(p)]
"""
GUESS = """game "Guess"
players A, B
state:
    hidden: 0..3 = 0 secret to A
    guess: 0..3 = 0
move hide(n in 1..3) secret:
    require turn == A and hidden == 0
    hidden = n
move say(n in 1..3):
    require turn == B
    guess = n
end:
    if guess > 0: payoff p: (1 if (guess == hidden) == (p == B) else -1)
"""


def after(game: LoadedGame, moves: str) -> History:
    """The play of some moves."""
    steps, state = [], game.initial_state()
    for name in moves.split():
        action = game.action_named(state, name)
        steps.append((state, action))
        state = game.result(state, action)
    return (*steps, (state, None))


def sampled(
    game: LoadedGame, moves: str, player: int, plays: int = 600
) -> tuple[SampledStrategy, ...]:
    """The strategies after a play."""
    engine = game.engine
    assert isinstance(engine, CompiledEngine)
    search = KernelOutcomeSampling(engine, native=False)
    search.start(after(game, moves), player, 5, 100)
    search.run(plays)
    assert search.is_reached
    return search.report()


def test_all_who_choose_at_once_learn_the_better_action() -> None:
    for strategy in sampled(gamedsl.load(PAYS), "", 0):
        assert strategy.shares[1] > 0.8


@pytest.mark.parametrize(
    ("first", "second", "player"),
    [
        ("card[Ann]=J card[Bob]=Q", "card[Ann]=J card[Bob]=K", 0),
        ("card[Ann]=J card[Bob]=Q bet", "card[Ann]=K card[Bob]=Q bet", 1),
        ("card[Ann]=Q card[Bob]=J check bet", "card[Ann]=Q card[Bob]=K check bet", 0),
    ],
)
def test_hidden_cards_do_not_change_the_advice(first: str, second: str, player: int) -> None:
    game = gamedsl.load("kuhn_poker")
    assert sampled(game, first, player, 200) == sampled(game, second, player, 200)


def test_what_was_learnt_of_a_state_serves_on_the_way_to_it() -> None:
    game = gamedsl.load("goofspiel", n=3)
    engine = game.engine
    assert isinstance(engine, CompiledEngine)
    search = KernelOutcomeSampling(engine, native=False)
    search.start(after(game, ""), 0, 5, 100)
    search.run(400)
    search.start(after(game, "offer(3)+offer(3)")[-1:], 0, 6, 100)
    assert all(strategy.visits > 10 for strategy in search.report())


def test_secret_moves_do_not_change_the_advice() -> None:
    game = gamedsl.load(GUESS)
    advice = {sampled(game, f"hide({n})", 1, 200) for n in (1, 2, 3)}
    assert len(advice) == 1


def test_a_sure_loss_is_not_played() -> None:
    game = gamedsl.load("kuhn_poker")
    (strategy,) = sampled(game, "card[Ann]=J card[Bob]=Q check bet", 0)
    names = game.action_names(after(game, "card[Ann]=J card[Bob]=Q check bet")[-1][0])
    assert dict(zip(names, strategy.shares, strict=True))["fold"] > 0.9


def test_later_observations_of_a_deal_are_met_by_the_plays_that_are_drawn() -> None:
    """Cards played by opponents were in their hands: plays at random rarely agree."""
    game = gamedsl.load("oh_hell", tricks=1)
    state, steps = game.initial_state(), []
    while len(steps) < 10:
        if game.current_player(state) == CHANCE:
            chances = game.chance_outcomes(state)
            action = chances[len(chances) // 2][0]
        else:
            action = game.legal_actions(state)[0]
        steps.append((state, action))
        state = game.result(state, action)
    engine = game.engine
    assert isinstance(engine, CompiledEngine)
    search = KernelOutcomeSampling(engine, native=False)
    player = int(game.current_player(state))
    search.start((*steps, (state, None)), player, 1, 100, lambda: True)
    assert search._arrays.notes.failed <= AT_ONCE_IN_PYTHON  # time was over
    search.start((*steps, (state, None)), player, 1, 100)
    assert search.is_reached


def test_rewards_on_the_way_are_refused() -> None:
    text = PAYS.replace("    took[me] = n\n", "    took[me] = n\n    reward me: 1\n")
    engine = gamedsl.load(text).engine
    assert isinstance(engine, CompiledEngine)
    with pytest.raises(UnsupportedGameError, match="pays at its end alone"):
        KernelOutcomeSampling(engine, native=False)
