"""A limit on the search for errors in slow games.

The extent of a check depends on the number of positions, not on time. If every position takes long,
a check would run for hours unasked; `Pace` therefore stops slow checks. A tighter time limit is set
by the user.
"""

from __future__ import annotations

from math import inf
from time import perf_counter, process_time

MOST_SECONDS = 8.0
"""CPU seconds for a check; load on the machine does not shorten the check."""
FEWEST_A_SECOND = 100
"""Positions per CPU second from which a check may exceed the time limit."""


class TooSlowError(Exception):
    """Too few positions per second; the check stops."""

    def __init__(self, per_second: float) -> None:
        super().__init__(f"{per_second:.2g} a second")
        self.per_second = per_second


class TimeIsUpError(Exception):
    """The time limit set by the user has passed."""


class Pace:
    """Counts positions and stops a check that is too slow or out of time.

    `until` is a `perf_counter` time; at least one position is examined before the limit applies.
    The clock of the pace starts with the first position: the compilation of the rules is no slow
    position, and a report is the same with and without cached rules.
    """

    def __init__(self, seconds: float = MOST_SECONDS, until: float = inf) -> None:
        self._seconds = seconds
        self.until = until
        self._done = 0
        self._begun: tuple[float, float] | None = None

    def count(self) -> None:
        """Count a position about to be examined. Raises TooSlowError and TimeIsUpError."""
        now = perf_counter()
        if self._begun is None:
            self._begun = now, process_time()
        wall, computing = self._begun
        if now > self.until and self._done:
            raise TimeIsUpError
        if now - wall > self._seconds:  # wall clock first: much faster to read
            spent = process_time() - computing
            if spent > self._seconds and self._done < FEWEST_A_SECOND * spent:
                raise TooSlowError(self._done / spent)
        self._done += 1
