"""Random plays of a game, and the walk through all of a small one.

In: a game, and a random generator or a limit. Out: histories and states. Only the contract is
asked, so that engines and solvers can be compared with what is found here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from gamedsl.conformance.laws import choices
from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.model import State

Choice = Action | JointAction
History = list[tuple[State, Choice | None]]
"""States with what was chosen in each; None in the last."""

LONGEST = 40


def random_play(game: Game, chooser: random.Random, longest: int = LONGEST) -> History:
    """A play from the start until the end, or until it has so many steps."""
    state = game.initial_state()
    past: History = []
    for _ in range(longest):
        possible = list(choices(game, state))
        if not possible:
            break
        choice = chooser.choice(possible)
        past.append((state, choice))
        state = game.result(state, choice)
    return [*past, (state, None)]


def states_of(history: History) -> list[State]:
    """The states of a history."""
    return [state for state, _ in history]


def all_histories(game: Game, most: int) -> Iterator[History]:
    """All histories, shortest first, at most so many."""
    waiting: list[History] = [[(game.initial_state(), None)]]
    for past in waiting:
        if len(waiting) > most:
            break
        state = past[-1][0]
        for choice in choices(game, state):
            waiting.append([*past[:-1], (state, choice), (game.result(state, choice), None)])
    yield from waiting[:most]


def reachable(game: Game, most: int) -> list[State] | None:
    """All states that can be reached, nearest first; None if there are more."""
    waiting = [game.initial_state()]
    known = set(waiting)
    for state in waiting:
        for choice in choices(game, state):
            after = game.result(state, choice)
            if after not in known:
                known.add(after)
                waiting.append(after)
        if len(waiting) > most:
            return None
    return waiting
