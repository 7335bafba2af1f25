"""Quantal response equilibria: players choose better actions with higher probabilities.

In: an extensive form, a precision lambda. Out: `QuantalResponse`: behaviour in which every player
takes each action with a probability proportional to exp(lambda x expected payoff of the action
against the profile) (R. McKelvey and T. Palfrey, "Quantal response equilibria for normal form
games", Games and Economic Behavior 10, 1995; for several decisions of a player, each decision on
its own: "for extensive form games", Experimental Economics 1, 1998). Of several equilibria, the
result is the equilibrium on the principal branch. The branch starts at lambda = 0 with uniform
behaviour and is followed from there (T. Turocy, "A dynamic homotopy interpretation of the logistic
quantal response equilibrium correspondence", Games and Economic Behavior 51, 2005).

The unknowns are logarithms of probabilities. Let W be the product of the probabilities of players
and chance on the path to an ending. The expected payoff of an action is the sum of W x payoff over
the endings behind the action, divided by the sum of W: under perfect recall the player's own factor
of W cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from math import exp, log
from operator import mul

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.equilibria.best_response import best_response_gains, expected_payoffs
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.normal_form.bounds import CEILING, FLOOR, Bounds, total
from gamedsl.solvers.normal_form.continuation import LostCurveError, Rows, follow
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass

MOST_CHOICES = 300
"""Maximal number of actions in information sets with a choice: the number of equations."""
MOST_TERMS = 1_000_000
"""Maximal number of pairs of actions on the path to an ending, over all endings."""
STEP = Decimal(10) ** -15
"""Resolution of the reported probabilities."""
ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class QuantalResponse:
    """Behaviour by a model of people whose mistakes are the rarer the more the mistakes cost.

    Attributes:
        rationality: the precision lambda, per unit of payoff; 0 gives uniform behaviour.
        profile: the behaviour, in decimals; `paid`: its expected payoffs; `gains`: the gain of each
            player by a best reply.
        residual: proved bound of the difference between the probabilities of `profile` and the
            response, by decimals rounded to both sides. The response is taken to the profile before
            its rounding.
        turns: values of lambda at which the branch turns back, in order.
        crossings: values of lambda at which other branches were seen to cross; the path goes
            straight on, so players with equal roles keep equal behaviour.
    """

    rationality: Fraction
    profile: tuple[Behaviour, ...]
    paid: Vector
    gains: Vector
    residual: Fraction
    turns: tuple[float, ...]
    crossings: tuple[float, ...]


def quantal_response(
    form: ExtensiveForm, rationality: Fraction, tick: Callable[[], None] = lambda: None
) -> QuantalResponse:
    """The quantal response equilibrium at the first point of the principal branch with this lambda.

    Raises:
        ValueError: the precision is negative.
        UnsupportedGameError: the form is too large, or the branch cannot be followed so far.
    """
    if rationality < 0:
        raise ValueError(f"the rationality has to be 0 or more, found {rationality}")
    responses = _Responses(form)
    span = float(responses.span)
    target = float(rationality) * span
    try:
        end = follow(responses.equations, responses.uniform(), target, tick)
    except LostCurveError as lost:
        raise UnsupportedGameError(
            f"the principal branch of {form.game.name} could not be followed beyond "
            f"lambda = {lost.reached / span:.6g}",
            "a smaller --rationality may be reached; without --solver equilibria are looked for",
        ) from lost
    profile, residual = responses.told(end.unknowns, rationality)
    paid, gains = expected_payoffs(form, profile), best_response_gains(form, profile)
    turns, crossings = (tuple(at / span for at in points) for points in (end.turns, end.crossings))
    return QuantalResponse(rationality, profile, paid, gains, residual, turns, crossings)


class _Responses:
    """The equations of one form. Payoffs are scaled: a player's least payoff is 0, the greatest
    difference of payoffs (the span) is 1; lambda is in units of 1 / span."""

    def __init__(self, form: ExtensiveForm) -> None:
        self.form = form
        least = [min(column) for column in zip(*form.outcomes, strict=True)]
        most = [max(column) for column in zip(*form.outcomes, strict=True)]
        spans = [b - a for a, b in zip(least, most, strict=True)]
        self.span = max(spans) or ONE
        self.players: list[int] = []
        self.sets: list[range] = []
        unknowns = [self._unknowns_by_sequence(player) for player in range(len(form.sets))]
        self.endings: list[tuple[int, ...]] = []
        self.paid: list[tuple[Fraction, ...]] = []
        self.chances: list[Fraction] = []
        self.behind: list[list[int]] = [[] for _ in self.players]
        for sequences, payoffs in form.payoffs.items():
            chance = form.chances[sequences]
            way = [
                n
                for of_player, sequence in zip(unknowns, sequences, strict=True)
                for n in of_player[sequence]
            ]
            for unknown in way:
                self.behind[unknown].append(len(self.endings))
            self.endings.append(tuple(way))
            self.chances.append(chance)
            pairs = zip(payoffs, least, strict=True)
            self.paid.append(tuple((paid - low * chance) / self.span for paid, low in pairs))
        self._refuse_large()
        self._floats = [
            (float(chance), tuple(map(float, paid)))
            for chance, paid in zip(self.chances, self.paid, strict=True)
        ]

    def _unknowns_by_sequence(self, player: int) -> list[tuple[int, ...]]:
        """For each sequence of a player, the unknowns of its actions; an action without alternative
        has no unknown."""
        unknowns: list[tuple[int, ...]] = [()]
        for information_set in self.form.sets[player]:
            first, width = len(self.players), len(information_set.actions)
            if width == 1:
                unknowns.append(unknowns[information_set.parent])
                continue
            self.sets.append(range(first, first + width))
            self.players += [player] * width
            unknowns += [(*unknowns[information_set.parent], unknown) for unknown in self.sets[-1]]
        return unknowns

    def _refuse_large(self) -> None:
        name, terms = self.form.game.name, sum(len(way) ** 2 for way in self.endings)
        amount = f"{count(len(self.players), 'action')} in information sets that leave a choice"
        most = MOST_CHOICES
        if len(self.players) <= MOST_CHOICES:
            amount, most = f"{terms:,} pairs of actions on the way to its endings", MOST_TERMS
        if len(self.players) > MOST_CHOICES or terms > MOST_TERMS:
            raise UnsupportedGameError(
                f"{name} has {amount}, and quantal responses are worked out of at most {most:,}",
                "smaller parameters (-D) may have few enough; `--solver cfr+` takes larger games",
            )

    def uniform(self) -> list[float]:
        """The start of the branch: uniform behaviour, and lambda is 0."""
        return [*(-log(len(unknowns)) for unknowns in self.sets for _ in unknowns), 0.0]

    def equations(self, point: Sequence[float]) -> tuple[list[float], Rows]:
        """In each set: probabilities add up to 1; and the logarithms of two probabilities differ by
        lambda times the difference of the actions' payoffs."""
        size, precision = len(self.players), point[-1]
        paid, slopes = self._expected_payoffs(point)
        values: list[float] = []
        rows: Rows = []
        for unknowns in self.sets:
            shares = [exp(min(point[n], 1.0)) for n in unknowns]
            values.append(sum(shares) - 1)
            row = [0.0] * (size + 1)
            row[unknowns.start : unknowns.stop] = shares
            rows.append(row)
            first = unknowns.start
            for n in unknowns[1:]:
                gain = paid[n] - paid[first]
                values.append(point[n] - point[first] - precision * gain)
                pairs = zip(slopes[n], slopes[first], strict=True)
                row = [*(-precision * (a - b) for a, b in pairs), -gain]
                row[n] += 1
                row[first] -= 1
                rows.append(row)
        return values, rows

    def _expected_payoffs(self, logs: Sequence[float]) -> tuple[list[float], Rows]:
        """The expected payoff of each action, and its derivative by each unknown. Weights are
        relative to the greatest weight behind an action, so no relevant weight underflows."""
        weights = [sum(logs[n] for n in way) for way in self.endings]
        paid: list[float] = []
        slopes: Rows = []
        for player, behind in zip(self.players, self.behind, strict=True):
            most = max(weights[ending] for ending in behind)
            total = reached = 0.0
            gains, reaches = [0.0] * len(self.players), [0.0] * len(self.players)
            for ending in behind:
                chance, payoffs = self._floats[ending]
                weight = exp(weights[ending] - most)
                reach, gain = weight * chance, weight * payoffs[player]
                total += gain
                reached += reach
                for n in self.endings[ending]:
                    gains[n] += gain
                    reaches[n] += reach
            mean = total / reached
            paid.append(mean)
            slopes.append([(a - mean * b) / reached for a, b in zip(gains, reaches, strict=True)])
        return paid, slopes

    # --- results with proved bounds -------------------------------------------------------------

    def told(
        self, logs: Sequence[float], rationality: Fraction
    ) -> tuple[tuple[Behaviour, ...], Fraction]:
        """The behaviour in decimals, and a bound of its distance from the response."""
        exact: list[Decimal] = []
        shown: list[Decimal] = []
        for unknowns in self.sets:
            shares = [FLOOR.exp(Decimal(logs[n])) for n in unknowns]
            together = reduce(FLOOR.add, shares)
            chances = [FLOOR.divide(share, together) for share in shares]
            exact += chances
            short = [share.quantize(STEP, context=FLOOR) for share in chances]
            short[short.index(max(short))] += 1 - sum(short)
            shown += short
        residual = Decimal(0)
        for chance, response in zip(shown, self._responses(exact, rationality), strict=True):
            off = CEILING.subtract(chance, response.least), CEILING.subtract(response.most, chance)
            residual = max(residual, *off)
        return self._profile(shown), Fraction(residual)

    def _profile(self, shares: Sequence[Decimal]) -> tuple[Behaviour, ...]:
        starts = iter(self.sets)

        def local(width: int) -> tuple[Fraction, ...]:
            return tuple(Fraction(shares[n]) for n in next(starts)) if width > 1 else (ONE,)

        return tuple(
            tuple(local(len(information_set.actions)) for information_set in sets)
            for sets in self.form.sets
        )

    def _responses(self, shares: Sequence[Decimal], rationality: Fraction) -> list[Bounds]:
        """Bounds of the response to a profile, for each action."""
        known = list(map(Bounds.of, shares))
        factor, unit = Bounds.of(rationality * self.span), Bounds.of(1)
        weights = [reduce(mul, (known[n] for n in way), unit) for way in self.endings]
        payoffs = []
        for player, behind in zip(self.players, self.behind, strict=True):
            reached = total(weights[n] * Bounds.of(self.chances[n]) for n in behind)
            gained = total(weights[n] * Bounds.of(self.paid[n][player]) for n in behind)
            payoffs.append(factor * (gained / reached))
        return [
            unit / total(unit if m == n else payoffs[m].exp_less(payoffs[n]) for m in unknowns)
            for unknowns in self.sets
            for n in unknowns
        ]
