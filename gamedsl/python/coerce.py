"""Games and positions in the forms accepted by the Python interface."""

from __future__ import annotations

from pathlib import Path

from gamedsl.game import LoadedGame, load
from gamedsl.game.reading import read_play
from gamedsl.model import State
from gamedsl.solvers.graphs.information import History

GivenGame = LoadedGame | str | Path
"""A game; or a path, a text, or the name of a shipped game, as accepted by `load`."""
GivenState = State | str | History | None
"""A state; or the moves from S0 to the state (`"a1 b2"`); or a play, as states with the actions
taken; None for S0.
"""


def game_of(game: GivenGame) -> LoadedGame:
    """The game. Exceptions as in `load`."""
    return game if isinstance(game, LoadedGame) else load(game)


def state_of(game: LoadedGame, position: GivenState) -> State:
    """The state. Raises IllegalActionError."""
    if isinstance(position, tuple):
        return position[-1][0]
    return position if isinstance(position, State) else game.position(position or "")


def history_of(game: LoadedGame, position: GivenState) -> History:
    """The play that leads to the position; for a state, a play of length 0.

    Raises IllegalActionError.
    """
    if isinstance(position, tuple):
        return position
    if isinstance(position, State):
        return ((position, None),)
    steps, state = read_play(game, game.initial_state(), position or "")
    return (*steps, (state, None))
