"""Games and positions in the forms accepted by the Python interface."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Union

from gamedsl.game import LoadedGame, load
from gamedsl.game.reading import read_play
from gamedsl.model import State
from gamedsl.solvers.graphs.information import History

if TYPE_CHECKING:
    from gamedsl.bridges.spiel_contract import SpielGame

OF_OPENSPIEL = "openspiel:"
"""In front of the name of a game of OpenSpiel."""
GivenGame = Union[LoadedGame, "SpielGame", str, Path]
"""A game, also of `from_openspiel`; or a path, a text, or the name of a shipped game, as accepted
by `load`; or `openspiel:NAME`."""
GivenState = State | str | History | None
"""A state; or the moves from S0 to the state (`"a1 b2"`); or a play, as states with the actions
taken; None for S0.
"""


def game_of(game: GivenGame) -> LoadedGame:
    """The game. Exceptions as in `load`, or `from_openspiel` for `openspiel:NAME`."""
    if isinstance(game, str) and game.startswith(OF_OPENSPIEL):
        from gamedsl.bridges.spiel_contract import from_openspiel

        return from_openspiel(game.removeprefix(OF_OPENSPIEL))  # type: ignore[return-value]
    if isinstance(game, str | Path):
        return load(game)
    return game  # type: ignore[return-value]  # functions read rules only where there are rules


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
