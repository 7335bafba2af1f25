"""Translate equilibria of a tree's normal form into behaviour in information sets.

In: a reduced form and its equilibria. Out: the equilibria with named behaviour, without repetitions
of behaviour. The module computes no equilibria.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gamedsl.solvers.equilibria.local_strategies import local_strategies
from gamedsl.solvers.normal_form.reduced import ReducedForm, behaviour_of
from gamedsl.solvers.normal_form.refinements import Refinements
from gamedsl.solvers.normal_form.solve import Equilibrium


def as_behaviour(
    reduced: ReducedForm, equilibria: Iterable[Equilibrium], refine: Refinements | None
) -> tuple[Equilibrium, ...]:
    """Equilibria with their behaviour, and the labels of `refine`. Several mixtures of plans
    can be equivalent to one behaviour (H. Kuhn 1953); the first of them is kept."""
    by_behaviour: dict[object, Equilibrium] = {}
    for equilibrium in equilibria:
        profile = tuple(
            behaviour_of(reduced, player, mixture)
            for player, mixture in enumerate(equilibrium.mixtures)
        )
        if (equilibrium.number_of_set, profile) not in by_behaviour:
            labels = () if refine is None or equilibrium.error else refine.refined(profile).labels
            behaviour = local_strategies(reduced.tree, profile)
            told = replace(equilibrium, behaviour=behaviour, labels=labels)
            by_behaviour[equilibrium.number_of_set, profile] = told
    return tuple(by_behaviour.values())
