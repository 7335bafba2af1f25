"""The value of two opposed sides whose players have imperfect information.

In: an extensive form with its tree, and the side of each player. Out: bounds of the value if each
side draws a joint plan at random before play, in common and unseen by the other side (the
team-maxmin equilibrium with correlation: A. Celli and N. Gatti, "Computational Results for
Extensive-Form Adversarial Team Games", AAAI 2018). By double oracles (H. B. McMahan, G. J. Gordon
and A. Blum, "Planning in the Presence of Cost Functions Controlled by an Adversary", ICML 2003):
the matrix game of a few joint plans of each side is solved exactly, and each side adds a best joint
plan against the mixture of the other, until none is better. With players who forget nothing, a side
of one player is the usual player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.joint_plan import Choices, JointPlan, best_joint_plan
from gamedsl.solvers.equilibria.matrix_game import Mixture, solve_matrix
from gamedsl.solvers.graphs.graph import OutOfTimeError
from gamedsl.source.records import dataclass

ZERO, ONE = Fraction(0), Fraction(1)
MOST_PLANS = 150
"""Joint plans of a side up to which the search goes on."""


@dataclass(frozen=True, slots=True)
class MixedPlans:
    """Joint plans of both sides.

    Attributes:
        low, high: bounds of the value to the first player; equal if the search was completed.
        plans: of each side the joint plans, with their probabilities.
    """

    low: Fraction
    high: Fraction
    plans: tuple[Mapping[Choices, Fraction], ...]


def mixed_joint_plans(
    form: ExtensiveForm, sides: Sequence[int], tick: Callable[[], None] = lambda: None
) -> MixedPlans:
    """Optimal mixtures of joint plans; the best bounds so far if `tick`, called now and then,
    reports that the time is up, or if there are too many plans."""
    search = _DoubleOracle(form, sides)
    with suppress(OutOfTimeError):
        search.run(tick)
    return search.result


class _DoubleOracle:
    """`plans`: of each side the plans, with the endings that each plan plays to."""

    def __init__(self, form: ExtensiveForm, sides: Sequence[int]) -> None:
        tree = form.tree
        assert tree is not None, "the form was asked for with its tree"
        self._form, self._tree = form, tree
        self._players = tuple(
            [player for player, side in enumerate(sides) if side == number] for number in range(2)
        )
        self._firsts = [sum(map(len, form.sets[:player])) for player in range(len(form.sets))]
        self._paid = [
            weight * payoffs[0] for weight, payoffs in zip(tree.weights, tree.payoffs, strict=True)
        ]
        self._plans: tuple[dict[Choices, frozenset[int]], ...] = ({}, {})
        self._below = tree.below()
        self.result = MixedPlans(
            min(p[0] for p in tree.payoffs), max(p[0] for p in tree.payoffs), ()
        )

    def run(self, tick: Callable[[], None]) -> None:
        """Adds plans until the bounds meet."""
        everywhere = [ONE] * len(self._paid)
        for side in range(2):
            self._answer(side, everywhere, tick)
        while max(map(len, self._plans)) < MOST_PLANS:
            rows, columns = (tuple(plans.values()) for plans in self._plans)
            matrix = []
            for row in rows:
                tick()
                shared = (row & column for column in columns)
                matrix.append([sum((self._paid[n] for n in both), ZERO) for both in shared])
            solved = solve_matrix(matrix, tick)
            most = self._answer(0, self._reached(1, solved.column), tick).at_most
            least = -self._answer(1, self._reached(0, solved.row), tick).at_most
            self.result = MixedPlans(
                max(self.result.low, least),
                min(self.result.high, most),
                (
                    dict(zip(tuple(self._plans[0]), solved.row, strict=False)),
                    dict(zip(tuple(self._plans[1]), solved.column, strict=False)),
                ),
            )
            is_stuck = (len(rows), len(columns)) == tuple(map(len, self._plans))
            if is_stuck or self.result.low == self.result.high:
                return

    def _answer(self, side: int, shares: Sequence[Fraction], tick: Callable[[], None]) -> JointPlan:
        """A best joint plan of a side, which is kept; `shares`: of each ending the probability that
        the other side plays to it."""
        sign = -1 if side else 1
        amounts = [sign * paid * share for paid, share in zip(self._paid, shares, strict=True)]
        plan = best_joint_plan(self._form, self._players[side], amounts, tick)
        self._plans[side].setdefault(plan.choices, self._endings(side, plan.choices))
        return plan

    def _reached(self, side: int, mixture: Mixture) -> list[Fraction]:
        """The probability of a side's play to each ending."""
        shares = [ZERO] * len(self._paid)
        for endings, part in zip(self._plans[side].values(), mixture, strict=False):
            for ending in endings if part else ():
                shares[ending] += part
        return shares

    def _endings(self, side: int, choices: Choices) -> frozenset[int]:
        """The endings to which a plan plays, if chance and the other side do."""
        endings = set()
        nodes = [0]
        for node in nodes:
            mover, place = self._tree.movers[node], self._tree.places[node]
            below = self._below[node]
            if not below:
                endings.add(place)
            elif mover in self._players[side]:
                nodes.append(below[choices[self._firsts[mover] + place]])
            else:
                nodes += below
        return frozenset(endings)
