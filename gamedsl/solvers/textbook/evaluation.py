"""EVAL for cut-off searches: the file's `evaluate`, mapped strictly between worst and best payoff.

In: a game with `evaluate`, and the player MAX. Out: an `Evaluation`. A proven win must always beat
a good guess (AIMA 3rd ed., section 5.4.1: EVAL orders endings as UTILITY does), and estimates are
therefore squeezed, in order, into the open interval between the payoffs.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from gamedsl.game.contract import Game
from gamedsl.solvers.requirements import Requirement, refuse_unless
from gamedsl.solvers.textbook.leaves import Evaluation

REQUIRES = frozenset({Requirement.EVALUATE})
HALF = Fraction(1, 2)


def file_evaluation(game: Game, maximizer: int) -> Evaluation:
    """The file's `evaluate` for MAX, squeezed.

    Raises:
        UnsupportedGameError: the file has no `evaluate`.
    """
    refuse_unless(game, REQUIRES)
    squeeze = squeezer(game.facts.utility_bounds)
    return lambda state: squeeze(game.evaluate(state, maximizer))


def squeezer(bounds: tuple[Fraction, Fraction]) -> Callable[[Fraction], Fraction]:
    """A strictly increasing map of all numbers into the open interval between two payoffs.

    In units of half the interval's length from the middle: u where |u| <= 1/2, beyond 1/2 the value
    1 - 1/(4|u|) with the sign of u. Estimates in the middle half of the interval keep the value in
    the file, and averages over chance of such estimates keep their meaning (section 5.5.1 wants a
    positive linear transformation). If all payoffs are equal, all estimates are equal.
    """
    low, high = bounds
    middle, reach = (low + high) / 2, (high - low) / 2

    def squeeze(estimate: Fraction) -> Fraction:
        if not reach:
            return middle
        u = (estimate - middle) / reach
        if abs(u) > HALF:
            inside = 1 - 1 / (4 * abs(u))
            u = inside if u > 0 else -inside
        return middle + u * reach

    return squeeze
