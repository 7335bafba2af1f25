"""Iterated elimination of dominated strategies.

In: a normal form. Out: the steps, each with the dominating mixture, and the remaining strategies. A
strategy is strictly dominated if a mixture of the player's remaining strategies pays more against
every choice of the opponents, weakly if a strategy pays at least as much (Luce and Raiffa, "Games
and Decisions", 1957, section 5.7; mixtures: Shoham and Leyton-Brown, "Multiagent Systems", 2009,
section 3.4.3). No equilibrium uses a strictly dominated strategy, and the order of that elimination
does not matter. Weak elimination keeps an equilibrium, and the value of a game with opposed
interests; what is left depends on the order.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from operator import ge, gt

from gamedsl.solvers.equilibria.matrix_game import solve_matrix
from gamedsl.solvers.normal_form.form import NormalForm
from gamedsl.source.records import dataclass

MOST_CELLS_OF_MIXTURES = 400
"""Maximal size of a table for dominance by mixtures; in larger tables only dominance by pure
strategies is tested."""
Left = tuple[tuple[int, ...], ...]
"""For each player, the remaining strategies, by number."""


@dataclass(frozen=True, slots=True)
class DominanceStep:
    """An eliminated strategy of a player, and the dominating mixture: numbers of strategies with
    probabilities."""

    player: int
    strategy: int
    better: tuple[tuple[int, Fraction], ...]


def iterated_dominance(
    form: NormalForm, *, is_weak: bool = False
) -> tuple[tuple[DominanceStep, ...], Left]:
    """The steps in order, and the remaining strategies. Dominance by pure strategies is tested
    before dominance by mixtures; players are tested in turn order. `is_weak`: pure strategies
    dominate weakly, also a strategy with equal payoffs."""
    left = [list(range(size)) for size in form.sizes]
    steps: list[DominanceStep] = []
    while (step := _next(form, left, is_weak)) is not None:
        left[step.player].remove(step.strategy)
        steps.append(step)
    return tuple(steps), tuple(map(tuple, left))


def is_always_worse(form: NormalForm, step: DominanceStep) -> bool:
    """Whether the dominating mixture pays more against all choices of the opponents, eliminated
    choices included."""
    table = _table(form, [list(range(size)) for size in form.sizes], step.player)
    return all(
        sum(chance * table[strategy][n] for strategy, chance in step.better) > payoff
        for n, payoff in enumerate(table[step.strategy])
    )


def _next(form: NormalForm, left: list[list[int]], is_weak: bool) -> DominanceStep | None:
    for by_mixture in (False, True):
        for player, strategies in enumerate(left):
            if len(strategies) == 1 or (by_mixture and len(strategies) == 2):
                continue
            table = _table(form, left, player)
            if by_mixture and len(strategies) * len(table[strategies[0]]) > MOST_CELLS_OF_MIXTURES:
                continue
            for strategy in strategies:
                better = (
                    _mixture(table, strategy)
                    if by_mixture
                    else _strategy(table, strategy, ge if is_weak else gt)
                )
                if better:
                    return DominanceStep(player, strategy, better)
    return None


def _table(form: NormalForm, left: list[list[int]], player: int) -> dict[int, list[Fraction]]:
    """The payoffs of each remaining strategy of a player, against all choices of the opponents."""
    around = [strategies if p != player else [0] for p, strategies in enumerate(left)]
    rows: dict[int, list[Fraction]] = {}
    for strategy in left[player]:
        profiles = ((*p[:player], strategy, *p[player + 1 :]) for p in product(*around))
        rows[strategy] = [form.payoffs[profile][player] for profile in profiles]
    return rows


def _strategy(
    table: dict[int, list[Fraction]], strategy: int, beats: Callable[[Fraction, Fraction], bool]
) -> tuple[tuple[int, Fraction], ...]:
    payoffs = table[strategy]
    for alternative, row in table.items():
        if alternative != strategy and all(map(beats, row, payoffs)):
            return ((alternative, Fraction(1)),)
    return ()


def _mixture(table: dict[int, list[Fraction]], strategy: int) -> tuple[tuple[int, Fraction], ...]:
    """A mixture that dominates a strategy: a row strategy with a positive value in the matrix game
    of the gains."""
    payoffs = table[strategy]
    alternatives = [alternative for alternative in table if alternative != strategy]
    gains = [
        [a - b for a, b in zip(table[alternative], payoffs, strict=True)]
        for alternative in alternatives
    ]
    if any(max(column) <= 0 for column in zip(*gains, strict=True)):
        return ()
    solution = solve_matrix(gains)
    if solution.value <= 0:
        return ()
    return tuple(
        (n, chance) for n, chance in zip(alternatives, solution.row, strict=True) if chance
    )
