"""What players know in generated games: nothing of the secrets of others, and all of their own."""

from __future__ import annotations

import random

from hypothesis import assume, given
from hypothesis import strategies as st

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model import State
from tests.generation.games import Wish, games
from tests.generation.plays import Choice, all_histories, random_play

seeds = st.integers(0, 2**32 - 1)
secretive = games(wish=Wish.SECRETS)


def with_another_secret(game: LoadedGame, state: State, viewer: int) -> list[State]:
    """States that differ in one cell that the viewer does not see."""
    found: list[State] = []
    for variable in game.model.variables:
        for number in range(variable.size):
            place = variable.offset + number
            digit = state.cells[place]
            is_hidden = not variable.is_seen(number, viewer)
            if is_hidden and digit is not None and len(variable.domain) > 1:
                other = (digit + 1) % len(variable.domain)
                cells = (*state.cells[:place], other, *state.cells[place + 1 :])
                found.append(State(cells, state.turn, state.pending, state.history))
    return found


@given(secretive, seeds)
def test_nobody_sees_the_secret_of_another(text: str, seed: int) -> None:
    game = gamedsl.load(text)
    assume(game.model.tree is None)
    final = random_play(game, random.Random(seed))[-1][0]
    for viewer in game.players:
        seen = game.information_state([(final, None)], viewer)
        for other in with_another_secret(game, final, viewer):
            assert game.information_state([(other, None)], viewer) == seen


@given(secretive)
def test_who_cannot_tell_two_histories_apart_has_the_same_actions_in_both(text: str) -> None:
    game = gamedsl.load(text)
    known: dict[object, tuple[int, ...]] = {}
    for history in all_histories(game, 300):
        state = history[-1][0]
        player = game.current_player(state)
        if player >= 0:
            seen = (player, game.information_state(history, player))
            actions = game.legal_actions(state)
            assert known.setdefault(seen, actions) == actions


@given(secretive, seeds)
def test_players_remember_what_they_did(text: str, seed: int) -> None:
    """Perfect recall: whoever cannot tell two histories apart made the same moves in both."""
    game = gamedsl.load(text)
    assume(game.model.tree is None and not game.facts.is_simultaneous)
    for viewer in game.players:
        known: dict[object, list[Choice | None]] = {}
        for history in all_histories(game, 120):
            own = [
                choice
                for state, choice in history[:-1]
                if state.pending is None and state.turn == viewer
            ]
            seen = game.information_state(history, viewer)
            assert known.setdefault(seen, own) == own
