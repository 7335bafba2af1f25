"""Nearly optimal behaviour under imperfect information, for games of any size.

In: an extensive form, a rule, an amount of work. Out: behaviour of all players, in fractions;
`best_response` tells its quality. For two players with opposed interests the behaviour converges to
an equilibrium; for more players, or other interests, there is no guarantee (Risk and Szafron,
"Using counterfactual regret minimization to create competitive multiplayer poker agents", AAMAS
2010, section 3). Counterfactual regret minimisation (Zinkevich and others, "Regret minimization in
games with incomplete information", NIPS 2007), performed on sequences by `regret_kernel`, as
machine code if the game has machine code.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable, Iterable
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise
from math import lcm
from time import perf_counter
from typing import assert_never

from gamedsl.solvers.equilibria import regret_kernel
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.graphs.graph import OutOfTimeError
from gamedsl.solvers.histories.native import Kernels

PARTS = 1 << 30
"""Probabilities are rounded to multiples of 1 / PARTS; smaller probabilities become 0."""
FEWEST_ROUNDS, USUAL_ROUNDS, MOST_ROUNDS = 50, 20_000, 1 << 17
"""Numbers of rounds; with more than MOST_ROUNDS, regrets could overflow."""
SIMPLE = 60
"""Maximal denominator of simple fractions."""
MOST_CELLS, MOST_CELLS_COMPILED = 2_000_000, 1_000_000_000
"""Payoffs processed by each player in all rounds: some seconds."""
MOST_PAYOFF = (1 << 28) - 1
WHOLE_WEIGHT = 1 << 30
A_MOMENT = 0.1
"""Seconds of rounds between two calls of `tick`."""


class RegretRule(StrEnum):
    """Weights of rounds: the discount of regrets, and the weight of a plan in the mean."""

    CFR = "CFR"
    """Equal weights (Zinkevich and others 2007)."""
    CFR_PLUS = "CFR+"
    """No regret below 0, later plans have higher weights (Tammelin, "Solving large imperfect
    information games using CFR+", 2014)."""
    LINEAR = "linear CFR"
    """Later rounds have higher weights (Brown and Sandholm, "Solving imperfect-information games
    via discounted regret minimization", AAAI 2019)."""
    DISCOUNTED = "discounted CFR"
    """By Brown and Sandholm as well, with the exponents 3/2, 0 and 2."""
    PREDICTIVE = "predictive CFR+"
    """CFR+ that predicts a repetition of the last round (Farina, Kroer and Sandholm, "Faster game
    solving via predictive Blackwell approachability", AAAI 2021)."""


def weights_of(rule: RegretRule, rounds: int) -> regret_kernel.Weights:
    """For each round, the divisors and the weight."""
    numbers = range(1, rounds + 1)
    never = [0] * rounds
    match rule:
        case RegretRule.CFR:
            gains, losses, weights = never, never, [1] * rounds
        case RegretRule.CFR_PLUS:
            gains, losses, weights = never, [1] * rounds, list(numbers)
        case RegretRule.LINEAR:
            later = [n + 1 for n in numbers]
            gains, losses, weights = later, later, list(numbers)
        case RegretRule.DISCOUNTED:
            gains = [round(n**1.5) + 1 for n in numbers]
            losses, weights = [2] * rounds, [n * n for n in numbers]
        case RegretRule.PREDICTIVE:
            gains, losses, weights = never, [1] * rounds, [n * n for n in numbers]
        case _:
            assert_never(rule)
    whole = sum(weights)
    fitted = [max(1, weight * WHOLE_WEIGHT // whole) for weight in weights]
    return regret_kernel.Weights(
        gain_divisors=array("q", gains),
        loss_divisors=array("q", losses),
        weights=array("q", fitted),
    )


class Learner:
    """All players learning; behaviour can be read between rounds.

    Attributes:
        rounds: number of rounds played; most_rounds: maximal number of rounds.
        shape, learnt: the arrays of `regret_kernel`.
    """

    def __init__(
        self, form: ExtensiveForm, most_rounds: int, function: str, *, is_native: bool
    ) -> None:
        self.rounds = 0
        self.most_rounds = most_rounds
        self._call = Kernels(form.game, regret_kernel, is_native=is_native).call
        self._play = partial(self._call, function)
        sequences = array("q", accumulate(form.size.sequences, initial=0))
        sets = array("q", accumulate(map(len, form.sets), initial=0))
        numbered = [
            (information_set, start)
            for player_sets, start in zip(form.sets, sequences, strict=False)
            for information_set in player_sets
        ]
        firsts = array("q", [information_set.first + start for information_set, start in numbered])
        widths = array("q", [len(information_set.actions) for information_set, _ in numbered])
        parents = array(
            "q", [information_set.parent + start for information_set, start in numbered]
        )
        self.shape = regret_kernel.SequenceForm(
            sequence_starts=sequences,
            set_starts=sets,
            firsts=firsts,
            widths=widths,
            enters=array("q", range(len(parents) + 1)),
            parents=parents,
        )
        self.learnt = regret_kernel.Learnt(
            **{name: array("q", bytes(8 * sequences[-1])) for name in regret_kernel.Learnt.FIELDS}
        )
        for start in sequences[:-1]:
            self.learnt.plan[start] = regret_kernel.WHOLE
        self._call("act", 0, sets[-1], 0, self.shape, self.learnt)

    @abstractmethod
    def _go_on(self, first: int, last: int) -> None:
        """Play the rounds with these numbers."""

    def go_on(self, rounds: int) -> None:
        """Play `rounds` more rounds, but at most `most_rounds` in total."""
        last = min(self.rounds + rounds, self.most_rounds)
        self._go_on(self.rounds, last)
        self.rounds = last

    def go_on_until(self, last: int, tick: Callable[[], None]) -> bool:
        """Play until `last` rounds are played; false if `tick`, called now and then after the first
        round, reports that the time is up."""
        at_once, last = 1, min(last, self.most_rounds)
        while self.rounds < last:
            try:
                if self.rounds:
                    tick()
            except OutOfTimeError:
                return False
            started = perf_counter()
            self.go_on(min(at_once, last - self.rounds))
            if perf_counter() - started < A_MOMENT:
                at_once *= 2
        return True

    def behaviour(self) -> tuple[Behaviour, ...]:
        """The mean of all rounds, rounded."""
        shape, totals = self.shape, self.learnt.totals
        rounded = tuple(
            _rounded(totals[first : first + width])
            for first, width in zip(shape.firsts, shape.widths, strict=True)
        )
        return tuple(rounded[low:high] for low, high in pairwise(shape.set_starts))


class Learning(Learner):
    """All players learn in every round from all actions of chance and the opponents.

    Attributes:
        cells: as `regret_kernel` has them.
    """

    def __init__(
        self, form: ExtensiveForm, rule: RegretRule, most_rounds: int, *, is_native: bool = True
    ) -> None:
        super().__init__(form, min(most_rounds, MOST_ROUNDS), "learn", is_native=is_native)
        self._foresight = int(rule is RegretRule.PREDICTIVE)
        self.cells = self._cells(form)
        self._weights = weights_of(rule, self.most_rounds)

    def _cells(self, form: ExtensiveForm) -> regret_kernel.Cells:
        """The cells of each sequence, player after player, with payoffs in the kernel's units."""
        players, sequences = len(form.sets), form.cells.sequences
        starts = self.shape.sequence_starts
        order = array("q", bytes(8 * len(sequences)))
        cells = regret_kernel.Cells(
            rows=array("q", bytes(8 * (starts[-1] + 1))),
            opposing=array("q", bytes(8 * len(sequences) * (players - 1))),
            payoffs=array("q", bytes(8 * len(sequences))),
        )
        scaled = array("q", [paid for player in range(players) for paid in _scaled(form, player)])
        self._call("arrange", players, starts, sequences, cells.rows, order)
        self._call("place_cells", players, starts, sequences, order, scaled, cells)
        return cells

    def _go_on(self, first: int, last: int) -> None:
        self._play(first, last, self._foresight, self.shape, self.cells, self._weights, self.learnt)


def usual_rounds(form: ExtensiveForm) -> int:
    """A number of rounds that takes at most some seconds."""
    cells = MOST_CELLS_COMPILED if is_compiled(form) else MOST_CELLS
    return max(FEWEST_ROUNDS, min(USUAL_ROUNDS, cells // len(form.cells)))


def nearly_optimal_behaviour(
    form: ExtensiveForm,
    rounds: int,
    tick: Callable[[], None] = lambda: None,
) -> tuple[Behaviour, ...]:
    """Behaviour after `rounds` rounds, in each of which all players learn in turn; after fewer
    rounds if `tick` reports that the time is up."""
    learning = Learning(form, RegretRule.CFR_PLUS, rounds)
    learning.go_on_until(learning.most_rounds, tick)
    return learning.behaviour()


def simplified(behaviour: Behaviour) -> Behaviour:
    """Behaviour rounded to the nearest simple fractions, which are frequent in exact equilibria."""
    simple = []
    for local in behaviour:
        near = [chance.limit_denominator(SIMPLE) for chance in local]
        near[near.index(max(near))] += 1 - sum(near)
        simple.append(tuple(near) if min(near) >= 0 else local)
    return tuple(simple)


def is_compiled(form: ExtensiveForm) -> bool:
    """Whether the kernel runs as machine code."""
    return Kernels(form.game, regret_kernel).is_native


def _scaled(form: ExtensiveForm, player: int) -> Iterable[int]:
    """A player's payoff of each cell, counted from the middle, in the units of the kernel."""
    cells = form.cells
    middle, reach = span_of_payoffs(form, player)
    totals = cells.of_player(player)[1]
    paid = {
        (total, weight): (Fraction(total, cells.share) - middle * weight) / (cells.unit * reach)
        for total, weight in set(zip(totals, cells.weights, strict=True))
    }
    scale = lcm(*{payoff.denominator for payoff in paid.values()})
    factor = MOST_PAYOFF // scale * scale if scale <= MOST_PAYOFF else MOST_PAYOFF
    known = {pair: round(payoff * factor) for pair, payoff in paid.items()}
    return map(known.__getitem__, zip(totals, cells.weights, strict=True))


def span_of_payoffs(form: ExtensiveForm, player: int) -> tuple[Fraction, Fraction]:
    """The middle between a player's least and greatest payoff, and the greatest distance of a
    payoff from the middle. Payoffs are counted from the middle, which changes no regret."""
    paid = [payoffs[player] for payoffs in form.outcomes]
    return (max(paid) + min(paid)) / 2, (max(paid) - min(paid)) / 2 or Fraction(1)


def _rounded(weights: array[int]) -> tuple[Fraction, ...]:
    most = sum(weights)
    if not most:
        return tuple(Fraction(1, len(weights)) for _ in weights)
    parts = [weight * PARTS // most for weight in weights]
    parts[parts.index(max(parts))] += PARTS - sum(parts)
    return tuple(Fraction(part, PARTS) for part in parts)
