"""When looking for errors is so slow that it ends by itself.

In: how many positions, or steps of plays, have been looked at. Out: nothing, or an exception. The
number of positions says how far a check gets, and time does not; but rules whose every position
takes long would have it go on for hours, though nobody asked for that. Who has little time says so.
"""

from __future__ import annotations

from math import inf
from time import perf_counter, process_time

MOST_SECONDS = 8.0
"""Seconds of computing that anything may take; a busy machine does not make them fewer."""
FEWEST_A_SECOND = 100
"""What is looked at so fast goes on for longer."""


class TooSlowError(Exception):
    """So few positions a second are looked at that it ends."""

    def __init__(self, per_second: float) -> None:
        super().__init__(f"{per_second:.2g} a second")
        self.per_second = per_second


class TimeIsUpError(Exception):
    """As long as there was time for it has been looked."""


class Pace:
    """Counts what is looked at, and ends it where it is too slow, or time is up: at `until`
    (`perf_counter`), but not before something was looked at."""

    def __init__(self, seconds: float = MOST_SECONDS, until: float = inf) -> None:
        self._seconds = seconds
        self.until = until
        self._done = 0
        self._begun = perf_counter(), process_time()

    def count(self) -> None:
        """One more is about to be looked at. Raises TooSlowError and TimeIsUpError."""
        wall, computing = self._begun
        now = perf_counter()
        if now > self.until and self._done:
            raise TimeIsUpError
        if now - wall > self._seconds:  # asked first: it is much faster to ask
            spent = process_time() - computing
            if spent > self._seconds and self._done < FEWEST_A_SECOND * spent:
                raise TooSlowError(self._done / spent)
        self._done += 1
