"""Exact behaviour from behaviour that is nearly optimal, by the equations that hold there.

In: an extensive form of two players with opposed interests, and behaviour of both that regret
minimisation has found. Out: behaviour of both in fractions that may be an equilibrium; whether it
is says `best_response`. Where a linear program has its optimum, some variables are 0 and some
constraints are equations, and these determine it (Chvatal, "Linear Programming", 1983, chapter 8).
Which they are shows near the optimum: sequences that are hardly ever played, and actions of the
other player that are used or hardly worse than those. One sparse system of equations is left for
each player; what it leaves open keeps its value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import lcm

from gamedsl.solvers.equilibria.extensive_form import ExtensiveForm
from gamedsl.solvers.equilibria.sequence_form import Behaviour, behaviour, mirrored
from gamedsl.solvers.equilibria.sparse_rows import RIGHT, Row, solve_rows
from gamedsl.source.records import dataclass

Profile = tuple[Behaviour, ...]
MOST_SEQUENCES = 12_000
"""Of both players together; of more, equations take longer than all else."""
MOST_DROPPED = 4
"""So often a sequence is taken for unplayed because the equations ask for less than nothing."""
FINE = 10**7
"""The greatest denominator of what the equations leave open."""
ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class _Least:
    """What is taken for 0: below these, a probability of one's own, one of the other player's, and
    what an action is worse than the best one, as a part of the greatest payoff."""

    own: float
    others: float
    loss: float


GUESSES = (
    _Least(1e-4, 1e-3, 1e-4),
    _Least(1e-4, 1e-4, 1e-5),
    _Least(1e-3, 1e-3, 1e-5),
    _Least(1e-2, 1e-3, 1e-5),
    _Least(1e-5, 1e-5, 1e-6),
)


def exact_candidates(
    form: ExtensiveForm, near: Profile, tick: Callable[[], None] = lambda: None
) -> Iterator[Profile]:
    """Behaviour of both that obeys the equations which seem to hold near an approximate
    equilibrium; by several guesses of what is 0, one after the other. None of large forms."""
    if sum(form.size.sequences) > MOST_SEQUENCES:
        return
    first, second = _Nearby(form, near), _Nearby(mirrored(form), near[::-1])
    for least in GUESSES:
        one = first.exact(least, tick)
        other = None if one is None else second.exact(least, tick)
        if one is not None and other is not None:
            yield one, other


class _Nearby:
    """The first player's plan, and what it leaves the second in each information set, nearly.

    Attributes:
        weights: of the first player's sequences.
        gains: what each of the second's sequences leaves the first player; `values`: the least in
            each of the second's information sets; `reached`: how likely chance and the first player
            make that set.
    """

    def __init__(self, form: ExtensiveForm, near: Profile) -> None:
        self.form = form
        self.near = near
        self.weights = [1.0]
        for found, local in zip(form.sets[0], near[0], strict=True):
            self.weights += [self.weights[found.parent] * float(part) for part in local]
        self.gains = [0.0] * form.size.sequences[1]
        ways = list(self.gains)
        for (own, others), paid in form.payoffs.items():
            self.gains[others] += self.weights[own] * float(paid[0])
            ways[others] += self.weights[own] * float(form.chances[own, others])
        self.values = [0.0] * len(form.sets[1])
        self.reached = list(self.values)
        for place, found in reversed(list(enumerate(form.sets[1]))):
            self.values[place] = min(self.gains[n] for n in found.sequences)
            self.gains[found.parent] += self.values[place]
            self.reached[place] = max(ways[n] for n in found.sequences)
            ways[found.parent] += self.reached[place]

    def exact(self, least: _Least, tick: Callable[[], None]) -> Behaviour | None:
        """The first player's behaviour; None where the equations contradict each other, or ask
        for less than nothing."""
        played = self._used(0, least.own)
        tight = self._tight(least)
        known = [*self.weights, *self.values]
        open_values = {n: Fraction(x).limit_denominator(FINE) for n, x in enumerate(known)}
        for _ in range(1 + MOST_DROPPED):
            found = solve_rows(self._equations(played, tight), open_values, tick)
            if found is None:
                return None
            weights = [
                found.get(n, open_values[n]) if is_played else Fraction(0)
                for n, is_played in enumerate(played)
            ]
            negative = [n for n, weight in enumerate(weights) if weight < 0]
            if not negative:
                return behaviour(self.form.sets[0], weights[1:])
            played[min(negative, key=self.weights.__getitem__)] = False
            for one in self.form.sets[0]:
                for n in one.sequences:
                    played[n] = played[n] and played[one.parent]
        return None

    def _used(self, player: int, least: float) -> list[bool]:
        """For each sequence of a player whether all its actions have more than so much."""
        used = [True]
        for found, local in zip(self.form.sets[player], self.near[player], strict=True):
            used += [used[found.parent] and part > least for part in local]
        return used

    def _tight(self, least: _Least) -> list[int]:
        """The second player's sequences that are as good as any other of their set, it seems."""
        used = self._used(1, least.others)
        most = max(abs(float(paid[0])) for paid in self.form.outcomes)
        found = []
        for place, one in enumerate(self.form.sets[1]):
            small = least.loss * most * self.reached[place]
            best = min(one.sequences, key=self.gains.__getitem__)
            for n in one.sequences:
                if n == best or used[n] or self.gains[n] - self.values[place] < small:
                    found.append(n)
        return found

    def _equations(self, played: Sequence[bool], tight: Sequence[int]) -> list[Row]:
        """The weights that go on are those that come; an information set of the second player is
        worth what each of its tight sequences leaves. Its values are numbered behind the weights.
        """
        rows: list[dict[int, Fraction]] = []
        for one in self.form.sets[0]:
            row = {n: ONE for n in one.sequences if played[n]}
            if played[one.parent]:
                rows.append(row | ({one.parent: -ONE} if one.parent else {RIGHT: ONE}))
        left: dict[int, dict[int, Fraction]] = {n: {} for n in tight}
        for place, one in enumerate(self.form.sets[1], start=len(played)):
            for n in one.sequences:
                if n in left:
                    left[n][place] = ONE
            if one.parent in left:
                left[one.parent][place] = -ONE
        for (own, others), paid in self.form.payoffs.items():
            if others in left and played[own] and paid[0]:
                left[others] |= {own: -paid[0]} if own else {RIGHT: paid[0]}
        return [_whole(row) for row in (*rows, *left.values())]


def _whole(row: dict[int, Fraction]) -> Row:
    scale = lcm(*(entry.denominator for entry in row.values()))
    return {column: int(entry * scale) for column, entry in row.items()}
