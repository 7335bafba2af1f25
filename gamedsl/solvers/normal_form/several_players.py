"""Equilibria of any number of players: in pure strategies, and mixed ones where they are exact.

In: a normal form. Out: mixtures of all players that are equilibria, and whether more may exist.
Where two players mix and the others do not, the two play a bimatrix game. Where three mix between
two strategies each, what makes them indifferent leads to a quadratic equation; its solutions are
used if they are rational (irrational ones exist: J. Nash, "Non-cooperative games", Annals of
Mathematics 54, 1951, has an example with three players).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import isqrt

from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.normal_form.bimatrix import MOST_SUPPORTS, extreme_equilibria, is_small
from gamedsl.solvers.normal_form.form import Mixture, NormalForm, Profile, is_equilibrium
from gamedsl.source.records import dataclass

MOST_CASES = 400
"""Choices of the players who do not mix, and of supports of three who do."""
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class FoundEquilibria:
    """Mixtures of all players, and why there may be more; None if there are not."""

    mixtures: tuple[tuple[Mixture, ...], ...]
    why_more: str | None


def pure_equilibria(form: NormalForm) -> tuple[Profile, ...]:
    """All profiles from which nobody gains by another strategy alone."""
    return tuple(
        profile
        for profile, payoffs in sorted(form.payoffs.items())
        if all(
            form.payoffs[(*profile[:player], other, *profile[player + 1 :])][player] <= payoff
            for player, payoff in enumerate(payoffs)
            for other in range(form.sizes[player])
        )
    )


def pure_mixture(form: NormalForm, profile: Profile) -> tuple[Mixture, ...]:
    """A profile as mixtures."""
    return tuple(
        tuple(Fraction(n == number) for n in range(size))
        for size, number in zip(form.sizes, profile, strict=True)
    )


def equilibria_of_several(form: NormalForm) -> FoundEquilibria:
    """Those in pure strategies, then those in which two mix, then three."""
    search = _Search(form)
    found = dict.fromkeys(search.all())
    return FoundEquilibria(tuple(found), search.why_more)


class _Search:
    def __init__(self, form: NormalForm) -> None:
        self.form = form
        self.able = [player for player, size in enumerate(form.sizes) if size > 1]
        self.cases = 0
        self.why_more: str | None = None

    def all(self) -> Iterator[tuple[Mixture, ...]]:
        """Every equilibrium that the search finds, some more than once."""
        for profile in pure_equilibria(self.form):
            yield pure_mixture(self.form, profile)
        for pair in combinations(self.able, 2):
            yield from self._of_two(pair)
        for triple in combinations(self.able, 3):
            yield from self._of_three(triple)
        if len(self.able) > 3:
            self._more("those in which more than three players mix were not looked for")
        elif len(self.able) == 3 and max(self.form.sizes) > 2:
            self._more(
                "those in which three players mix, one of them between more than two strategies, "
                "were not looked for"
            )

    def _more(self, why: str) -> None:
        self.why_more = self.why_more or why

    def _others(self, mixing: Sequence[int]) -> Iterator[Profile]:
        """What those choose who do not mix; a strategy of the others stands for none."""
        around = [(0,) if p in mixing else range(size) for p, size in enumerate(self.form.sizes)]
        for profile in product(*around):
            self.cases += 1
            if self.cases > MOST_CASES:
                self._more("there are too many cases to look at all of them")
                return
            yield profile

    def _of_two(self, pair: tuple[int, int]) -> Iterator[tuple[Mixture, ...]]:
        one, other = pair
        sizes = self.form.sizes[one], self.form.sizes[other]
        if not is_small(sizes):
            self._more(f"pairs of players have more than {MOST_SUPPORTS:,} pairs of supports")
            return
        for profile in self._others(pair):
            payoffs: dict[Profile, Vector] = {}
            for n, m in product(*map(range, sizes)):
                paid = self.form.payoffs[_with(profile, {one: n, other: m})]
                payoffs[n, m] = (paid[one], paid[other])
            names = tuple(self.form.strategies[player] for player in pair)
            found = extreme_equilibria(NormalForm(("", ""), names, payoffs))
            is_wide = len(set(found.sets)) < len(found.sets)
            for mine, its in found.pairs:
                mixtures = list(pure_mixture(self.form, profile))
                mixtures[one], mixtures[other] = mine, its
                if is_equilibrium(self.form, mixtures):
                    yield tuple(mixtures)
            if is_wide:
                self._more(
                    "there may be connected sets of equilibria, not all ends of which are listed"
                )

    def _of_three(self, triple: tuple[int, ...]) -> Iterator[tuple[Mixture, ...]]:
        pairs = [list(combinations(range(self.form.sizes[player]), 2)) for player in triple]
        for profile in self._others(triple):
            for supports in product(*pairs):
                self.cases += 1
                if self.cases > MOST_CASES:
                    self._more("there are too many cases to look at all of them")
                    return
                for chances in self._indifferent(profile, triple, supports):
                    mixtures = list(pure_mixture(self.form, profile))
                    for player, support, chance in zip(triple, supports, chances, strict=True):
                        own = [ZERO] * self.form.sizes[player]
                        own[support[0]], own[support[1]] = chance, 1 - chance
                        mixtures[player] = tuple(own)
                    if is_equilibrium(self.form, mixtures):
                        yield tuple(mixtures)

    def _indifferent(
        self, profile: Profile, triple: tuple[int, ...], supports: tuple[tuple[int, int], ...]
    ) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
        """Probabilities p, q, r of the first strategies, strictly between 0 and 1, that make all
        three indifferent. What the first gains is a + b q + c r + d q r, and so on; the second's
        and the third's conditions give r and q as quotients of p."""
        gains = (self._gain(profile, triple, supports, place) for place in range(3))
        first, second, third = gains
        r = ((-second[0], -second[1]), (second[2], second[3]))
        q = ((-third[0], -third[1]), (third[2], third[3]))
        a, b, c, d = first
        terms = [(a, q[1], r[1]), (b, q[0], r[1]), (c, q[1], r[0]), (d, q[0], r[0])]
        equation = [
            sum((k * one[0] * other[0] for k, one, other in terms), ZERO),
            sum((k * (one[0] * other[1] + one[1] * other[0]) for k, one, other in terms), ZERO),
            sum((k * one[1] * other[1] for k, one, other in terms), ZERO),
        ]
        if not any(equation):
            self._more("three players may be able to mix in a connected set of ways")
            return
        for p in self._roots(equation):
            of_q, of_r = ((f[0][0] + f[0][1] * p, f[1][0] + f[1][1] * p) for f in (q, r))
            rest = self._rest(first, of_q, of_r)
            if rest is not None and all(0 < chance < 1 for chance in (p, *rest)):
                yield p, *rest

    def _rest(
        self,
        first: tuple[Fraction, Fraction, Fraction, Fraction],
        of_q: tuple[Fraction, Fraction],
        of_r: tuple[Fraction, Fraction],
    ) -> tuple[Fraction, Fraction] | None:
        """q and r as quotients; one that is 0 / 0 is what makes the first player indifferent."""
        a, b, c, d = first
        if any(above and not below for above, below in (of_q, of_r)):
            return None
        if of_q[1] and of_r[1]:
            return of_q[0] / of_q[1], of_r[0] / of_r[1]
        if of_r[1]:
            r = of_r[0] / of_r[1]
            if b + d * r:
                return -(a + c * r) / (b + d * r), r
        elif of_q[1]:
            q = of_q[0] / of_q[1]
            if c + d * q:
                return q, -(a + b * q) / (c + d * q)
        self._more("three players may be able to mix in a connected set of ways")
        return None

    def _gain(
        self,
        profile: Profile,
        triple: tuple[int, ...],
        supports: tuple[tuple[int, int], ...],
        place: int,
    ) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """What a player gains by the first strategy of a support over the second: a constant, what
        the one other's chance of its first strategy adds, the other's, and their product."""
        player = triple[place]
        one, other = (n for n in range(3) if n != place)

        def gain(n: int, m: int) -> Fraction:
            chosen = {triple[one]: supports[one][n], triple[other]: supports[other][m]}
            paid = [
                self.form.payoffs[_with(profile, {**chosen, player: own})][player]
                for own in supports[place]
            ]
            return paid[0] - paid[1]

        nothing, by_one, by_other = gain(1, 1), gain(0, 1), gain(1, 0)
        both = gain(0, 0) - by_one - by_other + nothing
        return nothing, by_one - nothing, by_other - nothing, both

    def _roots(self, equation: Sequence[Fraction]) -> Iterator[Fraction]:
        """Rational roots of c + b p + a p p = 0."""
        c, b, a = equation
        if not a:
            if b:
                yield -c / b
            return
        below = b * b - 4 * a * c
        if below < 0:
            return
        root = Fraction(isqrt(below.numerator), isqrt(below.denominator))
        if root * root != below:
            self._more("equilibria in which three players mix may have irrational probabilities")
            return
        yield from dict.fromkeys(((-b - root) / (2 * a), (-b + root) / (2 * a)))


def _with(profile: Profile, chosen: dict[int, int]) -> Profile:
    return tuple(chosen.get(player, number) for player, number in enumerate(profile))
