"""Steps on words and steps by the contract: the same positions, choices and chances."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gamedsl
from gamedsl.game.game import LoadedGame
from gamedsl.game.steps import PlainSteps, steps_of
from gamedsl.model import GameRuleError
from tests.generation.games import games
from tests.generation.plays import random_play, states_of


def disagreements(game: LoadedGame, seed: int) -> list[str]:
    """What the steps of a game say otherwise than its contract, along a random play."""
    own, plain = steps_of(game), PlainSteps(game)
    found = []
    for state in states_of(random_play(game, random.Random(seed)))[:40]:
        mover, choices, results, shares = own.after(own.key(state))
        who, what, states, parts = plain.after(state)
        after = [own.state(key) for key in results]
        if (mover, choices, after, shares) != (who, what, list(states), parts):
            found.append(
                f"{state}: {mover, choices, after, shares}, not {who, what, states, parts}"
            )
        if own.paid(own.key(state), choices) != plain.paid(state, choices):
            found.append(f"{state}: pays otherwise")
        if any(own.key(own.state(key)) != key for key in results):
            found.append(f"{state}: a key after it is not that of its state")
    return found


@given(games(), st.integers(0, 2**32 - 1))
def test_steps_are_what_the_contract_says(text: str, seed: int) -> None:
    assert disagreements(gamedsl.load(text), seed) == []


@pytest.mark.parametrize("name", ["kuhn_poker", "pig", "tic_tac_toe", "blotto", "go", "yahtzee"])
def test_steps_of_a_shipped_game_are_what_the_contract_says(name: str) -> None:
    assert disagreements(gamedsl.load(name), 1) == []


def test_steps_fail_as_the_contract_does() -> None:
    heap = 'game "Heap"\nplayers A, B\nstate:\n    n: 0..2 = 2\nmove take:\n    n -= 1\n'
    game = gamedsl.load(heap + "end:\n    if n < 0: draw\n")
    state = game.result(game.result(game.initial_state(), 0), 0)
    steps = steps_of(game)
    with pytest.raises(GameRuleError) as caught:
        steps.after(steps.key(state))
    assert (caught.value.code, caught.value.action) == ("E3001", "take")


def test_a_reward_that_cannot_be_counted_fails_as_the_contract_does() -> None:
    heap = 'game "Heap"\nplayers A, B\nstate:\n    n: 0..2 = 2\nmove take:\n    n -= 1\n'
    game = gamedsl.load(heap + "    reward A: 6 / (n - 1)\nend:\n    if n == 0: draw\n")
    steps, state = steps_of(game), game.initial_state()
    with pytest.raises(GameRuleError) as expected:
        game.rewards(state, 0)
    with pytest.raises(GameRuleError) as caught:
        steps.paid(steps.key(state), (0,))
    assert (caught.value.code, caught.value.action) == (expected.value.code, "take")
