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


def game_of(given: GivenGame) -> LoadedGame:
    """The game. Exceptions as in `load`."""
    return given if isinstance(given, LoadedGame) else load(given)


def state_of(game: LoadedGame, given: GivenState) -> State:
    """The state. Raises IllegalActionError."""
    if isinstance(given, tuple):
        return given[-1][0]
    return given if isinstance(given, State) else game.position(given or "")


def history_of(game: LoadedGame, given: GivenState) -> History:
    """The play that leads to the state; for a given state, a play of length 0.

    Raises IllegalActionError.
    """
    if isinstance(given, tuple):
        return given
    if isinstance(given, State):
        return ((given, None),)
    steps, state = read_play(game, game.initial_state(), given or "")
    return (*steps, (state, None))
