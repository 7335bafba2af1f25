"""The positions of a game for `check`: the graph that it has explored, and the number of them.

In: a game and the `Visits` of it, in which everything was looked at and nothing is wrong. Out: its
`StateGraph`, the same that exploring it anew would give; or, of a game alone, the number of its
positions by native code.
"""

from __future__ import annotations

from gamedsl.conformance.visits import Visits
from gamedsl.game import LoadedGame
from gamedsl.game.contract import Game
from gamedsl.game.native import SearchLimits, Use, native_of
from gamedsl.model import CHANCE, TERMINAL
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.solvers.graphs.graph import (
    Exploration,
    OutOfBudgetError,
    OutOfMemoryError,
    Progress,
    StateGraph,
)


def graph_of(game: LoadedGame, visits: Visits) -> StateGraph:
    """The graph of a game in which one player moves at a time."""
    found = Exploration(game, game.initial_state())
    found.keys, found.number, found.parents = visits.keys, visits.number, visits.parents
    found.movers = [TERMINAL if mover is None else int(mover) for mover in visits.movers]
    found.actions = [tuple(chosen) for chosen in visits.choices]  # type: ignore[misc]
    found.successors = [tuple(after) for after in visits.successors]
    found.rewards = [tuple(paid) for paid in visits.rewards]
    for node, shares in visits.shares.items():
        (found.chances if found.movers[node] == CHANCE else found.payoffs)[node] = shares
    return found.graph()


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
