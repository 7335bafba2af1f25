"""The normal form of a game: the strategies of each player, and the payoffs of every profile.

In: names and payoffs. Out: `NormalForm`, mixtures and their expected payoffs. The module computes
no equilibria.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from gamedsl.model.action_names import parts_of, short_name
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.source.records import dataclass

Profile = tuple[int, ...]
"""A strategy of each player, by number."""
Mixture = tuple[Fraction, ...]
"""The probability of each strategy of a player."""
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class NormalForm:
    """Strategies of each player by name, and the payoffs of all players for every profile."""

    players: tuple[str, ...]
    strategies: tuple[tuple[str, ...], ...]
    payoffs: Mapping[Profile, Vector]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of strategies of each player."""
        return tuple(map(len, self.strategies))

    def profiles(self) -> list[Profile]:
        """All profiles; the last player's strategy changes fastest."""
        return list(product(*map(range, self.sizes)))


def restricted(form: NormalForm, left: Sequence[Sequence[int]]) -> NormalForm:
    """The form restricted to the strategies `left` of each player, in the given order."""
    names = tuple(
        tuple(strategies[number] for number in numbers)
        for strategies, numbers in zip(form.strategies, left, strict=True)
    )
    places = product(*(range(len(numbers)) for numbers in left))
    payoffs = {
        place: form.payoffs[tuple(numbers[n] for numbers, n in zip(left, place, strict=True))]
        for place in places
    }
    return NormalForm(form.players, names, payoffs)


def expected_payoffs(form: NormalForm, mixtures: Sequence[Mixture]) -> Vector:
    """Expected payoffs if the players choose independently by their mixtures."""
    totals = [ZERO] * len(form.players)
    for profile in product(*(_support(mixture) for mixture in mixtures)):
        weight = prod((mixtures[p][n] for p, n in enumerate(profile)), start=ONE)
        for player, payoff in enumerate(form.payoffs[profile]):
            totals[player] += weight * payoff
    return tuple(totals)


def replies(form: NormalForm, mixtures: Sequence[Mixture], player: int) -> list[Fraction]:
    """Expected payoff of each strategy of a player against the mixtures of the opponents."""
    payoffs = []
    for number in range(form.sizes[player]):
        pure = tuple(Fraction(n == number) for n in range(form.sizes[player]))
        payoffs.append(
            expected_payoffs(form, (*mixtures[:player], pure, *mixtures[player + 1 :]))[player]
        )
    return payoffs


def best_replies(form: NormalForm, profile: Profile) -> Iterator[bool]:
    """For each player, whether the strategy in a profile is a best reply to the rest of the
    profile."""
    for player, size in enumerate(form.sizes):
        instead = ((*profile[:player], n, *profile[player + 1 :]) for n in range(size))
        most = max(form.payoffs[deviation][player] for deviation in instead)
        yield form.payoffs[profile][player] == most


def is_equilibrium(form: NormalForm, mixtures: Sequence[Mixture]) -> bool:
    """Whether no player gains by a deviation: all players use best replies only (Nash 1951)."""
    for player, mixture in enumerate(mixtures):
        gains = replies(form, mixtures, player)
        if any(gains[n] < max(gains) for n in _support(mixture)):
            return False
    return True


def _support(mixture: Mixture) -> list[int]:
    return [number for number, chance in enumerate(mixture) if chance]


def plain_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names of actions; only the arguments if all actions belong to a single family with a single
    parameter."""
    parts = [parts_of(name) for name in names]
    is_one_family = len({head for head, _, _ in parts}) == 1
    if not is_one_family or any(len(arguments) != 1 for _, _, arguments in parts):
        return tuple(names)
    return tuple(short_name(name) for name in names)
