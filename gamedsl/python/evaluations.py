"""EVAL as a caller writes it in Python, for the searches of the textbook.

In: a function from a view of a state to a number, good for the first player. Out: an `Evaluation`,
exact and between the payoffs.
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
    """The function on states, its numbers made exact and put strictly between worst and best
    payoff; it raises ValueError for what is no finite number."""
    squeeze = squeezer(game.facts.utility_bounds)

    def value(state: State) -> Fraction:
        number = evaluation(game.view(state))
        try:
            return squeeze(Fraction(number))
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f"an evaluation gives a finite number, not {number!r}") from None

    return value
