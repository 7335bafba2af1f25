"""Times of an estimate are read once: seconds to years, and a bound beyond."""

from __future__ import annotations

import pytest

from gamedsl.reports.counts.estimate import YEAR, duration_words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (100 * 86_400, "100 days"),
        (17 * YEAR, "17 years"),
        (29.9 * YEAR, "30 years"),
        (1e12, "more than 30 years"),
    ],
)
def test_a_long_time_has_a_unit(seconds: float, words: str) -> None:
    assert duration_words(seconds) == words
