"""Plays of generated games: the same every time, and every state survives being written down."""

from __future__ import annotations

import pickle
import random
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

import gamedsl
from gamedsl.conformance.laws import choices
from gamedsl.game import LoadedGame, state_from_json, state_to_json
from gamedsl.model import State
from tests.generation.games import games
from tests.generation.plays import random_play, states_of

seeds = st.integers(0, 2**32 - 1)


@given(games(), seeds)
def test_two_loads_of_one_text_play_alike(text: str, seed: int) -> None:
    one, other = gamedsl.load(text), gamedsl.load(text)
    assert one.facts == other.facts
    play = random_play(one, random.Random(seed))
    assert play == random_play(other, random.Random(seed))
    final = play[-1][0]
    assert one.is_terminal(final) == other.is_terminal(final)
    if one.is_terminal(final):
        assert one.utilities(final) == other.utilities(final)


@given(games(), seeds)
def test_a_pickled_game_and_its_states_go_on_alike(text: str, seed: int) -> None:
    game = gamedsl.load(text)
    again: LoadedGame = pickle.loads(pickle.dumps(game))
    for state in states_of(random_play(game, random.Random(seed)))[:10]:
        copy: State = pickle.loads(pickle.dumps(state))
        assert (copy, hash(copy)) == (state, hash(state))
        assert again.current_player(copy) == game.current_player(state)
        assert list(choices(again, copy)) == list(choices(game, state))


def test_a_pickled_game_includes_the_files_that_it_included() -> None:
    game = gamedsl.load("antichess")
    assert pickle.loads(pickle.dumps(game)).initial_state() == game.initial_state()


@given(games(), seeds)
def test_a_state_written_as_json_comes_back(text: str, seed: int) -> None:
    game = gamedsl.load(text)
    assume(not game.facts.repeats)  # histories are not written down
    for state in states_of(random_play(game, random.Random(seed))):
        if state.pending is None:
            assert state_from_json(game, state_to_json(game, state)) == state


@given(games(), seeds)
def test_a_play_told_by_name_leads_to_the_same_states(text: str, seed: int) -> None:
    game = gamedsl.load(text)
    play = random_play(game, random.Random(seed))
    state = game.initial_state()
    for (before, choice), (after, _) in pairwise(play):
        if isinstance(choice, int):
            name = game.action_name(before, choice)
            state = game.result(state, game.action_named(state, name))
        else:
            assert choice is not None
            state = game.result(state, choice)
        assert state == after


@given(games())
def test_a_parameter_bound_to_its_own_value_changes_nothing(text: str) -> None:
    game = gamedsl.load(text)
    assume(game.parameters)
    bound = gamedsl.load(text, **dict(game.parameters))
    assert bound.parameters == game.parameters
    assert bound.facts == game.facts
    assert bound.initial_state() == game.initial_state()
