"""The reduced normal form of an extensive form, and its mixtures as behaviour.

In: an extensive form. Out: a normal form whose strategies are plans: an action for each information
set that the plan itself does not exclude (J. von Neumann and O. Morgenstern, 1944; H. Kuhn,
"Extensive games and the problem of information", 1953). And back: the behaviour equivalent to a
mixture of plans.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm, InformationSet
from gamedsl.solvers.equilibria.sequence_form import Behaviour, shares_of
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.normal_form.form import Mixture, NormalForm, Profile, plain_names
from gamedsl.solvers.normal_form.solve import MOST_PROFILES
from gamedsl.source.records import dataclass

MOST_STRATEGIES = 1_000
"""Maximal number of plans of a player."""
ZERO, ONE = Fraction(0), Fraction(1)
Plan = tuple[int | None, ...]
"""For each information set, the number of the action; None if the plan excludes the set."""


@dataclass(frozen=True, slots=True)
class ReducedForm:
    """A normal form, with the plans of all strategies of all players."""

    tree: ExtensiveForm
    normal: NormalForm
    plans: tuple[tuple[Plan, ...], ...]


def reduced_form(tree: ExtensiveForm) -> ReducedForm:
    """The reduced normal form of a tree.

    Raises UnsupportedGameError if the form is too large.
    """
    plans = tuple(_plans(tree, player) for player in range(len(tree.sets)))
    size = 1
    for player_plans in plans:
        size *= len(player_plans)
    if size > MOST_PROFILES:
        raise _too_large(tree, f"together they have {size:,} profiles of plans")
    totals: dict[Profile, list[Fraction]] = {
        profile: [ZERO] * len(plans)
        for profile in product(*(range(len(player_plans)) for player_plans in plans))
    }
    holding = [
        _by_sequence(sets, player_plans)
        for sets, player_plans in zip(tree.sets, plans, strict=True)
    ]
    for sequences, paid in tree.payoffs.items():
        able = (plans_of[sequence] for plans_of, sequence in zip(holding, sequences, strict=True))
        for profile in product(*able):
            for player, payoff in enumerate(paid):
                totals[profile][player] += payoff
    payoffs: dict[Profile, Vector] = {profile: tuple(paid) for profile, paid in totals.items()}
    names = tuple(
        _names(sets, player_plans) for sets, player_plans in zip(tree.sets, plans, strict=True)
    )
    players = tuple(tree.game.facts.players)
    return ReducedForm(tree, NormalForm(players, names, payoffs), plans)


def _plans(tree: ExtensiveForm, player: int) -> tuple[Plan, ...]:
    """Every plan of a player, in order; the first information set changes slowest."""
    sets = tree.sets[player]
    partial: list[tuple[tuple[int | None, ...], frozenset[int]]] = [((), frozenset({0}))]
    for information_set in sets:
        longer: list[tuple[tuple[int | None, ...], frozenset[int]]] = []
        for plan, made in partial:
            if information_set.parent not in made:
                longer.append(((*plan, None), made))
                continue
            for number, sequence in enumerate(information_set.sequences):
                longer.append(((*plan, number), made | {sequence}))
        if len(longer) > MOST_STRATEGIES:
            name = tree.game.players[player].name
            raise _too_large(tree, f"{name} alone has more than {MOST_STRATEGIES:,} plans")
        partial = longer
    return tuple(plan for plan, _ in partial)


def _too_large(tree: ExtensiveForm, why: str) -> UnsupportedGameError:
    return UnsupportedGameError(
        f"the plans of {tree.game.name} are too many for a table: {why}",
        "smaller parameters (-D) may be solved",
    )


def _by_sequence(sets: Sequence[InformationSet], plans: Sequence[Plan]) -> list[list[int]]:
    """For each sequence of a player, the plans that play the sequence."""
    by_sequence: list[list[int]] = [list(range(len(plans)))]
    for place, information_set in enumerate(sets):
        for number in range(len(information_set.actions)):
            by_sequence.append([n for n, plan in enumerate(plans) if plan[place] == number])
    return by_sequence


def _names(sets: Sequence[InformationSet], plans: Sequence[Plan]) -> tuple[str, ...]:
    """A plan as its actions, in the order of the information sets with a choice."""
    every = plain_names(
        list(dict.fromkeys(name for information_set in sets for name in information_set.actions))
    )
    full = list(dict.fromkeys(name for information_set in sets for name in information_set.actions))
    short = dict(zip(full, every, strict=True))
    names = []
    for plan in plans:
        words = (
            short[information_set.actions[number]]
            for information_set, number in zip(sets, plan, strict=True)
            if number is not None and len(information_set.actions) > 1
        )
        names.append("-".join(words) or "-")
    return tuple(_told_apart(names))


def _told_apart(names: list[str]) -> list[str]:
    """Names made unique by numbers behind names of several plans."""
    if len(set(names)) == len(names):
        return names
    counts: dict[str, int] = {}
    unique = []
    for name in names:
        counts[name] = counts.get(name, 0) + 1
        unique.append(f"{name}#{counts[name]}" if names.count(name) > 1 else name)
    return unique


def behaviour_of(reduced: ReducedForm, player: int, mixture: Mixture) -> Behaviour:
    """The behaviour equivalent to a mixture of plans (Kuhn 1953); the first action in information
    sets that the mixture excludes."""
    behaviour = []
    for place, information_set in enumerate(reduced.tree.sets[player]):
        weights = [ZERO] * len(information_set.actions)
        for plan, chance in zip(reduced.plans[player], mixture, strict=True):
            if (number := plan[place]) is not None:
                weights[number] += chance
        behaviour.append(shares_of(weights))
    return tuple(behaviour)
