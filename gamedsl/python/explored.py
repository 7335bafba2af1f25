"""What `check` has looked at, as the graph that solvers work on: nothing is explored twice.

In: a game and the `Visits` of it, in which everything was looked at and nothing is wrong. Out: its
`StateGraph`, the same that exploring it anew would give.
"""

from __future__ import annotations

from gamedsl.conformance.visits import Visits
from gamedsl.game import LoadedGame
from gamedsl.model import CHANCE, TERMINAL
from gamedsl.solvers.graphs.graph import Exploration, StateGraph


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
