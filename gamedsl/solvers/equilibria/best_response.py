"""Values of behaviour profiles, and exact best responses.

In: an extensive form and a behaviour profile. Out: the players' expected payoffs, and each player's
greatest expected payoff against the profile. If no player can gain, the profile is an equilibrium
(Nash 1951); for two players with opposed interests, the two best responses always bound the value.
Best responses are computed from the last information sets back, without a linear program.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from math import prod

from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, InformationSet
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.graphs.graph import Vector

ZERO, ONE = Fraction(0), Fraction(1)


def plan(sets: Sequence[InformationSet], behaviour: Behaviour) -> list[Fraction]:
    """The weight of each sequence: the product of the probabilities of its actions."""
    weights = [ONE]
    for information_set, probabilities in zip(sets, behaviour, strict=True):
        weights += [weights[information_set.parent] * probability for probability in probabilities]
    return weights


def expected_payoffs(form: ExtensiveForm, profile: Sequence[Behaviour]) -> Vector:
    """The expected payoffs of the players under a profile."""
    plans = [plan(sets, behaviour) for sets, behaviour in zip(form.sets, profile, strict=True)]
    totals = [ZERO] * len(plans)
    for sequences, payoffs in form.payoffs.items():
        weights = [
            plan_weights[sequence] for plan_weights, sequence in zip(plans, sequences, strict=True)
        ]
        if all(weights):
            weight = prod(weights)
            for player, payoff in enumerate(payoffs):
                totals[player] += weight * payoff
    return tuple(totals)


def best_response_value(form: ExtensiveForm, profile: Sequence[Behaviour], player: int) -> Fraction:
    """A player's greatest expected payoff while the opponents behave as in `profile`."""
    plans = [plan(sets, behaviour) for sets, behaviour in zip(form.sets, profile, strict=True)]
    gains = [ZERO] * form.size.sequences[player]
    for sequences, payoffs in form.payoffs.items():
        weights = [
            plan_weights[sequences[n]] for n, plan_weights in enumerate(plans) if n != player
        ]
        if all(weights):
            gains[sequences[player]] += payoffs[player] * prod(weights, start=ONE)
    for information_set in reversed(form.sets[player]):
        gains[information_set.parent] += max(
            gains[sequence] for sequence in information_set.sequences
        )
    return gains[0]


def best_response_gains(form: ExtensiveForm, profile: Sequence[Behaviour]) -> Vector:
    """For each player, the expected gain of a best response over `profile`; all 0 in an
    equilibrium."""
    return tuple(
        best_response_value(form, profile, player) - payoff
        for player, payoff in enumerate(expected_payoffs(form, profile))
    )


def verified_value(form: ExtensiveForm, profile: Sequence[Behaviour]) -> Vector:
    """The value of an equilibrium. Raises ArithmeticError if a player can gain by a deviation."""
    value = expected_payoffs(form, profile)
    for player, payoff in enumerate(value):
        most = best_response_value(form, profile, player)
        if most != payoff:
            raise ArithmeticError(f"no equilibrium: player {player} gets {payoff}, not {most}")
    return value


def first_equilibrium(
    form: ExtensiveForm, candidates: Iterable[tuple[Behaviour, ...]]
) -> tuple[tuple[Behaviour, ...], Vector] | None:
    """The first equilibrium among the candidate profiles, and its value."""
    for profile in candidates:
        with suppress(ArithmeticError):
            return profile, verified_value(form, profile)
    return None
