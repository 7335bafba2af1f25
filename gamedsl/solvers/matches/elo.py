"""Differences in strength, shown by the results of paired games, with intervals of 95 %."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, log10, prod, sqrt

from gamedsl.source.records import dataclass

TAIL = 1.96
"""Standard deviations of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean, and the bounds of an interval of 95 %."""

    mean: float
    low: float
    high: float


def elo(score: float, games: int) -> float:
    """The Elo difference of a mean score between 0 and 1; of a clean score, of half a game less."""
    least = 0.5 / games
    kept = min(max(score, least), 1 - least)
    return -400 * log10(1 / kept - 1)


def mean_interval(numbers: Sequence[float], least: float = 0.0) -> Interval:
    """The mean of numbers; `least` is a variance that is assumed at least."""
    count = len(numbers)
    mean = sum(numbers) / count
    spread = sum((number - mean) ** 2 for number in numbers) / max(1, count - 1)
    error = TAIL * sqrt(max(spread, least) / count)
    return Interval(mean, mean - error, mean + error)


def elo_interval(pairs: Sequence[float]) -> Interval:
    """Elo, from the mean score of each pair of games."""
    least = 0.25 / (len(pairs) + 1)  # pairs that all end alike prove no certainty
    score, games = mean_interval(pairs, least), 2 * len(pairs)
    return Interval(elo(score.mean, games), elo(score.low, games), elo(score.high, games))


def expected_score(difference: float) -> float:
    """The mean score of a player who is stronger by an Elo difference."""
    return float(1 / (1 + 10 ** (-difference / 400)))


ROUNDS = 1_000
"""Steps of the fit of ratings."""


def ratings(players: int, scores: Sequence[tuple[int, int, float, int]]) -> list[float]:
    """Elo of each player, on average 0, that agrees best with results: two players, the score of
    the first, and the number of games (R. Bradley and M. Terry, "Rank analysis of incomplete block
    designs", 1952).

    Half a game is added to either side of each result, so that clean scores have finite ratings.
    """
    strength = [1.0] * players
    for _ in range(ROUNDS):
        wins, share = [0.0] * players, [0.0] * players
        for first, second, score, games in scores:
            part = (games + 1) / (strength[first] + strength[second])
            for player, points in ((first, score), (second, games - score)):
                wins[player] += points + 0.5
                share[player] += part
        strength = [won / part for won, part in zip(wins, share, strict=True)]
        mean = prod(strength) ** (1 / players)
        strength = [each / mean for each in strength]
    return [400 * log10(each) for each in strength]


WRONG = 0.05
"""Probability of a wrong end of a sequential test, on either side."""


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """A sequential probability ratio test (A. Wald, 1945) of two Elo differences, on the scores of
    pairs, with their normal approximation."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g},{self.high:g}"

    def ratio(self, pairs: Sequence[float]) -> float:
        """The logarithm of the likelihood of `high` divided by that of `low`."""
        if len(pairs) < 2:
            return 0.0
        mean = sum(pairs) / len(pairs)
        spread = sum((score - mean) ** 2 for score in pairs) / (len(pairs) - 1)
        spread = max(spread, 0.25 / (len(pairs) + 1))  # as in `elo_interval`
        low, high = expected_score(self.low), expected_score(self.high)
        return len(pairs) * (high - low) * (2 * mean - low - high) / (2 * spread)

    def verdict(self, pairs: Sequence[float]) -> bool | None:
        """True where `high` is accepted, False for `low`, None while more pairs are needed."""
        ratio = self.ratio(pairs)
        return ratio > 0 if abs(ratio) >= log((1 - WRONG) / WRONG) else None


def sequential_test(text: str) -> SequentialTest:
    """The test of a text, `0,50`: two Elo differences, the smaller first. Raises ValueError."""
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        low = high = 0.0
    if not -1000 <= low < high <= 1000:
        raise ValueError(f"two Elo differences are needed, the smaller first, as 0,50: not {text}")
    return SequentialTest(low, high)
