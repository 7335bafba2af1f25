"""Paranoid search: a player against a coalition of all opponents (N. Sturtevant and R. Korf, "On
pruning techniques for multi-player games", AAAI-00).

In: a game of any number of players, without chance. Out: the player's guaranteed payoff against the
coalition, a lower bound on the payoff against opponents with separate interests. With two players
of opposed interests the search equals alpha-beta.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.solvers.requirements import SEARCH, Requirement, refuse_unless
from gamedsl.solvers.textbook.alpha_beta import AlphaBeta
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.minimax import SearchOptions, decide

REQUIRES = SEARCH | {Requirement.DETERMINISTIC}
INSTEAD = {Requirement.DETERMINISTIC: "use max^n, which takes averages over chance"}


def paranoid_decision(
    game: Game, state: State | None = None, **options: Unpack[SearchOptions]
) -> Decision:
    """The action with the greatest guarantee for `maximizer` (default: the player to move).

    Values are the payoffs of `maximizer`.

    Raises:
        UnsupportedGameError: the game has chance, secrets or simultaneous moves, or the tree is
            infinite.
    """
    refuse_unless(game, REQUIRES, instead=INSTEAD)
    root = game.initial_state() if state is None else state
    wary = options.setdefault("maximizer", max(game.current_player(root), 0))
    return replace(decide("paranoid", AlphaBeta, game, root, **options), maximizer=wary)
