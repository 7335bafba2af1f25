"""All equilibria of a normal form, as far as exact methods find them.

In: a normal form. Out: `Equilibria`: the strategies removed by dominance, the verified equilibria
of the remaining form, the reason why more may exist, and the best correlated equilibrium.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from fractions import Fraction

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.graphs.graph import OutOfTimeError, Vector
from gamedsl.solvers.normal_form.bimatrix import (
    ExtremeEquilibria,
    extreme_equilibria,
    is_small,
)
from gamedsl.solvers.normal_form.correlated import CorrelatedEquilibrium, best_correlated
from gamedsl.solvers.normal_form.dominance import DominanceStep, iterated_dominance
from gamedsl.solvers.normal_form.form import (
    Mixture,
    NormalForm,
    expected_payoffs,
    is_equilibrium,
    restricted,
)
from gamedsl.solvers.normal_form.lemke_howson import lemke_howson
from gamedsl.solvers.normal_form.several_players import (
    DECIMALS,
    MOST_BOXES,
    Rounded,
    equilibria_of_several,
    pure_equilibria,
    pure_mixture,
)
from gamedsl.source.records import dataclass

ZERO = Fraction(0)
MOST_PROFILES, MOST_PROFILES_OF_TWO = 5_000, 12_000
"""Maximal number of profiles of a form, in general and for two players."""
MOST_STRATEGIES_OF_TWO = 120
"""Maximal number of strategies of both players for the search of a single equilibrium."""


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """A profile of mixtures in which no player gains by a deviation.

    Attributes:
        mixtures: the probability of each strategy of each player.
        value: the expected payoffs of the players.
        number_of_set: equilibria with an equal number belong to one connected set.
        behaviour: the equilibrium as behaviour in information sets, if the form comes from a tree.
        labels: further known properties, for example "subgame perfect".
        error: bound of the error of irrational probabilities; 0 if all probabilities are exact.
        value_error: bound of the error of the payoffs.
    """

    mixtures: tuple[Mixture, ...]
    value: Vector
    number_of_set: int
    behaviour: Sequence[LocalStrategy] = ()
    labels: tuple[str, ...] = ()
    error: Fraction = ZERO
    value_error: Fraction = ZERO

    @property
    def is_pure(self) -> bool:
        """Whether all players use pure strategies."""
        return all(chance in (0, 1) for mixture in self.mixtures for chance in mixture)


@dataclass(frozen=True, slots=True)
class Equilibria:
    """The known equilibria of a normal form.

    Attributes:
        steps: the removed strategies, in order.
        equilibria: pure equilibria first, inexact ones last.
        why_more: why there may be equilibria that are no mixtures of the list; None if the list is
            complete.
        is_degenerate: whether some mixture has more best replies than strategies in its support.
        method: the solution method, in a few words.
    """

    form: NormalForm
    steps: tuple[DominanceStep, ...]
    equilibria: tuple[Equilibrium, ...]
    why_more: str | None
    is_degenerate: bool
    method: str
    correlated: CorrelatedEquilibrium | None = field(default=None)

    @property
    def has_sets(self) -> bool:
        """Whether some equilibria are ends of connected sets of equilibria."""
        return len({equilibrium.number_of_set for equilibrium in self.equilibria}) < len(
            self.equilibria
        )

    @property
    def values(self) -> tuple[Vector, ...]:
        """The distinct payoff vectors of the exact equilibria, or of all if none is exact."""
        exact = [
            equilibrium for equilibrium in self.equilibria if not equilibrium.error
        ] or self.equilibria
        return tuple(dict.fromkeys(equilibrium.value for equilibrium in exact))

    @property
    def is_only(self) -> bool:
        """Whether the game has exactly one equilibrium."""
        return len(self.equilibria) == 1 and self.why_more is None


def equilibria_of(
    form: NormalForm, tick: Callable[[], None] = lambda: None, most_boxes: int = MOST_BOXES
) -> Equilibria:
    """Search all equilibria. The list may be incomplete if `tick`, called now and then, reports
    that the time is up, or if more than two players mix and `most_boxes` does not suffice.

    Raises:
        UnsupportedGameError: there are too many profiles, or no method finds an equilibrium.
        ArithmeticError: a listed profile is no equilibrium.
    """
    most = MOST_PROFILES_OF_TWO if len(form.players) == 2 else MOST_PROFILES
    if len(form.payoffs) > most:
        raise UnsupportedGameError(
            f"players can choose in {len(form.payoffs):,} ways together, and equilibria are looked "
            f"for among {most:,}",
            "smaller parameters (-D) may be solved",
        )
    steps, left = iterated_dominance(form)
    rest = restricted(form, left)
    search = _search(rest, tick, most_boxes)
    equilibria = tuple(
        _verified(form, _widened(form, left, profile), search.sets[n] if search.sets else n)
        for n, profile in enumerate(search.mixtures)
    )
    if search.sets:
        equilibria = tuple(sorted(equilibria, key=lambda equilibrium: equilibrium.number_of_set))
    equilibria += tuple(
        _rounded(
            form,
            _widened(form, left, approximation.mixtures),
            approximation.error,
            len(equilibria) + n,
        )
        for n, approximation in enumerate(search.rounded)
    )
    if not equilibria:
        raise UnsupportedGameError(
            f"no equilibrium was found: none is in pure strategies, and there may be others: "
            f"{search.why_more}",
            "smaller parameters (-D) may be solved",
        )
    correlated = best_correlated(rest)
    if correlated is not None:
        told = tuple(
            (tuple(numbers[n] for numbers, n in zip(left, profile, strict=True)), chance)
            for profile, chance in correlated.chances
        )
        correlated = CorrelatedEquilibrium(told, correlated.value)
    about = search.why_more, search.is_degenerate, search.method
    return Equilibria(form, steps, equilibria, *about, correlated)


@dataclass(frozen=True, slots=True)
class _Search:
    """The mixtures of a search, with the numbers of their sets; `rounded`: inexact mixtures. The
    rest as in `Equilibria`."""

    method: str
    mixtures: tuple[tuple[Mixture, ...], ...]
    sets: tuple[int, ...] = ()
    rounded: tuple[Rounded, ...] = ()
    why_more: str | None = None
    is_degenerate: bool = False


def _search(form: NormalForm, tick: Callable[[], None], most_boxes: int) -> _Search:
    """The equilibria of a form without dominated strategies, by the method for its size."""
    if all(size == 1 for size in form.sizes):
        return _Search("iterated dominance", (pure_mixture(form, (0,) * len(form.sizes)),))
    extreme = _extreme(form, tick)
    if extreme is not None:
        degenerate = extreme.is_degenerate
        return _Search(
            "supports gone through", extreme.pairs, extreme.sets, is_degenerate=degenerate
        )
    if len(form.sizes) != 2:
        several = equilibria_of_several(form, tick, most_boxes)
        method, why_more = "supports gone through", several.why_more
        return _Search(method, several.mixtures, rounded=several.rounded, why_more=why_more)
    pure = tuple(pure_mixture(form, profile) for profile in pure_equilibria(form))
    is_large = sum(form.sizes) > MOST_STRATEGIES_OF_TWO
    is_mixed = not is_large or (not pure and len(form.payoffs) <= MOST_PROFILES)
    mixtures = tuple(dict.fromkeys((*pure, *([lemke_howson(form)] if is_mixed else ()))))
    method = "Lemke and Howson's algorithm" if is_mixed else "all pairs of strategies"
    reason = "there are too many supports to go through"
    if is_small(form.sizes):
        reason = "the time was up"
    mixed = "only one equilibrium" if is_mixed else "no equilibrium"
    why_more = f"{reason}, and {mixed} in mixed strategies was looked for"
    return _Search(method, mixtures, why_more=why_more)


def _extreme(form: NormalForm, tick: Callable[[], None]) -> ExtremeEquilibria | None:
    """All equilibria of two players; None if there are too many supports, or the time is up."""
    if len(form.sizes) != 2 or max(form.sizes) == 1 or not is_small(form.sizes):
        return None
    try:
        return extreme_equilibria(form, tick)
    except OutOfTimeError:
        return None


def _widened(
    form: NormalForm, left: tuple[tuple[int, ...], ...], mixtures: tuple[Mixture, ...]
) -> tuple[Mixture, ...]:
    """Mixtures of the remaining strategies as mixtures of all strategies."""
    widened = []
    for size, numbers, mixture in zip(form.sizes, left, mixtures, strict=True):
        chances = [Fraction(0)] * size
        for number, chance in zip(numbers, mixture, strict=True):
            chances[number] = chance
        widened.append(tuple(chances))
    return tuple(widened)


def _verified(form: NormalForm, mixtures: tuple[Mixture, ...], number: int) -> Equilibrium:
    if not is_equilibrium(form, mixtures):
        raise ArithmeticError("no equilibrium: somebody gains by another strategy")
    return Equilibrium(mixtures, expected_payoffs(form, mixtures), number)


def _rounded(
    form: NormalForm, mixtures: tuple[Mixture, ...], error: Fraction, number: int
) -> Equilibrium:
    """An approximate equilibrium. The error of its payoffs is at most the sum of the errors of all
    probabilities, times the difference of the greatest and the least payoff."""
    paid = [payoff for payoffs in form.payoffs.values() for payoff in payoffs]
    count = sum(chance not in (0, 1) for mixture in mixtures for chance in mixture)
    value_error = count * error * (max(paid) - min(paid)) + Fraction(1, 2 * 10**DECIMALS)
    value = tuple(round(payoff, DECIMALS) for payoff in expected_payoffs(form, mixtures))
    return Equilibrium(mixtures, value, number, error=error, value_error=value_error)
