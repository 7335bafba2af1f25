"""The full check of a text by play: failing rules, endless play, false claims.

A check takes seconds; the page therefore uses a separate worker and ends the worker at the next
edit.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from gamedsl.playground.reading import analysed
from gamedsl.playground.solving import MOST_POSITIONS
from gamedsl.playground.texts import finding_data
from gamedsl.playground.units import Units
from gamedsl.python.checking import CheckLimits, check_source
from gamedsl.reports.checks.findings import looked_at
from gamedsl.services.findings import placed
from gamedsl.source.plurals import count

Tell = Callable[[str], object]
"""Callback for progress messages."""
SECONDS = 20.0
"""Time limit in seconds for play and the verification of claims."""
LIMITS = CheckLimits(max_positions=MOST_POSITIONS, max_seconds=SECONDS)
EVERY = 0.25
"""Seconds between progress messages."""


def check(text: str, tell: Tell) -> dict[str, object]:
    """The findings of `gamedsl check` within the time limit, and the extent of the check."""
    analysis, units = analysed(text), Units(text)
    report = check_source(analysis.source, {}, LIMITS, progress=_Progress(tell))
    return {
        "findings": [
            finding_data(finding, units) for finding in placed(analysis, report.findings())
        ],
        "looked_at": looked_at(report),
    }


class _Progress:
    """Reports the number of visited positions at intervals."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._told = perf_counter()

    def __call__(self, positions: int, _: int) -> None:
        now = perf_counter()
        if now - self._told > EVERY:
            self._told = now
            self._tell(f"{count(positions, 'position')} so far")
