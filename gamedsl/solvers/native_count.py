"""How many positions a game has, by code of its own, where exploring in Python would take long.

In: a game and the most positions to look at. Out: their number; none where there is no such code,
or where it met something that a search by the contract has to find again.
"""

from __future__ import annotations

from gamedsl.game.contract import Game
from gamedsl.game.native import SearchLimits, Use, native_of
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError, Progress


def native_count(game: Game, most: int, progress: Progress | None) -> int | None:
    """The number of positions, `most` + 1 if there are more. None: nothing is known, or the rules
    fail somewhere."""
    native = native_of(game)
    if native is None or native.use is Use.NEVER:
        return None
    returns = game.facts.endless is not None
    try:
        return native.count_positions(
            game.initial_state(), returns=returns, limits=SearchLimits(most, progress=progress)
        )
    except OutOfBudgetError:
        return most + 1
    except (GameRuleError, OutOfMemoryError, UnsupportedGameError):
        return None
