"""Strategies crossed out, one after the other, because another way to play is always better.

In: a normal form. Out: the steps, each with what is better, and what is left. A strategy is
strictly dominated if some mixture of the player's others gives more whatever the others choose
(Luce and Raiffa, "Games and Decisions", 1957, section 5.7; mixtures: Shoham and Leyton-Brown,
"Multiagent Systems", 2009, section 3.4.3). No equilibrium plays what is crossed out, and the order
does not matter.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.normal_form.form import NormalForm
from gamedsl.source.records import dataclass

MOST_CELLS_OF_MIXTURES = 400
"""Of larger tables a better mixture is not looked for, only a better strategy."""
Left = tuple[tuple[int, ...], ...]
"""For each player the strategies that are left, by number."""


@dataclass(frozen=True, slots=True)
class DominanceStep:
    """A strategy of a player that is crossed out, and the mixture of others that is better: their
    numbers with probabilities."""

    player: int
    strategy: int
    better: tuple[tuple[int, Fraction], ...]


def iterated_dominance(form: NormalForm) -> tuple[tuple[DominanceStep, ...], Left]:
    """The steps in order, and what they leave; better strategies are looked for before better
    mixtures, players in turn order."""
    left = [list(range(size)) for size in form.sizes]
    steps: list[DominanceStep] = []
    while (step := _next(form, left)) is not None:
        left[step.player].remove(step.strategy)
        steps.append(step)
    return tuple(steps), tuple(map(tuple, left))


def _next(form: NormalForm, left: list[list[int]]) -> DominanceStep | None:
    for by_mixture in (False, True):
        for player, own in enumerate(left):
            if len(own) == 1 or (by_mixture and len(own) == 2):
                continue
            table = _table(form, left, player)
            if by_mixture and len(own) * len(table[own[0]]) > MOST_CELLS_OF_MIXTURES:
                continue
            for one in own:
                better = _mixture(table, one) if by_mixture else _strategy(table, one)
                if better:
                    return DominanceStep(player, one, better)
    return None


def _table(form: NormalForm, left: list[list[int]], player: int) -> dict[int, list[Fraction]]:
    """What each strategy of a player that is left pays, for all that the others may choose."""
    around = [own if p != player else [0] for p, own in enumerate(left)]
    rows: dict[int, list[Fraction]] = {}
    for one in left[player]:
        profiles = ((*p[:player], one, *p[player + 1 :]) for p in product(*around))
        rows[one] = [form.payoffs[profile][player] for profile in profiles]
    return rows


def _strategy(table: dict[int, list[Fraction]], one: int) -> tuple[tuple[int, Fraction], ...]:
    own = table[one]
    for other, row in table.items():
        if all(more > less for more, less in zip(row, own, strict=True)):
            return ((other, Fraction(1)),)
    return ()


def _mixture(table: dict[int, list[Fraction]], one: int) -> tuple[tuple[int, Fraction], ...]:
    """A mixture that is better than a strategy in every case: one that wins by a positive amount
    the matrix game about what it gains."""
    own = table[one]
    others = [other for other in table if other != one]
    gains = [[a - b for a, b in zip(table[other], own, strict=True)] for other in others]
    if any(max(column) <= 0 for column in zip(*gains, strict=True)):
        return ()
    found = solve_matrix(gains)
    if found.value <= 0:
        return ()
    return tuple((n, chance) for n, chance in zip(others, found.row, strict=True) if chance)
