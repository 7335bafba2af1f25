"""Exact equilibrium candidates from nearly optimal behaviour, by the active constraints.

In: an extensive form of two players with opposed interests, and behaviour of both players found by
regret minimisation. Out: behaviour of both players in fractions, a possible equilibrium;
`best_response` decides. At an optimum of a linear program some variables are 0 and some constraints
hold with equality, and these equations determine the optimum (Chvatal, "Linear Programming", 1983,
chapter 8). The active constraints show near the optimum: sequences hardly ever played, and actions
of the opponent that are used or hardly worse than used actions. One sparse system of equations
remains for each player; free variables keep their values.
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
"""Maximal number of sequences of both players; above it, the equations dominate the total time."""
MOST_DROPPED = 4
"""Maximal number of sequences set to 0 because the equations give a negative weight."""
FINE = 10**7
"""The greatest denominator of free variables."""
ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class _Least:
    """Thresholds below which quantities are taken for 0: the own probabilities, the opponent's
    probabilities, and the loss of an action against the best action, relative to the greatest
    payoff."""

    of_player: float
    of_opponent: float
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
    """Behaviour of both players by the constraints that seem active near an approximate
    equilibrium; candidates for several guesses of the zeros, in order. No candidates for large
    forms."""
    if sum(form.size.sequences) > MOST_SEQUENCES:
        return
    first, second = _Nearby(form, near), _Nearby(mirrored(form), near[::-1])
    for least in GUESSES:
        mine = first.exact(least, tick)
        theirs = None if mine is None else second.exact(least, tick)
        if mine is not None and theirs is not None:
            yield mine, theirs


class _Nearby:
    """The approximate plan of the first player, and its consequences in the second player's sets.

    Attributes:
        weights: the weights of the first player's sequences.
        gains: the first player's gain for each sequence of the second player; `values`: the least
            gain in each information set of the second player; `reached`: the contribution of chance
            and the first player to the probability of the set.
    """

    def __init__(self, form: ExtensiveForm, near: Profile) -> None:
        self.form = form
        self.near = near
        self.weights = [1.0]
        for information_set, local in zip(form.sets[0], near[0], strict=True):
            self.weights += [self.weights[information_set.parent] * float(part) for part in local]
        self.gains = [0.0] * form.size.sequences[1]
        reaches = list(self.gains)
        for (sequence, opposing), paid in form.payoffs.items():
            self.gains[opposing] += self.weights[sequence] * float(paid[0])
            reaches[opposing] += self.weights[sequence] * float(form.chances[sequence, opposing])
        self.values = [0.0] * len(form.sets[1])
        self.reached = list(self.values)
        for place, information_set in reversed(list(enumerate(form.sets[1]))):
            self.values[place] = min(self.gains[n] for n in information_set.sequences)
            self.gains[information_set.parent] += self.values[place]
            self.reached[place] = max(reaches[n] for n in information_set.sequences)
            reaches[information_set.parent] += self.reached[place]

    def exact(self, least: _Least, tick: Callable[[], None]) -> Behaviour | None:
        """The first player's behaviour; None for contradictory equations or a negative solution."""
        played = self._used(0, least.of_player)
        tight = self._tight(least)
        known = [*self.weights, *self.values]
        open_values = {n: Fraction(x).limit_denominator(FINE) for n, x in enumerate(known)}
        for _ in range(1 + MOST_DROPPED):
            solution = solve_rows(self._equations(played, tight), open_values, tick)
            if solution is None:
                return None
            weights = [
                solution.get(n, open_values[n]) if is_played else Fraction(0)
                for n, is_played in enumerate(played)
            ]
            negative = [n for n, weight in enumerate(weights) if weight < 0]
            if not negative:
                return behaviour(self.form.sets[0], weights[1:])
            played[min(negative, key=self.weights.__getitem__)] = False
            for information_set in self.form.sets[0]:
                for n in information_set.sequences:
                    played[n] = played[n] and played[information_set.parent]
        return None

    def _used(self, player: int, least: float) -> list[bool]:
        """For every sequence of a player, whether all actions on it have probabilities above
        `least`."""
        used = [True]
        for information_set, local in zip(self.form.sets[player], self.near[player], strict=True):
            used += [used[information_set.parent] and part > least for part in local]
        return used

    def _tight(self, least: _Least) -> list[int]:
        """The second player's sequences that seem best replies in their sets."""
        used = self._used(1, least.of_opponent)
        most = max(abs(float(paid[0])) for paid in self.form.outcomes)
        tight = []
        for place, information_set in enumerate(self.form.sets[1]):
            small = least.loss * most * self.reached[place]
            best = min(information_set.sequences, key=self.gains.__getitem__)
            for n in information_set.sequences:
                if n == best or used[n] or self.gains[n] - self.values[place] < small:
                    tight.append(n)
        return tight

    def _equations(self, played: Sequence[bool], tight: Sequence[int]) -> list[Row]:
        """Flow conservation of the weights; and for each tight sequence of the second player, the
        value of its information set equals the gain of the sequence. Variables of values are
        numbered behind the weights."""
        rows: list[dict[int, Fraction]] = []
        for information_set in self.form.sets[0]:
            row = {n: ONE for n in information_set.sequences if played[n]}
            if played[information_set.parent]:
                rows.append(
                    row
                    | ({information_set.parent: -ONE} if information_set.parent else {RIGHT: ONE})
                )
        left: dict[int, dict[int, Fraction]] = {n: {} for n in tight}
        for place, information_set in enumerate(self.form.sets[1], start=len(played)):
            for n in information_set.sequences:
                if n in left:
                    left[n][place] = ONE
            if information_set.parent in left:
                left[information_set.parent][place] = -ONE
        for (sequence, opposing), paid in self.form.payoffs.items():
            if opposing in left and played[sequence] and paid[0]:
                left[opposing] |= {sequence: -paid[0]} if sequence else {RIGHT: paid[0]}
        return [_whole(row) for row in (*rows, *left.values())]


def _whole(row: dict[int, Fraction]) -> Row:
    scale = lcm(*(entry.denominator for entry in row.values()))
    return {column: int(entry * scale) for column, entry in row.items()}
