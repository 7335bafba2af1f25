"""Equilibria of a tree's normal form, put as what players do in each information set.

In: a reduced form and an equilibrium of it. Out: the same with its behaviour in names. It looks for
no equilibria.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.solvers.equilibria.local_strategies import local_strategies
from gamedsl.solvers.normal_form.reduced import ReducedForm, behaviour_of
from gamedsl.solvers.normal_form.refinements import Refinements
from gamedsl.solvers.normal_form.solve import Equilibrium


def as_behaviour(
    reduced: ReducedForm, found: Equilibrium, refine: Refinements | None
) -> Equilibrium:
    """An equilibrium with its behaviour, and what `refine` knows of it."""
    profile = tuple(
        behaviour_of(reduced, player, mixture) for player, mixture in enumerate(found.mixtures)
    )
    labels = () if refine is None else refine.refined(profile).labels
    return replace(found, behaviour=local_strategies(reduced.tree, profile), labels=labels)
