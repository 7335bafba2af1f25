"""Expectiminimax: minimax with chance nodes (AIMA 3rd ed., section 5.5).

In: a game of one player, or of two with opposed interests, with or without chance, whose plays all
end. Out: the decision, with exact expected payoffs as fractions. "Terminal nodes and MAX and MIN
nodes work exactly the same way as before"; the value of a chance node is the sum of the outcomes'
values, weighted by probability. Pruning: see `star`.
"""

from __future__ import annotations

from fractions import Fraction

from gamedsl.game.contract import Game
from gamedsl.model.state import CHANCE, State
from gamedsl.solvers.requirements import SEARCH, SEARCH_TO_THE_END, Requirement, refuse_unless
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.minimax import Minimax
from gamedsl.solvers.textbook.ordering import Ordering, declared_order
from gamedsl.solvers.textbook.search_context import BackedUpValue, SearchContext
from gamedsl.solvers.textbook.trace import Observer

REQUIRES = SEARCH | {Requirement.ONE_NUMBER}
TO_THE_END = SEARCH_TO_THE_END | {Requirement.ONE_NUMBER}


def expectiminimax_decision(
    game: Game,
    state: State | None = None,
    *,
    maximizer: int = 0,
    ordering: Ordering = declared_order,
    observer: Observer | None = None,
) -> Decision:
    """The action with the best EXPECTIMINIMAX(RESULT(s, a)).

    Values are expected payoffs of MAX, the player `maximizer`. If `state` is a chance event, the
    decision has a value, but no action.

    Raises:
        UnsupportedGameError: the game has secrets, simultaneous moves, more than two players or
            unopposed interests; or the tree is infinite.
    """
    refuse_unless(game, TO_THE_END)
    root = game.initial_state() if state is None else state
    context = SearchContext(game, observer)
    search = Expectiminimax(game, maximizer, ordering, context.endings(maximizer), context)
    backed_up = search.value(root)
    return context.decision("expectiminimax", root, backed_up.value, backed_up.line)


class Expectiminimax(Minimax):
    """One search: EXPECTIMINIMAX of section 5.5."""

    def inner_value(self, state: State, player: int) -> BackedUpValue:
        """The value of a state where a player or chance decides."""
        if player == CHANCE:
            return BackedUpValue(self.expectation(state))
        return super().inner_value(state, player)

    def expectation(self, state: State) -> Fraction:
        """The sum over r of P(r) EXPECTIMINIMAX(RESULT(s, r)).

        Observers receive the partial sum after each outcome.
        """
        total = Fraction(0)
        for outcome, chance in self.game.chance_outcomes(state):
            total += chance * self.value(self.context.result(state, outcome)).value
            self.context.improve(state, CHANCE, total, outcome)
        return total
