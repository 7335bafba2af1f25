"""Nearly optimal behaviour of players who do not see everything, for games of any size.

In: an extensive form, a rule, how much work to do. Out: behaviour of all players, in fractions;
how good it is says `best_response`. Between two with opposed interests it comes as near to an
equilibrium as one likes; for more players, or other interests, nothing promises that it does
(Risk and Szafron, "Using counterfactual regret minimization to create competitive multiplayer poker
agents", AAMAS 2010, section 3). Counterfactual regret minimisation (Zinkevich and others,
"Regret minimization in games with incomplete information", NIPS 2007), carried out on sequences by
`regret_kernel`, as machine code where the game has that.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise
from math import lcm
from time import perf_counter
from typing import assert_never

from gamedsl.game.native import native_of
from gamedsl.solvers.equilibria import regret_kernel
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.graphs.graph import OutOfTimeError
from gamedsl.source.records import dataclass

PARTS = 1 << 30
"""Probabilities are rounded to so many parts, and those below one part to 0."""
FEWEST_ROUNDS, USUAL_ROUNDS, MOST_ROUNDS = 50, 20_000, 1 << 17
"""With more than the most, regrets would not fit a number."""
SIMPLE = 60
"""Denominators of simple fractions."""
MOST_CELLS, MOST_CELLS_COMPILED = 2_000_000, 1_000_000_000
"""Payoffs looked at by each player in all rounds: some seconds."""
MOST_PAYOFF = (1 << 28) - 1
WHOLE_WEIGHT = 1 << 30
A_MOMENT = 0.1
"""Seconds of rounds between two looks at the clock."""


class RegretRule(StrEnum):
    """How rounds count: what becomes of regrets, and the weight of a plan in the mean."""

    CFR = "CFR"
    """All alike (Zinkevich and others 2007)."""
    CFR_PLUS = "CFR+"
    """No regret below 0, later plans count for more (Tammelin, "Solving large imperfect information
    games using CFR+", 2014)."""
    LINEAR = "linear CFR"
    """Later rounds count for more (Brown and Sandholm, "Solving imperfect-information games via
    discounted regret minimization", AAAI 2019)."""
    DISCOUNTED = "discounted CFR"
    """As there, with the exponents 3/2, 0 and 2."""
    PREDICTIVE = "predictive CFR+"
    """CFR+ that expects the last round to come again (Farina, Kroer and Sandholm, "Faster game
    solving via predictive Blackwell approachability", AAAI 2021)."""


@dataclass(frozen=True, slots=True)
class _Weights:
    """For each round: the divisors and the weight that `regret_kernel` takes."""

    gain_divisors: array[int]
    loss_divisors: array[int]
    weights: array[int]


def _weights(rule: RegretRule, rounds: int) -> _Weights:
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
    return _Weights(array("q", gains), array("q", losses), array("q", fitted))


class Learner:
    """All players learning; behaviour can be asked for in between.

    Attributes:
        rounds: how many have been played; most_rounds: how many there may be.
        starts, shape, numbers: the arrays of `regret_kernel` that begin with `sequence_starts`,
            `firsts` and `regrets`, in its order.
    """

    def __init__(
        self, form: ExtensiveForm, most_rounds: int, function: str, *, is_native: bool
    ) -> None:
        self.rounds = 0
        self.most_rounds = most_rounds
        code = machine_code(form) if is_native else None
        plain: Callable[..., int] = getattr(regret_kernel, function)
        self._play = plain if code is None else partial(code, function)
        sequences = array("q", accumulate(form.size.sequences, initial=0))
        sets = array("q", accumulate(map(len, form.sets), initial=0))
        self.starts = sequences, sets
        numbered = [
            (one, start) for own, start in zip(form.sets, sequences, strict=False) for one in own
        ]
        firsts = array("q", [one.first + start for one, start in numbered])
        widths = array("q", [len(one.actions) for one, _ in numbered])
        parents = array("q", [one.parent + start for one, start in numbered])
        self.shape = firsts, widths, parents
        regrets, lasts, local, plan, totals, gains = (
            array("q", bytes(8 * sequences[-1])) for _ in range(6)
        )
        for start in sequences[:-1]:
            plan[start] = regret_kernel.WHOLE
        regret_kernel.act(0, sets[-1], 0, *self.shape, regrets, lasts, local, plan)
        self.numbers = regrets, lasts, local, plan, totals, gains

    @abstractmethod
    def _go_on(self, first: int, last: int) -> None:
        """Play the rounds of these numbers."""

    def go_on(self, rounds: int) -> None:
        """Play so many rounds more, as far as there may be so many."""
        last = min(self.rounds + rounds, self.most_rounds)
        self._go_on(self.rounds, last)
        self.rounds = last

    def go_on_until(self, last: int, tick: Callable[[], None]) -> bool:
        """Play until there were so many rounds; false if `tick`, called now and then after the
        first, has said before that the time is up."""
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
        firsts, widths, _ = self.shape
        totals = self.numbers[4]
        found = tuple(
            _rounded(totals[first : first + width])
            for first, width in zip(firsts, widths, strict=True)
        )
        return tuple(found[low:high] for low, high in pairwise(self.starts[1]))


class Learning(Learner):
    """In every round all are learning from everything that chance and the others may do.

    Attributes:
        cells: `rows`, `others` and `payoffs` of `regret_kernel`.
    """

    def __init__(
        self, form: ExtensiveForm, rule: RegretRule, most_rounds: int, *, is_native: bool = True
    ) -> None:
        super().__init__(form, min(most_rounds, MOST_ROUNDS), "learn", is_native=is_native)
        self._foresight = int(rule is RegretRule.PREDICTIVE)
        self.cells = _cells(form)
        found = _weights(rule, self.most_rounds)
        self._weights = (found.gain_divisors, found.loss_divisors, found.weights)

    def _go_on(self, first: int, last: int) -> None:
        self._play(
            first, last, self._foresight, *self.starts, *self.shape, *self.cells,
            *self._weights, *self.numbers,
        )  # fmt: skip


def usual_rounds(form: ExtensiveForm) -> int:
    """So many that they take some seconds at most."""
    cells = MOST_CELLS if machine_code(form) is None else MOST_CELLS_COMPILED
    return max(FEWEST_ROUNDS, min(USUAL_ROUNDS, cells // len(form.payoffs)))


def nearly_optimal_behaviour(
    form: ExtensiveForm,
    rounds: int,
    tick: Callable[[], None] = lambda: None,
    rule: RegretRule = RegretRule.CFR_PLUS,
) -> tuple[Behaviour, ...]:
    """Behaviour after so many rounds, in each of which all players learn, one after the other;
    after fewer where `tick` says that the time is up."""
    learning = Learning(form, rule, rounds)
    learning.go_on_until(learning.most_rounds, tick)
    return learning.behaviour()


def simplified(behaviour: Behaviour) -> Behaviour:
    """The same with the nearest simple fractions, which an exact equilibrium often consists of."""
    found = []
    for local in behaviour:
        near = [chance.limit_denominator(SIMPLE) for chance in local]
        near[near.index(max(near))] += 1 - sum(near)
        found.append(tuple(near) if min(near) >= 0 else local)
    return tuple(found)


def machine_code(form: ExtensiveForm) -> Callable[..., int] | None:
    """The kernel, called with the name of a function; None if it is to run as it stands."""
    native = native_of(form.game)
    return None if native is None else native.arithmetic(regret_kernel)


def _cells(form: ExtensiveForm) -> tuple[array[int], array[int], array[int]]:
    """`rows`, `others` and `payoffs` of the kernel."""
    starts = list(accumulate(form.size.sequences, initial=0))
    found: list[list[tuple[tuple[int, ...], int]]] = [[] for _ in range(starts[-1])]
    for player in range(len(form.sets)):
        middle, reach = span_of_payoffs(form, player)
        cells = {
            sequences: (payoffs[player] - middle * form.chances[sequences]) / reach
            for sequences, payoffs in form.payoffs.items()
        }
        scale = lcm(*{paid.denominator for paid in cells.values()})
        factor = MOST_PAYOFF // scale * scale if scale <= MOST_PAYOFF else MOST_PAYOFF
        for sequences, paid in cells.items():
            numbers = [start + one for start, one in zip(starts, sequences, strict=False)]
            mine = numbers.pop(player)
            found[mine].append((tuple(numbers), round(paid * factor)))
    rows = [0]
    for row in found:
        rows.append(rows[-1] + len(row))
    listed = [cell for row in found for cell in row]
    return (
        array("q", rows),
        array("q", [other for others, _ in listed for other in others]),
        array("q", [paid for _, paid in listed]),
    )


def span_of_payoffs(form: ExtensiveForm, player: int) -> tuple[Fraction, Fraction]:
    """The middle between the least and the most that a player is paid, from which payoffs are
    counted, as that changes no regret; and how far they are from it at most."""
    own = [payoffs[player] for payoffs in form.outcomes]
    return (max(own) + min(own)) / 2, (max(own) - min(own)) / 2 or Fraction(1)


def _rounded(weights: array[int]) -> tuple[Fraction, ...]:
    most = sum(weights)
    if not most:
        return tuple(Fraction(1, len(weights)) for _ in weights)
    parts = [weight * PARTS // most for weight in weights]
    parts[parts.index(max(parts))] += PARTS - sum(parts)
    return tuple(Fraction(part, PARTS) for part in parts)
