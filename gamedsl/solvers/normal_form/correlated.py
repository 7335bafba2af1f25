"""Best correlated equilibrium of a normal form, by an exact linear program.

In: a normal form. Out: the correlated equilibrium with the greatest sum of payoffs: a probability
distribution over profiles in which no player, told the own strategy, gains by a deviation (R.
Aumann, "Subjectivity and correlation in randomized strategies", Journal of Mathematical Economics
1, 1974).
"""

from __future__ import annotations

from fractions import Fraction

from gamedsl.solvers.equilibria.linear_program import maximize
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.normal_form.form import NormalForm, Profile
from gamedsl.source.records import dataclass

MOST_PROFILES = 100
"""Maximal number of profiles for the linear program."""
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class CorrelatedEquilibrium:
    """The recommended profiles with their probabilities, and the expected payoffs of the
    players."""

    chances: tuple[tuple[Profile, Fraction], ...]
    value: Vector


def best_correlated(form: NormalForm) -> CorrelatedEquilibrium | None:
    """A correlated equilibrium with the greatest sum of payoffs; None if there are too many
    profiles.

    The payoff sums are shifted to be positive, so that the probabilities add up to 1. Raises
    ArithmeticError if the program's solution is no correlated equilibrium.
    """
    profiles = form.profiles()
    if len(profiles) > MOST_PROFILES:
        return None
    lift = ONE - min(sum(payoffs) for payoffs in form.payoffs.values())
    place = {profile: n for n, profile in enumerate(profiles)}
    constraints: list[tuple[dict[int, Fraction], Fraction]] = [
        (dict.fromkeys(range(len(profiles)), ONE), ONE)
    ]
    for player, size in enumerate(form.sizes):
        for told in range(size):
            recommending = [profile for profile in profiles if profile[player] == told]
            for alternative in range(size):
                if alternative != told:
                    row = {
                        place[profile]: _gain(form, profile, player, alternative)
                        for profile in recommending
                    }
                    constraints.append(({n: gain for n, gain in row.items() if gain}, ZERO))
    objective = {place[profile]: sum(form.payoffs[profile]) + lift for profile in profiles}
    chances = maximize(objective, constraints, len(profiles)).variables
    for row, bound in constraints:
        if sum((entry * chances[n] for n, entry in row.items()), ZERO) > bound:
            raise ArithmeticError("no correlated equilibrium: somebody gains by another strategy")
    if sum(chances) != 1:
        raise ArithmeticError("no correlated equilibrium: probabilities do not add up to 1")
    support = tuple((profile, chances[n]) for profile, n in place.items() if chances[n])
    value = tuple(
        sum((chance * form.payoffs[profile][player] for profile, chance in support), ZERO)
        for player in range(len(form.players))
    )
    return CorrelatedEquilibrium(support, value)


def _gain(form: NormalForm, profile: Profile, player: int, alternative: int) -> Fraction:
    """A player's gain by the strategy `alternative` instead of the recommended strategy."""
    instead = (*profile[:player], alternative, *profile[player + 1 :])
    return form.payoffs[instead][player] - form.payoffs[profile][player]
