"""Paranoid search: a player against a coalition of all opponents (N. Sturtevant and R. Korf, "On
pruning techniques for multi-player games", AAAI-00).

In: a game of any number of players, without chance. Out: the player's guaranteed payoff against the
coalition, a lower bound on the payoff against opponents with separate interests. With two players
of opposed interests the search equals alpha-beta.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.solvers.requirements import SEARCH, Requirement, refuse_unless
from gamedsl.solvers.textbook.alpha_beta import AlphaBeta
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.leaves import Endings
from gamedsl.solvers.textbook.ordering import Ordering, declared_order
from gamedsl.solvers.textbook.search_context import UNBOUNDED, SearchContext
from gamedsl.solvers.textbook.trace import Observer

REQUIRES = SEARCH | {Requirement.DETERMINISTIC}
INSTEAD = {Requirement.DETERMINISTIC: "use max^n, which takes averages over chance"}


def paranoid_decision(
    game: Game,
    state: State | None = None,
    *,
    maximizer: int | None = None,
    ordering: Ordering = declared_order,
    observer: Observer | None = None,
) -> Decision:
    """The action with the greatest guarantee for `maximizer` (default: the player to move).

    Values are the payoffs of `maximizer`.

    Raises:
        UnsupportedGameError: the game has chance, secrets or simultaneous moves, or the tree is
            infinite.
    """
    refuse_unless(game, REQUIRES, instead=INSTEAD)
    root = game.initial_state() if state is None else state
    mover = game.current_player(root)
    wary = maximizer if maximizer is not None else max(mover, 0)
    context = SearchContext(game, observer)
    search = AlphaBeta(game, wary, ordering, Endings(game, wary), context)
    backed_up = search.value(root, UNBOUNDED)
    decision = context.decision("paranoid", root, backed_up.value, backed_up.line)
    return replace(decision, maximizer=wary)
