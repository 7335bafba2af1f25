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
from math import lcm
from operator import mul

from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, InformationSet
from gamedsl.solvers.equilibria.sequence_form import Behaviour
from gamedsl.solvers.graphs.graph import Vector

ONE = Fraction(1)


def plan(sets: Sequence[InformationSet], behaviour: Behaviour) -> list[Fraction]:
    """The weight of each sequence: the product of the probabilities of its actions."""
    weights = [ONE]
    for information_set, probabilities in zip(sets, behaviour, strict=True):
        weights += [weights[information_set.parent] * probability for probability in probabilities]
    return weights


def expected_payoffs(form: ExtensiveForm, profile: Sequence[Behaviour]) -> Vector:
    """The expected payoffs of the players under a profile."""
    reaches, unit = _reaches(form, profile, range(len(profile)))
    return tuple(
        Fraction(sum(map(mul, reaches, form.cells.of_player(player)[1])), unit)
        for player in range(len(profile))
    )


def best_response_value(form: ExtensiveForm, profile: Sequence[Behaviour], player: int) -> Fraction:
    """A player's greatest expected payoff while the opponents behave as in `profile`."""
    reaches, unit = _reaches(form, profile, [n for n in range(len(profile)) if n != player])
    gains = [0] * form.size.sequences[player]
    for sequence, paid, reach in zip(*form.cells.of_player(player), reaches, strict=True):
        if reach:
            gains[sequence] += paid * reach
    for information_set in reversed(form.sets[player]):
        gains[information_set.parent] += max(
            gains[information_set.first : information_set.first + len(information_set.actions)]
        )
    return Fraction(gains[0], unit)


def _reaches(
    form: ExtensiveForm, profile: Sequence[Behaviour], players: Iterable[int]
) -> tuple[list[int], int]:
    """The players' contribution to the probability of each cell, and the unit of its products with
    the sums of payoffs: whole numbers are added in a fraction of the time of fractions."""
    cells = form.cells
    reaches, unit = [1] * len(cells), cells.unit * cells.share
    for player in players:
        weights = plan(form.sets[player], profile[player])
        whole = lcm(*{weight.denominator for weight in weights})
        numbers = [weight.numerator * (whole // weight.denominator) for weight in weights]
        reached = map(numbers.__getitem__, cells.of_player(player)[0])
        reaches, unit = list(map(mul, reaches, reached)), unit * whole
    return reaches, unit


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
