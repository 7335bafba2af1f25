"""Floor 4: the Game contract, immutable states, and `load`."""

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.encoding import StateFormatError, state_from_json, state_to_json
from gamedsl.game.engines import ENGINES, NoNativeCodeError
from gamedsl.game.game import LoadedGame
from gamedsl.game.including import read_program
from gamedsl.game.library import further_games, shipped_game, shipped_games
from gamedsl.game.loading import find_source, load, load_source

__all__ = [
    "ENGINES",
    "Action",
    "Game",
    "JointAction",
    "LoadedGame",
    "NoNativeCodeError",
    "StateFormatError",
    "find_source",
    "further_games",
    "load",
    "load_source",
    "read_program",
    "shipped_game",
    "shipped_games",
    "state_from_json",
    "state_to_json",
]
