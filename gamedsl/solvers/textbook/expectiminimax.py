"""Expectiminimax: minimax with chance nodes (AIMA 3rd ed., section 5.5).

In: a game of one player, or of two with opposed interests, with or without chance, whose plays all
end. Out: the decision, with exact expected payoffs as fractions. "Terminal nodes and MAX and MIN
nodes work exactly the same way as before"; the value of a chance node is the sum of the outcomes'
values, weighted by probability. Pruning: see `star`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Unpack

from gamedsl.game.contract import Game
from gamedsl.model.state import CHANCE, State
from gamedsl.solvers.requirements import SEARCH, SEARCH_TO_THE_END, Requirement, refuse_unless
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.minimax import Minimax, SearchOptions, decide
from gamedsl.solvers.textbook.search_context import BackedUpValue, Window

REQUIRES = SEARCH | {Requirement.ONE_NUMBER}
TO_THE_END = SEARCH_TO_THE_END | {Requirement.ONE_NUMBER}


def expectiminimax_decision(
    game: Game, state: State | None = None, **options: Unpack[SearchOptions]
) -> Decision:
    """The action with the best EXPECTIMINIMAX(RESULT(s, a)).

    Values are expected payoffs of MAX, the player `maximizer`. If `state` is a chance event, the
    decision has a value, but no action.

    Raises:
        UnsupportedGameError: the game has secrets, simultaneous moves, more than two players or
            unopposed interests; or the tree is infinite.
    """
    refuse_unless(game, TO_THE_END)
    return decide("expectiminimax", Expectiminimax, game, state, **options)


class Expectiminimax(Minimax):
    """One search: EXPECTIMINIMAX of section 5.5."""

    def inner_value(self, state: State, player: int, window: Window) -> BackedUpValue:
        """The value of a state where a player or chance decides."""
        if player == CHANCE:
            return BackedUpValue(self.expectation(state))
        return super().inner_value(state, player, window)

    def expectation(self, state: State) -> Fraction:
        """The sum over r of P(r) EXPECTIMINIMAX(RESULT(s, r)).

        Observers receive the partial sum after each outcome.
        """
        total = Fraction(0)
        for outcome, chance in self.game.chance_outcomes(state):
            total += chance * self.value(self.context.result(state, outcome)).value
            self.context.improve(state, CHANCE, total, outcome)
        return total
