"""Equilibria of games with any number of players, in pure and in mixed strategies.

In: a normal form. Out: mixture profiles that are equilibria, and whether more may exist. If exactly
two players mix, these two play a bimatrix game. If more players mix, the indifference conditions
are equations of higher degree, whose solutions need not be rational (J. Nash, "Non-cooperative
games", Annals of Mathematics 54, 1951, has an example with three players): irrational solutions are
given as decimals, near an equilibrium that is proved to exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod

from gamedsl.solvers.graphs.graph import OutOfTimeError, Vector
from gamedsl.solvers.normal_form.bimatrix import MOST_SUPPORTS, extreme_equilibria, is_small
from gamedsl.solvers.normal_form.form import (
    Mixture,
    NormalForm,
    Profile,
    is_equilibrium,
    replies,
)
from gamedsl.solvers.normal_form.isolated import Indifference, Root, bounds, isolated_roots
from gamedsl.source.records import dataclass

MOST_CASES = 400
"""Maximal number of pure profiles of the non-mixing players, if two players mix."""
MOST_SUPPORTS_OF_MORE, MOST_BOXES = 4_000, 8_000
"""Maximal numbers of support profiles of all players, and of boxes of probabilities."""
MOST_DENOMINATOR, DECIMALS = 10**6, 12
"""Maximal denominator of a probability taken for rational; decimals of an irrational
probability."""
ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Rounded:
    """Mixtures near an equilibrium with irrational probabilities; `error` bounds the difference of
    each probability from the equilibrium."""

    mixtures: tuple[Mixture, ...]
    error: Fraction


@dataclass(frozen=True, slots=True)
class FoundEquilibria:
    """Mixture profiles that are equilibria, mixtures near an irrational equilibrium, and the reason
    why more equilibria may exist; None if the list is complete."""

    mixtures: tuple[tuple[Mixture, ...], ...]
    rounded: tuple[Rounded, ...]
    why_more: str | None


def pure_equilibria(form: NormalForm) -> tuple[Profile, ...]:
    """All profiles in which no player gains by a unilateral deviation."""
    return tuple(
        profile
        for profile, payoffs in sorted(form.payoffs.items())
        if all(
            form.payoffs[(*profile[:player], deviation, *profile[player + 1 :])][player] <= payoff
            for player, payoff in enumerate(payoffs)
            for deviation in range(form.sizes[player])
        )
    )


def pure_mixture(form: NormalForm, profile: Profile) -> tuple[Mixture, ...]:
    """A pure profile as mixtures."""
    return tuple(
        tuple(Fraction(n == number) for n in range(size))
        for size, number in zip(form.sizes, profile, strict=True)
    )


def equilibria_of_several(
    form: NormalForm, tick: Callable[[], None] = lambda: None, most_boxes: int = MOST_BOXES
) -> FoundEquilibria:
    """Pure equilibria, then equilibria with two mixing players, then with more mixing players.

    `most_boxes` limits the boxes of probabilities examined for more than two mixing players.
    """
    search = _Search(form, tick, most_boxes)
    mixtures = dict.fromkeys(search.all())
    return FoundEquilibria(tuple(mixtures), tuple(search.rounded), search.why_more)


class _Search:
    def __init__(self, form: NormalForm, tick: Callable[[], None], most_boxes: int) -> None:
        self.form = form
        self.most_boxes = most_boxes
        self.tick = tick
        self.boxes = 0
        self.rounded: list[Rounded] = []
        self.able = [player for player, size in enumerate(form.sizes) if size > 1]
        self.cases = 0
        self.why_more: str | None = None

    def all(self) -> Iterator[tuple[Mixture, ...]]:
        """Every equilibrium that the search finds; repetitions are possible."""
        for profile in pure_equilibria(self.form):
            yield pure_mixture(self.form, profile)
        for pair in combinations(self.able, 2):
            yield from self._of_two(pair)
        if len(self.able) > 2:
            yield from self._of_more()

    def _more(self, why: str) -> None:
        self.why_more = self.why_more or why

    def _pure_profiles(self, mixing: tuple[int, int]) -> Iterator[Profile]:
        """Pure profiles of the non-mixing players; the entries of the mixing players are
        placeholders."""
        around = [(0,) if p in mixing else range(size) for p, size in enumerate(self.form.sizes)]
        for profile in product(*around):
            self.cases += 1
            if self.cases > MOST_CASES:
                self._more("there are too many cases to look at all of them")
                return
            yield profile

    def _of_two(self, pair: tuple[int, int]) -> Iterator[tuple[Mixture, ...]]:
        first, second = pair
        sizes = self.form.sizes[first], self.form.sizes[second]
        if not is_small(sizes):
            self._more(f"pairs of players have more than {MOST_SUPPORTS:,} pairs of supports")
            return
        for profile in self._pure_profiles(pair):
            payoffs: dict[Profile, Vector] = {}
            for n, m in product(*map(range, sizes)):
                paid = self.form.payoffs[_with(profile, {first: n, second: m})]
                payoffs[n, m] = (paid[first], paid[second])
            names = tuple(self.form.strategies[player] for player in pair)
            try:
                extreme = extreme_equilibria(NormalForm(("", ""), names, payoffs), self.tick)
            except OutOfTimeError:
                self._more("the time was up before all supports of two were looked at")
                return
            corners: dict[int, list[tuple[Mixture, ...]]] = {}
            for number, (mine, its) in zip(extreme.sets, extreme.pairs, strict=True):
                mixtures = list(pure_mixture(self.form, profile))
                mixtures[first], mixtures[second] = mine, its
                corners.setdefault(number, []).append(tuple(mixtures))
                if is_equilibrium(self.form, mixtures):
                    yield tuple(mixtures)
            for ends in corners.values():
                if len(ends) > 1 and not self._is_ruled_out(ends, pair):
                    self._more(
                        "there may be connected sets of equilibria, not all ends of which are "
                        "listed"
                    )

    def _is_ruled_out(self, ends: Sequence[tuple[Mixture, ...]], pair: tuple[int, int]) -> bool:
        """Whether a non-mixing player gains by the same deviation at all corners of a connected
        set.

        Then the player gains in the whole set, because the payoffs there are averages of the
        payoffs at the corners.
        """
        for player in (player for player in self.able if player not in pair):
            paid = [replies(self.form, corner, player) for corner in ends]
            strategy = ends[0][player].index(1)
            if any(
                all(rows[number] > rows[strategy] for rows in paid)
                for number in range(self.form.sizes[player])
            ):
                return True
        return False

    def _of_more(self) -> Iterator[tuple[Mixture, ...]]:
        """Exact equilibria in which three players or more mix; irrational ones go to `rounded`."""
        if prod(2**size - 1 for size in self.form.sizes) > MOST_SUPPORTS_OF_MORE:
            self._more("there are too many supports to look where three players or more mix")
            return
        every = [
            [
                support
                for count in range(1, size + 1)
                for support in combinations(range(size), count)
            ]
            for size in self.form.sizes
        ]
        for supports in product(*every):
            if sum(len(support) > 1 for support in supports) < 3:
                continue
            system = Indifference(self.form, supports)
            try:
                roots = isolated_roots(system, self.most_boxes - self.boxes, self.tick)
            except OutOfTimeError:
                self._more("the time was up before all supports of three or more were looked at")
                return
            self.boxes += roots.boxes
            for root in roots.roots:
                yield from self._judged(system, root)
            if not roots.is_complete:
                self._more(
                    "three players or more may be able to mix in a connected set of ways"
                    if self.boxes < self.most_boxes
                    else "where three players or more mix there was too much to look at"
                )

    def _judged(self, system: Indifference, root: Root) -> Iterator[tuple[Mixture, ...]]:
        """A solution of the indifference equations, if it is an equilibrium; exact if it is
        rational."""
        simple = tuple(coordinate.limit_denominator(MOST_DENOMINATOR) for coordinate in root.centre)
        is_near = all(abs(a - b) <= root.reach for a, b in zip(simple, root.centre, strict=True))
        if is_near and not any(
            map(any, (bounds(terms, _box(simple)) for terms in system.equations))
        ):
            mixtures = system.mixtures(simple)
            if min(map(min, mixtures)) >= 0 and is_equilibrium(self.form, mixtures):
                yield mixtures
            return
        around = _box(root.centre, root.error)
        firsts = [[around[n] for n in numbers] for numbers in system.variables.values()]
        least = min(
            *(low for low, _ in around), *(1 - sum(b for _, b in ranges) for ranges in firsts)
        )
        most = min(
            *(high for _, high in around), *(1 - sum(a for a, _ in ranges) for ranges in firsts)
        )
        gains = [bounds(terms, around) for terms in system.gains] if least > 0 else []
        if most <= 0 or any(high < 0 for _, high in gains):
            return
        if least <= 0 or any(low < 0 for low, _ in gains):
            self._more("whether one of mixed strategies is an equilibrium was not decided")
            return
        near = tuple(round(coordinate, DECIMALS) for coordinate in root.centre)
        error = root.error + Fraction(1, 2 * 10**DECIMALS)
        most_terms = max(map(len, system.variables.values()))
        self.rounded.append(Rounded(system.mixtures(near), most_terms * error))


def _box(place: Sequence[Fraction], radius: Fraction = ZERO) -> list[tuple[Fraction, Fraction]]:
    return [(coordinate - radius, coordinate + radius) for coordinate in place]


def _with(profile: Profile, chosen: dict[int, int]) -> Profile:
    return tuple(chosen.get(player, number) for player, number in enumerate(profile))
