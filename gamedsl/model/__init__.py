"""Floor 2: the checked rules. Names resolved, types and ranges known, facts derived.

Typed nodes are distinct from the syntax tree's nodes. User mistakes are diagnostics, not
exceptions.
"""

from gamedsl.model.elaborate.program import check, check_most_players
from gamedsl.model.errors import (
    GameRuleError,
    GameSourceError,
    IllegalActionError,
    UndefinedValueError,
    UnsupportedGameError,
)
from gamedsl.model.facts import Facts, PayoffSum
from gamedsl.model.model import Model
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, Player, State

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "TERMINAL",
    "Facts",
    "GameRuleError",
    "GameSourceError",
    "IllegalActionError",
    "Model",
    "PayoffSum",
    "Player",
    "State",
    "UndefinedValueError",
    "UnsupportedGameError",
    "check",
    "check_most_players",
]
