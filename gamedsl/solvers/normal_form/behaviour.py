"""Equilibria of a tree's normal form, put as what players do in each information set.

In: a reduced form and an equilibrium of it. Out: the same with its behaviour in names. It looks for
no equilibria.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.solvers.equilibria.local_strategies import local_strategies
from gamedsl.solvers.normal_form.reduced import ReducedForm, behaviour_of
from gamedsl.solvers.normal_form.solve import Equilibrium


def as_behaviour(reduced: ReducedForm, found: Equilibrium) -> Equilibrium:
    """An equilibrium with its behaviour."""
    profile = tuple(
        behaviour_of(reduced, player, mixture) for player, mixture in enumerate(found.mixtures)
    )
    return replace(found, behaviour=local_strategies(reduced.tree, profile))
