"""Games written for other programs, in one call.

In: a game and a position as a caller has them (`given`). Out: text in the formats of Gambit.
"""

from __future__ import annotations

from gamedsl.python.given import GivenGame, GivenState, game_of, state_of
from gamedsl.reports.trees.as_gambit import efg_text, nfg_text
from gamedsl.solvers.equilibria.extensive_form import extensive_form
from gamedsl.solvers.graphs.walk import walk_of
from gamedsl.solvers.normal_form.reduced import reduced_form

MOST_NODES = 100_000


def efg(game: GivenGame, state: GivenState = None, *, max_nodes: int = MOST_NODES) -> str:
    """The game tree below a position as a file of Gambit's (`.efg`), with exact numbers.

    Raises:
        OutOfBudgetError: the tree has more than `max_nodes`.
        UnsupportedGameError: what players know in the position depends on the play before it.
    """
    given = game_of(game)
    root = state_of(given, state)
    return efg_text(given.name, given.facts.players, walk_of(given, root, max_nodes=max_nodes))


def nfg(game: GivenGame, *, max_nodes: int = MOST_NODES) -> str:
    """The reduced normal form of a game as a file of Gambit's (`.nfg`), with exact numbers.

    Raises:
        OutOfHistoriesError: the tree has more than `max_nodes`.
        UnsupportedGameError: there are too many plans, or a player forgets.
    """
    given = game_of(game)
    form = reduced_form(extensive_form(given, max_histories=max_nodes)).normal
    return nfg_text(given.name, form)
