"""What playing finds in a text: where the rules fail, what never ends, claims that do not hold.

In: a text, and who is told how far it has got. Out: values for JSON. It takes seconds, so that a
page asks it of a worker of its own, which the next edit ends.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from gamedsl.playground.counsel import MOST_POSITIONS
from gamedsl.playground.texts import analysed, finding_data
from gamedsl.playground.units import Units
from gamedsl.python.checking import CheckLimits, check_source
from gamedsl.reports.checks.findings import looked_at
from gamedsl.services.findings import placed
from gamedsl.source.plurals import count

Tell = Callable[[str], object]
"""Who is told, in words, how far something has got."""
SECONDS = 20.0
"""Seconds in which a text is played and its claims are verified."""
LIMITS = CheckLimits(max_positions=MOST_POSITIONS, max_seconds=SECONDS)
EVERY = 0.25
"""Seconds between two words on how far it has got."""


def check(text: str, tell: Tell) -> dict[str, object]:
    """All that `gamedsl check` finds in a text within a time, and how much was looked at."""
    analysis, units = analysed(text), Units(text)
    report = check_source(analysis.source, {}, LIMITS, progress=_Progress(tell))
    return {
        "findings": [finding_data(one, units) for one in placed(analysis, report.findings())],
        "looked_at": looked_at(report),
    }


class _Progress:
    """Tells from time to time how many positions have been looked at."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._told = perf_counter()

    def __call__(self, positions: int, _: int) -> None:
        now = perf_counter()
        if now - self._told > EVERY:
            self._told = now
            self._tell(f"{count(positions, 'position')} so far")
