"""How near to an equilibrium learning has come, round by round.

In: an extensive form, a learner. Out: `LearningCurve`: what best responses gain on average, as
fractions, after 10, 100, 1,000 ... rounds and after the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from gamedsl.solvers.equilibria.best_response import best_response_gains
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.regret_minimisation import Learner
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """What became of learning.

    Attributes:
        rounds: how many were played.
        marks: after so many rounds the exploitability: the mean, over the players, of what each
            could gain by a best response; 0 in an equilibrium.
        seed: that of samples; None where there were none.
    """

    rounds: int
    marks: tuple[tuple[int, Fraction], ...]
    seed: int | None = None


def learning_curve(
    form: ExtensiveForm, learner: Learner, tick: Callable[[], None], seed: int | None = None
) -> LearningCurve:
    """Play all rounds; fewer where `tick`, called now and then, says that the time is up."""
    marks = []
    for stop in _stops(learner.most_rounds):
        goes_on = learner.go_on_until(stop, tick)
        gains = best_response_gains(form, learner.behaviour())
        marks.append((learner.rounds, sum(gains, Fraction(0)) / len(gains)))
        if not goes_on:
            break
    return LearningCurve(learner.rounds, tuple(marks), seed)


def _stops(last: int) -> Iterator[int]:
    stop = 10
    while stop < last:
        yield stop
        stop *= 10
    yield last
