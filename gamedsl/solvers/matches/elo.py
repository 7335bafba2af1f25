"""Differences in strength, shown by the results of paired games, with intervals of 95 %."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10, sqrt

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
