"""Alpha-beta search (AIMA 3rd ed., section 5.3, Figure 5.7).

In: a game that minimax takes, and optionally an order of moves. Out: the same value as minimax,
having visited no more leaves. The version is the book's: MAX-VALUE and MIN-VALUE return v itself
and not the bound that v has passed ("fail-soft": Fishburn, "Analysis of speedup in distributed
algorithms", 1981), so a value outside the window is a bound on the true one.
"""

from __future__ import annotations

from typing import Unpack

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.solvers.requirements import refuse_unless
from gamedsl.solvers.textbook import minimax
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.minimax import Minimax, SearchOptions, decide
from gamedsl.solvers.textbook.search_context import UNBOUNDED, BackedUpValue, Window

TO_THE_END = minimax.TO_THE_END
INSTEAD = minimax.INSTEAD


def alpha_beta_search(
    game: Game,
    state: State | None = None,
    *,
    window: Window = UNBOUNDED,
    **options: Unpack[SearchOptions],
) -> Decision:
    """ALPHA-BETA-SEARCH(state): the action with the best minimax value.

    Values are the payoffs of MAX, the player `maximizer`. The value of the root is exact if
    strictly inside `window`, else a bound; values of the root's actions are bounds where `is_bound`
    is True. Of several best actions the action visited first decides.

    Cost: from about the square root of minimax's leaves, if the best moves come first (Knuth and
    Moore, "An analysis of alpha-beta pruning", 1975), up to all of minimax's leaves.

    Raises:
        UnsupportedGameError: as `minimax_decision`.
    """
    refuse_unless(game, TO_THE_END, instead=INSTEAD)
    return decide("alpha-beta", AlphaBeta, game, state, window, **options)


class AlphaBeta(Minimax):
    """One search: MAX-VALUE and MIN-VALUE of Figure 5.7.

    Every player except MAX and partners is MIN: with two players as in the book, with more as
    paranoid search.
    """

    def inner_value(self, state: State, player: int, window: Window) -> BackedUpValue:
        """The value of a state where a player chooses."""
        if self.game.facts.are_partners(player, self.maximizer):
            return self.max_value(state, window)
        return self.min_value(state, window)

    def max_value(self, state: State, window: Window = UNBOUNDED) -> BackedUpValue:
        """MAX-VALUE(state, alpha, beta): cut as soon as v >= beta, since MIN avoids the state."""
        player = self.game.current_player(state)
        actions = self.ordering(self.game, state)
        alpha, beta = window.alpha, window.beta
        best: BackedUpValue | None = None
        for i, action in enumerate(actions):
            backed_up = self.value(self.context.result(state, action), Window(alpha, beta))
            if best is not None and backed_up.value <= best.value:
                continue
            best = BackedUpValue(backed_up.value, (action, backed_up.line))
            v = best.value
            self.context.improve(state, player, v, action, Window(alpha, beta))
            if beta is not None and v >= beta:
                self.context.cut(state, player, v, Window(alpha, beta), actions[i + 1 :])
                return best
            if alpha is None or v > alpha:
                alpha = v
                self.context.narrow(state, player, v, Window(alpha, beta))
        assert best is not None, "a state that is not an ending has actions"
        return best

    def min_value(self, state: State, window: Window = UNBOUNDED) -> BackedUpValue:
        """MIN-VALUE(state, alpha, beta): cut as soon as v <= alpha, since MAX avoids the state."""
        player = self.game.current_player(state)
        actions = self.ordering(self.game, state)
        alpha, beta = window.alpha, window.beta
        best: BackedUpValue | None = None
        for i, action in enumerate(actions):
            backed_up = self.value(self.context.result(state, action), Window(alpha, beta))
            if best is not None and backed_up.value >= best.value:
                continue
            best = BackedUpValue(backed_up.value, (action, backed_up.line))
            v = best.value
            self.context.improve(state, player, v, action, Window(alpha, beta))
            if alpha is not None and v <= alpha:
                self.context.cut(state, player, v, Window(alpha, beta), actions[i + 1 :])
                return best
            if beta is None or v < beta:
                beta = v
                self.context.narrow(state, player, v, Window(alpha, beta))
        assert best is not None, "a state that is not an ending has actions"
        return best
