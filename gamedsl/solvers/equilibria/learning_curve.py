"""Measure the distance of learning from an equilibrium, by rounds.

In: an extensive form, a learner. Out: `LearningCurve`: the mean gains of best responses, as
fractions, after 10, 100, 1,000 ... rounds and after the last round.
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
    """The course of learning.

    Attributes:
        rounds: number of rounds played.
        marks: pairs of a number of rounds and the exploitability: the mean, over the players, of
            the gains by a best response; 0 in an equilibrium.
        seed: the seed of samples; None without samples.
    """

    rounds: int
    marks: tuple[tuple[int, Fraction], ...]
    seed: int | None = None


def learning_curve(
    form: ExtensiveForm, learner: Learner, tick: Callable[[], None], seed: int | None = None
) -> LearningCurve:
    """Play all rounds; fewer if `tick`, called now and then, reports that the time is up."""
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
