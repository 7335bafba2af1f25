"""The difference in strength that the results of paired games show."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10, sqrt

TAIL = 1.96
"""Standard deviations of an interval that holds with 95 %."""


def elo(score: float, games: int) -> float:
    """The Elo difference of a mean score; of a clean score, of half a game less."""
    least = 0.5 / games
    kept = min(max(score, least), 1 - least)
    return -400 * log10(1 / kept - 1)


def interval(pairs: Sequence[float]) -> tuple[float, float, float]:
    """Elo with the bounds of an interval of 95 %, from the mean score of each pair of games."""
    count = len(pairs)
    mean = sum(pairs) / count
    spread = sum((score - mean) ** 2 for score in pairs) / max(1, count - 1)
    least = 0.25 / (count + 1)  # pairs that all end alike prove no certainty
    error = TAIL * sqrt(max(spread, least) / count)
    games = 2 * count
    return elo(mean, games), elo(mean - error, games), elo(mean + error, games)
