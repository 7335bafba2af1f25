"""EVAL as a Python function, for the textbook searches.

A function from a view of a state to a number, larger for the first player's benefit, becomes an
`Evaluation` with exact values between the payoffs.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from gamedsl.game.notebook import Shown, StateView
from gamedsl.model import State
from gamedsl.solvers.textbook.evaluation import squeezer
from gamedsl.solvers.textbook.leaves import Evaluation

ViewEvaluation = Callable[[StateView], int | float | Fraction]
"""EVAL(s) for the first player: any finite number, larger is better."""


def evaluation_of(game: Shown, evaluation: ViewEvaluation) -> Evaluation:
    """The evaluation as a function of states, with exact values.

    Values lie strictly between worst and best payoff. The function raises ValueError for a result
    that is no finite number.
    """
    squeeze = squeezer(game.facts.utility_bounds)

    def value(state: State) -> Fraction:
        number = evaluation(game.view(state))
        try:
            return squeeze(Fraction(number))
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"an evaluation gives a finite number, not {number!r}") from None

    return value
