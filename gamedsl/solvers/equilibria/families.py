"""All optimal plans of a player with several optimal plans.

In: an extensive form of two players with opposed interests, and one equilibrium. Out: for each
player with several optimal plans, the corners of the set of optimal plans; for two corners also the
plans in between, as a parameter (H. Kuhn 1950: the first player of Kuhn poker may bet the jack with
any probability up to 1/3). Each corner is verified by a best reply.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from gamedsl.solvers.equilibria.best_response import best_response_value, plan
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy, local_strategies
from gamedsl.solvers.equilibria.sequence_form import Behaviour, optimal_corners
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.source.records import dataclass

MOST_SEQUENCES = 80
"""Maximal number of sequences of both players for the search of corners."""
MOST_TABLEAUS = 120
MOST_CORNERS = 16
Term = tuple[str, Fraction, Fraction]
"""A name, and its probability as a linear function: a constant, and the factor of the parameter."""


@dataclass(frozen=True, slots=True)
class Line:
    """A player's behaviour in an information set as a function of the parameter; `local` has the
    information set and the first corner's probabilities."""

    local: LocalStrategy
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """The optimal plans of a player.

    Attributes:
        corners: for each corner, the behaviour in each information set.
        lines: for two corners, the information sets in which they differ: all plans in between, by
            a parameter from `least` to `most`; () if there is no simple parametrisation.
    """

    player: int
    corners: tuple[tuple[LocalStrategy, ...], ...]
    lines: tuple[Line, ...] = ()
    least: Fraction = Fraction(0)
    most: Fraction = Fraction(0)


def families(
    form: ExtensiveForm, profile: Sequence[Behaviour], value: Vector
) -> tuple[Family, ...]:
    """The families of all players with several optimal plans; no families for large games."""
    if sum(form.size.sequences) > MOST_SEQUENCES:
        return ()
    return tuple(family for player in (0, 1) for family in _family(form, profile, value, player))


def _family(
    form: ExtensiveForm, profile: Sequence[Behaviour], value: Vector, player: int
) -> Iterator[Family]:
    corners = optimal_corners(form, player, MOST_TABLEAUS)
    if corners is None:
        return
    plans: dict[tuple[Fraction, ...], Behaviour] = {}
    for corner in corners:
        whole = (corner, profile[1]) if player == 0 else (profile[0], corner)
        if best_response_value(form, whole, 1 - player) == value[1 - player]:
            plans.setdefault(tuple(plan(form.sets[player], corner)), corner)
    if not 1 < len(plans) <= MOST_CORNERS:
        return
    ordered = sorted(plans, key=lambda weights: weights[::-1])
    told = []
    for weights in ordered:
        corner = plans[weights]
        whole = (corner, profile[1]) if player == 0 else (profile[0], corner)
        told.append(tuple(x for x in local_strategies(form, whole) if x.player == player))
    yield _between(Family(player, tuple(told)), form, [plans[key] for key in ordered])


def _between(family: Family, form: ExtensiveForm, corners: Sequence[Behaviour]) -> Family:
    """The family with the plans between two corners by a parameter: the probability of the least
    likely action in the first information set in which the corners differ."""
    if len(corners) != 2:
        return family
    sets = form.sets[family.player]
    first_plan, second_plan = (plan(sets, corner) for corner in corners)
    scale: tuple[Fraction, Fraction] | None = None
    lines = []
    for place, information_set in enumerate(sets):
        reached = first_plan[information_set.parent], second_plan[information_set.parent]
        if not any(reached):
            continue
        local = family.corners[0][place]
        if not all(reached):  # only one corner reaches the set and determines its behaviour
            constant = corners[0][place] if reached[0] else corners[1][place]
            known = zip(information_set.actions, constant, strict=True)
            lines.append(Line(local, tuple((name, p, Fraction(0)) for name, p in known)))
            continue
        pairs = list(zip(corners[0][place], corners[1][place], strict=True))
        if all(first == last for first, last in pairs):
            continue
        if reached[0] != reached[1]:
            return family
        if scale is None:
            scale = min((pair for pair in pairs if pair[0] != pair[1]), key=min)
        low, high = scale
        terms = []
        for name, (first, last) in zip(information_set.actions, pairs, strict=True):
            slope = (last - first) / (high - low)
            terms.append((name, first - slope * low, slope))
        lines.append(Line(local, tuple(terms)))
    if scale is None:
        return family
    return Family(family.player, family.corners, tuple(lines), min(scale), max(scale))
