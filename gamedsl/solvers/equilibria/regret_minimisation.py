"""Nearly optimal behaviour of two players with opposed interests, for games of any size.

In: an extensive form, and how much work to do. Out: behaviour of both players, in fractions; how
good it is says `best_response`. Counterfactual regret minimisation, CFR+ (Tammelin, "Solving large
imperfect information games using CFR+", 2014; Zinkevich and others, "Regret minimization in games
with incomplete information", NIPS 2007), carried out on sequences, with floating-point numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, InformationSet
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.graphs.graph import OutOfTimeError

PARTS = 10**6
"""Probabilities are rounded to so many parts, and those below one part to 0."""

Cells = list[list[tuple[int, float]]]
"""For each sequence of a player: sequences of the other, and what the two pay the player."""


def nearly_optimal_behaviour(
    form: ExtensiveForm, rounds: int, tick: Callable[[], None] = lambda: None
) -> tuple[Behaviour, Behaviour]:
    """Behaviour after so many rounds, in each of which both players learn, one after the other;
    after fewer where `tick`, called before each but the first, says that the time is up."""
    learners = [_Learner(form, player) for player in (0, 1)]
    for number in range(1, rounds + 1):
        try:
            if number > 1:
                tick()
        except OutOfTimeError:
            break
        for learner, other in (learners, learners[::-1]):
            learner.learn(other.plan, number)
    return learners[0].behaviour(), learners[1].behaviour()


class _Learner:
    def __init__(self, form: ExtensiveForm, player: int) -> None:
        self.sets: tuple[InformationSet, ...] = form.sets[player]
        size = form.size.sequences[player]
        self.cells: Cells = [[] for _ in range(size)]
        for sequences, payoffs in form.payoffs.items():
            cell = (sequences[1 - player], float(payoffs[player]))
            self.cells[sequences[player]].append(cell)
        self.regrets = [0.0] * size
        self.total = [0.0] * size
        self.local = [1.0] * size
        self.plan = [1.0] * size
        for found in self.sets:
            self._act(found)

    def learn(self, other: list[float], number: int) -> None:
        """Regret what has not been done against the other's plan; later rounds count for more."""
        gains = [sum([other[n] * payoff for n, payoff in row]) for row in self.cells]
        regrets, local = self.regrets, self.local
        for found in reversed(self.sets):
            value = sum([local[n] * gains[n] for n in found.sequences])
            for n in found.sequences:
                regrets[n] = max(0.0, regrets[n] + gains[n] - value)
            gains[found.parent] += value
        for found in self.sets:
            self._act(found)
        for n, weight in enumerate(self.plan):
            self.total[n] += number * weight

    def _act(self, found: InformationSet) -> None:
        """Choose in proportion to regrets; where there are none, all alike."""
        regrets = self.regrets[found.first : found.first + len(found.actions)]
        total = sum(regrets)
        for n, regret in zip(found.sequences, regrets, strict=True):
            self.local[n] = regret / total if total else 1 / len(regrets)
            self.plan[n] = self.plan[found.parent] * self.local[n]

    def behaviour(self) -> Behaviour:
        """The mean of all rounds, rounded."""
        return tuple(self._rounded(found) for found in self.sets)

    def _rounded(self, found: InformationSet) -> tuple[Fraction, ...]:
        weights = [self.total[n] for n in found.sequences]
        most = sum(weights)
        if not most:
            return tuple(Fraction(1, len(weights)) for _ in weights)
        parts = [round(weight / most * PARTS) for weight in weights]
        return tuple(Fraction(part, sum(parts)) for part in parts)
