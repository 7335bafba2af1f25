"""gamedsl: rules of games as text, checked, played and solved.

>>> import gamedsl
>>> game = gamedsl.load("tic_tac_toe")
>>> state = game.initial_state()
>>> game.action_name(state, game.legal_actions(state)[0])
'mark(a1)'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

_OF_GAME = frozenset({"Game", "LoadedGame", "load"})


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Names are imported when they are first asked for: what needs none starts at once."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        floor = "gamedsl.game" if name in _OF_GAME else "gamedsl.model"
        found = globals()[name] = getattr(import_module(floor), name)
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
