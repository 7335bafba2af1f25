"""The positions of a game for `check`: the graph of an exploration, and the number of positions.

A complete exploration without errors becomes a `StateGraph`, equal to the result of a new
exploration. Native code counts the positions of a game.
"""

from __future__ import annotations

from gamedsl.conformance.visits import Visits
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import Refusal, SearchLimits, machine_code_of
from gamedsl.game.contract import Game
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
    """The graph of a completely explored game without simultaneous moves."""
    explored = Exploration(game, game.initial_state())
    explored.keys, explored.number, explored.parents = visits.keys, visits.number, visits.parents
    explored.movers = [TERMINAL if mover is None else int(mover) for mover in visits.movers]
    explored.actions = [tuple(chosen) for chosen in visits.choices]  # type: ignore[misc]
    explored.successors = [tuple(after) for after in visits.successors]
    explored.rewards = [tuple(paid) for paid in visits.rewards]
    for node, shares in visits.shares.items():
        (explored.chances if explored.movers[node] == CHANCE else explored.payoffs)[node] = shares
    return explored.graph()


def native_count(game: Game, most: int, progress: Progress | None) -> int | None:
    """The number of positions, or `most` + 1 if there are more.

    None if native code cannot count, or the rules fail in a position.
    """
    accelerator = machine_code_of(game)
    if isinstance(accelerator, Refusal):
        return None
    returns = game.facts.endless is not None
    try:
        count = accelerator.count_positions(
            game.initial_state(), returns=returns, limits=SearchLimits(most, progress=progress)
        )
    except OutOfBudgetError:
        return most + 1
    except (GameRuleError, OutOfMemoryError, UnsupportedGameError):
        return None
    return None if isinstance(count, Refusal) else count
