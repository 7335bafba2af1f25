"""gamedsl: rules of games as text, checked, played and solved.

>>> import gamedsl
>>> game = gamedsl.load("tic_tac_toe")
>>> state = game.initial_state()
>>> game.action_name(state, game.legal_actions(state)[0])
'mark(a1)'
"""

from gamedsl.game import Game, LoadedGame, load
from gamedsl.model import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    Facts,
    GameRuleError,
    GameSourceError,
    IllegalActionError,
    Player,
    State,
    UnsupportedGameError,
)

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "TERMINAL",
    "Facts",
    "Game",
    "GameRuleError",
    "GameSourceError",
    "IllegalActionError",
    "LoadedGame",
    "Player",
    "State",
    "UnsupportedGameError",
    "__version__",
    "load",
]
